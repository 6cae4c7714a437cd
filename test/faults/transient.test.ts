// Trouble that goes away by itself: a job waits for it to go, and then succeeds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { currentVersion } from "../../db/migrate.ts";
import { openWriter } from "../../db/open.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { type Client, people } from "../support/client.ts";
import { hold } from "../support/hold.ts";
import { install, type TestWorkspace } from "../support/process.ts";
import { until } from "../support/until.ts";

const ASYNC = { Prefer: "respond-async" };

// Whoever asks how far a job is asks another process than the one that does it.
const installation = install({ REDIS_URL: process.env.TEST_REDIS_URL ?? "" });
const web = await installation.web();
await installation.worker();

test("a job waits while someone else writes to its workspace, and tells meanwhile how far it is", async () => {
  const { workspace, client, screenerId } = await scene();
  const letGo = hold(installation.dataDir, workspace.id);
  const { body: accepted } = await client.import(screenerId, people(10_000), {}, ASYNC);
  const running = await until(async () => {
    const { body } = await client.get(`/jobs/${accepted.id}`);
    return body.progress && body;
  }, "its progress can be read");
  assert.equal(running.status, "RUNNING");
  assert.equal(running.progress.phase, "STAGING");
  assert.ok(running.progress.done > 0);
  letGo();
  await assertSucceeds(client, accepted.id, { attempts: 1, failures: 0 });
  assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, 10_000);
});

test("a job that waited in vain is put back, tried again and succeeds; a later one waits its turn", async () => {
  const { workspace, client, screenerId } = await scene();
  const letGo = hold(installation.dataDir, workspace.id);
  const { body: first } = await client.import(screenerId, people(10), {}, ASYNC);
  const { body: second } = await client.post("/screener-publications", { screenerId }, ASYNC);
  await until(() => ledger(first.id).failures > 0, "it is put back");
  assert.equal((await client.get(`/jobs/${first.id}`)).body.problem, null);
  assert.equal(ledger(second.id).attempts, 0);
  letGo();
  await assertSucceeds(client, first.id, { attempts: 2, failures: 1 });
  await assertSucceeds(client, second.id, { attempts: 1, failures: 0 });
});

test("a job whose workspace a newer release has brought up to date waits for a worker that knows it", async () => {
  const { workspace, client, screenerId } = await scene();
  const workspaces = new Workspaces(installation.dataDir, {
    busyTimeoutMs: 5000,
    checkpoints: false,
    onStale: "migrate",
  });
  const store = openWriter(workspaces.path(workspace.id), { busyTimeoutMs: 5000, checkpoints: false });
  store.exec("PRAGMA user_version = 99");
  const { body: job } = await client.import(screenerId, people(10), {}, ASYNC);
  await until(() => ledger(job.id).failures > 3, "it was tried more often than what is merely wrong");
  store.exec(`PRAGMA user_version = ${currentVersion("workspace")}`);
  store.close();
  await assertSucceeds(client, job.id);
});

test("small writes that come all the time do not make an import begin again", async () => {
  const { client, screenerId } = await scene();
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

test("what is wrong with the input is not tried again", async () => {
  const { client, screenerId } = await scene();
  const { status, body } = await client.import(screenerId, [{ externalUid: "X", email: "no email", name: "X" }]);
  assert.equal(status, 400);
  const [job] = (await client.get("/jobs")).body.items;
  assert.equal(job.status, "FAILED");
  const { requestId, ...problem } = body;
  assert.deepEqual(job.problem, problem);
  assert.deepEqual(tries(job.id), { attempts: 1, failures: 0 });
});

async function scene(): Promise<{ workspace: TestWorkspace; client: Client; screenerId: string }> {
  const workspace = installation.workspace();
  const client = workspace.client(web);
  return { workspace, client, screenerId: await client.screener() };
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
