// A worker is killed at any moment of an erasure: it goes on, and at the end nothing of the person is left in any file. And a
// store of an earlier release, which kept copies of what was deleted, has none afterwards.

import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openControl } from "../../db/control.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { findBytes } from "../support/bytes.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { endOf } from "../support/killed-jobs.ts";
import { type Installation, install, ownRedis, type TestWorkspace } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { until } from "../support/until.ts";

const ROWS = 1000;
/** Random moments, beside those below. */
const KILLS_HERE = Math.ceil(KILLS / 4);
/** Just before these statements. */
const MOMENTS = [
  "UPDATE job SET status = 'RUNNING'",
  "DELETE FROM stage WHERE id IN (SELECT id FROM erased)",
  "UPDATE OR IGNORE job SET rows = ?",
  "UPDATE job SET apply_begun",
  "UPDATE OR IGNORE event SET note = ?",
  "UPDATE event SET changes = NULL",
  "DELETE FROM screener_response AS t",
  "DELETE FROM participant AS t",
  "INSERT INTO main.job_outcome",
  "UPDATE job SET status = ?, summary",
];

const redis = ownRedis();
await redis.start();
const wait = { Prefer: "wait=60" };

const secretsOf = (round: number) => ({
  externalUid: `SECRET-${round}-UID`,
  email: `secret-${round}@hidden.example`,
  name: `Hidden Name ${round} of ten`,
  attributes: { word: `hidden-attribute-${round}-word` },
});

/** Makes the person known in a large and in small imports, and by answers. @returns the participant's id */
async function known(client: Client, screenerId: string, round: number): Promise<string> {
  const row = secretsOf(round);
  const large = await client.import(screenerId, [...people(ROWS), row], {}, wait);
  assert.equal(large.status, 200);
  await client.import(screenerId, [{ ...row, name: `Hidden Name ${round} before` }], {}, wait);
  await client.import(screenerId, [{ externalUid: "P-1", email: row.email }], {}, wait);
  await client.import(
    screenerId,
    [row],
    {},
    { ...wait, "X-Action-Note": `With ${row.name}`, "X-Request-Id": row.email },
  );
  const { id, participantId } = large.body.at(-1);
  const { body: session } = await client.open(id);
  const answered = await client.post(`/screener-sessions/${session.id}/responses`, { responses: [] });
  assert.equal(answered.status, 200);
  await client.patch(`/participants/${participantId}`, { name: `Hidden Name ${round} at last` });
  return participantId;
}

async function checkErased(installation: Installation, workspace: TestWorkspace, round: number): Promise<void> {
  const { externalUid, email, attributes } = secretsOf(round);
  const texts = [externalUid, email, `Hidden Name ${round}`, attributes.word];
  assert.deepEqual(findBytes(installation.dataDir, texts), []);
  assert.deepEqual(installation.stored(workspace, "PRAGMA foreign_key_check"), []);
  assert.deepEqual(
    installation.stored(workspace, "SELECT count(*) - (SELECT sum(n) FROM participant_block) FROM participant"),
    [0],
  );
  assert.deepEqual(
    installation.stored(
      workspace,
      "SELECT count(*) - (SELECT sum(n) FROM screener_session_block) FROM screener_session",
    ),
    [0],
  );
}

test(`a worker killed at ${KILLS_HERE + MOMENTS.length} moments of an erasure leaves nothing in the end`, async (t) => {
  const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
  const web = await installation.web();
  const KILL_FILE = join(installation.dataDir, "moment");
  const start = () => installation.worker({ env: { KILL_FILE }, preload: ["test/support/kill-at.ts"] });
  let worker = await start();
  const { workspace, client, screenerId } = await installation.screener(web);
  await client.post("/screener-publications", { screenerId });
  const draw = seeded("erasure");
  let length = 0;
  let struck = 0;
  let slowest = 0;
  for (let round = 0; round <= KILLS_HERE + MOMENTS.length; round++) {
    const id = await known(client, screenerId, round);
    const moment = MOMENTS[round - KILLS_HERE - 1];
    if (moment) {
      // Nothing but the erasure comes to these statements.
      await installation.drain();
      writeFileSync(`${KILL_FILE}.new`, `1 ${moment}`);
      renameSync(`${KILL_FILE}.new`, KILL_FILE);
    }
    const started = performance.now();
    const { status, body: job } = await client.call("DELETE", `/participants/${id}`, { headers: ASYNC });
    assert.equal(status, 202);
    if (moment) {
      await worker.dies();
      rmSync(KILL_FILE);
      worker = await start();
      struck++;
    } else if (round > 0) {
      await sleep(length * draw());
      await worker.kill();
      worker = await start();
    }
    const back = performance.now();
    const ended = await endOf(client, job.id);
    slowest = Math.max(slowest, performance.now() - back);
    length ||= performance.now() - started;
    assert.deepEqual([ended.status, ended.problem, ended.summary.participants], ["SUCCEEDED", null, 1]);
    assert.equal((await client.get(`/participants/${id}`)).status, 404);
    await checkErased(installation, workspace, round);
  }
  assert.equal(struck, MOMENTS.length);
  t.diagnostic(`an erasure takes ${Math.round(length)} ms, and at most ${Math.round(slowest)} ms after a kill`);
});

test("a store that kept copies of what was deleted has none after the first erasure", async () => {
  const installation = install();
  const workspace = installation.workspace();
  const { dataDir } = installation;
  const options = { busyTimeoutMs: 5000, checkpoints: true };
  const path = new Workspaces(dataDir, { ...options, onStale: "migrate" }).path(workspace.id);
  const web = await installation.web();
  const client = workspace.client(web);
  const screenerId = await client.screener();
  await client.post("/screener-publications", { screenerId });
  const id = await known(client, screenerId, 0);
  // As an earlier release would have left it: copies of what was deleted, in both stores.
  const store = openWriter(path, options);
  store.exec(`
    PRAGMA secure_delete = OFF;
    INSERT INTO participant_attribute (key) VALUES ('Hidden Name 0 at first');
    DELETE FROM participant_attribute WHERE key = 'Hidden Name 0 at first';
  `);
  store.close();
  const control = openControl(dataDir, options);
  control.writer.exec(`
    PRAGMA secure_delete = OFF;
    INSERT INTO workspace (id, uid, name, created_at) VALUES (9, 'x', 'Hidden Name 0 in a name', 0);
    DELETE FROM workspace WHERE id = 9;
    UPDATE workspace SET is_overwritten = 0;
    UPDATE installation SET is_overwritten = 0;
  `);
  control.writer.get("PRAGMA wal_checkpoint(TRUNCATE)");
  control.close();
  const copies = () => findBytes(dataDir, ["Hidden Name 0 at first", "Hidden Name 0 in a name"]);
  await until(() => copies().length >= 2, "both stores have copies");
  const { status, text } = await client.call("DELETE", `/participants/${id}`, { headers: wait });
  assert.equal(status, 200, text);
  assert.deepEqual(copies(), []);
  await checkErased(installation, workspace, 0);
  assert.deepEqual(installation.control("SELECT is_overwritten FROM workspace"), [1]);
});
