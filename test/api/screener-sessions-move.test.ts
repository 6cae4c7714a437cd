// POST /screener-sessions-move: links that nobody has opened go on with the active publication, and back.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { effectParts } from "../../src/api/job-kinds.ts";
import { oldEffects } from "../../src/engine/ledger/effects.ts";
import { UNDO_MS } from "../../src/engine/ledger/plans.ts";
import { type Answer, ASYNC, type Client, people, UNKNOWN } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { sharedService } from "../support/service.ts";
import { withScopes, writeTo } from "../support/store.ts";

const service = await sharedService();

const MOVE = "/screener-sessions-move";

const content = {
  pages: [{ title: "One", questions: [{ key: "town", _type: "ScreenerTextQuestion", prompt: "Which town?" }] }],
};

/** A study with links that are on version 1, some of them begun, while version 2 is live. */
async function outdated({ count = 5, tags }: { count?: number; tags?: object[] } = {}) {
  const client = service.workspace();
  const screenerId = await client.screener();
  const draft = (await client.call("PUT", `/screeners/${screenerId}/content`, { body: content })).body;
  const { body: first } = await client.post("/screener-publications", { screenerId, tags });
  await client.import(screenerId, people(count));
  const { body: sessions } = await client.post("/screener-sessions", { screenerId });
  const [page] = draft.pages;
  page.questions[0].prompt = "In which town do you live?";
  await client.call("PUT", `/screeners/${screenerId}/content`, { body: draft });
  const { body: second } = await client.post("/screener-publications", { screenerId, ...(tags && { tags: [] }) });
  const ids: string[] = sessions.map(({ id }: { id: string }) => id);
  return { client, screenerId, first, second, ids, question: page.questions[0].id as string };
}

const answer = (client: Client, id: string, complete = false) =>
  client.post(`/screener-sessions/${id}/responses`, { responses: [], complete });

const publicationsOf = async (client: Client) =>
  (await client.all("/screener-sessions")).map((session) => session.screenerPublicationId);

async function rowsOf(client: Client, id: string) {
  return (await client.get(`/jobs/${id}/rows`)).body.items;
}

const code = ({ status, body }: Answer) => [status, body.code];

test("links that nobody has opened move, with their ids and slugs; what was begun stays", async () => {
  const { client, screenerId, first, second, ids } = await outdated();
  await answer(client, ids[0]!);
  await answer(client, ids[1]!, true);
  await client.delete(`/screener-sessions/${ids[2]}`);
  const before = await client.all("/screener-sessions");
  const moved = await client.post(MOVE, { screenerId });
  assert.deepEqual([moved.status, moved.body.status, moved.body.summary], [200, "SUCCEEDED", { moved: 2 }], moved.text);
  assert.equal(moved.headers.get("location"), `/jobs/${moved.body.id}`);
  const after = await client.all("/screener-sessions");
  const expected = before.map((session, at) => (at < 3 ? session : { ...session, screenerPublicationId: second.id }));
  assert.deepEqual(after, expected);
  assert.deepEqual(await rowsOf(client, moved.body.id), [
    ...[3, 4].map((at) => ({
      _type: "JobRow",
      position: null,
      line: null,
      externalUid: null,
      outcome: "MOVED",
      assigned: false,
      participantId: null,
      screenerParticipantId: before[at]!.screenerParticipantId,
      status: null,
      sessionId: ids[at],
      changes: [{ field: "screenerPublicationId", from: first.id, to: second.id }],
      errors: [],
      reason: null,
    })),
  ]);
  assert.deepEqual((await client.get(`/jobs/${moved.body.id}/result`)).body, await rowsOf(client, moved.body.id));
  const roster = await client.call("GET", "/screener-sessions", { headers: { Accept: "text/csv" } });
  assert.equal(roster.text.split(second.id).length - 1, 2);
  // Answers are those of the new version's questions.
  const { questions } = (await client.get(`/screener-publications/${second.id}/content`)).body.pages[0];
  const responses = [{ screenerQuestionId: questions[0].id, answer: "Oslo" }];
  assert.equal(
    (await client.post(`/screener-sessions/${ids[3]}/responses`, { responses, complete: true })).status,
    200,
  );
  const [response] = (await client.get(`/screener-responses?filter[screenerSessionId][eq]=${ids[3]}`)).body.items;
  assert.equal(response.screenerPublicationId, second.id);
  assert.equal((await client.get(`/screener-sessions/${ids[3]}/explanation`)).body.version, 2);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("a session gets the tags of the publication that it moves to, and its former ones when that is undone", async () => {
  const { client, screenerId, ids } = await outdated({ count: 1, tags: [{ category: "Wave", value: "one" }] });
  const [tag] = (await client.get(`/screener-sessions/${ids[0]}`)).body.assignedTags;
  const moved = await client.post(MOVE, { screenerId });
  assert.deepEqual((await client.get(`/screener-sessions/${ids[0]}`)).body.assignedTags, []);
  assert.deepEqual((await rowsOf(client, moved.body.id))[0].changes[1], { field: "assignedTags", from: [tag], to: [] });
  const undone = await client.post(`/jobs/${moved.body.id}/undo`, undefined);
  assert.deepEqual((await client.get(`/screener-sessions/${ids[0]}`)).body.assignedTags, [tag]);
  assert.deepEqual((await rowsOf(client, undone.body.id))[0].changes[1], {
    field: "assignedTags",
    from: [],
    to: [tag],
  });
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("one event says what was moved, another one that it was undone, and a plan leaves its own", async () => {
  const { client, screenerId, second } = await outdated();
  const plan = await client.post(MOVE, { screenerId, dryRun: true });
  await client.post(`/jobs/${plan.body.id}/apply`, undefined);
  const undone = await client.post(`/jobs/${plan.body.id}/undo`, undefined);
  // That of the plan gets there a moment later.
  const events = (await client.all("/events")).filter(({ jobId }) => [plan.body.id, undone.body.id].includes(jobId));
  const shown = events.map(({ type, resource, summary }) => [type, resource.id, summary]);
  assert.deepEqual(
    shown.filter(([type]) => type !== "job.planned"),
    [
      ["screener-sessions.moved", screenerId, { moved: 5, screenerPublicationId: second.id, version: 2 }],
      ["screener-sessions.moved-back", screenerId, { rows: 5, reverted: 5, kept: 0, undoneJobId: plan.body.id }],
    ],
  );
  assert.deepEqual(
    shown.filter(([type]) => type === "job.planned"),
    [["job.planned", screenerId, { kind: "SCREENER_SESSIONS_MOVE", moved: 5 }]],
  );
});

test("a dry run shows what would move, and is applied as it was shown, or not at all", async () => {
  const { client, screenerId, first, second, ids } = await outdated();
  const plan = await client.post(MOVE, { screenerId, dryRun: true });
  assert.deepEqual([plan.body.status, plan.body.summary, plan.body.plan.reason], ["PLANNED", { moved: 5 }, "DRY_RUN"]);
  assert.deepEqual(new Set(await publicationsOf(client)), new Set([first.id]));
  await answer(client, ids[2]!);
  const refused = await client.post(`/jobs/${plan.body.id}/apply`, undefined);
  assert.deepEqual([...code(refused), refused.body.errorCount], [409, "plan_outdated", 1]);
  assert.equal(refused.body.detail, "1 row has changed since the plan was made. Nothing was changed.");
  assert.match(refused.body.errors[0].message, /was planned as MOVED, and is no longer there \(screener participant /);
  assert.deepEqual(new Set(await publicationsOf(client)), new Set([first.id]));
  assert.deepEqual(await rowsOf(client, plan.body.id), []);
  const again = await client.post(MOVE, { screenerId, dryRun: true });
  assert.equal((await client.post(`/jobs/${again.body.id}/apply`, undefined)).body.status, "SUCCEEDED");
  const moved = (await publicationsOf(client)).filter((id) => id === second.id);
  assert.equal(moved.length, 4);
  assert.equal((await client.post(MOVE, { screenerId })).body.summary.moved, 0);
});

test("a move is undone: what nobody has touched goes back, and the rest stays, with the reason", async () => {
  const { client, screenerId, first, second, ids } = await outdated({ count: 7 });
  const { body: job } = await client.post(MOVE, { screenerId });
  await answer(client, ids[0]!);
  await answer(client, ids[1]!, true);
  await client.delete(`/screener-sessions/${ids[2]}`);
  const rows = await client.all("/screener-participants");
  await client.delete(`/screener-participants/${rows[3].id}`);
  const preview = await client.post(`/jobs/${job.id}/undo`, { dryRun: true });
  assert.deepEqual(preview.body.summary, { rows: 7, reverted: 3, kept: 4 });
  const undone = await client.post(`/jobs/${preview.body.id}/apply`, undefined);
  assert.deepEqual([undone.body.status, undone.body.summary], ["SUCCEEDED", { rows: 7, reverted: 3, kept: 4 }]);
  const shown = (await rowsOf(client, undone.body.id)).map(({ outcome, reason, sessionId }: Record<string, string>) => [
    ids.indexOf(sessionId!),
    outcome,
    reason,
  ]);
  assert.deepEqual(shown, [
    [0, "KEPT", "ANSWERED"],
    [1, "KEPT", "ANSWERED"],
    [2, "KEPT", "REMOVED"],
    [3, "KEPT", "UNASSIGNED"],
    [4, "REVERTED", null],
    [5, "REVERTED", null],
    [6, "REVERTED", null],
  ]);
  const expected = [second, second, second, second, first, first, first].map(({ id }) => id);
  assert.deepEqual(await publicationsOf(client), expected);
  assert.deepEqual(code(await client.post(`/jobs/${job.id}/undo`, undefined)), [409, "job_not_undoable"]);
  // The undo is undone, and that again.
  const redone = await client.post(`/jobs/${undone.body.id}/undo`, undefined);
  assert.deepEqual(redone.body.summary, { rows: 3, reverted: 3, kept: 0 });
  assert.deepEqual(new Set(await publicationsOf(client)), new Set([second.id]));
  await client.post(`/jobs/${redone.body.id}/undo`, undefined);
  assert.deepEqual(await publicationsOf(client), expected);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("a link that was moved on once more does not go back with the first move", async () => {
  const { client, screenerId, ids } = await outdated({ count: 2 });
  const { body: job } = await client.post(MOVE, { screenerId });
  const { body: third } = await client.post("/screener-publications", { screenerId });
  await client.post(MOVE, { screenerId });
  const undone = await client.post(`/jobs/${job.id}/undo`, undefined);
  const reasons = (await rowsOf(client, undone.body.id)).map(({ reason }: { reason: string }) => reason);
  assert.deepEqual(reasons, ["MOVED_AGAIN", "MOVED_AGAIN"]);
  assert.equal((await client.get(`/screener-sessions/${ids[0]}`)).body.screenerPublicationId, third.id);
});

test("it moves also while the study is closed, and to a publication whose target is reached; not without one", async () => {
  const { client, screenerId, second } = await outdated();
  await client.patch(`/screeners/${screenerId}`, { acceptance: "CLOSED" });
  assert.equal((await client.post(MOVE, { screenerId })).body.summary.moved, 5);
  await client.patch(`/screener-publications/${second.id}`, { status: "ARCHIVED" });
  for (const dryRun of [true, false])
    assert.deepEqual(code(await client.post(MOVE, { screenerId, dryRun })), [409, "screener_not_published"]);
  assert.deepEqual(code(await client.post(MOVE, { screenerId: UNKNOWN })), [404, "screener_not_found"]);
  const wrong = await client.post(MOVE, { screenerId: 7, dryrun: true });
  assert.deepEqual([wrong.status, wrong.body.errors.length], [400, 2]);
});

test("the sessions of other screeners stay as they are", async () => {
  const { client, screenerId } = await outdated({ count: 1 });
  const other = await client.published(1);
  await client.post("/screener-sessions", { screenerId: other.screenerId });
  await client.post("/screener-publications", { screenerId: other.screenerId });
  await client.post(MOVE, { screenerId });
  const { items } = (await client.get(`/screener-sessions?filter[screenerId][eq]=${other.screenerId}`)).body;
  assert.equal(items[0].screenerPublicationId, other.publication.id);
  assert.deepEqual(code(await service.workspace().post(MOVE, { screenerId })), [404, "screener_not_found"]);
});

test("with respond-async it is a job, and the same Idempotency-Key gives the same one", async () => {
  const { client, screenerId } = await outdated();
  const key = { "Idempotency-Key": randomUUID() };
  const first = await client.post(MOVE, { screenerId }, { ...ASYNC, ...key });
  assert.equal(first.status, 202);
  await service.drain();
  const again = await client.post(MOVE, { screenerId }, key);
  assert.deepEqual([again.status, again.body.id, again.body.summary], [200, first.body.id, { moved: 5 }]);
  assert.equal((await client.all("/jobs?filter[kind][eq]=SCREENER_SESSIONS_MOVE")).length, 1);
});

test("a move, and an undo, that has ended and is delivered again moves nothing twice", async () => {
  const { client, screenerId } = await outdated();
  const { writer } = service.context.control;
  const forget = "UPDATE job SET status = 'QUEUED', runner = NULL, finished_at = NULL, apply_begun = 0 WHERE uid = ?";
  const moved = await client.post(MOVE, { screenerId }, ASYNC);
  await service.drain();
  const undone = await client.post(`/jobs/${moved.body.id}/undo`, undefined, ASYNC);
  await service.drain();
  for (const { body } of [moved, undone]) {
    const before = [await client.all("/screener-sessions"), await rowsOf(client, body.id), await client.all("/events")];
    // The ledger has lost what became of it; the workspace knows.
    await whenFree(writer, 5000, () => writer.run(forget, body.id));
    await service.drain();
    const after = [await client.all("/screener-sessions"), await rowsOf(client, body.id), await client.all("/events")];
    assert.deepEqual(after, before);
  }
});

test("a plan ends when something else has changed the same rows, and not before", async () => {
  const { client, screenerId } = await outdated();
  const imported = (await client.import(screenerId, people(6), { dryRun: true })).body;
  const moving = (await client.post(MOVE, { screenerId, dryRun: true })).body;
  const statusOf = async ({ id }: { id: string }) => (await client.get(`/jobs/${id}`)).body.status;
  const { body: job } = await client.post(MOVE, { screenerId });
  assert.deepEqual([await statusOf(imported), await statusOf(moving)], ["PLANNED", "CANCELLED"]);
  assert.deepEqual(code(await client.post(`/jobs/${moving.id}/apply`, undefined)), [409, "plan_superseded"]);
  const undo = (await client.post(`/jobs/${job.id}/undo`, { dryRun: true })).body;
  await client.import(screenerId, people(7));
  assert.deepEqual([await statusOf(imported), await statusOf(undo)], ["CANCELLED", "PLANNED"]);
  await client.post("/screener-publications", { screenerId });
  assert.equal(await statusOf(undo), "CANCELLED");
});

test("it takes the scope author to move links, and to apply, undo and discard that; import does that for imports", async () => {
  const { client, screenerId } = await outdated();
  const [author, importer] = await Promise.all([
    withScopes(service, client, ["author"]),
    withScopes(service, client, ["import"]),
  ]);
  assert.equal((await importer.post(MOVE, { screenerId })).status, 403);
  const { body: plan } = await author.post(MOVE, { screenerId, dryRun: true });
  const { body: imported } = await importer.import(screenerId, people(1), { dryRun: true });
  for (const [other, { id }] of [
    [importer, plan],
    [author, imported],
  ] as const) {
    for (const path of [`/jobs/${id}/apply`, `/jobs/${id}/undo`, `/jobs/${id}/retry`])
      assert.deepEqual(code(await other.post(path, {})), [403, "insufficient_scope"], path);
    assert.equal((await other.delete(`/jobs/${id}`)).status, 403);
  }
  assert.equal((await author.post(`/jobs/${plan.id}/apply`, {})).status, 200);
  const undo = await author.post(`/jobs/${plan.id}/undo`, { dryRun: true });
  assert.equal(undo.status, 200);
  assert.equal((await author.delete(`/jobs/${undo.body.id}`)).status, 200);
  assert.equal((await importer.delete(`/jobs/${imported.id}`)).status, 200);
});

test("what an undo needs goes with time, with the person, and with the screener", async () => {
  const { client, screenerId, ids } = await outdated({ count: 3 });
  const { workspaces } = service.context;
  const kept = () => workspaces.read(client.workspaceId, (db) => db.value<number>("SELECT count(*) FROM effect_move"));
  const plan = (await client.post(MOVE, { screenerId, dryRun: true })).body;
  const { body: job } = await client.post(MOVE, { screenerId });
  const undo = (await client.post(`/jobs/${job.id}/undo`, { dryRun: true })).body;
  assert.equal(kept(), 3);
  const [person] = await client.all("/participants");
  assert.equal((await client.delete(`/participants/${person.id}`)).status, 200);
  assert.equal(kept(), 2);
  assert.equal((await client.get(`/jobs/${plan.id}`)).body.status, "CANCELLED");
  assert.equal((await client.get(`/jobs/${undo.id}`)).body.problem.code, "plan_outdated");
  const [row] = await rowsOf(client, job.id);
  assert.deepEqual([row.outcome, row.sessionId, row.screenerParticipantId, row.changes], ["MOVED", null, null, []]);
  assert.ok(!JSON.stringify(await rowsOf(client, job.id)).includes(ids[0]!));
  const undone = await client.post(`/jobs/${job.id}/undo`, undefined);
  assert.deepEqual(undone.body.summary, { rows: 2, reverted: 2, kept: 0 });
  assert.equal(kept(), 4);
  writeTo(workspaces, client.workspaceId, (db) => {
    const times = { now: Date.now() + 1 + UNDO_MS, jobsSince: 0, eventsSince: 0 };
    while (oldEffects(effectParts).remove(db, times));
  });
  assert.equal(kept(), 0);
  assert.deepEqual(code(await client.post(`/jobs/${undone.body.id}/undo`, undefined)), [410, "undo_gone"]);
  await client.post(MOVE, { screenerId });
  assert.equal(kept(), 2);
  assert.equal((await client.delete(`/screeners/${screenerId}?confirm=A%20study`)).status, 200);
  assert.equal(kept(), 0);
});
