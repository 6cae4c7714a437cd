// POST /screener-quotas/{id}/recount and /offer: jobs that give places to those who were there before.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfQuotas } from "../../src/nouns/quotas/queries.ts";
import { endLapsedOffers } from "../../src/quota-jobs/end-offers.ts";
import { findBytes } from "../support/bytes.ts";
import type { Client } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { men, pages, women } from "../support/quota-pages.ts";
import { startService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import {
  type Invitation,
  invite,
  type Published,
  publish,
  readAnswers,
  readSession,
  readStatus,
} from "../support/study.ts";
import { formOf, Visitor } from "../support/visitor.ts";

const service = await startService();

const young = { questionId: "age", lessThan: 30 };

interface Quota {
  id: string;
  name: string;
  taken: number;
  held: number;
  status: string;
}

const quotasOf = (client: Client, { screener }: Published): Promise<Quota[]> =>
  client.all(`/screeners/${screener}/quotas`) as never;
const counts = async (client: Client, study: Published) =>
  Object.fromEntries((await quotasOf(client, study)).map(({ name, taken, held }) => [name, `${taken} + ${held}`]));
const quotaNamed = async (client: Client, study: Published, name: string) =>
  (await quotasOf(client, study)).find((quota) => quota.name === name)!;

function finish(client: Client, study: Published, { session }: Pick<Invitation, "session">, sex: string, age: number) {
  const { question } = study;
  const responses = [
    { screenerQuestionId: question.sex, answer: [{ text: sex, isWriteIn: false }] },
    { screenerQuestionId: question.age, answer: age },
    { screenerQuestionId: question.town, answer: "York" },
  ];
  return client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
}

async function rowsOf(client: Client, job: string) {
  const rows: { outcome: string; reason: string | null; sessionId: string; changes: { to: string }[] }[] = (
    await client.get(`/jobs/${job}/rows`)
  ).body.items;
  return rows;
}
const briefly = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ outcome, reason, sessionId }) => [outcome, reason, sessionId]);

/** Changes the draft, and publishes it. */
async function republish(client: Client, study: Published, change: (draft: Record<string, never>) => object) {
  const { body: draft } = await client.get(`/screeners/${study.screener}/content`);
  const put = await client.call("PUT", `/screeners/${study.screener}/content`, { body: change(draft) });
  assert.equal(put.status, 200, put.text);
  const published = await client.post("/screener-publications", { screenerId: study.screener });
  assert.equal(published.status, 201, published.text);
}

function assertStore(client: Client) {
  service.context.workspaces.read(client.workspaceId, (db) => {
    assertCounts(db);
    assert.deepEqual(faultsOfQuotas(db), []);
  });
}

test("a recount counts completed sessions of former versions into a new quota, and is undone", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages });
  const people = await invite(client, study.screener, 6);
  const [ada, bea, cem, dan, eve] = people as [Invitation, Invitation, Invitation, Invitation, Invitation];
  await finish(client, study, ada, "Woman", 40);
  await finish(client, study, bea, "Woman", 12);
  await finish(client, study, cem, "Man", 40);
  await finish(client, study, dan, "Woman", 20);
  await finish(client, study, eve, "Woman", 50);
  await republish(client, study, (draft) => ({
    ...draft,
    quotas: [
      { name: "Women", when: { questionId: study.question.sex, equals: study.option["sex/Woman"] }, limit: 2 },
      { name: "Men", when: { questionId: study.question.sex, equals: study.option["sex/Man"] }, limit: 2 },
    ],
  }));
  const { id } = await quotaNamed(client, study, "Women");
  const expected = [
    ["COUNTED", null, ada.session],
    ["COUNTED", null, dan.session],
    ["COUNTED", "OVER_LIMIT", eve.session],
  ];
  const plan = await client.post(`/screener-quotas/${id}/recount`, { dryRun: true });
  assert.deepEqual([plan.body.status, plan.body.summary], ["PLANNED", { counted: 3, skipped: 0 }], plan.text);
  assert.deepEqual(briefly(await rowsOf(client, plan.body.id)), expected);
  assert.deepEqual(await counts(client, study), { Women: "0 + 0", Men: "0 + 0" });
  const applied = await client.post(`/jobs/${plan.body.id}/apply`, undefined);
  assert.equal(applied.body.status, "SUCCEEDED", applied.text);
  assert.deepEqual(briefly(await rowsOf(client, plan.body.id)), expected);
  assert.deepEqual(await counts(client, study), { Women: "3 + 0", Men: "0 + 0" });
  assertStore(client);
  // Those who are counted are not counted again; what another quota counts is its own.
  const again = await client.post(`/screener-quotas/${id}/recount`, undefined);
  assert.deepEqual(again.body.summary, { counted: 0, skipped: 0 });
  // A place goes with its session.
  await client.delete(`/screener-sessions/${dan.session}`);
  assert.deepEqual(await counts(client, study), { Women: "2 + 0", Men: "0 + 0" });
  const undone = await client.post(`/jobs/${plan.body.id}/undo`, undefined);
  assert.deepEqual(undone.body.summary, { rows: 3, reverted: 2, kept: 1 }, undone.text);
  assert.deepEqual(briefly(await rowsOf(client, undone.body.id)), [
    ["REVERTED", null, ada.session],
    ["KEPT", "REMOVED", dan.session],
    ["REVERTED", null, eve.session],
  ]);
  assert.deepEqual(await counts(client, study), { Women: "0 + 0", Men: "0 + 0" });
  const [first] = await client.all(`/screener-quotas/${id}/places?filter[state][eq]=RELEASED`);
  assert.equal(first!.reason, "UNDONE");
  assert.equal((await client.post(`/jobs/${undone.body.id}/undo`, undefined)).body.code, "job_not_undoable");
  const types = (await client.all("/events"))
    .map(({ type }) => type)
    .filter((type) => String(type).startsWith("screener-quota."));
  assert.deepEqual(types, [
    "screener-quota.recounted",
    "screener-quota.full",
    "screener-quota.recounted",
    "screener-quota.recount-undone",
    "screener-quota.opened",
  ]);
  assertStore(client);
});

test("a recount marks places over the limit, counting those that are held", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages });
  const people = await invite(client, study.screener, 4);
  const [ada, bea, cem, dan] = people as [Invitation, Invitation, Invitation, Invitation];
  await finish(client, study, ada, "Woman", 40);
  await finish(client, study, bea, "Woman", 41);
  const women = { questionId: study.question.sex, equals: study.option["sex/Woman"] };
  await republish(client, study, (draft) => ({ ...draft, quotas: [{ name: "Women", when: women, limit: 2 }] }));
  // Two links go on with the new version: one person holds a place, and so does one who has finished the former one.
  await client.post("/screener-sessions-move", { screenerId: study.screener });
  const responses = [{ screenerQuestionId: study.question.sex, answer: [{ text: "Woman", isWriteIn: false }] }];
  await client.post(`/screener-sessions/${cem.session}/responses`, { responses });
  const { body: again } = await client.post("/screener-sessions", { screenerParticipantId: ada.assignment });
  await client.post(`/screener-sessions/${again.id}/responses`, { responses });
  assert.deepEqual(await counts(client, study), { Women: "0 + 2" });
  const { id } = await quotaNamed(client, study, "Women");
  const recounted = await client.post(`/screener-quotas/${id}/recount`, {});
  assert.deepEqual(briefly(await rowsOf(client, recounted.body.id)), [
    ["COUNTED", null, ada.session],
    ["COUNTED", "OVER_LIMIT", bea.session],
  ]);
  assert.deepEqual(await counts(client, study), { Women: "2 + 1" });
  assert.equal((await finish(client, study, dan, "Woman", 20)).body.outcomeReason, "OVER_QUOTA");
  assertStore(client);
});

test("a recount skips those who were not asked what the rule needs", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages });
  const [ada] = (await invite(client, study.screener, 1)) as [Invitation];
  await finish(client, study, ada, "Woman", 40);
  const smokes = {
    id: "smokes",
    key: "smokes",
    _type: "ScreenerSingleSelectQuestion",
    prompt: "Do you smoke?",
    required: false,
    options: [{ id: "yes", text: "Yes" }],
  };
  await republish(client, study, (draft: { pages?: { questions: object[] }[] }) => ({
    ...draft,
    pages: draft.pages!.map((page, at) => (at ? page : { ...page, questions: [...page.questions, smokes] })),
    quotas: [
      { name: "Smokers", when: { questionId: "smokes", equals: "yes" }, limit: 2 },
      {
        name: "Not asked to women",
        when: {
          any: [
            { questionId: "smokes", equals: "yes" },
            { questionId: study.question.age, atLeast: 40 },
          ],
        },
        limit: 2,
      },
    ],
  }));
  const smokers = await quotaNamed(client, study, "Smokers");
  const recounted = await client.post(`/screener-quotas/${smokers.id}/recount`, {});
  assert.deepEqual(recounted.body.summary, { counted: 0, skipped: 1 }, recounted.text);
  assert.deepEqual(briefly(await rowsOf(client, recounted.body.id)), [["SKIPPED", "NOT_ASKED", ada.session]]);
  // What was not asked can't matter here.
  const other = await quotaNamed(client, study, "Not asked to women");
  assert.deepEqual((await client.post(`/screener-quotas/${other.id}/recount`, {})).body.summary, {
    counted: 1,
    skipped: 0,
  });
  assertStore(client);
});

/** The ending of a quota that gives another site the id of the session. */
const GIVES_LINK_AWAY = { redirect: "https://panel.example.org/full?s={sessionId}" };

/** A study with quotas of 1 woman and 1 young person, the woman's place taken, and four more turned away. */
async function crowded(ending?: object, more?: { targetQualifiedParticipants: number }) {
  const client = service.workspace();
  const study = await publish(
    client,
    {
      pages,
      quotas: [
        { name: "Women", when: women, limit: 1, ...(ending && { ending }) },
        { name: "Men", when: men, limit: 5 },
        { name: "Young", when: young, limit: 1 },
      ],
    },
    more,
  );
  const people = await invite(client, study.screener, 5);
  const [ada, bea, cem, dan, eve] = people as [Invitation, Invitation, Invitation, Invitation, Invitation];
  await finish(client, study, ada, "Woman", 40);
  for (const [one, age] of [
    [bea, 25],
    [cem, 41],
    [dan, 27],
    [eve, 42],
  ] as const)
    assert.equal((await finish(client, study, one, "Woman", age)).body.outcomeReason, "OVER_QUOTA");
  assert.deepEqual(await counts(client, study), { Women: "1 + 0", Men: "0 + 0", Young: "0 + 0" });
  const quota = await quotaNamed(client, study, "Women");
  return { client, study, quota, ada, bea, cem, dan, eve };
}

test("an offer reopens sessions of those who were turned away, the earliest first, with all their places held", async () => {
  const { client, study, quota, bea, cem, dan, eve } = await crowded();
  const nobody = await client.post(`/screener-quotas/${quota.id}/offer`, { dryRun: true });
  assert.deepEqual(nobody.body.summary, { offered: 0, skipped: 4 }, nobody.text);
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 3 });
  const before = await readSession(client, bea.session);
  const offered = await client.post(`/screener-quotas/${quota.id}/offer`, { holdHours: 72 });
  assert.deepEqual(
    [offered.body.status, offered.body.summary],
    ["SUCCEEDED", { offered: 2, skipped: 2 }],
    offered.text,
  );
  // Only one of the young ones finds a place among them.
  assert.deepEqual(briefly(await rowsOf(client, offered.body.id)), [
    ["OFFERED", null, bea.session],
    ["OFFERED", null, cem.session],
    ["SKIPPED", "QUOTA_FULL", dan.session],
    ["SKIPPED", "QUOTA_FULL", eve.session],
  ]);
  assert.deepEqual(await counts(client, study), { Women: "1 + 2", Men: "0 + 0", Young: "0 + 1" });
  assert.deepEqual(
    [await readSession(client, bea.session), await readStatus(client, bea.assignment)],
    [{ ...before, state: "IN_PROGRESS", outcomeReason: null, completedAt: null, outcomeQuotaIds: [] }, "IN_PROGRESS"],
  );
  const [place] = await client.all(`/screener-quotas/${quota.id}/places?filter[state][eq]=HELD`);
  const hours = (Date.parse(String(place!.expiresAt)) - Date.parse(String(place!.createdAt))) / 3_600_000;
  assert.equal(Math.round(hours * 1000), 72_000);
  assertStore(client);
  // They go on where they were, and qualify.
  assert.equal((await finish(client, study, bea, "Woman", 25)).body.state, "COMPLETED");
  assert.equal(await readStatus(client, bea.assignment), "QUALIFIED");
  assert.deepEqual(await counts(client, study), { Women: "2 + 1", Men: "0 + 0", Young: "1 + 0" });
  const undone = await client.post(`/jobs/${offered.body.id}/undo`, undefined);
  assert.deepEqual(undone.body.summary, { rows: 2, reverted: 1, kept: 1 }, undone.text);
  assert.deepEqual(briefly(await rowsOf(client, undone.body.id)), [
    ["KEPT", "ANSWERED", bea.session],
    ["REVERTED", null, cem.session],
  ]);
  assert.deepEqual(await counts(client, study), { Women: "2 + 0", Men: "0 + 0", Young: "1 + 0" });
  const back = await readSession(client, cem.session);
  assert.deepEqual([back.state, back.outcomeReason, back.outcomeQuotaIds], ["COMPLETED", "OVER_QUOTA", [quota.id]]);
  assert.equal(await readStatus(client, cem.assignment), "DISQUALIFIED");
  assertStore(client);
  // Another offer reaches them again.
  const again = await client.post(`/screener-quotas/${quota.id}/offer`, undefined);
  assert.deepEqual(again.body.summary, { offered: 1, skipped: 2 });
});

test("of an offer each gets places in the own quotas, whatever those before and after get", async () => {
  const { client, study, quota, bea, cem, dan, eve } = await crowded();
  const young = await quotaNamed(client, study, "Young");
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 3 });
  const first = await client.post(`/screener-quotas/${quota.id}/offer`, {});
  assert.deepEqual(first.body.summary, { offered: 2, skipped: 2 }, first.text);
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 9 });
  await client.patch(`/screener-quotas/${young.id}`, { limit: 9 });
  assert.equal((await client.post(`/jobs/${first.body.id}/undo`, undefined)).body.status, "SUCCEEDED");
  const { body } = await client.post(`/screener-quotas/${quota.id}/offer`, {});
  assert.deepEqual(
    briefly(await rowsOf(client, body.id)),
    [bea, cem, dan, eve].map(({ session }) => ["OFFERED", null, session]),
  );
  const holders = async (id: string) => {
    const places = await client.all(`/screener-quotas/${id}/places?filter[state][eq]=HELD`);
    return places.map(({ screenerSessionId }) => screenerSessionId);
  };
  assert.deepEqual(await holders(quota.id), [bea.session, cem.session, dan.session, eve.session]);
  assert.deepEqual(await holders(young.id), [bea.session, dan.session]);
  assert.deepEqual(await counts(client, study), { Women: "1 + 4", Men: "0 + 0", Young: "0 + 2" });
  assertStore(client);
});

test("an offer goes only as far as the target of the publication", async () => {
  const { client, quota, bea, cem, dan, eve } = await crowded(undefined, { targetQualifiedParticipants: 2 });
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 9 });
  const offered = await client.post(`/screener-quotas/${quota.id}/offer`, {});
  assert.deepEqual(briefly(await rowsOf(client, offered.body.id)), [
    ["OFFERED", null, bea.session],
    ...[cem, dan, eve].map(({ session }) => ["SKIPPED", "TARGET_REACHED", session]),
  ]);
});

test("an offer that lapses leaves its sessions over quota, as they were", async () => {
  const { client, study, quota, bea, cem } = await crowded();
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 3 });
  const before = await readSession(client, bea.session);
  const offered = await client.post(`/screener-quotas/${quota.id}/offer`, { holdHours: 1 });
  await finish(client, study, cem, "Woman", 41);
  const lapse = (now: number) =>
    writeTo(service.context.workspaces, client.workspaceId, (db) => endLapsedOffers(db, now));
  lapse(Date.now());
  assert.equal((await readSession(client, bea.session)).state, "IN_PROGRESS");
  lapse(Date.now() + 3_600_001);
  assert.deepEqual(await readSession(client, bea.session), before);
  assert.equal(await readStatus(client, bea.assignment), "DISQUALIFIED");
  assert.equal(await readStatus(client, cem.assignment), "QUALIFIED");
  assert.deepEqual(await counts(client, study), { Women: "2 + 0", Men: "0 + 0", Young: "0 + 0" });
  const events = await client.all(`/events?filter[type][eq]=screener-session.offer-lapsed`);
  assert.equal(events.length, 1);
  const undone = await client.post(`/jobs/${offered.body.id}/undo`, undefined);
  assert.deepEqual(
    (await rowsOf(client, undone.body.id)).map(({ reason }) => reason),
    ["LAPSED", "ANSWERED"],
  );
  assertStore(client);
});

test("where another site knows the session, the participant gets a copy of it, with its answers", async () => {
  const { client, study, quota, bea, cem } = await crowded(GIVES_LINK_AWAY);
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 3 });
  const before = await readSession(client, bea.session);
  const plan = await client.post(`/screener-quotas/${quota.id}/offer`, { dryRun: true });
  assert.deepEqual(plan.body.summary, { offered: 2, skipped: 2 });
  assert.equal((await client.post(`/jobs/${plan.body.id}/apply`, undefined)).body.status, "SUCCEEDED");
  const [first, second] = await rowsOf(client, plan.body.id);
  assert.deepEqual([first!.outcome, first!.reason, first!.sessionId], ["OFFERED", "COPIED", bea.session]);
  const copy = first!.changes[0]!.to;
  assert.deepEqual(await readSession(client, bea.session), before);
  const opened = await readSession(client, copy);
  assert.deepEqual([opened.state, opened.screenerParticipantId], ["IN_PROGRESS", bea.assignment]);
  assert.deepEqual(await readAnswers(client, copy, study), await readAnswers(client, bea.session, study));
  assert.equal((await client.get(`/screener-participants/${bea.assignment}`)).body.currentSessionId, copy);
  const { body: references } = await client.get(
    `/screener-sessions?filter[screenerParticipantId][eq]=${bea.assignment}`,
  );
  assert.equal(new Set(references.items.map(({ reference }: { reference: string }) => reference)).size, 2);
  assertStore(client);
  // The copy's page goes on; the former link has ended.
  const visitor = new Visitor(service.url);
  assert.match((await visitor.get(new URL(opened.screenerSessionLink).pathname)).text, /Town\?/);
  await finish(client, study, { ...bea, session: copy }, "Woman", 25);
  assert.equal(await readStatus(client, bea.assignment), "QUALIFIED");
  const undone = await client.post(`/jobs/${plan.body.id}/undo`, undefined);
  assert.deepEqual(undone.body.summary, { rows: 2, reverted: 1, kept: 1 }, undone.text);
  const gone = second!.changes[0]!.to;
  assert.equal((await readSession(client, gone)).status, "REMOVED");
  assert.deepEqual(await readAnswers(client, gone, study), {});
  assert.equal(await readStatus(client, cem.assignment), "DISQUALIFIED");
  assert.deepEqual(await counts(client, study), { Women: "2 + 0", Men: "0 + 0", Young: "1 + 0" });
  assertStore(client);
});

test("a copy of a session goes on in its language and with its link, and who has withdrawn gets no offer", async () => {
  const { client, study, quota, bea, dan } = await crowded(GIVES_LINK_AWAY);
  const { body: link } = await client.post("/screener-links", { screenerId: study.screener, name: "Poster" });
  const { workspaces } = service.context;
  writeTo(workspaces, client.workspaceId, (db) => {
    db.run("UPDATE screener_session SET language = 'de' WHERE uid = ?", bea.session);
    db.run("UPDATE screener_session SET screener_link_id = (SELECT id FROM screener_link) WHERE uid = ?", bea.session);
    db.run("UPDATE screener_link SET joined = 1, started = 1, completed = 1");
    db.run("UPDATE screener_session SET withdrawn_at = completed_at WHERE uid = ?", dan.session);
  });
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 9 });
  const offered = await client.post(`/screener-quotas/${quota.id}/offer`, {});
  const rows = await rowsOf(client, offered.body.id);
  assert.ok(!rows.some(({ sessionId }) => sessionId === dan.session));
  const copy = (await client.get(`/screener-participants/${bea.assignment}`)).body.currentSessionId;
  assert.notEqual(copy, bea.session);
  const language = workspaces.read(client.workspaceId, (db) =>
    db.value("SELECT language FROM screener_session WHERE uid = ?", copy),
  );
  assert.equal(language, "de");
  assert.equal((await readSession(client, copy)).screenerLinkId, link.id);
  const joined = await client.all(`/screener-sessions?filter[screenerLinkId][eq]=${link.id}`);
  assert.deepEqual(new Set(joined.map(({ id }) => id)), new Set([bea.session, copy]));
  // The link counts people, however many sessions they have.
  await finish(client, study, { ...bea, session: copy }, "Woman", 25);
  const { body: counted } = await client.get(`/screener-links/${link.id}`);
  assert.deepEqual([counted.joined, counted.started, counted.completed], [1, 1, 1]);
});

test("whoever has joined by an open link goes on in the copy, by the cookie or by the form; the site that knows the session does not", async () => {
  const { client, study, quota } = await crowded(GIVES_LINK_AWAY);
  const { body: link } = await client.post("/screener-links", {
    screenerId: study.screener,
    name: "Poster",
    oneEach: "BROWSER",
  });
  const visitor = new Visitor(service.url);
  const { pathname } = new URL(link.link);
  const form = (order: string) =>
    `${formOf(study, "Sex", { sex: ["Woman"] })}&version=1&shown=${Date.now() - 5000}&order=${order}`;
  const order = crypto.randomUUID();
  const joined = await visitor.post(pathname, form(order));
  const leadsTo = ({ headers }: typeof joined) => String(headers.location).split("?")[0]!.split("/").at(-1)!;
  const before = leadsTo(joined);
  const { screenerParticipantId: assignment } = await readSession(client, before);
  await finish(client, study, { session: before }, "Woman", 42);
  assert.equal((await readSession(client, before)).outcomeReason, "OVER_QUOTA");
  const Cookie = String(joined.headers["set-cookie"]).split(";")[0]!;
  const again = await visitor.post(pathname, form(crypto.randomUUID()), { Cookie });
  assert.equal(leadsTo(again), before);

  await client.patch(`/screener-quotas/${quota.id}`, { limit: 9 });
  assert.equal((await client.post(`/screener-quotas/${quota.id}/offer`, {})).body.status, "SUCCEEDED");
  const copy = (await client.get(`/screener-participants/${assignment}`)).body.currentSessionId;
  assert.notEqual(copy, before);
  const byCookie = await visitor.post(pathname, form(crypto.randomUUID()), { Cookie });
  assert.deepEqual([byCookie.status, leadsTo(byCookie)], [303, copy]);
  const next = String(byCookie.headers["set-cookie"]).split(";")[0]!;
  assert.equal(leadsTo(await visitor.post(pathname, form(crypto.randomUUID()), { Cookie: next })), copy);
  assert.equal(leadsTo(await visitor.post(pathname, form(order))), copy);
  // All that the other site has learned is the id of the former session.
  for (const [guess, known] of [
    [`joined=${study.screener}.${before}`, crypto.randomUUID()],
    [`joined=${before}`, before],
  ] as const) {
    const answer = await visitor.post(pathname, form(known), { Cookie: guess });
    assert.equal(answer.status, 303, answer.text);
    assert.ok(![before, copy].includes(leadsTo(answer)), guess);
  }
  const sessions = await client.all(`/screener-sessions?filter[screenerLinkId][eq]=${link.id}`);
  assert.equal(sessions.length, 4);
});

test("an offer skips those who can't take a place, and says why", async () => {
  const { client, quota, study, bea, cem, dan } = await crowded();
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 9 });
  await client.delete(`/screener-participants/${bea.assignment}`);
  await client.post("/screener-sessions", { screenerParticipantId: cem.assignment });
  const youngOnes = await quotaNamed(client, study, "Young");
  await client.patch(`/screener-quotas/${youngOnes.id}`, { paused: true });
  const offered = await client.post(`/screener-quotas/${quota.id}/offer`, { dryRun: true });
  assert.deepEqual(
    (await rowsOf(client, offered.body.id)).map(({ outcome, reason }) => [outcome, reason]),
    [
      ["SKIPPED", "UNASSIGNED"],
      ["SKIPPED", "ANOTHER_SESSION"],
      ["SKIPPED", "QUOTA_PAUSED"],
      ["OFFERED", null],
    ],
  );
  // The plan shows what it would do, and what has moved since is not applied.
  await client.patch(`/screener-quotas/${youngOnes.id}`, { paused: false });
  const moved = await client.post(`/jobs/${offered.body.id}/apply`, undefined);
  assert.equal(moved.body.problem?.code ?? moved.body.code, "plan_outdated", moved.text);
  assert.equal((await readSession(client, dan.session)).state, "COMPLETED");
  await client.patch(`/screeners/${study.screener}`, { acceptance: "CLOSED" });
  const closed = await client.post(`/screener-quotas/${quota.id}/offer`, undefined);
  assert.equal(closed.body.code, "screener_closed", closed.text);
  assertStore(client);
});

test("what an offer can't be is refused, with all errors at once", async () => {
  const { client, quota } = await crowded();
  for (const holdHours of [0, 337, 1.5, "48"]) {
    const { status, body } = await client.post(`/screener-quotas/${quota.id}/offer`, { holdHours, dryRun: 1 });
    assert.deepEqual(
      [status, body.errors.map(({ pointer }: { pointer: string }) => pointer)],
      [400, ["/holdHours", "/dryRun"]],
    );
  }
  const unknown = "0190a0a0-0000-7000-8000-000000000000";
  for (const path of ["offer", "recount"])
    assert.equal((await client.post(`/screener-quotas/${unknown}/${path}`, {})).body.code, "screener_quota_not_found");
});

test("an erased person is in no rows and in nothing that undoes an offer, and no file has the person's links", async () => {
  const { client, study, quota, bea, cem } = await crowded(GIVES_LINK_AWAY);
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 3 });
  const offered = await client.post(`/screener-quotas/${quota.id}/offer`, {});
  const [first] = await rowsOf(client, offered.body.id);
  const copy = first!.changes[0]!.to;
  const { linkSlug } = await readSession(client, copy);
  const links = [copy, linkSlug, bea.session];
  const foundLinks = () => findBytes(service.config.dataDir, links);
  assert.ok(foundLinks().length >= links.length, "they are there before");
  const { participantId } = (await client.get(`/screener-participants/${bea.assignment}`)).body;
  const erased = await client.call("DELETE", `/participants/${participantId}`, { headers: { Prefer: "wait=10" } });
  assert.equal(erased.body.status, "SUCCEEDED", erased.text);
  const [row] = await rowsOf(client, offered.body.id);
  assert.deepEqual([row!.sessionId, row!.changes], [null, []]);
  assert.deepEqual(foundLinks(), []);
  const undone = await client.post(`/jobs/${offered.body.id}/undo`, undefined);
  assert.deepEqual(undone.body.summary, { rows: 1, reverted: 1, kept: 0 });
  assert.equal(await readStatus(client, cem.assignment), "DISQUALIFIED");
  assert.deepEqual(await counts(client, study), { Women: "1 + 0", Men: "0 + 0", Young: "0 + 0" });
  assertStore(client);
});

test("an undone offer of a copy leaves the assignment as the session before it is now", async () => {
  const { client, quota, bea, cem, dan } = await crowded(GIVES_LINK_AWAY);
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 9 });
  const offered = await client.post(`/screener-quotas/${quota.id}/offer`, {});
  assert.equal(offered.body.summary.offered, 3, offered.text);
  const override = { outcome: "QUALIFIED", reason: "On the phone" };
  assert.equal((await client.post(`/screener-sessions/${bea.session}/override`, override)).status, 200);
  await client.delete(`/screener-sessions/${cem.session}`);
  const undone = await client.post(`/jobs/${offered.body.id}/undo`, undefined);
  assert.deepEqual(undone.body.summary, { rows: 3, reverted: 3, kept: 0 }, undone.text);
  assert.deepEqual(
    [await readStatus(client, bea.assignment), await readStatus(client, cem.assignment)],
    ["QUALIFIED", "NOT_STARTED"],
  );
  assert.equal(await readStatus(client, dan.assignment), "DISQUALIFIED");
  assertStore(client);
});

test("the undo of a removal brings an assignment back as its offered session is by then", async () => {
  const { client, study, quota, bea, cem } = await crowded();
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 3 });
  await client.post(`/screener-quotas/${quota.id}/offer`, { holdHours: 1 });
  const removal = { importMode: "FULL_SYNC", maxRemovals: 9 };
  const stranger = { externalUid: "stranger", email: "stranger@example.org", name: "Stranger" };
  const sync = await client.import(study.screener, [stranger], removal);
  assert.equal(sync.status, 200, sync.text);
  const later = Date.now() + 3_600_001;
  writeTo(service.context.workspaces, client.workspaceId, (db) => endLapsedOffers(db, later));
  const override = { outcome: "QUALIFIED", reason: "On the phone" };
  assert.equal((await client.post(`/screener-sessions/${cem.session}/override`, override)).status, 200);
  const [job] = await client.all("/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT&sort=-createdAt");
  const undone = await client.post(`/jobs/${job.id}/undo`, undefined);
  assert.equal(undone.body.status, "SUCCEEDED", undone.text);
  assert.deepEqual(
    [await readStatus(client, bea.assignment), await readStatus(client, cem.assignment)],
    ["DISQUALIFIED", "QUALIFIED"],
  );
  assertStore(client);
});

test("where another session of a participant has completed since, the undo of a recount leaves the place to it", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages });
  const [ada] = (await invite(client, study.screener, 1)) as [Invitation];
  await finish(client, study, ada, "Woman", 40);
  const when = { questionId: study.question.sex, equals: study.option["sex/Woman"] };
  await republish(client, study, (draft) => ({ ...draft, quotas: [{ name: "Women", when, limit: 2 }] }));
  const { body: later } = await client.open(ada.assignment);
  const { id } = await quotaNamed(client, study, "Women");
  const recounted = await client.post(`/screener-quotas/${id}/recount`, {});
  assert.deepEqual(recounted.body.summary, { counted: 1, skipped: 0 });
  await finish(client, study, { ...ada, session: later.id }, "Woman", 40);
  const undone = await client.post(`/jobs/${recounted.body.id}/undo`, undefined);
  assert.deepEqual(undone.body.summary, { rows: 1, reverted: 1, kept: 0 }, undone.text);
  assert.deepEqual(await counts(client, study), { Women: "1 + 0" });
  const [place] = await client.all(`/screener-quotas/${id}/places`);
  assert.deepEqual([place!.state, place!.screenerSessionId], ["TAKEN", later.id]);
  assertStore(client);
});

test("a recount that is undone does not come back with an override that is taken back", async () => {
  const client = service.workspace();
  const study = await publish(client, { pages });
  const [ada] = (await invite(client, study.screener, 1)) as [Invitation];
  await finish(client, study, ada, "Woman", 40);
  const when = { questionId: study.question.sex, equals: study.option["sex/Woman"] };
  await republish(client, study, (draft) => ({ ...draft, quotas: [{ name: "Women", when, limit: 2 }] }));
  const { id } = await quotaNamed(client, study, "Women");
  const override = (outcome: string) =>
    client.post(`/screener-sessions/${ada.session}/override`, { outcome, reason: "On the phone" });
  const recounted = await client.post(`/screener-quotas/${id}/recount`, {});
  await override("DISQUALIFIED");
  assert.deepEqual(await counts(client, study), { Women: "0 + 0" });
  const undone = await client.post(`/jobs/${recounted.body.id}/undo`, undefined);
  assert.deepEqual(briefly(await rowsOf(client, undone.body.id)), [["KEPT", "GIVEN_BACK", ada.session]]);
  assert.equal((await override("BY_RULES")).status, 200);
  assert.deepEqual(await counts(client, study), { Women: "0 + 0" });
  assertStore(client);
});

test("what a release without offers has written since an offer stays", async () => {
  const { client, quota, bea, cem, eve } = await crowded();
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 9 });
  const offered = await client.post(`/screener-quotas/${quota.id}/offer`, { holdHours: 1 });
  assert.equal(offered.body.summary.offered, 3, offered.text);
  const { workspaces } = service.context;
  const write = (uid: string, set: string) =>
    workspaces.writeWhenFree(client.workspaceId, 5000, (db) =>
      db.run(`UPDATE screener_session SET ${set} WHERE uid = ?`, uid),
    );
  const at = "'2099-01-31T12:00:00.000Z'";
  await write(bea.session, `state = 'COMPLETED', outcome = 'QUALIFIED', last_active_at = ${at}, completed_at = ${at}`);
  await write(cem.session, `last_active_at = ${at}`);
  await write(eve.session, "status = 'REMOVED', state = 'NOT_STARTED', last_active_at = NULL");
  const undo = await client.post(`/jobs/${offered.body.id}/undo`, { dryRun: true });
  assert.deepEqual(
    (await rowsOf(client, undo.body.id)).map(({ reason }) => reason),
    ["ANSWERED", "ANSWERED", "REMOVED"],
  );
  const later = Date.now() + 3_600_001;
  await workspaces.writeWhenFree(client.workspaceId, 5000, (db) => endLapsedOffers(db, later));
  const states = await Promise.all(
    [bea, cem, eve].map(async ({ session }) => {
      const { status, state, outcomeReason } = await readSession(client, session);
      return [status, state, outcomeReason];
    }),
  );
  assert.deepEqual(states, [
    ["ACTIVE", "COMPLETED", null],
    ["ACTIVE", "IN_PROGRESS", null],
    ["REMOVED", "NOT_STARTED", null],
  ]);
});

test("of places that a session had by offers and gave back, only the last one stays listed", async () => {
  const { client, quota, bea } = await crowded();
  await client.patch(`/screener-quotas/${quota.id}`, { limit: 3 });
  for (let time = 0; time < 3; time++) {
    const offered = await client.post(`/screener-quotas/${quota.id}/offer`, {});
    assert.equal(offered.body.summary.offered, 2, offered.text);
    await client.post(`/jobs/${offered.body.id}/undo`, undefined);
  }
  await client.post(`/screener-quotas/${quota.id}/offer`, {});
  const places: { state: string; screenerSessionId: string }[] = await client.all(
    `/screener-quotas/${quota.id}/places`,
  );
  assert.deepEqual(
    places.filter(({ screenerSessionId }) => screenerSessionId === bea.session).map(({ state }) => state),
    ["RELEASED", "HELD"],
  );
  assertStore(client);
});
