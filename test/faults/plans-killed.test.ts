// A worker is killed at any moment of a plan and of its application: never a part of it, and finally all of it, once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ASYNC, people } from "../support/client.ts";
import { dump, endOf, momentOf } from "../support/killed-jobs.ts";
import { install, ownRedis } from "../support/process.ts";
import { KILLS, seeded } from "../support/seeded.ts";

const ROWS = 2000;
const MOVED = 500;

/** So many go at once that their table is emptied. */
const REMOVED = 6000;
const LEFT = 100;
const REMOVAL_KILLS = Math.ceil(KILLS / 2);

const redis = ownRedis();
await redis.start();

/** Everybody gets another name, a quarter leaves and a quarter is new. */
function nextRoster(round: number): object[] {
  return people(ROWS, round * MOVED).map((row) => ({ ...row, name: `Round ${round}` }));
}

const SUMMARY = {
  rows: ROWS,
  created: MOVED,
  updated: ROWS - MOVED,
  unchanged: 0,
  assigned: MOVED,
  removed: MOVED,
};

test(`a worker killed at ${KILLS} moments of plans, and of their application, leaves all or nothing`, async (t) => {
  const moments: Record<string, number> = {};
  await Promise.all([killInLane(0, moments), killInLane(1, moments)]);
  t.diagnostic(`killed when ${JSON.stringify(moments)}`);
});

/** Makes plans in an installation of its own and applies them, with a killed worker for each of both. */
async function killInLane(lane: number, moments: Record<string, number>): Promise<void> {
  const rounds = Math.ceil(KILLS / 4);
  const draw = seeded(`plans ${lane}`);
  const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
  const web = await installation.web();
  let worker = await installation.worker();
  const { workspace, client, screenerId } = await installation.screener(web);
  const wait = { Prefer: "wait=60" };
  assert.equal((await client.import(screenerId, nextRoster(0), {}, wait)).status, 200);
  const longest = { plan: 0, apply: 0 };
  // The first round is not disturbed: it shows how long each takes.
  for (let round = 1; round <= rounds + 1; round++) {
    const isKilled = round > 1;
    const before = dump(installation, workspace);
    const settings = { importMode: "FULL_SYNC", dryRun: true };
    const { body: job } = await client.import(screenerId, nextRoster(round), settings, ASYNC);
    for (const what of ["plan", "apply"] as const) {
      const started = performance.now();
      if (what === "apply") assert.equal((await client.post(`/jobs/${job.id}/apply`, undefined, ASYNC)).status, 202);
      if (isKilled) {
        await sleep(longest[what] * ((round - 2 + draw()) / rounds));
        await worker.kill();
        const moment = `${what} ${momentOf(installation, workspace, job.id)}`;
        moments[moment] = (moments[moment] ?? 0) + 1;
        if (dump(installation, workspace) !== before) checkApplied(dump(installation, workspace), before);
        worker = await installation.worker();
        if (what === "apply") await client.post(`/jobs/${job.id}/apply`, undefined, ASYNC);
      }
      const ended = await endOf(client, job.id);
      longest[what] ||= performance.now() - started;
      assert.deepEqual([ended.status, ended.summary], [what === "plan" ? "PLANNED" : "SUCCEEDED", SUMMARY]);
      if (what === "plan") assert.equal(dump(installation, workspace), before);
      const { total } = (await client.get(`/jobs/${job.id}/rows?pagination[limit]=1`)).body;
      assert.equal(total, ROWS + MOVED);
    }
    checkApplied(dump(installation, workspace), before);
    const again = await client.post(`/jobs/${job.id}/apply`, undefined, wait);
    assert.deepEqual([again.status, again.body.status], [200, "SUCCEEDED"]);
    checkApplied(dump(installation, workspace), before);
    assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM effect"), [round + 1]);
  }
  assert.deepEqual(installation.control("PRAGMA quick_check"), ["ok"]);
}

/** Checks that one round, and all of it, lies between two dumps. */
function checkApplied(now: string, before: string): void {
  const [was, is] = [before, now].map((text) => JSON.parse(text) as { people: unknown[]; assigned: string[] });
  assert.equal(is!.people.length, was!.people.length + MOVED);
  assert.equal(is!.assigned.length, ROWS);
  const left = new Set(was!.assigned);
  assert.equal(is!.assigned.filter((one) => left.has(one)).length, ROWS - MOVED);
}

test("a worker killed while an import removes nearly everybody leaves all or nothing, and its undo brings all back", async (t) => {
  const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "1" });
  const web = await installation.web();
  let worker = await installation.worker();
  const { workspace, client, screenerId } = await installation.screener(web);
  const wait = { Prefer: "wait=60" };
  const everybody = people(REMOVED + LEFT);
  assert.equal((await client.import(screenerId, everybody, {}, wait)).status, 200);
  const full = dump(installation, workspace);
  const moments: Record<string, number> = {};
  const draw = seeded("removals");
  let longest = 0;
  for (let round = 0; round <= REMOVAL_KILLS; round++) {
    const started = performance.now();
    const { body } = await client.import(screenerId, everybody.slice(REMOVED), { importMode: "FULL_SYNC" }, ASYNC);
    if (round) {
      await sleep(longest * ((round - 1 + draw()) / REMOVAL_KILLS));
      await worker.kill();
      const moment = momentOf(installation, workspace, body.id);
      moments[moment] = (moments[moment] ?? 0) + 1;
      const now = JSON.parse(dump(installation, workspace)) as { assigned: unknown[] };
      if (now.assigned.length !== LEFT) assert.equal(JSON.stringify(now), full);
      worker = await installation.worker();
    }
    const job = await endOf(client, body.id);
    longest ||= performance.now() - started;
    assert.deepEqual([job.status, job.summary.removed], ["SUCCEEDED", REMOVED]);
    const { assigned, counted } = JSON.parse(dump(installation, workspace));
    assert.deepEqual([assigned.length, counted], [LEFT, [REMOVED + LEFT, LEFT]]);
    const [first] = everybody as { externalUid: string }[];
    const rows = await client.get(`/jobs/${body.id}/rows?filter[externalUid][eq]=${first!.externalUid}`);
    assert.equal(rows.status, 200, JSON.stringify(rows.body));
    assert.deepEqual(
      rows.body.items.map(({ outcome }: { outcome: string }) => outcome),
      ["REMOVED"],
    );
    assert.equal((await client.post(`/jobs/${body.id}/undo`, undefined, wait)).status, 200);
    assert.equal(dump(installation, workspace), full);
  }
  t.diagnostic(`killed when ${JSON.stringify(moments)}`);
  assert.deepEqual(installation.stored(workspace, "PRAGMA integrity_check"), ["ok"]);
  assert.deepEqual(installation.stored(workspace, "SELECT count(*) FROM pragma_foreign_key_check"), [0]);
});

test("imports that come at once do not pass the limit for removals, and no plan that is older than one of them", async () => {
  const installation = install({ REDIS_URL: redis.url, WORKER_CONCURRENCY: "4" });
  const web = await installation.web();
  await Promise.all([installation.worker(), installation.worker()]);
  const { workspace, client, screenerId } = await installation.screener(web);
  const limit = 5;
  const everybody = people(20);
  await client.import(screenerId, everybody);
  // Every other one lacks more than may be removed, in whatever order they come.
  const subsets = Array.from({ length: 40 }, (_, turn) =>
    everybody.filter((_, n) => (n * 7 + turn * 3) % 20 > (turn % 2 ? 8 : 1)),
  );
  const settings = { importMode: "FULL_SYNC", maxRemovals: limit };
  await Promise.all(subsets.map((rows) => client.import(screenerId, rows, settings, { Prefer: "wait=60" })));
  await installation.drain();
  const jobs = (await client.all("/jobs")).slice(1);
  let current = new Set(everybody.map(({ externalUid }) => externalUid));
  let last = "";
  const plans: string[] = [];
  for (const { id, status, problem, summary } of jobs) {
    const { items } = (await client.get(`/jobs/${id}/rows?pagination[limit]=500`)).body;
    const removed = items.filter(({ outcome }: { outcome: string }) => outcome === "REMOVED").length;
    const named = items.flatMap((row: { position: number | null; externalUid: string }) =>
      row.position === null ? [] : [row.externalUid],
    );
    assert.equal(removed, [...current].filter((uid) => !named.includes(uid)).length);
    assert.equal(summary.removed, removed);
    if (removed > limit) plans.push(id);
    else {
      assert.equal(status, "SUCCEEDED", JSON.stringify(problem));
      current = new Set(named);
      last = id;
    }
  }
  assert.ok(plans.length > 0 && plans.length < jobs.length, `${plans.length} of ${jobs.length} were stopped`);
  const before = dump(installation, workspace);
  for (const id of plans.filter(
    (id) => jobs.findIndex((job) => job.id === id) < jobs.findIndex((job) => job.id === last),
  )) {
    const { status, body } = await client.post(`/jobs/${id}/apply`, undefined);
    assert.deepEqual([status, body.code], [409, "plan_superseded"]);
  }
  assert.equal(dump(installation, workspace), before);
});
