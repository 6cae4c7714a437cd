// Processes are killed while imports come whose bodies are in the ledger: between accepting, committing, answering, carrying out
// and removing the body. What was accepted is done once, with all its rows. Every other kill is a power cut.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Answer, ASYNC, type Client } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { END_MS } from "../support/killed-jobs.ts";
import { type Kill, Killer, type UpTo, upToOf } from "../support/kills.ts";
import { type Installation, install, ownRedis, type TestWorkspace } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { until } from "../support/until.ts";

const LANES = 2;
const SENDERS = 6;
/** Lengths of imports. The longest body is just below 64 KiB. */
const ROWS = [1, 10, 100, 580];

const MOMENTS: Record<string, (upTo: UpTo, store: string) => Kill> = {
  "before the body is in the ledger": (upTo) => ({ sql: "INSERT INTO job_body", nth: upTo(15) }),
  "during a commit of the ledger": (upTo) => ({ on: "write", path: "control.sqlite-wal", nth: upTo(200) }),
  "before a flush of the ledger": (upTo) => ({ on: "sync", path: "control.sqlite-wal", nth: upTo(15) }),
  "after a flush of the ledger": (upTo) => ({ on: "synced", path: "control.sqlite-wal", nth: upTo(15) }),
  "between answers": (upTo) => ({ on: "answer", nth: upTo(30) }),
  "before a job is taken": (upTo) => ({ sql: "UPDATE job SET status = 'RUNNING'", nth: upTo(15) }),
  "before it holds the lock": (upTo) => ({ sql: "UPDATE job SET apply_begun = 1", nth: upTo(15) }),
  "before its outcome": (upTo) => ({ sql: "INSERT INTO w.job_outcome", nth: upTo(15) }),
  "during the commit of its rows": (upTo, store) => ({ on: "write", path: `${store}-wal`, nth: upTo(400) }),
  "before the body is removed": (upTo) => ({ sql: "UPDATE job SET status = ?, summary = ?", nth: upTo(15) }),
};

/** An import, as somebody has sent it, and what was answered. */
interface Import {
  key: string;
  externalUids: string[];
  isAsync: boolean;
  answer: Answer | undefined;
}

for (const carrier of ["threads", "redis"] as const) {
  test(`processes killed ${KILLS} times while imports come do each that was accepted, once and whole (${carrier})`, async (t) => {
    const found: Record<string, number[]> = {};
    await Promise.all(Array.from({ length: LANES }, (_, lane) => killInLane(carrier, lane, found)));
    for (const [moment, [answered, there, absent]] of Object.entries(found).sort())
      t.diagnostic(`killed ${moment}: ${answered} answered; of the others ${there} there, ${absent} not there`);
    const [answered, there, absent] = [0, 1, 2].map((i) => Object.values(found).reduce((sum, one) => sum + one[i]!, 0));
    assert.ok(answered! > KILLS && there! + absent! > KILLS, "too little was under way");
  });
}

test("a job whose process died before it was on the disk is there after a power cut, if it was done", async () => {
  const redis = ownRedis();
  await redis.start();
  const installation = install({ REDIS_URL: redis.url });
  const { workspace, client, screenerId } = await startedOnce(installation);
  const killer = new Killer(installation.dataDir, true);
  let web = await installation.web(killer.options);
  let worker = await installation.worker(killer.options);
  let one: Import;
  const isThere = () => jobsNow(installation).get(one.key)?.length === 1;
  do {
    if (web.end) web = await installation.web(killer.options);
    if (worker.end) worker = await installation.worker(killer.options);
    one = { key: randomUUID(), externalUids: [randomUUID()], isAsync: true, answer: undefined };
    assert.equal((await send(client(web), screenerId, { ...one, key: randomUUID() })).status, 202);
    // They may come to a sync of another commit before.
    await killer.kill({ on: "sync", path: "control.sqlite-wal", nth: 1 }, web);
    await send(client(web), screenerId, one).catch(() => {});
    await Promise.race([web.ended, worker.ended]);
  } while (!web.end || !isThere());
  await installation.drain(END_MS);
  await worker.kill();
  killer.cutPower();
  const again = await installation.web();
  assert.ok(
    installation.stored<string>(workspace, "SELECT external_uid FROM participant").includes(one.externalUids[0]!),
  );
  const answer = await send(client(again), screenerId, one);
  assert.deepEqual([answer.status, answer.headers.get("idempotency-replayed")], [202, "true"]);
});

/** A workspace with a screener. A process that ends by itself keeps its compiled code for the next ones, which start in half the time. */
async function startedOnce(installation: Installation) {
  const workspace = installation.workspace();
  const client = (web: { url: string }) => workspace.client(web);
  const web = await installation.web();
  const screenerId = await client(web).screener();
  await web.kill("SIGTERM");
  return { workspace, client, screenerId };
}

/** Kills processes of an installation of its own. */
async function killInLane(carrier: "threads" | "redis", lane: number, found: Record<string, number[]>): Promise<void> {
  const redis = carrier === "redis" ? ownRedis() : undefined;
  await redis?.start();
  const more = redis && { REDIS_URL: redis.url };
  const installation = install({ WORKER_CONCURRENCY: "1", ...more });
  const { workspace, client: clientOf, screenerId } = await startedOnce(installation);
  const killer = new Killer(installation.dataDir, true);
  const startWorker = () => (redis ? installation.worker(killer.options) : undefined);
  let web = await installation.web(killer.options);
  let worker = await startWorker();
  const moments = Object.keys(MOMENTS);
  const upTo = upToOf(seeded(`bodies ${carrier} ${lane}`));
  for (let round = 0; round < KILLS / LANES; round++) {
    // With a power cut here, it comes without one in the other lane, and the other way round.
    const moment = moments[(round + lane * 5) % moments.length]!;
    const tally = [0, 0, 0];
    const imports: Import[] = [];
    const stop = new AbortController();
    const client = clientOf(web);
    const sending = Array.from({ length: SENDERS }, (_, number) =>
      keepSending(client, screenerId, `${lane}-${round}-${number}`, imports, stop.signal),
    );
    await killer.kill(MOMENTS[moment]!(upTo, `${workspace.id}.sqlite`), web);
    const dead = await until(() => [web, worker].find((one) => one?.end), "a process is killed");
    assert.equal(dead.end!.signal, "SIGKILL", dead.stderr);
    stop.abort();
    if (round % 2) {
      await Promise.all([web.kill(), worker?.kill()]);
      killer.cutPower();
    } else killer.stop();
    if (web.end) web = await installation.web(killer.options);
    if (worker?.end) worker = await startWorker();
    await Promise.all(sending);
    await checkImports(installation, workspace, clientOf(web), { screenerId, imports, tally });
    found[moment] = (found[moment] ?? [0, 0, 0]).map((sum, i) => sum + tally[i]!);
  }
}

/** Sends one import after the other, until nobody answers, or it is to stop. */
async function keepSending(
  client: Client,
  screenerId: string,
  name: string,
  imports: Import[],
  stop: AbortSignal,
): Promise<void> {
  for (let i = 0; !stop.aborted; i++) {
    const externalUids = Array.from({ length: ROWS[i % ROWS.length]! }, (_, row) => `${name}-${i}-${row}`);
    const one: Import = { key: `key ${name} ${i}`, externalUids, isAsync: i % 3 === 0, answer: undefined };
    imports.push(one);
    try {
      one.answer = await send(client, screenerId, one);
    } catch {
      return;
    }
    assert.ok([200, 202].includes(one.answer.status), one.answer.text);
  }
}

function send(client: Client, screenerId: string, { key, externalUids, isAsync }: Import): Promise<Answer> {
  const rows = externalUids.map((uid) => ({ externalUid: uid, email: `${uid}@example.org`, name: `Person ${uid}` }));
  return client.import(screenerId, rows, {}, { ...(isAsync && ASYNC), "Idempotency-Key": key });
}

/** What was answered is done, once and whole; a retry shows whether something else was accepted. Then that is done, too. */
async function checkImports(
  installation: Installation,
  workspace: TestWorkspace,
  client: Client,
  { screenerId, imports, tally }: { screenerId: string; imports: Import[]; tally: number[] },
): Promise<void> {
  // It has the store open from here on. Else our own connection, when it closes, would write what the disk must know of.
  assert.equal((await client.get("/participants")).status, 200);
  await installation.drain(END_MS);
  const peopleNow = () => new Set(installation.stored<string>(workspace, "SELECT external_uid FROM participant"));
  const people = peopleNow();
  const jobs = jobsNow(installation);
  for (const one of imports) {
    const job = jobOf(jobs, one);
    const there = one.externalUids.filter((uid) => people.has(uid)).length;
    assert.equal(there, job ? one.externalUids.length : 0, `all rows of ${one.key}, or none`);
    if (one.answer) {
      tally[0]!++;
      assert.ok(job, `${one.key} was answered ${one.answer.status}`);
      if (one.answer.status === 202) assert.equal(one.answer.body.id, job);
      continue;
    }
    tally[job ? 1 : 2]!++;
    const again = await send(client, screenerId, one);
    assert.ok([200, 202].includes(again.status), again.text);
    assert.equal(again.headers.get("idempotency-replayed"), job ? "true" : null, `a retry of ${one.key}`);
  }
  await installation.drain(END_MS);
  const done = peopleNow();
  const jobsDone = jobsNow(installation);
  // To open a store takes longer than to look.
  installation.read(workspace, (db) => {
    for (const one of imports) {
      const job = jobOf(jobsDone, one);
      assert.ok(job && one.externalUids.every((uid) => done.has(uid)), `${one.key} is done`);
      assert.deepEqual(db.values("SELECT count(*) FROM job_outcome WHERE job_uid = ?", job), [1]);
      assert.deepEqual(
        db.values("SELECT count(*) FROM event WHERE type = 'import.completed' AND job_uid = ?", job),
        [1],
      );
    }
    assertCounts(db);
    assert.deepEqual(db.values("PRAGMA quick_check"), ["ok"]);
  });
  assert.deepEqual(installation.control("SELECT DISTINCT status FROM job"), ["SUCCEEDED"]);
  assert.deepEqual(installation.control("SELECT count(*) FROM job_body"), [0]);
  await until(() => readdirSync(join(installation.dataDir, "spool")).length === 0, "the bodies are gone");
  assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
}

type Jobs = Map<string, string[]>;

/** The id of the job of an import, if it was accepted. It has one job, and that has succeeded. */
function jobOf(jobs: Jobs, { key }: Import): string | undefined {
  const ofImport = jobs.get(key);
  if (!ofImport) return undefined;
  const [status, uid] = ofImport[0]!.split(" ");
  assert.deepEqual([ofImport.length, status], [1, "SUCCEEDED"]);
  return uid;
}

/** The jobs of all imports by their keys, each as its status and its id. */
function jobsNow(installation: Installation): Jobs {
  const jobs: Jobs = new Map();
  const rows = installation.control<string>("SELECT json_array(idempotency_key, status || ' ' || uid) FROM job");
  for (const row of rows) {
    const [key, job] = JSON.parse(row) as [string, string];
    jobs.set(key, [...(jobs.get(key) ?? []), job]);
  }
  return jobs;
}
