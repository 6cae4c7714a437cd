// Imports that are seen before they are applied, and imports that would remove too many.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, type Client, people, UNKNOWN } from "../support/client.ts";
import { person, roster } from "../support/imports.ts";
import { sharedService } from "../support/service.ts";

const service = await sharedService();
const IMPORT = "/screener-participants-import";

/** The rows of a job, by what they are about. */
async function rowsOf(client: Client, id: string, filter = ""): Promise<Record<string, unknown>[]> {
  const { status, body } = await client.get(`/jobs/${id}/rows?pagination[limit]=500${filter}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
}

/** Some people, of whom the import leaves some, changes some and adds some. Small and large imports work differently. */
for (const [size, count] of [
  ["small", 10],
  ["large", 300],
] as const) {
  const uid = (n: number) => `${String(n).padStart(4, "0")}`;
  const some = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => person(uid(from + index)));

  test(`a dry run of a ${size} import shows what would happen, and changes nothing`, async () => {
    const { client, screenerId } = await service.screener();
    const old = await client.post(IMPORT, { screenerId, participants: some(0, count) });
    const before = [await roster(client), await client.all("/screener-participants")];
    const participants = [{ ...person(uid(0)), name: "Another" }, ...some(1, count - 2), ...some(count, count + 3)];
    const planned = await client.post(IMPORT, { screenerId, importMode: "FULL_SYNC", participants, dryRun: true });
    assert.equal(planned.status, 200);
    const job = planned.body;
    assert.deepEqual([job._type, job.status], ["Job", "PLANNED"]);
    assert.deepEqual(job.summary, {
      rows: participants.length,
      created: 3,
      updated: 1,
      unchanged: count - 3,
      assigned: 3,
      removed: 2,
    });
    assert.deepEqual([job.plan.reason, job.plan.removalLimit], ["DRY_RUN", undefined]);
    for (const [maxRemovals, isExceeded] of [
      [1, true],
      [2, false],
      ["100%", false],
    ]) {
      const limited = { screenerId, importMode: "FULL_SYNC", participants, dryRun: true, maxRemovals };
      const { plan } = (await client.post(IMPORT, limited)).body;
      assert.deepEqual([plan.reason, plan.removalLimit], ["DRY_RUN", { maxRemovals, isExceeded }]);
    }
    const days = (Date.parse(job.plan.expiresAt) - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7, job.plan.expiresAt);
    assert.deepEqual([await roster(client), await client.all("/screener-participants")], before);

    const { body } = await client.get(`/jobs/${job.id}/rows?pagination[limit]=2`);
    assert.deepEqual([body._type, body.total], ["PaginatedJobRow", participants.length + 2]);
    assert.deepEqual(body.items[0], {
      _type: "JobRow",
      position: 0,
      line: null,
      externalUid: uid(0),
      outcome: "UPDATED",
      assigned: false,
      participantId: old.body[0].participantId,
      screenerParticipantId: old.body[0].id,
      status: null,
      sessionId: null,
      changes: [{ field: "name", from: `Name ${uid(0)}`, to: "Another" }],
      errors: [],
      reason: null,
    });
    const created = await rowsOf(client, job.id, "&filter[outcome][eq]=CREATED");
    assert.deepEqual(
      created.map(({ position, assigned, participantId }) => [position, assigned, participantId]),
      [0, 1, 2].map((n) => [count - 2 + n, true, null]),
    );
    const removed = await rowsOf(client, job.id, "&filter[outcome][in][]=REMOVED");
    assert.deepEqual(
      removed.map((row) => [row.position, row.externalUid, row.screenerParticipantId, row.status]),
      [count - 2, count - 1].map((n) => [null, uid(n), old.body[n].id, "NOT_STARTED"]),
    );
    const one = await rowsOf(client, job.id, `&filter[externalUid][eq]=${uid(count - 1)}`);
    assert.deepEqual(one, removed.slice(1));

    // What is applied is what was shown.
    const applied = await client.post(`/jobs/${job.id}/apply`, undefined);
    assert.deepEqual([applied.status, applied.body.id, applied.body.status], [200, job.id, "SUCCEEDED"]);
    assert.deepEqual(applied.body.summary, job.summary);
    assert.deepEqual(
      (await client.all("/screener-participants")).map((row) => row.externalParticipantUid),
      [...some(0, count - 2), ...some(count, count + 3)].map(({ externalUid }) => externalUid),
    );
    const after = await rowsOf(client, job.id, "&filter[outcome][eq]=CREATED");
    assert.ok(after.every(({ participantId, screenerParticipantId }) => participantId && screenerParticipantId));
    // Once more has no further effect.
    const again = await client.post(`/jobs/${job.id}/apply`, undefined);
    assert.deepEqual([again.status, again.body.status], [200, "SUCCEEDED"]);
  });

  test(`a ${size} plan is not applied when something has moved, and says what`, async () => {
    const { client, screenerId } = await service.screener();
    const old = await client.post(IMPORT, { screenerId, participants: some(0, count) });
    const planned = await client.post(IMPORT, {
      screenerId,
      importMode: "FULL_SYNC",
      participants: some(1, count + 1),
      dryRun: true,
    });
    const { participantId } = old.body[1];
    assert.equal((await client.patch(`/participants/${participantId}`, { name: "Edited" })).status, 200);
    const before = [await roster(client), await client.all("/screener-participants")];
    const applied = await client.post(`/jobs/${planned.body.id}/apply`, undefined);
    assert.deepEqual([applied.status, applied.body.code], [409, "plan_outdated"]);
    assert.equal(applied.body.errorCount, 1);
    assert.equal(applied.body.errors[0].pointer, "/participants/0");
    assert.match(applied.body.errors[0].message, /was planned as UNCHANGED.*UPDATED.*row 1.*0001/);
    assert.deepEqual([await roster(client), await client.all("/screener-participants")], before);
    const job = (await client.get(`/jobs/${planned.body.id}`)).body;
    assert.deepEqual([job.status, job.problem.code, job.summary], ["FAILED", "plan_outdated", null]);
    const outcomes = (await rowsOf(client, job.id)).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, Array(count).fill("UNCHANGED"), "what did not happen is not shown as if it had");
  });

  test(`a ${size} import that would remove more than its limit stops as a plan`, async () => {
    const { client, screenerId } = await service.screener();
    await client.post(IMPORT, { screenerId, participants: some(0, count) });
    const before = await client.all("/screener-participants");
    const body = { screenerId, importMode: "FULL_SYNC", participants: some(0, count / 2), maxRemovals: count / 2 - 1 };
    const stopped = await client.post(IMPORT, body);
    assert.deepEqual([stopped.status, stopped.body.code], [409, "removal_limit_exceeded"]);
    assert.deepEqual(
      [stopped.body.removals, stopped.body.assignments, stopped.body.maxRemovals],
      [count / 2, count, count / 2 - 1],
    );
    assert.deepEqual(await client.all("/screener-participants"), before);
    const job = (await client.all("/jobs")).at(-1)!;
    assert.equal(job.status, "PLANNED");
    const applied = await client.post(`/jobs/${job.id}/apply`, undefined);
    assert.deepEqual([applied.status, applied.body.summary.removed], [200, count / 2]);
    // What the limit allows is not stopped.
    const next = { ...body, participants: some(0, 1), maxRemovals: count / 2 - 1 };
    assert.equal((await client.post(IMPORT, next)).status, 200);
  });

  test(`rows of a ${size} import that are wrong are skipped when asked for, and are all listed`, async () => {
    const { client, screenerId } = await service.screener();
    await client.post(IMPORT, { screenerId, participants: some(0, count) });
    const participants = some(0, count).map((row, n) => {
      if (n % 2) return row;
      return n % 4 ? { ...row, email: "not an email" } : { ...row, name: 7 };
    });
    const wrong = { screenerId, importMode: "FULL_SYNC", participants };
    const refused = await client.post(IMPORT, wrong);
    assert.deepEqual([refused.status, refused.body.errorCount], [400, count / 2]);
    const failed = (await client.all("/jobs")).at(-1)!;
    const rejected = await rowsOf(client, failed.id as string, "&filter[outcome][eq]=REJECTED");
    assert.equal(rejected.length, count / 2);
    const errors = rejected[1]!.errors as Record<string, unknown>[];
    assert.deepEqual(
      errors.map(({ pointer, row, externalUid, value }) => [pointer, row, externalUid, value]),
      [["/participants/2/email", 3, uid(2), "not an email"]],
    );
    assert.match(errors[0]!.message as string, /\(row 3, 0002: "not an email"\)$/);

    const done = await client.post(IMPORT, { ...wrong, onRowError: "SKIP" });
    assert.deepEqual([done.status, done.body.length], [200, count / 2]);
    const job = (await client.all("/jobs")).at(-1)!;
    assert.deepEqual(job.summary, {
      rows: count,
      created: 0,
      updated: 0,
      unchanged: count / 2,
      assigned: 0,
      removed: 0,
      rejected: count / 2,
    });
    assert.deepEqual(
      (await rowsOf(client, job.id as string, "&filter[outcome][eq]=REJECTED")).map(({ errors }) => errors),
      rejected.map(({ errors }) => errors),
    );
  });
}

test("a percentage counts for a screener of any size, and is rounded up", async () => {
  const client = service.workspace();
  for (const [count, maxRemovals, allowed] of [
    [89, "20%", 18],
    [3, "20%", 1],
    [1, "0.001%", 1],
    [10, "10%", 1],
    [7, "0%", 0],
    [1000, "0.7%", 7],
    [2, "100%", 2],
  ] as const) {
    const screenerId = await client.screener();
    await client.import(screenerId, people(count));
    const remove = (removed: number) =>
      client.import(screenerId, people(count - removed, removed), { importMode: "FULL_SYNC", maxRemovals });
    if (allowed < count) {
      const { status, body } = await remove(allowed + 1);
      assert.deepEqual([status, body.code, body.removals], [409, "removal_limit_exceeded", allowed + 1], maxRemovals);
      assert.equal((await client.get(`/screener-participants?filter[screenerId][eq]=${screenerId}`)).body.total, count);
    }
    assert.equal((await remove(allowed)).status, 200, `${allowed} of ${count} are ${maxRemovals}`);
  }
});

test("a limit for removals that does not count is warned of", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, people(9));
  const jobOf = async ({ headers }: Answer) => (await client.get(headers.get("location")!)).body;
  const one = people(1);
  const updates = await jobOf(await client.import(screenerId, one, { maxRemovals: "20%" }));
  const code = "removal_limit_not_counted";
  const message = "The limit 20% was not counted: UPDATES_ONLY removes nobody.";
  assert.deepEqual(updates.warnings, [{ code, message, maxRemovals: "20%" }]);
  const sync = { importMode: "FULL_SYNC", maxRemovals: 5 };
  const planned = await client.import(screenerId, one, { ...sync, dryRun: true });
  const would =
    "8 of the screener's 9 participants would be removed. The limit 5 is not counted when this plan is applied.";
  assert.deepEqual(planned.body.warnings, [{ code, message: would, maxRemovals: 5 }]);
  const stopped = await client.import(screenerId, one, sync);
  assert.equal((await client.get(`/jobs/${stopped.body.jobId}`)).body.warnings, null);
  const { body } = await client.post(`/jobs/${stopped.body.jobId}/apply`, undefined);
  const were =
    "8 of the screener's 9 participants were removed. The limit 5 was not counted, because the plan was approved.";
  assert.deepEqual(body.warnings, [{ code, message: were, maxRemovals: 5 }]);
  // Within the limit there is nothing to say.
  await client.import(screenerId, people(3));
  const within = await client.import(screenerId, one, { ...sync, dryRun: true });
  assert.equal((await client.post(`/jobs/${within.body.id}/apply`, undefined)).body.warnings, null);
});

test("a plan whose rows have errors by now is outdated, and says which", async () => {
  const { client, screenerId } = await service.screener();
  const planned = await client.import(screenerId, [person("a"), person("b", "wanted@example.org")], { dryRun: true });
  await client.post("/participants", person("c", "wanted@example.org"));
  const { status, body } = await client.post(`/jobs/${planned.body.id}/apply`, undefined);
  assert.deepEqual([status, body.code, body.errorCount], [409, "plan_outdated", 1]);
  assert.deepEqual([body.errors[0].pointer, body.errors[0].heldBy], ["/participants/1/email", "c"]);
  const outcomes = (await rowsOf(client, planned.body.id)).map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, ["UNCHANGED", "REJECTED"]);
});

test("a large plan of which much has moved is refused soon, and says how much", async () => {
  const { client, screenerId } = await service.screener();
  const count = 10_000;
  const wait = { Prefer: "wait=60" };
  await client.import(screenerId, people(count), {}, wait);
  const planned = await client.import(screenerId, people(count, 1), { importMode: "FULL_SYNC", dryRun: true }, wait);
  assert.equal(planned.body.summary.removed, 1);
  const renamed = people(count, 1).map((row) => ({ ...row, name: "Another" }));
  const other = await client.screener();
  await client.import(other, renamed, {}, wait);
  const applied = await client.post(`/jobs/${planned.body.id}/apply`, undefined, wait);
  assert.deepEqual([applied.status, applied.body.code], [409, "plan_outdated"]);
  assert.deepEqual([applied.body.errorCount, applied.body.errors.length], [count, 100]);
});

test("a rejected row whose externalUid has text that cannot be stored removes nobody", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, [person("a"), person("b")]);
  for (const externalUid of ["a\u0000", "\ud800"]) {
    const skipped = { importMode: "FULL_SYNC", onRowError: "SKIP" };
    const { status } = await client.import(screenerId, [person("b"), { externalUid }], skipped);
    assert.equal(status, 200);
    const job = (await client.all("/jobs")).at(-1)!;
    assert.deepEqual([job.summary.removed, job.summary.rejected, job.warnings[0].code], [0, 1, "nobody_removed"]);
  }
  assert.equal((await client.all("/screener-participants")).length, 2);
});

test("an import that failed shows its rows, whatever it failed for", async () => {
  const client = service.workspace();
  const unknown = await client.import(UNKNOWN, [person("a"), person("b", "no email")], { onRowError: "SKIP" });
  assert.deepEqual([unknown.status, unknown.body.code], [404, "screener_not_found"]);
  const outcomes = (await rowsOf(client, unknown.body.jobId)).map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, ["UNCHANGED", "REJECTED"]);
  // What cannot be read has no rows.
  const broken = await client.call("POST", IMPORT, { raw: '{"participants": [{]}' });
  assert.equal(broken.status, 400);
  assert.deepEqual(await rowsOf(client, broken.body.jobId), []);
});

test("members that are not known are warned of, with the nearest name where one is near", async () => {
  const { client, screenerId } = await service.screener();
  const { headers } = await client.import(screenerId, [
    { ...person("a"), emial: "x", favouriteColour: 1 },
    person("b"),
  ]);
  const { body } = await client.get(headers.get("location")!);
  assert.deepEqual(
    body.warnings.map(({ message }: { message: string }) => message),
    [
      "emial is not known; did you mean email? It was ignored in 1 row.",
      "favouriteColour is not known. It was ignored in 1 row.",
    ],
  );
});

test("a publication has no rows, and opening sessions has one for each", async () => {
  const { client, screenerId } = await service.screener();
  await client.import(screenerId, [person("a")]);
  const published = await client.post("/screener-publications", { screenerId });
  const opened = await client.post("/screener-sessions", { screenerId });
  assert.deepEqual([published.status, opened.status], [201, 200]);
  const [publication, opening] = await client.all("/jobs?filter[kind][ne]=SCREENER_PARTICIPANTS_IMPORT");
  const none = await client.get(`/jobs/${publication.id}/rows`);
  assert.deepEqual([none.status, none.body.code], [410, "job_result_gone"]);
  const { body } = await client.get(`/jobs/${opening.id}/rows`);
  assert.deepEqual([body.total, body.items[0].sessionId], [1, opened.body[0].id]);
});

test("an Idempotency-Key that had a plan applied is not taken for another request", async () => {
  const { client, screenerId } = await service.screener();
  const plan = async () => (await client.import(screenerId, [person("a")], { dryRun: true })).body.id;
  const first = await plan();
  const key = { "Idempotency-Key": "apply" };
  assert.equal((await client.post(`/jobs/${first}/apply`, undefined, key)).status, 200);
  const again = await client.post(`/jobs/${first}/apply`, undefined, key);
  assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"]);
  assert.equal((await client.post(`/jobs/${first}/apply`, undefined, { "Idempotency-Key": "later" })).status, 200);
  const others = [
    await client.post(`/jobs/${await plan()}/apply`, undefined, key),
    await client.import(screenerId, [person("b")], {}, key),
    await client.post("/screeners", { title: "Another" }, key),
  ];
  assert.deepEqual(
    others.map(({ status, body }) => [status, body.code]),
    others.map(() => [422, "idempotency_key_reused"]),
  );
});

test("all rows with one externalUid are found, when a large payload has it more than once", async () => {
  const { client, screenerId } = await service.screener();
  const { body } = await client.import(screenerId, [...people(200), ...people(2)]);
  const found = await rowsOf(client, body.jobId, "&filter[externalUid][eq]=P-1");
  assert.deepEqual(
    found.map(({ position, outcome }) => [position, outcome]),
    [
      [1, "REJECTED"],
      [201, "REJECTED"],
    ],
  );
});
