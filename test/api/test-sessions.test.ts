// Test links: they work as others do, and count nowhere.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_TEST_SESSIONS } from "../../src/nouns/sessions/resource.ts";
import { people, UNKNOWN } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { assertCounts } from "../support/counts.ts";
import { parseCsv } from "../support/csv.ts";
import { sharedService } from "../support/service.ts";
import { withScopes, writeTo } from "../support/store.ts";
import { everyKind, invite, type Published, publish, readAnswers, readSession, readStatus } from "../support/study.ts";
import { ABOUT, DAYS, isPage, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace("Acme Research");
const visitor = new Visitor(service.url);

const NOBODY = "00000000-0000-0000-0000-000000000000";
const LINE = "Test: your answers don’t count";

const openTest = (body: object) => client.post("/screener-sessions", { ...body, isTest: true });
const pathOf = ({ body }: { body: { screenerSessionLink: string } }) => new URL(body.screenerSessionLink).pathname;
const sessions = `/screener-sessions?filter[screenerId][eq]=`;
const tests = (list: string, screener: string) =>
  client.all(`/${list}?filter[screenerId][eq]=${screener}&filter[isTest][eq]=true`);
const funnel = async (screener: string) => (await client.get(`/screeners/${screener}/results`)).body.funnel;
const eventsOf = (session: string) =>
  client.all(`/events?filter[resourceId][eq]=${session}`) as Promise<
    { type: string; summary: object | null; changes: { field: string }[] }[]
  >;

/** Answers all of `everyKind` on the pages of a link. */
async function answerAll(path: string, study: Published): Promise<void> {
  isPage(await visitor.go(path, study, "About you", ABOUT), 200, "Your days");
  isPage(await visitor.go(path, study, "Your days", DAYS), 200, "Thank you");
}

/** All that must not change by what is done with test links. */
async function footprint(study: Published): Promise<unknown> {
  const { screener } = study;
  const csv = { Accept: "text/csv" };
  const texts = ["screener-sessions", "screener-responses", "screener-participants", "participants"].flatMap((list) => [
    client.get(`/${list}`),
    client.get(`/${list}`, csv),
    client.get(`/${list}`, { Accept: "application/x-ndjson" }),
    client.get(`/${list}?pagination[offset]=1&pagination[limit]=2`),
  ]);
  const of = ["eq", "ne"].map((operator) => client.get(`/screener-sessions?filter[state][${operator}]=COMPLETED`));
  const answered = await Promise.all([...texts, ...of, client.get(`/screeners/${screener}/export`)]);
  const { events: _, ...rows } = (await client.get("/workspace/usage")).body.rows;
  return { lists: answered.map(({ text }) => text), rows, funnel: await funnel(screener) };
}

test("what is done with test links changes no list, no total, no export and no roster; a filter shows them", async () => {
  const study = await publish(client, everyKind);
  // Of nobody, before anybody has a link: the rows of tests come first, then.
  const first = await openTest({ screenerId: study.screener });
  assert.equal(first.status, 201, first.text);
  assert.deepEqual([first.body.isTest, first.body.screenerParticipantId], [true, NOBODY]);
  assert.deepEqual((await client.get(first.headers.get("location")!)).body, first.body);
  const [ada, bo] = await invite(client, study.screener, 3);
  await answerAll(ada!.path, study);
  await visitor.send(bo!.path, study, "About you", ABOUT);
  assert.equal((await readSession(client, ada!.session)).isTest, false);
  const before = await footprint(study);

  const shown = await visitor.open(pathOf(first));
  isPage(shown, 200, "About you");
  assert.ok(shown.text.includes(LINE));
  assert.ok(!(await visitor.open(bo!.path)).text.includes(LINE));
  await answerAll(pathOf(first), study);
  assert.ok((await visitor.open(pathOf(first))).text.includes(LINE));
  const second = await openTest({ screenerParticipantId: bo!.assignment });
  assert.equal(second.body.screenerParticipantId, bo!.assignment);
  await visitor.send(pathOf(second), study, "About you", { ...ABOUT, age: "12" });
  const third = await openTest({ screenerId: study.screener });
  const responses = [{ screenerQuestionId: study.question.age, answer: 50 }];
  const answered = await client.post(`/screener-sessions/${third.body.id}/responses`, { responses });
  assert.deepEqual([answered.status, answered.body.isTest, answered.body.state], [200, true, "IN_PROGRESS"]);
  assert.deepEqual(await footprint(study), before);
  assert.equal(await readStatus(client, bo!.assignment), "IN_PROGRESS");
  assert.equal((await client.get(`/screener-participants/${bo!.assignment}`)).body.currentSessionId, bo!.session);

  const listed = await tests("screener-sessions", study.screener);
  assert.deepEqual(
    listed.map(({ id, state }) => [id, state]),
    [
      [first.body.id, "COMPLETED"],
      [second.body.id, "COMPLETED"],
      [third.body.id, "IN_PROGRESS"],
    ],
  );
  const completed = await client.get(
    `${sessions}${study.screener}&filter[isTest][eq]=true&filter[state][eq]=COMPLETED&pagination[limit]=1`,
  );
  assert.deepEqual([completed.body.total, completed.body.items.length], [2, 1]);
  const others = await client.get(`/screener-sessions?filter[isTest][eq]=false`);
  assert.equal(others.text, (await client.get("/screener-sessions")).text);
  const ofBo = `filter[screenerParticipantId][eq]=${bo!.assignment}`;
  assert.equal((await client.get(`/screener-sessions?${ofBo}`)).body.total, 1);
  assert.equal((await client.get(`/screener-sessions?${ofBo}&filter[isTest][eq]=true`)).body.total, 1);
  const given = await tests("screener-responses", study.screener);
  assert.equal(new Set(given.map(({ screenerSessionId }) => screenerSessionId)).size, 3);
  const ofNobody = given.find(({ screenerSessionId }) => screenerSessionId === third.body.id);
  assert.deepEqual([ofNobody.participantId, ofNobody.externalParticipantUid, ofNobody.answer], [NOBODY, "", 50]);
  assert.equal((await client.get(`/screener-responses?filter[screenerSessionId][eq]=${third.body.id}`)).body.total, 0);
  assert.notDeepEqual(await readAnswers(client, ada!.session, study), {});
  // As files, too.
  for (const list of ["screener-sessions", "screener-responses"])
    for (const accept of ["text/csv", "application/x-ndjson"]) {
      const { status, text } = await client.get(`/${list}?filter[isTest][eq]=true`, { Accept: accept });
      const lines = text.trim().split(/\r?\n/).length - (accept === "text/csv" ? 1 : 0);
      assert.deepEqual([status, lines], [200, (await client.get(`/${list}?filter[isTest][eq]=true`)).body.total]);
    }
  for (const query of ["filter[isTest][eq]=yes", "filter[isTest][ne]=true", "filter[isTest]=true"])
    assert.equal((await client.get(`/screener-sessions?${query}`)).status, 400, query);
  assert.equal((await client.get(`/participants/${NOBODY}`)).status, 404);
});

test("the export has tests where they are asked for, after all others, with a column that says so", async () => {
  const study = await publish(client, everyKind);
  const tested = await openTest({ screenerId: study.screener });
  const [ada] = await invite(client, study.screener);
  await answerAll(pathOf(tested), study);
  await answerAll(ada!.path, study);
  const path = `/screeners/${study.screener}/export`;
  const table = async (query: string) => parseCsv((await client.get(`${path}${query}`)).text);
  const plain = await table("");
  assert.deepEqual(await table("?includeTests=false"), plain);
  assert.equal(plain.length, 2);
  assert.ok(!plain[0]!.includes("session.isTest"));
  const all = await table("?includeTests=true");
  const at = (name: string) => all[0]!.indexOf(name);
  assert.deepEqual(
    all.slice(1).map((row) => [row[at("session.id")], row[at("session.isTest")], row[at("participant.id")] === NOBODY]),
    [
      [ada!.session, "false", false],
      [tested.body.id, "true", true],
    ],
  );
  assert.deepEqual(all[1]!.slice(0, -1), plain[1]);
  assert.equal((await table(`?includeTests=true&filter[id][eq]=${tested.body.id}`)).length, 2);
  assert.equal((await table(`?filter[id][eq]=${tested.body.id}`)).length, 1);
  assert.equal((await client.get(`${path}?includeTests=1`)).status, 400);
  const excel = { Accept: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" };
  assert.equal((await client.get(`${path}?includeTests=true`, excel)).status, 200);
});

test("tests take no place, and none is refused to them; a study that takes no answers can be tested", async () => {
  const { pages } = everyKind;
  const study = await publish(
    client,
    { pages, qualifyWhen: { questionId: "age", atLeast: 18 } },
    { targetQualifiedParticipants: 1 },
  );
  const [ada, bo] = await invite(client, study.screener, 2);
  const [first, second] = [
    await openTest({ screenerId: study.screener }),
    await openTest({ screenerParticipantId: bo!.assignment }),
  ];
  for (const opened of [first, second]) await answerAll(pathOf(opened), study);
  const quotaEvents = () =>
    client.all(`/events?filter[resourceId][eq]=${study.publication}&filter[type][eq]=quota.reached`);
  assert.deepEqual(await quotaEvents(), []);
  const explanation = async ({ body }: typeof first) =>
    (await client.get(`/screener-sessions/${body.id}/explanation`)).body;
  assert.equal((await explanation(first)).outcome, "QUALIFIED");
  const overridden = await client.post(`/screener-sessions/${first.body.id}/override`, {
    outcome: "DISQUALIFIED",
    reason: "x",
  });
  assert.equal(overridden.status, 200);
  assert.equal(
    (await client.post(`/screener-sessions/${first.body.id}/override`, { outcome: "QUALIFIED", reason: "y" })).status,
    200,
  );
  assert.deepEqual(await quotaEvents(), []);
  await answerAll(ada!.path, study);
  assert.equal((await quotaEvents()).length, 1);
  assert.equal(await readStatus(client, ada!.assignment), "QUALIFIED");
  assert.equal(await readStatus(client, bo!.assignment), "NOT_STARTED");
  isPage(await visitor.open(bo!.path), 409, "This study is full");

  const past = "2020-01-01T00:00:00Z";
  for (const set of [{ acceptance: "CLOSED" }, { acceptance: "PAUSED" }, { linkExpiresAt: past }, { closesAt: past }]) {
    await client.patch(`/screeners/${study.screener}`, set);
    const opened = await openTest({ screenerId: study.screener });
    assert.equal(opened.status, 201, opened.text);
    await answerAll(pathOf(opened), study);
    assert.equal((await explanation(opened)).outcome, "QUALIFIED");
  }
  await client.patch(`/screener-publications/${study.publication}`, { status: "ARCHIVED" });
  assert.equal((await openTest({ screenerId: study.screener })).body.code, "screener_not_published");
});

test("what is no test link is refused", async () => {
  const { screenerId, rows } = await client.published(1);
  const calls: [object, number, string][] = [
    [{}, 400, "invalid_request"],
    [{ screenerId, screenerParticipantId: rows[0].id }, 400, "invalid_request"],
    [{ screenerId: UNKNOWN }, 404, "screener_not_found"],
    [{ screenerParticipantId: UNKNOWN }, 404, "screener_participant_not_found"],
    [{ screenerId: await client.screener() }, 409, "screener_not_published"],
  ];
  for (const [body, status, code] of calls) {
    const answer = await openTest(body);
    assert.deepEqual([answer.status, answer.body.code], [status, code]);
  }
  assert.equal((await client.post("/screener-sessions", { screenerId, isTest: "yes" })).status, 400);
  // Without isTest it is what it was: all get a session.
  const all = await client.post("/screener-sessions", { screenerId, isTest: false });
  assert.deepEqual([all.status, all.body.length, all.body[0].isTest], [200, 1, false]);
  const importer = await withScopes(service, client, ["import"]);
  assert.equal((await importer.post("/screener-sessions", { screenerId, isTest: true })).status, 403);
});

test("events of a test say so in their summary, and those of others say nothing of it", async () => {
  const study = await publish(client, everyKind);
  const [ada] = await invite(client, study.screener);
  const opened = await openTest({ screenerId: study.screener });
  for (const path of [ada!.path, pathOf(opened)]) await answerAll(path, study);
  const [ofAda, ofTest] = [await eventsOf(ada!.session), await eventsOf(opened.body.id)];
  assert.deepEqual(
    ofTest.map(({ type }) => type),
    ofAda.map(({ type }) => type),
  );
  for (const { type, summary } of ofTest) assert.equal((summary as { isTest?: boolean }).isTest, true, type);
  for (const event of ofAda) assert.ok(!JSON.stringify(event).includes("isTest"));
  const onlyHers = ofAda[0]!.changes.filter(({ field }) => !field.startsWith("screenerParticipant."));
  assert.deepEqual(
    ofTest[0]!.changes.map(({ field }) => field),
    onlyHers.map(({ field }) => field),
  );
  await client.delete(`/screener-sessions/${opened.body.id}`);
  const removed = (await eventsOf(opened.body.id)).at(-1)!;
  assert.deepEqual([removed.type, removed.summary], ["screener-session.removed", { isTest: true }]);
  isPage(await visitor.open(pathOf(opened)), 410, "This link is no longer available");
});

test("tests are deleted together, with their answers, and nothing else is", async () => {
  const study = await publish(client, everyKind);
  const other = await publish(client, everyKind);
  const [ada] = await invite(client, study.screener);
  await answerAll(ada!.path, study);
  const kept = await openTest({ screenerId: other.screener });
  await answerAll(pathOf(kept), other);
  const opened = [
    await openTest({ screenerId: study.screener }),
    await openTest({ screenerParticipantId: ada!.assignment }),
  ];
  for (const one of opened) await answerAll(pathOf(one), study);
  const before = await footprint(study);
  const responses = await tests("screener-responses", study.screener);
  const path = `/screeners/${study.screener}/test-sessions`;
  const reader = await withScopes(service, client, ["read", "import", "respond"]);
  assert.equal((await reader.delete(path)).status, 403);
  assert.equal((await client.delete(`/screeners/${UNKNOWN}/test-sessions`)).status, 404);

  const { status, body } = await client.delete(path);
  assert.deepEqual([status, body.status, body.screenerId], [200, "SUCCEEDED", study.screener]);
  assert.deepEqual(body.summary, { sessions: 2, responses: responses.length });
  assert.deepEqual(await footprint(study), before);
  assert.deepEqual(
    [await tests("screener-sessions", study.screener), await tests("screener-responses", study.screener)],
    [[], []],
  );
  for (const one of opened) {
    assert.equal((await visitor.open(pathOf(one))).status, 404);
    assert.equal((await client.get(`/screener-sessions/${one.body.id}`)).status, 404);
    for (const { changes } of await eventsOf(one.body.id)) assert.deepEqual(changes, []);
  }
  const [event] = await client.all(`/events?filter[jobId][eq]=${body.id}`);
  assert.deepEqual(
    [event.type, event.resource.id, event.summary.sessions],
    ["screener-sessions.tests-deleted", study.screener, 2],
  );
  assert.deepEqual((await client.delete(path)).body.summary, { sessions: 0, responses: 0 });
  assert.equal((await tests("screener-sessions", other.screener)).length, 1);
  isPage(await visitor.open(pathOf(kept)), 200, "You have already answered");
});

test("a study has a limited number of tests", async () => {
  const { screenerId } = await client.published(0);
  const { body } = await openTest({ screenerId });
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run(
      `WITH RECURSIVE number (value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM number WHERE value < ?)
       INSERT INTO screener_session (uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id,
         tag_set_id, created_at, is_test)
       SELECT printf('%08x-0000-4000-8000-%012x', value, abs(random()) >> 16), 'test-' || value, screener_id, screener_participant_uid, participant_id,
         screener_publication_id, tag_set_id, created_at, is_test FROM number, screener_session WHERE uid = ?`,
      MAX_TEST_SESSIONS,
      body.id,
    ),
  );
  const refused = await openTest({ screenerId });
  assert.deepEqual([refused.status, refused.body.code], [409, "test_session_limit"]);
  // All of them, also as a file, in several steps.
  assert.equal((await tests("screener-sessions", screenerId)).length, MAX_TEST_SESSIONS);
  const { text } = await client.get(`${sessions}${screenerId}&filter[isTest][eq]=true`, {
    Accept: "application/x-ndjson",
  });
  assert.equal(new Set(text.trim().split("\n")).size, MAX_TEST_SESSIONS);
  assert.deepEqual((await client.delete(`/screeners/${screenerId}/test-sessions`)).body.summary, {
    sessions: MAX_TEST_SESSIONS,
    responses: 0,
  });
  assert.equal((await openTest({ screenerId })).status, 201);
});

test("imports neither see nor remove tests; what is erased or deleted takes its tests along", async () => {
  const own = service.workspace();
  const study = await publish(own, everyKind);
  const open = (body: object) => own.post("/screener-sessions", { ...body, isTest: true });
  const nobody = await open({ screenerId: study.screener });
  const { body: rows } = await own.import(study.screener, people(2));
  const ofAda = await open({ screenerParticipantId: rows[0].id });
  const plan = await own.import(study.screener, people(1, 1), { importMode: "FULL_SYNC", dryRun: true });
  assert.deepEqual([plan.body.summary.removed, plan.body.summary.unchanged], [1, 1]);
  const { body: synced } = await own.import(study.screener, [], { importMode: "FULL_SYNC", allowRemoveAll: true });
  assert.ok(synced);
  for (const opened of [nobody, ofAda]) isPage(await visitor.open(pathOf(opened)), 200, "About you");
  assert.equal((await own.get("/participants")).body.total, 2);
  const person = (await own.get("/participants?filter[externalUid][eq]=P-0")).body.items[0].id;
  assert.deepEqual(
    (await own.get(`/participants/${person}/export`)).body.sessions.map(({ isTest }: { isTest: boolean }) => isTest),
    [true],
  );
  const erased = await own.delete(`/participants/${person}`);
  assert.equal(erased.body.summary.sessions, 1);
  isPage(await visitor.open(pathOf(ofAda)), 404, "This link does not work");
  assert.equal((await own.get(`/screener-sessions?filter[isTest][eq]=true`)).body.total, 1);
  const deleted = await own.delete(`/screeners/${study.screener}?confirm=Sleep%20and%20smoke`);
  assert.deepEqual([deleted.status, deleted.body.summary.sessions], [200, 0]);
  isPage(await visitor.open(pathOf(nobody)), 404, "This link does not work");
  service.context.workspaces.read(own.workspaceId, assertCounts);
});

test("the console makes test links, shows what became of them, and deletes them; a viewer sees none", async () => {
  const study = await publish(client, everyKind);
  const browser = await signedIn(service, client.workspaceId, "researcher", "ada@test-sessions.example.org");
  const viewer = await signedIn(service, client.workspaceId, "viewer", "vi@test-sessions.example.org");
  const page = `/console/studies/${study.screener}/try`;
  const links = `/console/studies/${study.screener}/test-links`;
  assert.match((await browser.get(page)).text, /Create a test link/);
  assert.doesNotMatch((await viewer.get(page)).text, /test link/i);
  assert.equal((await browser.post(page, {}, links)).headers.location, `${page}#test-links`);
  const [made] = await tests("screener-sessions", study.screener);
  assert.ok((await browser.get(page)).text.includes(made.screenerSessionLink));
  await answerAll(new URL(made.screenerSessionLink).pathname, study);
  assert.match((await browser.get(page)).text, /Completed/);
  assert.match(
    (await browser.get("/console/activity")).text.replace(/<[^>]+>/g, ""),
    /A test finished Sleep and smoke/,
  );
  const deleted = await browser.post(page, {}, `${links}/deletion`);
  assert.equal(deleted.headers.location, `${page}?deleted#test-links`);
  assert.match((await browser.get(String(deleted.headers.location).split("#")[0]!)).text, /Deleted/);
  assert.deepEqual(await tests("screener-sessions", study.screener), []);
  const draft = `/console/studies/${await client.screener()}`;
  assert.match((await browser.get(`${draft}/try`)).text, /Publish the study first/);
  assert.equal((await browser.post(page, {}, `${draft}/test-links`)).status, 409);
});

test("what is counted is exact after all of this", () => {
  service.context.workspaces.read(client.workspaceId, assertCounts);
});
