// A worker is killed at any moment of an undo: all is as before the undo or as after it, and finally as after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ASYNC, people } from "../support/client.ts";
import { dump, endOf, momentOf } from "../support/killed-jobs.ts";
import { install, ownRedis } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";

const ROWS = 2000;
const MOVED = 500;

const redis = ownRedis();
await redis.start();

test(`a worker killed at ${KILLS} moments of an undo, or of its undo, leaves all of it or nothing`, async (t) => {
  const moments: Record<string, number> = {};
  await Promise.all([killInLane(0, moments), killInLane(1, moments)]);
  t.diagnostic(`killed when ${JSON.stringify(moments)}`);
});

/** Undoes an import, undoes that, and so on, with a killed worker each time. */
async function killInLane(lane: number, moments: Record<string, number>): Promise<void> {
  const kills = KILLS / 2;
  const draw = seeded(`undo ${lane}`);
  const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
  const web = await installation.web();
  let worker = await installation.worker();
  const { workspace, client, screenerId } = await installation.screener(web);
  const wait = { Prefer: "wait=60" };
  await client.post("/screener-publications", { screenerId });
  await client.import(screenerId, people(ROWS), {}, wait);
  assert.equal((await client.post("/screener-sessions", { screenerId }, wait)).status, 200);
  const before = dump(installation, workspace);
  const renamed = people(ROWS, MOVED).map((row) => ({ ...row, name: `Renamed ${row.externalUid}` }));
  const imported = await client.import(screenerId, renamed, { importMode: "FULL_SYNC" }, wait);
  assert.equal(imported.status, 200);
  const after = dump(installation, workspace);
  let last = imported.headers.get("location")!.slice("/jobs/".length);
  let length = 0;
  // The first one is not disturbed: it shows how long it takes.
  for (let turn = 0; turn <= kills; turn++) {
    const [was, becomes] = turn % 2 ? [before, after] : [after, before];
    const started = performance.now();
    const { status, body: job } = await client.post(`/jobs/${last}/undo`, undefined, ASYNC);
    assert.equal(status, 202);
    if (turn > 0) {
      await sleep(length * ((turn - 1 + draw()) / kills));
      await worker.kill();
      const moment = momentOf(installation, workspace, job.id);
      moments[moment] = (moments[moment] ?? 0) + 1;
      assert.ok([was, becomes].includes(dump(installation, workspace)), `a part of it, ${moment}`);
      worker = await installation.worker();
    }
    // A second one has no effect.
    const second = await client.post(`/jobs/${last}/undo`, undefined, wait);
    assert.deepEqual([second.status, second.body.code], [409, "job_not_undoable"]);
    const ended = await endOf(client, job.id);
    length ||= performance.now() - started;
    assert.deepEqual(
      [ended.status, ended.summary],
      ["SUCCEEDED", { rows: ROWS + MOVED, reverted: ROWS + MOVED, kept: 0 }],
    );
    assert.ok(dump(installation, workspace) === becomes, "it is as it becomes");
    assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM effect"), [turn + 3]);
    last = job.id;
  }
  assert.deepEqual(installation.stored(workspace, "PRAGMA foreign_key_check"), []);
  assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
}
