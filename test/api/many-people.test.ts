// POST /screener-participants-removal and /participants-erasure: many people at once, as jobs with a plan; a removal is taken back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countBack } from "../../src/erasure/back.ts";
import { addErased, readList } from "../../src/erasure/list.ts";
import { faultsOfQuotas } from "../../src/nouns/quotas/queries.ts";
import { findBytes } from "../support/bytes.ts";
import { type Answer, type Client, people, UNKNOWN } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { hold } from "../support/hold.ts";
import { men, pages, women } from "../support/quota-pages.ts";
import { startService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import { invite, publish, readSession } from "../support/study.ts";

const service = await startService();
const REMOVAL = "/screener-participants-removal";
const ERASURE = "/participants-erasure";

const apply = (client: Client, { body }: Answer) => client.post(`/jobs/${body.id}/apply`, undefined);
const undo = (client: Client, { body }: Answer, how?: object) => client.post(`/jobs/${body.id}/undo`, how);
const said = ({ status, body }: Answer) => [status, body.status ?? body.code, body.summary];
const typesOf = async (client: Client) => (await client.all("/events")).map(({ type }) => type);

async function rowsOf(client: Client, { body }: Answer) {
  const { items } = (await client.get(`/jobs/${body.id}/rows`)).body;
  return items.map((row: Record<string, unknown>) => [row.outcome, row.reason, row.screenerParticipantId]);
}

/** A study with people who have links. */
async function study(count: number, quotas: object[] = []) {
  const client = service.workspace();
  const published = await publish(client, { pages, quotas });
  const invited = await invite(client, published.screener, count);
  const check = () =>
    service.context.workspaces.read(client.workspaceId, (db) => {
      assertCounts(db);
      assert.deepEqual(faultsOfQuotas(db), []);
    });
  return { client, published, invited, screenerId: published.screener, check };
}

const backs = (leaving: number, returning: number) => ({ leaving, returning, changedBack: 0 });

test("those who are named are removed as their plan says, and come back with their links and statuses", async () => {
  const { client, invited, screenerId, check } = await study(4);
  const [ada, bea, cem, dan] = invited.map(({ assignment }) => assignment);
  await client.post(`/screener-sessions/${invited[1]!.session}/responses`, { responses: [], complete: false });
  const before = await client.all("/screener-participants");
  const sessions = await client.all("/screener-sessions");
  const elsewhere = await study(1);
  const strange = elsewhere.invited[0]!.assignment;
  const named = { screenerId, screenerParticipantIds: [ada, bea, ada, UNKNOWN, strange] };

  const plan = await client.post(REMOVAL, { ...named, dryRun: true });
  assert.deepEqual(said(plan), [200, "PLANNED", { rows: 4, removed: 2, skipped: 2 }], plan.text);
  const rows = [
    ["REMOVED", null, ada],
    ["REMOVED", null, bea],
    ["SKIPPED", "UNASSIGNED", UNKNOWN],
    ["SKIPPED", "UNASSIGNED", strange],
  ];
  assert.deepEqual(await rowsOf(client, plan), rows);
  assert.deepEqual(await client.all("/screener-participants"), before);

  const applied = await apply(client, plan);
  assert.deepEqual(said(applied), [200, "SUCCEEDED", { rows: 4, removed: 2, skipped: 2 }], applied.text);
  assert.deepEqual(await rowsOf(client, applied), rows);
  const left = (await client.all("/screener-participants")).map(({ id }) => id);
  assert.deepEqual(left, [cem, dan]);
  assert.equal((await readSession(client, invited[0]!.session)).status, "ARCHIVED");
  assert.equal((await elsewhere.client.all("/screener-participants")).length, 1);
  assert.equal((await client.all("/participants")).length, 4);
  check();
  const again = await client.post(REMOVAL, named);
  assert.deepEqual(said(again), [200, "SUCCEEDED", { rows: 4, removed: 0, skipped: 4 }]);

  const undone = await undo(client, applied);
  assert.deepEqual(said(undone), [200, "SUCCEEDED", { rows: 2, reverted: 2, kept: 0, ...backs(0, 2) }], undone.text);
  assert.deepEqual(await client.all("/screener-participants"), before);
  assert.deepEqual(await client.all("/screener-sessions"), sessions);
  check();
  const twice = await undo(client, applied);
  assert.deepEqual([twice.status, twice.body.code], [409, "job_not_undoable"]);
  const back = await undo(client, undone);
  assert.deepEqual(said(back), [200, "SUCCEEDED", { rows: 2, reverted: 2, kept: 0, ...backs(2, 0) }], back.text);
  assert.deepEqual(
    (await client.all("/screener-participants")).map(({ id }) => id),
    [cem, dan],
  );
  check();
  const types = (await typesOf(client)).filter((type) => String(type).startsWith("screener-participants."));
  const [removed, returned] = ["screener-participants.removed", "screener-participants.removal-undone"];
  assert.deepEqual(types, [removed, removed, returned, returned]);
});

test("a plan is outdated when one of them was removed by itself, and an undo keeps who was assigned again", async () => {
  const { client, invited, screenerId } = await study(3);
  const ids = invited.map(({ assignment }) => assignment);
  const [, second] = await client.all("/participants");
  const plan = await client.post(REMOVAL, { screenerId, screenerParticipantIds: ids, dryRun: true });
  await client.delete(`/screener-participants/${ids[1]}`);
  const outdated = await apply(client, plan);
  assert.deepEqual([outdated.status, outdated.body.code, outdated.body.errors?.length], [409, "plan_outdated", 1]);
  const [error] = outdated.body.errors!;
  assert.match(error!.message, /was planned as REMOVED, and would now be SKIPPED/);
  assert.match(error!.message, new RegExp(String(second!.externalUid)));

  const removed = await client.post(REMOVAL, { screenerId, screenerParticipantIds: [ids[0], ids[2]] });
  const [ada] = await client.all("/participants");
  await client.post("/screener-participants", { screenerId, externalUid: ada!.externalUid });
  const undone = await undo(client, removed);
  assert.deepEqual(said(undone), [200, "SUCCEEDED", { rows: 2, reverted: 1, kept: 1, ...backs(0, 1) }]);
  const kept = (await rowsOf(client, undone)).find(([outcome]: string[]) => outcome === "KEPT");
  assert.equal(kept[1], "ASSIGNED_AGAIN");
});

test("what they hold in quotas is free, and what they have taken stays", async () => {
  const quotas = [
    { name: "Women", when: women, limit: 2 },
    { name: "Men", when: men, limit: 2 },
  ];
  const { client, published, invited, screenerId, check } = await study(3, quotas);
  await client.patch(`/screeners/${screenerId}`, { review: "ALL" });
  for (const [at, sex] of ["Woman", "Woman", "Man"].entries()) {
    const { sex: sexId, age, town } = published.question;
    const responses = [
      { screenerQuestionId: sexId, answer: [{ text: sex, isWriteIn: false }] },
      { screenerQuestionId: age, answer: 40 },
      { screenerQuestionId: town, answer: "Oslo" },
    ];
    await client.post(`/screener-sessions/${invited[at]!.session}/responses`, { responses, complete: true });
  }
  await client.post(`/screener-sessions/${invited[0]!.session}/review`, { decision: "ACCEPTED" });
  const places = async () =>
    (await client.all(`/screeners/${screenerId}/quotas`)).map(({ taken, held }) => `${taken} + ${held}`);
  assert.deepEqual(await places(), ["1 + 1", "0 + 1"]);
  const ids = invited.map(({ assignment }) => assignment);
  const removed = await client.post(REMOVAL, { screenerId, screenerParticipantIds: ids });
  assert.deepEqual(said(removed), [200, "SUCCEEDED", { rows: 3, removed: 3, skipped: 0 }]);
  // As one removal alone, and the removals of an import.
  assert.deepEqual(await places(), ["1 + 0", "0 + 0"]);
  check();
});

test("those who are named are erased: nothing of them is left, and others stay", async () => {
  const client = service.workspace();
  const published = await publish(client, { pages });
  const secrets = ["OTTILIE-8817", "ottilie@mahler.example", "Ottilie Wildermuth", "FRIEDA-8818", "Frieda Kahl"];
  const rows = [
    { externalUid: secrets[0], email: secrets[1], name: secrets[2] },
    { externalUid: secrets[3], email: "frieda@mahler.example", name: secrets[4] },
  ];
  await client.import(published.screener, [...rows, ...people(2, 10)]);
  const [ottilie, frieda, other] = (await client.all("/participants")).map(({ id }) => id);
  const [assignment] = await client.all("/screener-participants");
  const removal = { screenerId: published.screener, screenerParticipantIds: [assignment!.id] };
  const done = await client.post(REMOVAL, removal);
  const named = await client.post(REMOVAL, { ...removal, dryRun: true });

  const plan = await client.post(ERASURE, { participantIds: [ottilie, UNKNOWN, frieda, frieda], dryRun: true });
  assert.deepEqual(said(plan), [200, "PLANNED", { rows: 3, erased: 2, skipped: 1 }], plan.text);
  const planned = (await client.get(`/jobs/${plan.body.id}/rows`)).body.items;
  assert.deepEqual(
    planned.map((row: Record<string, unknown>) => [row.outcome, row.reason, row.participantId, row.externalUid]),
    [
      ["ERASED", null, ottilie, secrets[0]],
      ["SKIPPED", "GONE", UNKNOWN, null],
      ["ERASED", null, frieda, secrets[3]],
    ],
  );
  const applied = await client.post(`/jobs/${plan.body.id}/apply`, undefined, { Prefer: "wait=60" });
  assert.deepEqual(said(applied), [200, "SUCCEEDED", { rows: 3, erased: 2, skipped: 1 }], applied.text);
  assert.deepEqual((await client.all("/participants")).length, 2);
  assert.equal((await client.get(`/participants/${other}`)).status, 200);
  assert.deepEqual(findBytes(service.context.config.dataDir, secrets), []);
  const left = (await client.get(`/jobs/${plan.body.id}/rows`)).body.items;
  assert.deepEqual(
    left.map((row: Record<string, unknown>) => [row.outcome, row.participantId, row.externalUid]),
    [
      ["ERASED", ottilie, null],
      ["SKIPPED", UNKNOWN, null],
      ["ERASED", frieda, null],
    ],
  );
  // A plan that names one of them has ended, and an undo brings nobody back.
  assert.equal((await client.get(`/jobs/${named.body.id}`)).body.problem.code, "plan_outdated");
  assert.deepEqual(said(await undo(client, done)), [
    200,
    "SUCCEEDED",
    { rows: 0, reverted: 0, kept: 0, ...backs(0, 0) },
  ]);
  const events = (await client.all("/events")).filter(({ type }) => /erased$/.test(String(type)));
  assert.deepEqual(
    events.map(({ type, resource }) => [type, (resource as { id: string }).id]),
    [
      ["participant.erased", ottilie],
      ["participant.erased", frieda],
      ["participants.erased", plan.body.id],
    ],
  );
  const undone = await undo(client, plan);
  assert.deepEqual([undone.status, undone.body.code], [409, "job_not_undoable"]);
  service.context.workspaces.read(client.workspaceId, (db) => assertCounts(db));
});

test("what jobs have kept of others stays readable when several people are erased at once", async () => {
  const { client, screenerId } = await study(3);
  // An import of some kilobytes keeps its rows in a file, as do all other jobs.
  const imported = await client.import(screenerId, people(600, 10));
  const job = async () => (await client.all("/jobs")).at(-1)!.id as string;
  const ids = [await job()];
  const opened = await client.post("/screener-sessions", { screenerId });
  assert.deepEqual([imported.status, opened.status], [200, 200], opened.text);
  ids.push(await job());
  const those = await client.all("/screener-participants");
  const gone = { screenerId, screenerParticipantIds: those.slice(0, 2).map(({ id }) => id) };
  const removed = await client.post(REMOVAL, gone);
  const back = await undo(client, removed);
  const again = await undo(client, back);
  const reviewed = [removed, back, again].map(({ body }) => body.id);
  ids.push(...reviewed);
  const rowsNow = () => Promise.all(ids.map(async (id) => (await client.get(`/jobs/${id}/rows`)).body.total));
  const before = await rowsNow();
  assert.ok(
    before.every((count) => count > 0),
    `${before}`,
  );
  const erased = await client.post(
    ERASURE,
    { participantIds: [those[0]!, those[3]!, those[5]!].map(({ participantId }) => participantId) },
    { Prefer: "wait=60" },
  );
  assert.deepEqual([erased.body.summary, erased.body.warnings], [{ rows: 3, erased: 3, skipped: 0 }, null]);
  assert.deepEqual(await rowsNow(), before);
});

test("a plan of an erasure ends when one of those whom it names is erased", async () => {
  const { client } = await study(2);
  const [ada, bea] = (await client.all("/participants")).map(({ id }) => id);
  const plan = await client.post(ERASURE, { participantIds: [ada, bea], dryRun: true });
  await client.call("DELETE", `/participants/${ada}`, { headers: { Prefer: "wait=60" } });
  const applied = await apply(client, plan);
  assert.equal(applied.body.code, "plan_outdated", applied.text);
  assert.equal((await client.get(`/participants/${bea}`)).status, 200);
});

test("what is wrong is said at once, and keys do what they may", async () => {
  const { client, screenerId } = await study(1);
  const wrong = await client.post(REMOVAL, { screener: screenerId, screenerParticipantIds: [], dryRun: "yes" });
  assert.equal(wrong.status, 400);
  const pointers = wrong.body.errors!.map(({ pointer }: { pointer: string }) => pointer).sort();
  assert.deepEqual(pointers, ["/dryRun", "/screener", "/screenerId", "/screenerParticipantIds"]);
  const many = Array.from({ length: 1001 }, () => UNKNOWN);
  const tooMany = await client.post(ERASURE, { participantIds: many });
  assert.match(tooMany.body.errors![0]!.message, /at most 1000/);
  const absent = await client.post(REMOVAL, { screenerId: UNKNOWN, screenerParticipantIds: [UNKNOWN] });
  assert.deepEqual([absent.status, absent.body.code], [404, "screener_not_found"]);

  const plan = await client.post(ERASURE, { participantIds: [UNKNOWN], dryRun: true });
  const importer = await withScopes(service, client, ["import"]);
  assert.equal((await importer.post(ERASURE, { participantIds: [UNKNOWN] })).status, 403);
  assert.equal((await apply(importer, plan)).status, 403);
  assert.equal((await importer.delete(`/jobs/${plan.body.id}`)).status, 403);
});

test("while people are erased, one or many, who is on the list and still there is not somebody who has come back", async () => {
  const { context, config } = service;
  for (const isOne of [true, false]) {
    const { client } = await study(1);
    const { workspaceId } = client;
    const [{ id: participant }] = (await client.get("/participants")).body.items;
    const countNow = () => {
      const list = readList(config.erasedDir, workspaceId);
      return countBack(context.control.reader, workspaceId, list, (look) => context.workspaces.read(workspaceId, look));
    };
    const release = hold(config.dataDir, workspaceId);
    const later = { Prefer: "respond-async" };
    const { status, body } = isOne
      ? await client.call("DELETE", `/participants/${participant}`, { headers: later })
      : await client.post(ERASURE, { participantIds: [participant] }, later);
    assert.equal(status, 202);
    // As the job does it a moment before the person goes.
    addErased(config.erasedDir, workspaceId, [{ uid: participant, at: Date.now() }]);
    assert.equal(countNow(), undefined);
    release();
    await service.drain();
    assert.equal((await client.get(`/jobs/${body.id}`)).body.status, "SUCCEEDED");
    assert.equal(countNow(), 0);
  }
});
