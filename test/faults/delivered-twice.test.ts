// A job may be delivered twice, even to two workers at the same moment. It takes effect once.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Queue } from "bullmq";
import { openWriter } from "../../db/sqlite/open.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { isBusy } from "../../db/sqlite/write.ts";
import { openContext } from "../../src/main/context.ts";
import { ASYNC, type Client, people } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

// A web server whose jobs nobody takes, and two workers that take only what a test gives them.
after(() => Promise.all([one.close(), other.close()]));
const redisUrl = process.env.TEST_REDIS_URL;
const service = await startService({ config: { redisUrl }, workers: 0 });
const one = await openContext(service.config, 1);
const other = await openContext(service.config, 1);

test("of two workers that get a job in one instant, one does it", async () => {
  const { client, screenerId } = await service.screener();
  for (let round = 0; round < 20; round++) {
    const { body: job } = await client.post("/screener-publications", { screenerId }, ASYNC);
    const reports = await Promise.all([one.pool.run(job.id), other.pool.run(job.id)]);
    assert.deepEqual(
      reports.flatMap((report) => report?.status ?? []),
      ["SUCCEEDED"],
    );
    const { body: result } = await client.get(`/jobs/${job.id}/result`);
    assert.equal(result.version, round + 1);
  }
  assert.equal((await client.get(`/screeners/${screenerId}/publications`)).body.total, 20);
});

test("a job that is done and comes again stays as it is", async () => {
  const client = service.workspace();
  const { body: job } = await client.import(await client.screener(), people(3), {}, ASYNC);
  await one.pool.run(job.id);
  const first = await client.get(`/jobs/${job.id}`);
  assert.equal(first.body.status, "SUCCEEDED");
  assert.equal(await other.pool.run(job.id), undefined);
  assert.equal(await one.pool.run(job.id), undefined);
  assert.deepEqual((await client.get(`/jobs/${job.id}`)).body, first.body);
});

const moments: Record<string, (client: Client, job: string) => Promise<boolean> | boolean> = {
  "applies it": (client) => isLocked(client),
  "still reads it": isStaging,
};

for (const [moment, isThere] of Object.entries(moments)) {
  test(`a job that is given to another worker while the first one ${moment} takes effect once`, async () => {
    const { client, job } = await largeImport();
    const running = one.pool.run(job);
    await until(() => isThere(client, job), `the first worker ${moment}`);
    await forget(job);
    const reports = await Promise.all([running, other.pool.run(job)]);
    const [first, second] = reports.map((report) => report?.status);
    assert.ok(
      first === "QUEUED" || first === "SUCCEEDED",
      "it stops when it sees that it has lost the job, or is done before",
    );
    assert.equal(second, "SUCCEEDED");
    assert.equal(attempts(job), 2, "both have taken it");
    await assertImported(client, job);
  });
}

test("a worker that lost its job while it read it leaves the next one what it needs", async () => {
  const { client, job } = await largeImport();
  const running = one.pool.run(job);
  await until(() => isStaging(client, job), "it is being read");
  await forget(job);
  const lost = await running;
  assert.notEqual(lost?.status, "CANCELLED", "nobody has cancelled it");
  assert.equal((await client.get(`/jobs/${job}`)).body.status, "QUEUED");
  assert.equal((await other.pool.run(job))?.status, "SUCCEEDED");
  await assertImported(client, job);
});

test("a job whose ticket comes from Redis three times takes effect once", async () => {
  const twoWorkers = await startService({ config: { redisUrl }, workers: 2 });
  const queue = new Queue("jobs", {
    connection: { path: new URL(redisUrl!).pathname },
    prefix: `screening:${twoWorkers.context.installation}`,
  });
  after(() => queue.close());
  const client = twoWorkers.workspace();
  const screenerId = await client.screener();
  for (let round = 0; round < 10; round++) {
    const { body: job } = await client.post("/screener-publications", { screenerId }, ASYNC);
    const data = { job: job.id, workspace: 1 };
    await queue.addBulk(["a", "b"].map((copy) => ({ name: "job", data, opts: { jobId: `${job.id}-${copy}` } })));
  }
  await twoWorkers.drain();
  const { items } = (await client.get("/jobs")).body;
  assert.deepEqual(new Set(items.map(({ status }: { status: string }) => status)), new Set(["SUCCEEDED"]));
  const list = await client.get(`/screeners/${screenerId}/publications`);
  assert.deepEqual(
    list.body.items.map(({ version }: { version: number }) => version),
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  );
});

const ROWS = 60_000;

/** An import that is accepted, and takes a while. */
async function largeImport(): Promise<{ client: Client; job: string }> {
  const client = service.workspace();
  const { status, body } = await client.import(await client.screener(), people(ROWS), {}, ASYNC);
  assert.equal(status, 202);
  return { client, job: body.id };
}

/** Has the ledger believe that nobody runs the job. */
async function forget(job: string): Promise<void> {
  const { writer } = one.control;
  const sql = "UPDATE job SET status = 'QUEUED', runner = NULL WHERE uid = ? AND status = 'RUNNING'";
  const { changes } = await whenFree(writer, 5000, () => writer.run(sql, job));
  assert.equal(changes, 1);
}

function attempts(job: string): number | undefined {
  return service.context.control.reader.value("SELECT attempts FROM job WHERE uid = ?", job);
}

async function isStaging(client: Client, job: string): Promise<boolean> {
  return (await client.get(`/jobs/${job}`)).body.progress?.phase === "STAGING";
}

function isLocked(client: Client): boolean {
  const db = openWriter(service.context.workspaces.path(client.workspaceId), { busyTimeoutMs: 0, checkpoints: false });
  try {
    db.run("BEGIN IMMEDIATE");
    db.run("ROLLBACK");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    db.close();
  }
}

async function assertImported(client: Client, job: string): Promise<void> {
  const { body } = await client.get(`/jobs/${job}`);
  assert.equal(body.status, "SUCCEEDED");
  assert.equal(body.problem, null);
  assert.deepEqual(body.summary, {
    rows: ROWS,
    created: ROWS,
    updated: 0,
    unchanged: 0,
    assigned: ROWS,
    removed: 0,
  });
  assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, ROWS);
  assert.equal((await client.get("/screener-participants?pagination[limit]=1")).body.total, ROWS);
  const result: { externalParticipantUid: string }[] = (await client.get(`/jobs/${job}/result`)).body;
  assert.equal(result.length, ROWS);
  assert.equal(result.at(-1)?.externalParticipantUid, `P-${ROWS - 1}`);
  const outcomes = service.context.workspaces.read(client.workspaceId, (db) =>
    db.value<number>("SELECT count(*) FROM job_outcome WHERE job_uid = ?", job),
  );
  assert.equal(outcomes, 1);
}
