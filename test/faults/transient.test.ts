// Temporary trouble: a job waits until it is over, and then succeeds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openControl } from "../../db/control.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { hold } from "../support/hold.ts";
import { makeTooNew } from "../support/newer.ts";
import { install } from "../support/process.ts";
import { until } from "../support/until.ts";

// One process answers how far a job is, another one does it.
const installation = install({ REDIS_URL: process.env.TEST_REDIS_URL ?? "" });
const web = await installation.web();
const worker = await installation.worker();

test("a job waits while someone else writes to its workspace, and shows its progress meanwhile", async () => {
  const { workspace, client, screenerId } = await installation.screener(web);
  const release = hold(installation.dataDir, workspace.id);
  const { body: accepted } = await client.import(screenerId, people(10_000), {}, ASYNC);
  const running = await until(async () => {
    const { body } = await client.get(`/jobs/${accepted.id}`);
    return body.progress && body;
  }, "its progress can be read");
  assert.equal(running.status, "RUNNING");
  assert.equal(running.progress.phase, "STAGING");
  assert.ok(running.progress.done > 0);
  release();
  await assertSucceeds(client, accepted.id, { attempts: 1, failures: 0 });
  assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, 10_000);
});

test("a job that waited in vain is put back, tried again and succeeds; a later one waits its turn", async () => {
  const { workspace, client, screenerId } = await installation.screener(web);
  const release = hold(installation.dataDir, workspace.id);
  const { body: first } = await client.import(screenerId, people(10), {}, ASYNC);
  const { body: second } = await client.post("/screener-publications", { screenerId }, ASYNC);
  await until(() => ledger(first.id).failures > 0, "it is put back");
  assert.equal((await client.get(`/jobs/${first.id}`)).body.problem, null);
  assert.equal(ledger(second.id).attempts, 0);
  release();
  await assertSucceeds(client, first.id, { attempts: 2, failures: 1 });
  await assertSucceeds(client, second.id, { attempts: 1, failures: 0 });
});

test("a job whose workspace a newer release has brought up to date waits for a worker that knows it", async () => {
  const { workspace, client, screenerId } = await installation.screener(web);
  const workspaces = new Workspaces(installation.dataDir, {
    busyTimeoutMs: 5000,
    checkpoints: false,
    onStale: "migrate",
  });
  const store = openWriter(workspaces.path(workspace.id), { busyTimeoutMs: 5000, checkpoints: false });
  const takeBack = makeTooNew(store);
  const { body: job } = await client.import(screenerId, people(10), {}, ASYNC);
  await until(() => ledger(job.id).failures > 3, "it was tried more often than what is merely wrong");
  takeBack();
  store.close();
  await assertSucceeds(client, job.id);
});

test("a job of a kind that only a newer worker knows waits for that worker, and is not tried", async () => {
  const { workspace, client, screenerId } = await installation.screener(web);
  const release = hold(installation.dataDir, workspace.id);
  await client.import(screenerId, people(1), {}, ASYNC);
  const { body: job } = await client.post("/screener-publications", { screenerId }, ASYNC);
  setKind(job.id, "SCREENER_TRANSLATION");
  release();
  await until(
    () => worker.log.some((line) => line.job === job.id && line.msg === "job waits for a newer worker"),
    "the log says that the job waits",
  );
  assert.deepEqual(tries(job.id), { attempts: 0, failures: 0 });
  assert.equal((await client.get(`/jobs/${job.id}`)).body.status, "QUEUED");
  setKind(job.id, "SCREENER_PUBLICATION");
  await assertSucceeds(client, job.id, { attempts: 1, failures: 0 });
});

test("small writes that come all the time do not make an import begin again", async () => {
  const { client, screenerId } = await installation.screener(web);
  await client.import(screenerId, people(20_000));
  const { body: job } = await client.import(screenerId, people(40_000), { importMode: "FULL_SYNC" }, ASYNC);
  let written = 0;
  const ended = await until(async () => {
    const title = `Title ${written}`;
    assert.equal((await client.patch(`/screeners/${screenerId}`, { title })).status, 200);
    written++;
    return ledger(job.id).finished;
  }, "the import ends");
  assert.ok(ended && written > 2, `${written} writes`);
  await assertSucceeds(client, job.id, { attempts: 1, failures: 0 });
});

test("a job with wrong input is not tried again", async () => {
  const { client, screenerId } = await installation.screener(web);
  const { status, body } = await client.import(screenerId, [{ externalUid: "X", email: "no email", name: "X" }]);
  assert.equal(status, 400);
  const [job] = (await client.get("/jobs")).body.items;
  assert.equal(job.status, "FAILED");
  const { requestId, ...problem } = body;
  assert.deepEqual(job.problem, problem);
  assert.deepEqual(tries(job.id), { attempts: 1, failures: 0 });
});

/** Makes a job one of another release. */
function setKind(job: string, kind: string): void {
  const control = openControl(installation.dataDir, COMMAND_LINE);
  immediate(control.writer, () => control.writer.run("UPDATE job SET kind = ? WHERE uid = ?", kind, job));
  control.close();
}

interface Tries {
  attempts: number;
  failures: number;
}

function ledger(job: string): Tries & { finished: boolean } {
  const [row] = installation.control<string>(
    "SELECT json_object('attempts', attempts, 'failures', failures, 'finished', finished_at) FROM job WHERE uid = ?",
    job,
  );
  return JSON.parse(row!);
}

function tries(job: string): Tries {
  const { attempts, failures } = ledger(job);
  return { attempts, failures };
}

async function assertSucceeds(client: Client, job: string, expected?: Tries): Promise<void> {
  const ended = await until(async () => {
    const { body } = await client.get(`/jobs/${job}`);
    return body.finishedAt && body;
  }, "the job ends");
  assert.equal(ended.status, "SUCCEEDED");
  if (expected) assert.deepEqual(tries(job), expected);
}
