// /jobs, and how a request waits for its job, or does not

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { type Answer, ASYNC, type Client, people, TIMESTAMP, UNKNOWN, UUID_V7 } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { holdWrites } from "../support/store.ts";
import { until } from "../support/until.ts";

const service = await startService();

interface Job {
  id: string;
  kind: string;
  status: string;
  progress: { phase: string; done: number; total: number | null } | null;
  screenerId: string | null;
  startedAt: string;
  finishedAt: string;
  summary: object | null;
}

/** Hands in an import without waiting for it. @returns its job's id */
async function importLater(client: Client, screenerId: string, rows: unknown[], importMode = "UPDATES_ONLY") {
  const { status, body } = await client.import(screenerId, rows, { importMode }, ASYNC);
  assert.equal(status, 202);
  return body.id as string;
}

async function job(client: Client, id: string): Promise<Job> {
  const { status, body } = await client.get(`/jobs/${id}`);
  assert.equal(status, 200);
  return body;
}

/** The job once it has ended. */
function ended(client: Client, id: string): Promise<Job> {
  return until(async () => {
    const found = await job(client, id);
    return found.finishedAt ? found : undefined;
  }, `job ${id} ends`);
}

/** Runs `during` while nobody else can write to the workspace, and lets go whatever happens. */
async function whileHeld(client: Client, during: (release: () => void) => Promise<void>): Promise<void> {
  const release = holdWrites(service, client);
  try {
    await during(release);
  } finally {
    release();
  }
}

/** A problem without what is the request's own. */
function problemOf({ body }: Answer): unknown {
  const { requestId, ...problem } = body;
  assert.ok(requestId);
  return problem;
}

test("an import is a job, which can be read afterwards with every field", async () => {
  const { client, screenerId } = await service.screener();
  const before = new Date().toISOString();
  await client.import(screenerId, people(3), {}, { "X-Request-Id": "nightly-1", "Idempotency-Key": "roster" });
  const { items, ...page } = (await client.get("/jobs")).body;
  assert.deepEqual(page, { _type: "PaginatedJob", total: 1, limit: 100, offset: 0 });
  const [found] = items;
  const { id, createdBy, createdAt, startedAt, finishedAt, ...rest } = found;
  assert.deepEqual(rest, {
    _type: "Job",
    kind: "SCREENER_PARTICIPANTS_IMPORT",
    status: "SUCCEEDED",
    progress: null,
    summary: { rows: 3, created: 3, updated: 0, unchanged: 0, assigned: 3, removed: 0 },
    problem: null,
    screenerId,
    screenerPublicationId: null,
    importMode: "UPDATES_ONLY",
    idempotencyKey: "roster",
    requestId: "nightly-1",
    traceId: null,
    attempts: 1,
    warnings: null,
    plan: null,
    blocked: null,
  });
  assert.match(id, UUID_V7);
  const { createdBy: caller } = (await client.get(`/screeners/${screenerId}`)).body;
  assert.deepEqual(createdBy, caller);
  for (const time of [createdAt, startedAt, finishedAt]) assert.match(time, TIMESTAMP);
  assert.ok(before <= createdAt && createdAt <= startedAt && startedAt <= finishedAt);
  assert.deepEqual(await job(client, id), found);
});

test("a publication is a job, too", async () => {
  const { client, screenerId } = await service.screener();
  const { body } = await client.post("/screener-publications", { screenerId });
  const [found] = (await client.get("/jobs")).body.items;
  assert.deepEqual(
    [found.kind, found.status, found.progress, found.summary, found.problem],
    ["SCREENER_PUBLICATION", "SUCCEEDED", null, null, null],
  );
  assert.deepEqual([found.screenerId, found.screenerPublicationId, found.importMode], [screenerId, body.id, null]);
  assert.deepEqual((await client.get(`/jobs/${found.id}/result`)).body, body);
});

test("a client that prefers not to wait gets a 202 at once, polls the job, and fetches its result", async () => {
  const { client, screenerId } = await service.screener();
  const kinds: [string, object][] = [
    ["/screener-participants-import", { screenerId, participants: people(1200) }],
    ["/screener-publications", { screenerId }],
  ];
  for (const [path, body] of kinds) {
    const answer = await client.post(path, body, ASYNC);
    assert.equal(answer.status, 202);
    assert.equal(answer.body._type, "Job");
    assert.equal(answer.headers.get("location"), `/jobs/${answer.body.id}`);
    assert.equal(answer.headers.get("preference-applied"), "respond-async");
    assert.match(answer.headers.get("retry-after")!, /^[1-9]\d*$/);
    const done = await ended(client, answer.body.id);
    assert.equal(done.status, "SUCCEEDED");
    const result = await client.get(`/jobs/${done.id}/result`);
    assert.equal(result.status, 200);
    if (path.endsWith("import")) assert.deepEqual(result.body, await client.all("/screener-participants"));
    else assert.deepEqual(result.body, (await client.get(`/screener-publications/${result.body.id}`)).body);
    // It can be fetched any number of times.
    assert.deepEqual((await client.get(`/jobs/${done.id}/result`)).body, result.body);
  }
});

test("a client that says how long to wait gets the result in time, or else the job, which goes on", async () => {
  const { client, screenerId } = await service.screener();
  const send = (prefer: string) => client.post("/screener-publications", { screenerId }, { Prefer: prefer });
  for (const [prefer, applied] of [
    ["wait=20", "wait=20"],
    ["WAIT = 20", "wait=20"],
    ['wait="20"', "wait=20"],
    ["respond-async, wait=20", "wait=20"],
    ["wait=20; respond-async", "wait=20"],
    ["return=minimal, wait=20", "wait=20"],
    ["wait=301", "wait=300"],
    ["wait=999999999", "wait=300"],
  ] as const) {
    const answer = await send(prefer);
    assert.deepEqual([answer.status, answer.headers.get("preference-applied")], [201, applied], prefer);
    assert.equal(answer.headers.get("location"), `/screener-publications/${answer.body.id}`);
  }
  await whileHeld(client, async (release) => {
    const answers = [];
    for (const prefer of ["wait=0", "wait=1", "respond-async, wait=1", "Respond-Async"])
      answers.push(await send(prefer));
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get("preference-applied")]),
      [
        [202, "wait=0"],
        [202, "wait=1"],
        [202, "wait=1"],
        [202, "respond-async"],
      ],
    );
    for (const { headers, body } of answers) {
      assert.equal(headers.get("location"), `/jobs/${body.id}`);
      assert.match(headers.get("retry-after")!, /^[1-9]\d*$/);
    }
    release();
    for (const { body } of answers) assert.equal((await ended(client, body.id)).status, "SUCCEEDED");
  });
});

test("a preference that can't be read is ignored", async () => {
  const { client, screenerId } = await service.screener();
  for (const prefer of [
    "wait",
    "wait=",
    "wait=x",
    "wait=-1",
    "wait=1.5",
    "async",
    "respond-asynchronously",
    "x=wait=0",
    ";;,",
  ]) {
    const { status, headers } = await client.post("/screener-publications", { screenerId }, { Prefer: prefer });
    assert.deepEqual([status, headers.get("preference-applied")], [201, null], prefer);
  }
});

test("without a preference, the wait is as long as the service is set to", async () => {
  const impatient = await startService({ config: { syncWaitSeconds: 0 } });
  const { client, screenerId } = await impatient.screener();
  const { status, headers, body } = await client.import(screenerId, people(2));
  assert.equal(status, 202);
  assert.equal(headers.get("location"), `/jobs/${body.id}`);
  assert.equal(headers.get("preference-applied"), null);
  assert.match(headers.get("retry-after")!, /^[1-9]\d*$/);
  const waited = await client.post("/screener-publications", { screenerId }, { Prefer: "wait=20" });
  assert.equal(waited.status, 201);
  await impatient.drain();
});

test("a job that fails gives the waiting client the same problem as GET /jobs/{id}, and leaves nothing", async () => {
  const { client, screenerId } = await service.screener();
  await client.post("/participants", { externalUid: "holder", email: "taken@x", name: "N" });
  const failing: [string, object, number, string][] = [
    ["/screener-participants-import", { screenerId, participants: Array(150).fill({}) }, 400, "invalid_request"],
    ["/screener-participants-import", { screenerId: UNKNOWN, participants: people(2) }, 404, "screener_not_found"],
    [
      "/screener-participants-import",
      { screenerId, participants: [...people(2), { externalUid: "x", email: "taken@x", name: "N" }] },
      409,
      "email_taken",
    ],
    ["/screener-publications", { screenerId: UNKNOWN }, 404, "screener_not_found"],
  ];
  for (const [path, body, status, code] of failing) {
    const waited = await client.post(path, body);
    assert.deepEqual([waited.status, waited.body.code], [status, code]);
    assert.match(waited.headers.get("content-type")!, /^application\/problem\+json/);
    const { items } = (await client.get("/jobs")).body;
    const { problem, ...failed } = items.at(-1);
    assert.deepEqual(problem, problemOf(waited));
    assert.deepEqual([failed.status, failed.summary, failed.progress], ["FAILED", null, null]);
    assert.match(failed.finishedAt, TIMESTAMP);
    // A caller that did not wait reads the same.
    const later = await client.post(path, body, ASYNC);
    assert.equal(later.status, 202);
    const polled = await ended(client, later.body.id);
    assert.deepEqual(
      { ...polled },
      { ...polled, status: "FAILED", problem: { ...(problem as object), jobId: polled.id } },
    );
    const result = await client.get(`/jobs/${failed.id}/result`);
    assert.deepEqual([result.status, result.body.code], [409, "job_not_succeeded"]);
  }
  assert.equal((await client.get("/participants")).body.total, 1);
  assert.equal((await client.get("/screener-participants")).body.total, 0);
  // A failure stands in nobody's way.
  assert.equal((await client.import(screenerId, people(2))).status, 200);
});

test("a job has no result before it has succeeded", async () => {
  const { client, screenerId } = await service.screener();
  await whileHeld(client, async (release) => {
    const id = await importLater(client, screenerId, people(3));
    const { status, headers, body } = await client.get(`/jobs/${id}/result`);
    assert.deepEqual([status, body.code], [409, "job_not_finished"]);
    assert.match(headers.get("retry-after")!, /^[1-9]\d*$/);
    release();
    await ended(client, id);
    assert.equal((await client.get(`/jobs/${id}/result`)).body.length, 3);
  });
});

test("while a job runs, anyone can see how far it is", async () => {
  const { client, screenerId } = await service.screener();
  await whileHeld(client, async (release) => {
    const id = await importLater(client, screenerId, people(25_000));
    const running = await until(async () => {
      const found = await job(client, id);
      return found.progress?.done ? found : undefined;
    }, "the job has begun");
    assert.equal(running.status, "RUNNING");
    assert.match(running.startedAt, TIMESTAMP);
    assert.deepEqual([running.finishedAt, running.summary], [null, null]);
    assert.equal(running.progress!.phase, "STAGING");
    assert.ok(running.progress!.done <= 25_000);
    assert.deepEqual((await client.get("/jobs?filter[status][eq]=RUNNING")).body.items[0].id, id);
    // Progress is written a few times a second: after this time it is written again as soon as the job goes on.
    const readAt = Date.now();
    await until(() => Date.now() > readAt + 300, "progress may be written again");
    release();
    const seen: NonNullable<Job["progress"]>[] = [];
    const done = await until(async () => {
      const found = await job(client, id);
      if (found.progress) seen.push(found.progress);
      return found.finishedAt ? found : undefined;
    }, "the job ends");
    assert.deepEqual([done.status, done.progress], ["SUCCEEDED", null]);
    const phases = ["STAGING", "COMPARING", "APPLYING"];
    for (const [index, { phase, done, total }] of seen.entries()) {
      assert.ok(phases.includes(phase), phase);
      assert.ok(total === null || done <= total);
      const before = seen[index - 1];
      if (before) assert.ok(phases.indexOf(before.phase) <= phases.indexOf(phase));
      if (before?.phase === phase) assert.ok(before.done <= done);
    }
    // Once the rows are counted, the progress has their number, too; and then what is written for them, two for each.
    assert.ok(seen.some(({ total }) => total === 25_000 || total === 50_000));
  });
});

test("progress never runs backwards within a run", async () => {
  const { client, screenerId } = await service.screener();
  const { writer } = service.context.control;
  const inLedger = (sql: string) => whenFree(writer, 5000, () => writer.exec(sql));
  await inLedger(`
    CREATE TABLE progress (id INTEGER PRIMARY KEY, uid TEXT, phase TEXT, done INTEGER, total INTEGER, attempts INTEGER);
    CREATE TRIGGER progress AFTER UPDATE OF progress_done ON job WHEN new.progress_done IS NOT NULL BEGIN
      INSERT INTO progress (uid, phase, done, total, attempts)
      VALUES (new.uid, new.progress_phase, new.progress_done, new.progress_total, new.attempts);
    END`);
  try {
    // So many that participants, and then assignments, are written by three statements (MAX_INSERT_ROWS).
    await client.import(screenerId, people(100_001), {}, { Prefer: "wait=120" });
    await client.post("/screener-publications", { screenerId });
    await client.post("/screener-sessions", { screenerId }, { Prefer: "wait=120" });
  } finally {
    await inLedger("DROP TRIGGER progress");
  }
  const phases: Record<string, string[]> = {
    SCREENER_PARTICIPANTS_IMPORT: ["STAGING", "COMPARING", "APPLYING"],
    SCREENER_SESSIONS_OPENING: ["PREPARING", "APPLYING"],
  };
  const applied = new Set<number>();
  for (const { id, kind, status } of await client.all("/jobs")) {
    assert.equal(status, "SUCCEEDED");
    const written = writer.all<{ phase: string; done: number; total: number | null; attempts: number }>(
      "SELECT phase, done, total, attempts FROM progress WHERE uid = ? ORDER BY id",
      id,
    );
    for (const [index, { phase, done, total, attempts }] of written.entries()) {
      assert.equal(attempts, 1);
      assert.ok(phases[kind]!.includes(phase), phase);
      if (total !== null) assert.ok(done <= total, `${done} of ${total}`);
      if (phase === "APPLYING") applied.add(done);
      const before = written[index - 1];
      if (!before) continue;
      const [then, now] = [before.phase, phase].map((one) => phases[kind]!.indexOf(one));
      const runsOn = then === now ? before.done <= done && (before.total ?? total) === total : then! < now!;
      assert.ok(runsOn, `${JSON.stringify(before)}, then ${JSON.stringify(written[index])}`);
    }
  }
  assert.ok(applied.size > 2, "it was seen writing several times");
});

test("jobs are listed in the order in which they were accepted, and found by status and kind", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(1));
  await client.post("/screener-publications", { screenerId });
  await client.import(UNKNOWN, people(1));
  await client.import(screenerId, people(1));
  const all = (await client.get("/jobs")).body.items.map(({ id }: Job) => id);
  const [one, publication, failed, other] = all;
  const get = async (query: string) => {
    const { status, body } = await client.get(`/jobs?${query}`);
    assert.deepEqual([status, body.total], [200, body.items.length], query);
    return body.items.map(({ id }: Job) => id);
  };
  assert.deepEqual(await get("filter[status][eq]=SUCCEEDED"), [one, publication, other]);
  assert.deepEqual(await get("filter[status][ne]=SUCCEEDED"), [failed]);
  assert.deepEqual(await get("filter[status][in][]=FAILED&filter[status][in][]=SUCCEEDED"), all);
  assert.deepEqual(await get("filter[status][nin][]=FAILED&filter[status][nin][]=QUEUED"), [one, publication, other]);
  assert.deepEqual(await get("filter[kind][eq]=SCREENER_PUBLICATION"), [publication]);
  assert.deepEqual(await get("filter[kind][ne]=SCREENER_PUBLICATION"), [one, failed, other]);
  assert.deepEqual(await get("filter[kind][in][]=SCREENER_PUBLICATION"), [publication]);
  assert.deepEqual(await get("filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT&filter[status][eq]=SUCCEEDED"), [
    one,
    other,
  ]);
  assert.deepEqual(await get("filter[status][eq]=RUNNING"), []);
  const page = (await client.get("/jobs?pagination[offset]=1&pagination[limit]=2")).body;
  assert.deepEqual([page.total, page.items.map(({ id }: Job) => id)], [4, [publication, failed]]);
});

test("a job says what it is about as early as it knows, and also when it fails", async () => {
  const { client, screenerId } = await service.screener();
  const about = ({ screenerId, importMode }: Answer["body"]) => [screenerId, importMode];
  const newest = async () => about((await client.get("/jobs?sort=-createdAt")).body.items[0]);
  const imports: [object, number, unknown[]][] = [
    [{ screenerId, participants: [{}], importMode: "FULL_SYNC" }, 400, [screenerId, "FULL_SYNC"]],
    [{ screenerId: UNKNOWN, participants: people(1) }, 404, [UNKNOWN, "UPDATES_ONLY"]],
    [{ screenerId, importMode: "ALL", participants: [] }, 400, [screenerId, null]],
    [{ screenerId: screenerId.toUpperCase(), participants: [] }, 200, [screenerId, "UPDATES_ONLY"]],
    [{ screenerId: '"', participants: [] }, 404, [null, "UPDATES_ONLY"]],
    [{ screenerId: 7, participants: [] }, 400, [null, "UPDATES_ONLY"]],
  ];
  for (const [body, status, expected] of imports) {
    assert.equal((await client.post("/screener-participants-import", body)).status, status);
    assert.deepEqual(await newest(), expected);
  }
  assert.equal((await client.post("/screener-publications", { screenerId: "unknown" })).status, 404);
  assert.deepEqual(await newest(), [null, null]);
  await whileHeld(client, async (release) => {
    const imported = await importLater(client, screenerId, people(3), "FULL_SYNC");
    // It waits for the workspace's lock, and has read its body.
    await until(async () => (await job(client, imported)).screenerId, "the import knows its screener");
    const { body: publishing } = await client.post("/screener-publications", { screenerId }, ASYNC);
    const { body: opening } = await client.post("/screener-sessions", { screenerId }, ASYNC);
    assert.deepEqual([about(publishing), about(opening)], Array(2).fill([screenerId, null]));
    release();
    for (const id of [imported, publishing.id, opening.id]) assert.equal((await ended(client, id)).status, "SUCCEEDED");
  });
});

test("jobs can be found by screener and by time, and listed with the newest first, in every format", async () => {
  const { client, screenerId } = await service.screener();
  const other = await client.screener();
  for (const [index, screener] of [screenerId, other, screenerId, other].entries()) {
    await client.import(screener, people(1));
    const { writer } = service.context.control;
    const [{ id }] = (await client.get("/jobs?sort=-createdAt")).body.items;
    await whenFree(writer, 5000, () =>
      writer.run("UPDATE job SET created_at = ? WHERE uid = ?", Date.UTC(2026, 0, 1 + index), id),
    );
  }
  const all = (await client.get("/jobs")).body.items.map(({ id }: Job) => id);
  const positions = (items: Job[]) => items.map(({ id }) => all.indexOf(id));
  const get = async (query: string) => {
    const { status, body } = await client.get(`/jobs?${query}`);
    assert.deepEqual([status, body.total], [200, body.items.length], query);
    const found = positions(body.items);
    const lines = (await client.get(`/jobs?${query}`, { Accept: "application/x-ndjson" })).text.trim();
    assert.deepEqual(lines ? positions(lines.split("\n").map((line) => JSON.parse(line))) : [], found, query);
    const csv = (await client.get(`/jobs?${query}`, { Accept: "text/csv" })).text.trim().split("\r\n").slice(1);
    assert.deepEqual(
      csv.map((line) => all.indexOf(line.slice(0, 36))),
      found,
      query,
    );
    return found;
  };
  assert.deepEqual(await get(`filter[screenerId][eq]=${screenerId}`), [0, 2]);
  assert.deepEqual(await get(`filter[screenerId][ne]=${screenerId}`), [1, 3]);
  assert.deepEqual(await get(`filter[screenerId][in][]=${other}&filter[screenerId][in][]=${UNKNOWN}`), [1, 3]);
  assert.deepEqual(await get("sort=createdAt"), [0, 1, 2, 3]);
  assert.deepEqual(await get("sort=-createdAt"), [3, 2, 1, 0]);
  assert.deepEqual(await get(`sort=-createdAt&filter[screenerId][eq]=${screenerId}`), [2, 0]);
  assert.deepEqual(await get("filter[createdAt][gte]=2026-01-02T00:00:00Z"), [1, 2, 3]);
  assert.deepEqual(await get("filter[createdAt][gte]=2026-01-02T00:00:00.001Z"), [2, 3]);
  assert.deepEqual(await get("filter[createdAt][gte]=2026-01-02T00:00:00.0001Z"), [2, 3]);
  assert.deepEqual(await get("filter[createdAt][lt]=2026-01-02T00:00:00.0001Z"), [0, 1]);
  assert.deepEqual(await get("filter[createdAt][lt]=2026-01-02T00:00:00.000Z"), [0]);
  assert.deepEqual(await get("filter[createdAt][gte]=2026-01-02T01:00:00%2B01:00"), [1, 2, 3]);
  const range = "filter[createdAt][gte]=2026-01-02T00:00:00Z&filter[createdAt][lt]=2026-01-04T00:00:00Z";
  assert.deepEqual(await get(range), [1, 2]);
  assert.deepEqual(await get(`sort=-createdAt&filter[kind][ne]=SCREENER_PUBLICATION&${range}`), [2, 1]);
  const page = (await client.get("/jobs?sort=-createdAt&pagination[offset]=1&pagination[limit]=2")).body;
  assert.deepEqual([page.total, positions(page.items)], [4, [2, 1]]);
  for (const [name, value] of [
    ["filter[createdAt][gte]", ""],
    ["filter[createdAt][gte]", "yesterday"],
    ["filter[createdAt][gte]", "2026-01-02"],
    ["filter[createdAt][gte]", "2026-02-30T00:00:00Z"],
    ["filter[createdAt][gte]", "2026-01-02T00:00:00"],
    ["filter[createdAt][gte]", "1767312000000"],
    ["filter[createdAt][gte]", "9999-12-31T23:59:59-05:00"],
    ["filter[createdAt][eq]", "2026-01-02T00:00:00Z"],
    ["filter[createdAt][gte][]", "2026-01-02T00:00:00Z"],
    ["filter[screenerId][eq]", "x"],
    ["filter[screenerId][gte]", screenerId],
    ["sort", "finishedAt"],
    ["sort", ""],
    ["sort", "+createdAt"],
  ] as const) {
    const { status, body } = await client.get(`/jobs?${name}=${encodeURIComponent(value)}`);
    assert.deepEqual([status, body.errors?.[0].pointer], [400, name], `${name} ${value}`);
  }
  assert.equal((await client.get("/jobs?sort=createdAt&sort=-createdAt")).status, 400);
  assert.equal((await client.get("/screeners?sort=createdAt")).status, 400);
});

test("jobs of one workspace take effect in the order in which they were accepted", async () => {
  const { client, screenerId } = await service.screener();
  await whileHeld(client, async (release) => {
    const ids: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      ids.push(await importLater(client, screenerId, people(turn + 1, turn * 10), "FULL_SYNC"));
      const body = { screenerId, targetQualifiedParticipants: turn + 1 };
      ids.push((await client.post("/screener-publications", body, ASYNC)).body.id);
    }
    await until(async () => (await job(client, ids[0]!)).status === "RUNNING", "the first one runs");
    const waiting = (await client.get("/jobs")).body.items.slice(1);
    assert.deepEqual(new Set(waiting.map(({ status }: Job) => status)), new Set(["QUEUED"]));
    assert.deepEqual(new Set(waiting.map(({ startedAt }: Job) => startedAt)), new Set([null]));
    release();
    const done: Job[] = [];
    for (const id of ids) done.push(await ended(client, id));
    for (const [index, one] of done.entries()) {
      assert.equal(one.status, "SUCCEEDED");
      if (index) assert.ok(done[index - 1]!.finishedAt <= one.startedAt);
    }
    // The last one wins, and versions follow the order.
    const rows = (await client.get("/screener-participants")).body.items;
    assert.deepEqual(
      rows.map((row: { externalParticipantUid: string }) => row.externalParticipantUid),
      people(6, 50).map(({ externalUid }) => externalUid),
    );
    const publications = (await client.get(`/screeners/${screenerId}/publications`)).body.items;
    assert.deepEqual(
      publications.map((one: { version: number; targetQualifiedParticipants: number }) => [
        one.version,
        one.targetQualifiedParticipants,
      ]),
      [6, 5, 4, 3, 2, 1].map((version) => [version, version]),
    );
  });
});

test("a small job does not wait for another workspace's large one, nor for its queue", async () => {
  const large = service.workspace();
  const small = service.workspace();
  const screenerId = await large.screener();
  const other = await small.screener();
  await whileHeld(large, async (release) => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await importLater(large, screenerId, people(2000)));
    await until(async () => (await job(large, ids[0]!)).status === "RUNNING", "the large one runs");
    assert.equal((await small.import(other, people(2))).status, 200);
    assert.equal((await small.post("/screener-publications", { screenerId: other })).status, 201);
    assert.equal((await job(large, ids[0]!)).finishedAt, null);
    release();
    for (const id of ids) assert.equal((await ended(large, id)).status, "SUCCEEDED");
  });
});

test("a client that closes its connection does not stop its job", async () => {
  const { client, screenerId } = await service.screener();
  await whileHeld(client, async (release) => {
    const going = new AbortController();
    const waiting = client.call("POST", "/screener-participants-import", {
      body: { screenerId, participants: people(4) },
      signal: going.signal,
    });
    const [accepted] = await until(async () => {
      const { items } = (await client.get("/jobs")).body;
      return items.length ? items : undefined;
    }, "the job is accepted");
    going.abort();
    await assert.rejects(waiting);
    release();
    assert.equal((await ended(client, accepted.id)).status, "SUCCEEDED");
    assert.equal((await client.get(`/jobs/${accepted.id}/result`)).body.length, 4);
    assert.equal((await client.get("/screener-participants")).body.total, 4);
  });
});

test("a job that waits can be cancelled: it changes nothing, its client gets an answer, and the next job runs", async () => {
  const { client, screenerId } = await service.screener();
  await whileHeld(client, async (release) => {
    const first = await importLater(client, screenerId, people(1));
    const waiting = client.import(screenerId, people(5, 10));
    const second: Job = await until(async () => (await client.get("/jobs")).body.items[1], "the second is accepted");
    const third = await importLater(client, screenerId, people(1, 20));
    const { status, body } = await client.delete(`/jobs/${second.id}`);
    assert.equal(status, 200);
    const { problem, finishedAt, ...rest } = body;
    assert.deepEqual(rest, {
      ...rest,
      _type: "Job",
      id: second.id,
      status: "CANCELLED",
      summary: null,
      startedAt: null,
    });
    assert.equal(problem.code, "job_cancelled");
    assert.match(finishedAt, TIMESTAMP);
    assert.deepEqual(await job(client, second.id), body);
    const answer = await waiting;
    assert.equal(answer.status, problem.status);
    assert.deepEqual(problemOf(answer), problem);
    const result = await client.get(`/jobs/${second.id}/result`);
    assert.deepEqual([result.status, result.body.code], [409, "job_not_succeeded"]);
    const again = await client.delete(`/jobs/${second.id}`);
    assert.deepEqual([again.status, again.body.code], [409, "job_not_cancellable"]);
    assert.deepEqual(
      (await client.get("/jobs?filter[status][eq]=CANCELLED")).body.items.map(({ id }: Job) => id),
      [second.id],
    );
    release();
    for (const id of [first, third]) assert.equal((await ended(client, id)).status, "SUCCEEDED");
    assert.deepEqual(
      (await client.get("/participants")).body.items.map((row: { externalUid: string }) => row.externalUid),
      ["P-0", "P-20"],
    );
    assert.deepEqual(await job(client, second.id), body);
  });
});

test("a caller that polls a job learns when to ask again, or waits until the job has ended", async () => {
  const { client, screenerId } = await service.screener();
  const get = async (id: string, prefer?: string) => {
    const { status, headers, body } = await client.get(`/jobs/${id}`, prefer ? { Prefer: prefer } : {});
    assert.equal(status, 200);
    return [body.status, headers.get("retry-after"), headers.get("preference-applied")];
  };
  await whileHeld(client, async (release) => {
    const first = await importLater(client, screenerId, people(3));
    const second = await importLater(client, screenerId, people(3));
    await until(async () => (await job(client, first)).status === "RUNNING", "the first one runs");
    assert.deepEqual(await get(first), ["RUNNING", "1", null]);
    assert.deepEqual(await get(second), ["QUEUED", "1", null]);
    assert.deepEqual(await get(second, "wait=0"), ["QUEUED", "1", "wait=0"]);
    assert.deepEqual(await get(second, "wait=1"), ["QUEUED", "1", "wait=1"]);
    assert.deepEqual(await get(second, "respond-async"), ["QUEUED", "1", null]);
    const waiting = [get(first, "wait=60"), get(second, "wait=999")];
    release();
    assert.deepEqual(await Promise.all(waiting), [
      ["SUCCEEDED", null, "wait=60"],
      ["SUCCEEDED", null, "wait=300"],
    ]);
    assert.deepEqual(await get(second), ["SUCCEEDED", null, null]);
  });
  // It has ended without a change, and nobody needs to ask again.
  const { body: plan } = await client.import(screenerId, people(4), { dryRun: true });
  assert.deepEqual(await get(plan.id, "wait=60"), ["PLANNED", null, "wait=60"]);
  for (const unknown of [UNKNOWN, "x"])
    assert.equal((await client.get(`/jobs/${unknown}`, { Prefer: "wait=60" })).status, 404);
});

test("a job that has begun to change data, or has ended, can't be cancelled", async () => {
  const client = service.workspace();
  const id = await importLater(client, await client.screener(), people(12_000));
  const { reader } = service.context.control;
  await until(() => reader.value<number>("SELECT apply_begun FROM job WHERE uid = ?", id) === 1, "it begins to apply");
  const { status, body } = await client.delete(`/jobs/${id}`);
  assert.deepEqual([status, body.code], [409, "job_not_cancellable"]);
  const done = await ended(client, id);
  assert.equal(done.status, "SUCCEEDED");
  const late = await client.delete(`/jobs/${id}`);
  assert.deepEqual([late.status, late.body.code], [409, "job_not_cancellable"]);
  assert.deepEqual(await job(client, id), done);
});

test("a job that has all it needs but the workspace's lock can still be cancelled", async () => {
  const { client, screenerId } = await service.screener();
  await whileHeld(client, async (release) => {
    for (const count of [3, 2000]) {
      const id = await importLater(client, screenerId, people(count));
      await until(async () => (await job(client, id)).status === "RUNNING", "it runs");
      assert.equal((await client.delete(`/jobs/${id}`)).body.status, "CANCELLED");
    }
    release();
    assert.equal((await client.import(screenerId, people(1, 5000))).status, 200);
    assert.equal((await client.get("/participants")).body.total, 1);
  });
});

test("a job that is cancelled while it runs changes nothing, or is not cancelled", async () => {
  const client = service.workspace();
  for (let turn = 0; turn < 4; turn++) {
    const screenerId = await client.screener();
    const id = await importLater(client, screenerId, people(12_000, turn * 12_000));
    if (turn) await until(async () => (await job(client, id)).status !== "QUEUED", "it runs");
    const { status } = await client.delete(`/jobs/${id}`);
    const done = await ended(client, id);
    const { total } = (await client.get(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).body;
    if (status === 200) assert.deepEqual([done.status, total], ["CANCELLED", 0]);
    else assert.deepEqual([status, done.status, total], [409, "SUCCEEDED", 12_000]);
    // The next one runs, whatever became of this one.
    assert.equal((await client.import(screenerId, people(1))).status, 200);
    assert.equal((await job(client, id)).status, done.status);
  }
});

test("a job that is cancelled half-way leaves no file open", async () => {
  const { client, screenerId } = await service.screener();
  const openSpool = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes("/spool/");
      } catch {
        return false;
      }
    }).length;
  const id = await importLater(client, screenerId, people(150_000));
  await until(async () => (await job(client, id)).progress?.phase === "STAGING", "it is being read");
  assert.equal((await client.delete(`/jobs/${id}`)).status, 200);
  await until(() => openSpool() === 0, "its thread lets go of the file");
});

test("threads that do jobs leave the processors to callers that wait for an answer", async () => {
  const client = service.workspace();
  await client.import(await client.screener(), people(3));
  const niceness = readdirSync("/proc/self/task").map((thread) => {
    // What follows the name, which may have spaces, begins with the third field; the niceness is the nineteenth.
    const [, fields = ""] = readFileSync(`/proc/self/task/${thread}/stat`, "latin1").split(") ");
    return Number(fields.split(" ")[16]);
  });
  assert.ok(niceness.includes(0) && niceness.some((nice) => nice > 0), `${niceness}`);
});

test("a job that is not there, or is another workspace's, answers 404", async () => {
  const client = service.workspace();
  const stranger = service.workspace();
  await stranger.import(await stranger.screener(), people(1));
  const [{ id }] = (await stranger.get("/jobs")).body.items;
  for (const unknown of [UNKNOWN, "x", id]) {
    for (const answer of [
      await client.get(`/jobs/${unknown}`),
      await client.get(`/jobs/${unknown}/result`),
      await client.delete(`/jobs/${unknown}`),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [404, "job_not_found"]);
    }
  }
  assert.equal((await client.get("/jobs")).body.total, 0);
  assert.equal((await client.call("POST", "/jobs", { body: {} })).status, 405);
});

test("a workspace may have 1,000 unfinished jobs; more are refused until some are done, and others don't notice", async () => {
  const client = service.workspace();
  const other = service.workspace();
  const screenerId = await client.screener();
  const { control } = service.context;
  const { id } = findWorkspace(control.reader, client.workspaceId)!;
  const key = { ...ASYNC, "Idempotency-Key": "first" };
  await whileHeld(client, async (release) => {
    const first = await client.import(screenerId, people(1), {}, key);
    await whenFree(control.writer, 5000, () =>
      control.writer.run(
        `INSERT INTO job (uid, workspace_id, kind, payload, actor_type, actor_uid, actor_name, available_at, created_at)
         SELECT 'filler ' || value, ?, 'SCREENER_PUBLICATION', '{}', 'ApplicationActor', '-', '-', 0, 0
         FROM json_each(?)`,
        id,
        JSON.stringify(Array.from({ length: 998 }, (_, index) => index)),
      ),
    );
    const last = await client.import(screenerId, people(1), {}, ASYNC);
    assert.equal(last.status, 202);
    const spool = join(service.config.dataDir, "spool");
    const spooled = () => (existsSync(spool) ? readdirSync(spool).sort() : []);
    const before = spooled();
    for (const [path, body] of [
      ["/screener-participants-import", { screenerId, participants: people(1) }],
      ["/screener-publications", { screenerId }],
    ] as const) {
      const refused = await client.post(path, body);
      assert.deepEqual([refused.status, refused.body.code], [429, "too_many_requests"]);
      assert.match(refused.headers.get("retry-after")!, /^[1-9]\d*$/);
      assert.match(refused.headers.get("ratelimit")!, /r=0/);
      assert.match(refused.headers.get("ratelimit-policy")!, /q=1000/);
    }
    assert.deepEqual(spooled(), before);
    // What was accepted before is not refused when it is sent again; small writes and other workspaces go on.
    const again = await client.import(screenerId, people(1), {}, key);
    assert.deepEqual([again.status, again.body.id], [202, first.body.id]);
    assert.equal((await other.import(await other.screener(), people(1))).status, 200);
    await whenFree(control.writer, 5000, () =>
      control.writer.run("DELETE FROM job WHERE workspace_id = ? AND uid LIKE 'filler %'", id),
    );
    release();
    assert.equal((await ended(client, last.body.id)).status, "SUCCEEDED");
    assert.equal((await client.post("/screener-publications", { screenerId })).status, 201);
  });
});
