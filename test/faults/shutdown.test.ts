// SIGTERM: a process takes no more work, answers the clients that wait, ends or hands back its jobs, and loses nothing.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { suite, test } from "node:test";
import { ASYNC, Client, people } from "../support/client.ts";
import { hold } from "../support/hold.ts";
import { type Installation, install, ownRedis, type ServiceProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const REDIS = { REDIS_URL: process.env.TEST_REDIS_URL ?? "" };
/** How long a process may take to end. */
const END_MS = 30_000;

// Most of these wait for most of their time.
suite("on SIGTERM", { concurrency: 4 }, () => {
  test("a single node gives those who wait their answer, and ends when it has", async () => {
    const installation = install({});
    const web = await installation.web();
    const { client, screenerId } = await installation.screener(web);
    const waiting = client.import(screenerId, people(20_000));
    const [job] = await until(async () => jobsIf(client, "RUNNING"), "the import runs");
    web.signal("SIGTERM");
    const { status, body } = await waiting;
    assert.equal(status, 200);
    assert.equal(body.length, 20_000);
    await assertEnds(web);
    assert.deepEqual(ledger(installation, job!), { status: "SUCCEEDED", attempts: 1, crashes: 0, failures: 0 });
  });

  test("a single node hands back a job that takes too long, and its client gets a 202", async () => {
    const installation = install({});
    const web = await installation.web();
    const { client, screenerId } = await installation.screener(web);
    const release = hold(installation.dataDir, client.workspaceId);
    const waiting = client.import(screenerId, people(10));
    const [job] = await until(async () => jobsIf(client, "RUNNING"), "the import runs");
    web.signal("SIGTERM");
    const { status, body } = await waiting;
    assert.equal(status, 202);
    assert.equal(body.id, job);
    await assertEnds(web);
    assert.deepEqual(lasting(ledger(installation, job!)), { status: "QUEUED", crashes: 0 });
    release();
    await assertDoneAfterRestart(installation, client, 10);
  });

  test("a web process gives those who wait a 202, whether workers are there or not", async () => {
    const installation = install(REDIS);
    const web = await installation.web();
    const { client, screenerId } = await installation.screener(web);
    const waiting = client.import(screenerId, people(10));
    const [job] = await until(async () => jobsIf(client, "QUEUED"), "the import is accepted");
    web.signal("SIGTERM");
    const { status, body } = await waiting;
    assert.equal(status, 202);
    assert.equal(body.id, job);
    await assertEnds(web);
    await installation.worker();
    await installation.drain();
    assert.deepEqual(ledger(installation, job!), { status: "SUCCEEDED", attempts: 1, crashes: 0, failures: 0 });
  });

  test("a worker finishes the job that it does, and takes no other", async () => {
    const installation = install({ ...REDIS, WORKER_CONCURRENCY: "1" });
    const [web, worker] = await Promise.all([installation.web(), installation.worker()]);
    const client = installation.workspace().client(web);
    const other = installation.workspace().client(web);
    const [screenerId, otherScreenerId] = [await client.screener(), await other.screener()];
    const release = hold(installation.dataDir, client.workspaceId);
    const { body: first } = await client.import(screenerId, people(20_000), {}, ASYNC);
    await until(async () => jobsIf(client, "RUNNING"), "the first one runs");
    const { body: second } = await other.import(otherScreenerId, people(10), {}, ASYNC);
    worker.signal("SIGTERM");
    await worker.says(/"ending"/);
    release();
    await assertEnds(worker);
    assert.deepEqual(ledger(installation, first.id), { status: "SUCCEEDED", attempts: 1, crashes: 0, failures: 0 });
    assert.deepEqual(ledger(installation, second.id), { status: "QUEUED", attempts: 0, crashes: 0, failures: 0 });
    await installation.worker();
    await installation.drain();
    assert.deepEqual(ledger(installation, second.id), { status: "SUCCEEDED", attempts: 1, crashes: 0, failures: 0 });
  });

  test("a worker hands back a job that takes too long, and another one does it", async () => {
    const installation = install(REDIS);
    const [web, worker] = await Promise.all([installation.web(), installation.worker()]);
    const { client, screenerId } = await installation.screener(web);
    const release = hold(installation.dataDir, client.workspaceId);
    const { body: job } = await client.import(screenerId, people(10), {}, ASYNC);
    await until(async () => jobsIf(client, "RUNNING"), "it runs");
    await assertEnds(worker, "SIGTERM");
    assert.deepEqual(lasting(ledger(installation, job.id)), { status: "QUEUED", crashes: 0 });
    release();
    await installation.worker();
    await installation.drain();
    assert.equal(ledger(installation, job.id).status, "SUCCEEDED");
    assert.equal((await client.get("/participants")).body.total, 10);
  });

  test("connections that are kept open do not delay the shutdown", async () => {
    const installation = install({});
    const web = await installation.web();
    const { client, screenerId } = await installation.screener(web);
    const agent = new Agent({ keepAlive: true });
    try {
      assert.equal(await send(client, agent, "GET", "/screeners"), 200);
      const release = hold(installation.dataDir, client.workspaceId);
      const underWay = send(client, agent, "POST", "/screener-participants-import", importOf(screenerId, 10));
      await until(async () => jobsIf(client, "RUNNING"), "a request is under way");
      assert.equal(await send(client, agent, "GET", "/screeners"), 200);
      const asked = performance.now();
      web.signal("SIGTERM");
      await web.says(/"ending"/);
      release();
      assert.equal(await underWay, 200);
      await assertEnds(web);
      // Both connections could have been used for another minute.
      assert.ok(performance.now() - asked < 10_000, "it ends as soon as the last request is answered");
    } finally {
      agent.destroy();
    }
  });

  test("an upload that has begun is accepted when it ends", async () => {
    const installation = install(REDIS);
    const web = await installation.web();
    const client = installation.workspace().client(web);
    const body = importOf(await client.screener(), 3000);
    const upload = open(client, "POST", "/screener-participants-import", body.length);
    upload.outgoing.write(body.subarray(0, BEGUN));
    await until(() => spooled(installation).length === 1, "the upload has begun");
    web.signal("SIGTERM");
    await web.says(/"ending"/);
    upload.outgoing.end(body.subarray(BEGUN));
    assert.equal(await upload.answer, 202);
    await assertEnds(web);
    await installation.worker();
    await installation.drain();
    assert.deepEqual(installation.control("SELECT status FROM job"), ["SUCCEEDED"]);
  });

  test("an upload that never ends does not delay the shutdown, and leaves nothing", async () => {
    const installation = install(REDIS);
    const web = await installation.web();
    const client = installation.workspace().client(web);
    const body = importOf(await client.screener(), 3000);
    const upload = open(client, "POST", "/screener-participants-import", body.length);
    upload.outgoing.write(body.subarray(0, BEGUN));
    await until(() => spooled(installation).length === 1, "the upload has begun");
    const ends = assertEnds(web, "SIGTERM");
    await assert.rejects(upload.answer);
    await ends;
    assert.deepEqual(installation.control("SELECT uid FROM job"), []);
    assert.deepEqual(spooled(installation), []);
  });

  test("processes end though Redis does not answer", async () => {
    const redis = ownRedis();
    await redis.start();
    const installation = install({ REDIS_URL: redis.url });
    const [web, worker] = await Promise.all([installation.web(), installation.worker()]);
    redis.signal("SIGSTOP");
    await Promise.all([assertEnds(web, "SIGTERM"), assertEnds(worker, "SIGTERM")]);
  });
});

// npm passes a signal on that the group has had already, and so does timeout.
suite("on a signal to a process group", { concurrency: 2 }, () => {
  for (const [what, { env = {}, command, signal }] of Object.entries<{
    env?: Record<string, string>;
    command: string[];
    signal: NodeJS.Signals;
  }>({
    "Ctrl-C in npm start": { command: ["npm", "start"], signal: "SIGINT" },
    "SIGTERM to npm start and all below it": { command: ["npm", "start"], signal: "SIGTERM" },
    "SIGTERM to timeout, npm and all below": { command: ["timeout", "60", "npm", "start"], signal: "SIGTERM" },
    "Ctrl-C in npm run web": { env: REDIS, command: ["npm", "run", "-s", "web"], signal: "SIGINT" },
  })) {
    test(`${what}: the uploads under way are accepted, and it exits with 0`, async () => {
      const installation = install(env);
      const web = await installation.web({ command });
      const client = installation.workspace().client(web);
      const body = importOf(await client.screener(), 3000);
      const uploads = Array.from({ length: 5 }, () =>
        open(client, "POST", "/screener-participants-import", body.length),
      );
      for (const { outgoing } of uploads) outgoing.write(body.subarray(0, BEGUN));
      await until(() => spooled(installation).length === uploads.length, "the uploads have begun");
      web.signal(signal);
      await web.says(/"ending"/);
      // Slowly, so that every echo of the signal comes before the end.
      for (let sent = BEGUN; sent < body.length; sent += 2000) {
        for (const { outgoing } of uploads) outgoing.write(body.subarray(sent, sent + 2000));
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      for (const { outgoing } of uploads) outgoing.end();
      const statuses = await Promise.all(uploads.map(({ answer }) => answer));
      for (const status of statuses) assert.ok(status === 200 || status === 202, `answered ${status}`);
      await assertEnds(web);
      assert.equal(installation.control("SELECT uid FROM job").length, uploads.length);
    });
  }
});

suite("on a second SIGTERM", { concurrency: 4 }, () => {
  test("a single node ends at once, and does after its restart what it had accepted", async () => {
    const installation = install({});
    const web = await installation.web();
    const { client, screenerId } = await installation.screener(web);
    const release = hold(installation.dataDir, client.workspaceId);
    const jobs: string[] = [];
    for (let round = 0; round < 3; round++) {
      jobs.push((await client.import(screenerId, people(1000, round * 1000), {}, ASYNC)).body.id);
    }
    await until(async () => jobsIf(client, "RUNNING"), "the first one runs");
    await assertEndsAtOnce(web);
    release();
    await assertDoneAfterRestart(installation, client, 3000);
    for (const job of jobs) assert.deepEqual(lasting(ledger(installation, job)), { status: "SUCCEEDED", crashes: 0 });
  });

  test("a worker ends at once, and another one does what it had begun", async () => {
    const installation = install(REDIS);
    const [web, worker] = await Promise.all([installation.web(), installation.worker()]);
    const { client, screenerId } = await installation.screener(web);
    const release = hold(installation.dataDir, client.workspaceId);
    const { body: job } = await client.import(screenerId, people(2000), {}, ASYNC);
    await until(async () => jobsIf(client, "RUNNING"), "it runs");
    await assertEndsAtOnce(worker);
    release();
    await installation.worker();
    await installation.drain();
    assert.deepEqual(lasting(ledger(installation, job.id)), { status: "SUCCEEDED", crashes: 0 });
    assert.equal((await client.get("/participants?pagination[limit]=1")).body.total, 2000);
  });
});

interface LedgerRow {
  status: string;
  attempts: number;
  crashes: number;
  failures: number;
}

/** The ids of the workspace's jobs in this status; undefined when there are none. */
async function jobsIf(client: Client, status: string): Promise<string[] | undefined> {
  const items: { id: string }[] = (await client.get(`/jobs?filter[status][eq]=${status}`)).body.items;
  return items.length ? items.map(({ id }) => id) : undefined;
}

function ledger(installation: Installation, job: string): LedgerRow {
  const [row] = installation.control<string>(
    "SELECT json_object('status', status, 'attempts', attempts, 'crashes', crashes, 'failures', failures) FROM job WHERE uid = ?",
    job,
  );
  return JSON.parse(row!);
}

/** What must hold, however often a job was taken. */
function lasting({ status, crashes }: LedgerRow): Pick<LedgerRow, "status" | "crashes"> {
  return { status, crashes };
}

/** So many bytes are more than the ledger takes: they are in the spool. */
const BEGUN = 100_000;

function spooled({ dataDir }: Installation): string[] {
  const folder = join(dataDir, "spool");
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function assertEnds(process: ServiceProcess, signal?: NodeJS.Signals): Promise<void> {
  const began = performance.now();
  if (signal) process.signal(signal);
  await until(() => process.end, "the process ends", END_MS);
  assert.deepEqual(process.end, { code: 0, signal: null }, process.stderr);
  assert.ok(performance.now() - began < END_MS);
}

async function assertEndsAtOnce(process: ServiceProcess): Promise<void> {
  const asked = performance.now();
  process.signal("SIGTERM");
  await process.says(/"ending"/);
  // As somebody does who loses patience. What comes within a second is taken for the first signal.
  await until(() => process.end ?? process.signal("SIGTERM"), "the process ends at once", 4000);
  assert.deepEqual(process.end, { code: 1, signal: null });
  assert.ok(performance.now() - asked > 900, "it does not take an echo of the first signal for a second one");
}

/** Starts a single node again, which does what is left. */
async function assertDoneAfterRestart(installation: Installation, client: Client, total: number): Promise<void> {
  const web = await installation.web();
  await installation.drain();
  const again = new Client(web.url, client.workspaceId, client.credentials);
  const jobs: { status: string }[] = (await again.get("/jobs")).body.items;
  assert.deepEqual(new Set(jobs.map(({ status }) => status)), new Set(["SUCCEEDED"]));
  assert.equal((await again.get("/participants")).body.total, total);
}

function importOf(screenerId: string, count: number): Buffer<ArrayBuffer> {
  return Buffer.from(JSON.stringify({ screenerId, participants: people(count) }));
}

/** Opens a request on a connection of the agent's, or on one of its own. */
function open(client: Client, method: string, path: string, length: number, agent?: Agent) {
  const outgoing = request(client.url + path, {
    method,
    agent: agent ?? false,
    headers: {
      "X-Service-Api-Key": client.credentials.apiKey,
      "X-Service-Api-Secret": client.credentials.apiSecret,
      ...(length && { "Content-Type": "application/json", "Content-Length": length }),
    },
  });
  const answer = new Promise<number | undefined>((resolve, reject) => {
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      incoming.resume();
      incoming.once("error", reject);
      incoming.once("end", () => resolve(incoming.statusCode));
    });
  });
  return { outgoing, answer };
}

/** Sends a request over a connection that is kept. @returns the answer's status */
function send(client: Client, agent: Agent, method: string, path: string, body = Buffer.alloc(0)) {
  const { outgoing, answer } = open(client, method, path, body.length, agent);
  outgoing.end(body);
  return answer;
}
