// Several workers: what one workspace asks for takes effect in the order in which it was accepted, and nobody waits for
// another workspace's work while a worker is free.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, people } from "../support/client.ts";
import { hold } from "../support/hold.ts";
import { install } from "../support/process.ts";
import { until } from "../support/until.ts";

const ASYNC = { Prefer: "respond-async" };

interface Job {
  id: string;
  kind: string;
  status: string;
  startedAt: string;
  finishedAt: string;
  summary: Record<string, number> | null;
}

const installation = install({ REDIS_URL: process.env.TEST_REDIS_URL ?? "", WORKER_CONCURRENCY: "1" });
const web = await installation.web();
await Promise.all([installation.worker(), installation.worker(), installation.worker()]);

test("of twelve FULL_SYNCs of one screener the last one wins, and each follows on the one before it", async () => {
  const client = installation.workspace().client(web);
  const screenerId = await client.screener();
  // Each moves on by 100 people; the later ones are smaller, and would overtake the earlier ones if they could.
  const rosters = Array.from({ length: 12 }, (_, round) => people(3000 - round * 200, round * 100));
  for (const roster of rosters) await accept(client.import(screenerId, roster, { importMode: "FULL_SYNC" }, ASYNC));
  await installation.drain();

  const jobs = await jobsOf(client);
  assertOneAfterAnother(jobs);
  let there = new Set<string>();
  const seen = new Set<string>();
  const expected = rosters.map((roster) => {
    const uids = new Set(roster.map(({ externalUid }) => externalUid));
    const created = uids.difference(seen).size;
    const summary = {
      rows: uids.size,
      created,
      updated: 0,
      unchanged: uids.size - created,
      assigned: uids.difference(there).size,
      removed: there.difference(uids).size,
    };
    there = uids;
    for (const uid of uids) seen.add(uid);
    return summary;
  });
  assert.deepEqual(
    jobs.map(({ summary }) => summary),
    expected,
  );
  const assigned: { externalParticipantUid: string }[] = await client.all(
    `/screener-participants?filter[screenerId][eq]=${screenerId}`,
  );
  assert.deepEqual(new Set(assigned.map((row) => row.externalParticipantUid)), there);
});

test("imports and publications of one workspace take effect in the order in which they were accepted", async () => {
  const client = installation.workspace().client(web);
  const screenerId = await client.screener();
  const publications: string[] = [];
  for (let round = 0; round < 8; round++) {
    await accept(client.import(screenerId, people(1500), { importMode: "FULL_SYNC" }, ASYNC));
    publications.push(await accept(client.post("/screener-publications", { screenerId }, ASYNC)));
  }
  await installation.drain();
  assertOneAfterAnother(await jobsOf(client));
  const versions = await Promise.all(
    publications.map(async (job) => (await client.get(`/jobs/${job}/result`)).body.version),
  );
  assert.deepEqual(versions, [1, 2, 3, 4, 5, 6, 7, 8]);
});

test("the only worker serves workspaces in turn, however many jobs one of them has", async () => {
  const small = install({ REDIS_URL: process.env.TEST_REDIS_URL ?? "", WORKER_CONCURRENCY: "1" });
  const web = await small.web();
  await small.worker();
  const many = small.workspace().client(web);
  const few = small.workspace().client(web);
  const [manyScreener, fewScreener] = [await many.screener(), await few.screener()];
  // The worker is kept busy until everything is accepted.
  const letGo = hold(small.dataDir, many.workspaceId);
  for (let round = 0; round < 10; round++) {
    await accept(many.import(manyScreener, people(100, round * 100), {}, ASYNC));
  }
  for (let round = 0; round < 3; round++) {
    await accept(few.import(fewScreener, people(10, round * 10), {}, ASYNC));
  }
  letGo();
  await small.drain();
  const [manyJobs, fewJobs] = [await jobsOf(many), await jobsOf(few)];
  assertOneAfterAnother(manyJobs);
  assertOneAfterAnother(fewJobs);
  assert.ok(fewJobs.at(-1)!.finishedAt <= manyJobs[5]!.startedAt, "the few are done long before the many");
});

test("a small import does not wait for the large ones of others while a worker is free", async () => {
  const large = await Promise.all(
    [1, 2].map(async () => {
      const client = installation.workspace().client(web);
      const screenerId = await client.screener();
      // So that they are under way for as long as the test wants.
      const letGo = hold(installation.dataDir, client.workspaceId);
      const job = await accept(client.import(screenerId, people(20_000), {}, ASYNC));
      return { client, job, letGo };
    }),
  );
  const statusOf = async ({ client, job }: { client: Client; job: string }) =>
    (await client.get(`/jobs/${job}`)).body.status;
  for (const one of large)
    await until(async () => (await statusOf(one)) === "RUNNING", "two of three workers are busy");
  const small = installation.workspace().client(web);
  const { status } = await small.import(await small.screener(), people(10));
  assert.equal(status, 200);
  assert.deepEqual(await Promise.all(large.map(statusOf)), ["RUNNING", "RUNNING"]);
  for (const { letGo } of large) letGo();
  await installation.drain();
  assert.deepEqual(await Promise.all(large.map(statusOf)), ["SUCCEEDED", "SUCCEEDED"]);
});

/** The id of the job that was accepted. */
async function accept(request: ReturnType<Client["post"]>): Promise<string> {
  const { status, body } = await request;
  assert.equal(status, 202);
  return body.id;
}

/** A workspace's jobs in the order in which they were accepted; all of them have succeeded. */
async function jobsOf(client: Client): Promise<Job[]> {
  const jobs: Job[] = await client.all("/jobs");
  assert.deepEqual(new Set(jobs.map(({ status }) => status)), new Set(["SUCCEEDED"]));
  return jobs;
}

function assertOneAfterAnother(jobs: Job[]): void {
  jobs.forEach((job, index) => {
    const before = jobs[index - 1];
    if (before) assert.ok(before.finishedAt <= job.startedAt, `job ${index} begins when the one before it has ended`);
  });
}
