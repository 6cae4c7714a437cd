// During a large import all other requests are answered as usual, and the event loop never blocks for long.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ASYNC, type Client } from "../support/client.ts";
import { hold } from "../support/hold.ts";
import { loopDelay, measuredWeb } from "../support/measured.ts";
import { install } from "../support/process.ts";

const ROWS = 300_000;
/** How long the API may compute at a stretch. 50 ms are aimed at, and measured by the benchmark; a slow machine takes longer. */
const COMPUTE_MS = 100;
/**
 * How long it may stand still otherwise, commits and queues for a processor aside. An idle machine needs a few ms; one
 * with more to do than processors lets threads wait for each other. Waiting for the import's lock would take seconds.
 */
const WAIT_MS = 150;
// What the product does wrong it does each time; what the rest of the machine does to it, now and then.
const TRIES = 3;

for (const [where, env] of [
  ["a worker process", { REDIS_URL: process.env.TEST_REDIS_URL ?? "" }],
  ["a thread of the one process", {}],
] as const) {
  test(`everyone is served while ${where} imports 300,000 people`, async (t) => {
    const installation = install({ ...env, WRITE_WAIT_MS: "60000" });
    const web = await measuredWeb(installation);
    if (env.REDIS_URL) await installation.worker();
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < TRIES && least > WAIT_MS; round++) {
      const busy = installation.workspace().client(web);
      const other = installation.workspace().client(web);
      assert.equal((await other.import(await other.screener(), rows(1000))).status, 200);
      const served = await serveDuringImport(busy, other, () => loopDelay(installation, web));
      const delay = await loopDelay(installation, web);
      t.diagnostic(JSON.stringify({ served, ...delay }));
      for (const [what, count] of Object.entries(served)) assert.ok(count > 0, what);
      assert.ok(delay.longestCpu <= COMPUTE_MS, `it computed for ${delay.longestCpu} ms`);
      least = Math.min(least, delay.worst[0]!.own);
    }
    assert.ok(least <= WAIT_MS, `the loop stood still for ${least} ms`);
  });
}

test("while a workspace is locked its reads are answered, and its small writes get a 503 when they have waited", async (t) => {
  const installation = install({ WRITE_WAIT_MS: "1500" });
  const web = await measuredWeb(installation);
  const client = installation.workspace().client(web);
  const other = installation.workspace().client(web);
  const screenerId = await client.screener();
  await loopDelay(installation, web);
  const release = hold(installation.dataDir, client.workspaceId);
  let waiting = true;
  const writes = Promise.all([
    client.patch(`/screeners/${screenerId}`, { title: "Too late" }),
    ...rows(20).map((person) => client.post("/participants", person)),
  ]).finally(() => {
    waiting = false;
  });
  let reads = 0;
  for (; waiting; reads++) assert.equal((await client.get(`/screeners/${screenerId}`)).body.title, "A study");
  const delay = await loopDelay(installation, web);
  for (const { status, body, headers } of await writes) {
    assert.equal(status, 503);
    assert.equal(body.code, "store_busy");
    assert.match(headers.get("Retry-After") ?? "", /^\d+$/);
  }
  assert.equal((await other.post("/screeners", { title: "Not locked" })).status, 201);
  const late = client.patch(`/screeners/${screenerId}`, { title: "In time" });
  release();
  assert.equal((await late).status, 200);
  t.diagnostic(JSON.stringify({ reads, ...delay }));
  assert.ok(reads > 10, `${reads} reads`);
  assert.ok(delay.longestCpu <= COMPUTE_MS, `it computed for ${delay.longestCpu} ms`);
  // Far from how long the writes have waited, however busy the machine is.
  assert.ok(delay.worst[0]!.own < 750, `the loop stood still for ${delay.worst[0]!.own} ms`);
});

test("a megabyte of brackets is refused without holding the loop", async (t) => {
  const installation = install();
  const web = await measuredWeb(installation);
  const client = installation.workspace().client(web);
  const brackets = "[".repeat(1_000_000);
  const bodies = [
    brackets,
    `{"title":${brackets}`,
    `{"title":"x","y":${brackets.slice(500_010)}${"]".repeat(499_970)}}`,
  ];
  await client.call("POST", "/screeners", { raw: '{"title":"x"}' });
  await loopDelay(installation, web);
  for (const raw of [...bodies, `${'{"a":'.repeat(200_000)}1`])
    assert.equal((await client.call("POST", "/screeners", { raw: raw.slice(0, 1_048_576) })).status, 400);
  const delay = await loopDelay(installation, web);
  t.diagnostic(JSON.stringify(delay));
  assert.ok(delay.longestCpu <= COMPUTE_MS, `it computed for ${delay.longestCpu} ms`);
});

/** Imports into one workspace, and uses it and the other one until that is done. @returns what was served meanwhile */
async function serveDuringImport(busy: Client, other: Client, begin: () => Promise<unknown>) {
  const screenerId = await busy.screener();
  const raw = JSON.stringify({ screenerId, participants: rows(ROWS) });
  await begin();
  const { status, body: job } = await busy.call("POST", "/screener-participants-import", { raw, headers: ASYNC });
  assert.equal(status, 202);
  const served = { reads: 0, othersReads: 0, writes: 0, othersWrites: 0 };
  const phases = new Set<string>();
  let running = true;
  const repeat = async (once: () => Promise<void>) => {
    while (running) await once();
  };
  await Promise.all([
    repeat(async () => {
      const { body } = await busy.get(`/jobs/${job.id}`);
      if (body.progress) phases.add(body.progress.phase);
      running = body.finishedAt === null;
    }),
    repeat(async () => {
      assert.equal((await busy.get("/screener-participants?pagination[offset]=100")).status, 200);
      served.reads++;
    }),
    repeat(async () => {
      assert.equal((await other.get("/participants?pagination[offset]=500")).body.items.length, 100);
      served.othersReads++;
    }),
    repeat(async () => {
      assert.equal((await busy.post("/screeners", { title: "Meanwhile" })).status, 201);
      served.writes++;
    }),
    repeat(async () => {
      assert.equal((await other.post("/screeners", { title: "Meanwhile" })).status, 201);
      served.othersWrites++;
    }),
  ]);
  const { body: ended } = await busy.get(`/jobs/${job.id}`);
  assert.equal(ended.status, "SUCCEEDED");
  assert.equal(ended.summary.created, ROWS);
  assert.ok(phases.size >= 2, `its progress moves: ${[...phases]}`);
  return served;
}

function rows(count: number): unknown[] {
  return Array.from({ length: count }, (_, n) => ({
    externalUid: `P-${n}`,
    email: `p${n}@example.org`,
    name: `P ${n}`,
  }));
}
