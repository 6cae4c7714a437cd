// The clock of the machine is set back by a day: no job waits for longer than its longest pause.

import assert from "node:assert/strict";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openWriter } from "../../db/open.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { ASYNC, people } from "../support/client.ts";
import { install, ownRedis } from "../support/process.ts";
import { findOrInstall } from "../support/programs.ts";
import { until } from "../support/until.ts";

/** Longer than the longest pause, and much shorter than a day. */
const MAX_MS = 60_000;

/** A clock that is a day ahead, until it is set back. */
function clock(): { env: Record<string, string>; setBack(): void } {
  findOrInstall(["faketime"], "faketime");
  const [library] = globSync("/usr/lib/**/faketime/libfaketimeMT.so.1");
  assert.ok(library, "faketime brings its library");
  const folder = mkdtempSync(join(tmpdir(), "clock-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "now");
  writeFileSync(file, "+1d");
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: "1",
      DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    },
    setBack: () => writeFileSync(file, "+0d"),
  };
}

test("a job that waits to be tried again when the clock is set back is tried soon", async () => {
  const { env, setBack } = clock();
  const installation = install(env);
  const web = await installation.web();
  const { client, screenerId } = await installation.screener(web);
  const store = new Workspaces(installation.dataDir, { ...COMMAND_LINE }).path(client.workspaceId);
  const version = setVersion(store, 999);
  const { body: job } = await client.import(screenerId, people(2000), {}, ASYNC);
  assert.ok(Date.parse(job.createdAt) > Date.now() + 3_600_000, "the clock is a day ahead");
  // The pause is 8 s now, long enough for the clock to be set back in it.
  await until(() => installation.control<number>("SELECT failures FROM job")[0]! > 5, "it has failed several times");
  setBack();
  setVersion(store, version);
  await installation.drain(MAX_MS);
  assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
  assert.equal((await client.get("/participants")).body.total, 2000);
});

test("a job that Redis has lost when the clock is set back is handed over again soon", async () => {
  const { env, setBack } = clock();
  const redis = ownRedis();
  await redis.start();
  const installation = install({ ...env, REDIS_URL: redis.url });
  const web = await installation.web();
  const { client, screenerId } = await installation.screener(web);
  await client.import(screenerId, people(10), {}, ASYNC);
  const admin = redis.client();
  await until(async () => (await admin.keys("*:jobs:wait")).length > 0, "it was handed over");
  await admin.flushall();
  setBack();
  await until(async () => {
    const { body } = await client.post("/screeners", { title: "When" });
    return Date.parse(body.createdAt) < Date.now() + 3_600_000;
  }, "the clock is back");
  await until(async () => (await admin.keys("*:jobs:wait")).length > 0, "it is handed over again", MAX_MS);
  admin.disconnect();
  await installation.worker();
  await installation.drain(MAX_MS);
  assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
});

/** Makes a store look as if another release had written it: its jobs wait, and are tried again. @returns the version before */
function setVersion(path: string, version: number): number {
  const db = openWriter(path, COMMAND_LINE);
  const before = db.value<number>("PRAGMA user_version")!;
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
  return before;
}
