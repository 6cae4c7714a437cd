// A thread that runs a job hangs: it is ended, and neither the job nor the workspace hangs with it.

import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ASYNC, people } from "../support/client.ts";
import { install } from "../support/process.ts";
import { until } from "../support/until.ts";

test("a job whose thread never comes back is given up after three times, and the next one runs", async () => {
  const installation = install();
  const [paused, later] = [join(installation.dataDir, "paused"), join(installation.dataDir, "later")];
  const web = await installation.web({
    preload: ["test/support/pause-at.ts", "test/support/later.ts"],
    env: { PAUSE_SQL: JSON.stringify(["INSERT INTO w.participant ("]), PAUSE_FILE: paused, LATER_FILE: later },
  });
  const { workspace, client, screenerId } = await installation.screener(web);
  const { body: hanging } = await client.import(screenerId, people(2000), {}, ASYNC);
  const { body: next } = await client
    .post("/screeners", { title: "Meanwhile" })
    .then(({ body }) => client.import(body.id, [], {}, ASYNC));
  await until(() => existsSync(paused), "it hangs, and holds the workspace's lock");
  let hours = 0;
  const isOver = () => {
    hours += 2;
    writeFileSync(later, String(hours));
    return installation.control<number>("SELECT crashes FROM job WHERE uid = ?", hanging.id)[0] === 3;
  };
  await until(isOver, "its thread was ended three times", 120_000);
  rmSync(later);
  await installation.drain();
  assert.equal((await client.get(`/jobs/${hanging.id}`)).body.problem.code, "job_crashed");
  assert.equal((await client.get(`/jobs/${next.id}`)).body.status, "SUCCEEDED");
  assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM participant"), [0]);
  await web.hasLogged();
  const ended = web.log.filter(({ msg }) => String(msg).startsWith("worker thread was ended"));
  assert.deepEqual(
    ended.map(({ job }) => job),
    [hanging.id, hanging.id, hanging.id],
  );
  assert.equal(web.end, undefined);
});
