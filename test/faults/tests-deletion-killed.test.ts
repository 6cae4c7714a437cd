// A worker is killed while it deletes test sessions: the job goes on, says exactly how many there were, and nothing else is gone.

import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findBytes } from "../support/bytes.ts";
import { ASYNC } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { endOf } from "../support/killed-jobs.ts";
import { install, ownRedis } from "../support/process.ts";
import { invite, publish } from "../support/study.ts";

/** Just before these statements. */
const MOMENTS = [
  "UPDATE job SET status = 'RUNNING'",
  "UPDATE event SET changes = NULL",
  "DELETE FROM screener_response WHERE screener_session_id IN",
  "DELETE FROM screener_session WHERE screener_id = ? AND is_test = 1",
  "INSERT INTO main.job_outcome",
  "UPDATE job SET status = ?, summary",
];
const TESTS = 5;

const content = {
  pages: [{ title: "One", questions: [{ key: "why", _type: "ScreenerTextQuestion", prompt: "Why?" }] }],
};

const redis = ownRedis();
await redis.start();

test("a worker killed at any moment of a deletion of tests leaves none of them, and all others", async () => {
  const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
  const web = await installation.web();
  const KILL_FILE = join(installation.dataDir, "moment");
  const start = () => installation.worker({ env: { KILL_FILE }, preload: ["test/support/kill-at.ts"] });
  let worker = await start();
  const workspace = installation.workspace();
  const client = workspace.client(web);
  const study = await publish(client, content);
  const [ada] = await invite(client, study.screener);
  const answer = (session: string, text: string) =>
    client.post(`/screener-sessions/${session}/responses`, {
      responses: [{ screenerQuestionId: study.question.why, answer: text }],
    });
  assert.equal((await answer(ada!.session, "Because of her")).status, 200);
  for (const [round, moment] of MOMENTS.entries()) {
    for (let index = 0; index < TESTS; index++) {
      const { body } = await client.post("/screener-sessions", { screenerId: study.screener, isTest: true });
      assert.equal((await answer(body.id, `Tested ${round}-${index}`)).status, 200);
    }
    await installation.drain();
    writeFileSync(`${KILL_FILE}.new`, `1 ${moment}`);
    renameSync(`${KILL_FILE}.new`, KILL_FILE);
    const { status, body: job } = await client.call("DELETE", `/screeners/${study.screener}/test-sessions`, {
      headers: ASYNC,
    });
    assert.equal(status, 202);
    await worker.dies();
    rmSync(KILL_FILE);
    worker = await start();
    const ended = await endOf(client, job.id);
    assert.deepEqual([ended.status, ended.summary], ["SUCCEEDED", { sessions: TESTS, responses: TESTS }], moment);
    assert.deepEqual(
      installation.stored(
        workspace,
        "SELECT is_test FROM screener_session UNION ALL SELECT count(*) FROM screener_response",
      ),
      [0, 1],
    );
    assert.deepEqual(findBytes(installation.dataDir, [`Tested ${round}-`]), []);
    assert.equal((await client.all(`/events?filter[jobId][eq]=${job.id}`)).length, 1);
    installation.read(workspace, assertCounts);
  }
});
