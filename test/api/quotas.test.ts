// Quotas: cells of a screener over all its publications, and the places that participants hold and take in them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { UNKNOWN } from "../support/client.ts";
import { parseCsv } from "../support/csv.ts";
import { men, pages, women } from "../support/quota-pages.ts";
import { sharedService } from "../support/service.ts";
import { writeTo } from "../support/store.ts";
import { type Invitation, invite, type Published, publish, readSession, readStatus } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();

const young = { questionId: "age", lessThan: 30 };

interface Quota {
  id: string;
  name: string;
  taken: number;
  held: number;
  remaining: number | null;
  status: string;
}

const quotasOf = (screener: string): Promise<Quota[]> => client.all(`/screeners/${screener}/quotas`) as never;
const named = async (screener: string, name: string) =>
  (await quotasOf(screener)).find((quota) => quota.name === name)!;
const counts = async (screener: string) =>
  Object.fromEntries(
    (await quotasOf(screener)).map(({ name, taken, held, status }) => [name, `${taken} + ${held} ${status}`]),
  );

const SEX = (study: Published, answer: string) => [
  { screenerQuestionId: study.question.sex!, answer: [{ text: answer, isWriteIn: false }] },
];
const send = (study: Published, { session }: Invitation, given: object, complete = false) => {
  const { sex, age, town } = given as { sex?: string; age?: number; town?: string };
  const responses = [
    ...(sex === undefined ? [] : SEX(study, sex)),
    ...(age === undefined ? [] : [{ screenerQuestionId: study.question.age!, answer: age }]),
    ...(town === undefined ? [] : [{ screenerQuestionId: study.question.town!, answer: town }]),
  ];
  return client.post(`/screener-sessions/${session}/responses`, { responses, complete });
};
const places = (id: string, filter = "") =>
  client.all(`/screener-quotas/${id}/places${filter}`) as unknown as Promise<
    { state: string; reason: string | null; screenerSessionId: string; isOverLimit: boolean }[]
  >;

test("a place is held as soon as what a quota asks about is answered, taken when the participant qualifies, and given back when not", async () => {
  const study = await publish(client, {
    pages,
    quotas: [
      { name: "Women", when: women, limit: 2 },
      { name: "Young women", when: { all: [women, young] }, limit: 1 },
      { name: "All", when: null, mode: "COUNT" },
    ],
  });
  const [ada, bea, cem, dan] = (await invite(client, study.screener, 4)) as [
    Invitation,
    Invitation,
    Invitation,
    Invitation,
  ];
  assert.deepEqual(await counts(study.screener), {
    Women: "0 + 0 OPEN",
    "Young women": "0 + 0 OPEN",
    All: "0 + 0 OPEN",
  });
  await send(study, ada, { sex: "Woman" });
  assert.deepEqual(await counts(study.screener), {
    Women: "0 + 1 OPEN",
    "Young women": "0 + 0 OPEN",
    All: "0 + 1 OPEN",
  });
  await send(study, ada, { age: 20 });
  assert.deepEqual(await counts(study.screener), {
    Women: "0 + 1 OPEN",
    "Young women": "0 + 1 HELD_FULL",
    All: "0 + 1 OPEN",
  });
  // Another young woman finds the smaller quota full, and gives the place in the other one back.
  const turned = await send(study, bea, { sex: "Woman", age: 25 });
  assert.equal(turned.status, 200, turned.text);
  const youngWomen = await named(study.screener, "Young women");
  assert.deepEqual(
    [turned.body.state, turned.body.outcomeReason, turned.body.outcomeQuotaIds],
    ["COMPLETED", "OVER_QUOTA", [youngWomen.id]],
  );
  assert.equal(await readStatus(client, bea.assignment), "DISQUALIFIED");
  const { body: why } = await client.get(`/screener-sessions/${bea.session}/explanation`);
  assert.equal(why.sentence, "Full: there was no place in the quota “Young women”.");
  assert.deepEqual(why.judgedNow, { outcome: "DISQUALIFIED", outcomeReason: "OVER_QUOTA" });
  assert.deepEqual(
    why.rules.map(({ kind, result, decides }: Record<string, unknown>) => [kind, result, decides]),
    [
      ["DISQUALIFY_WHEN", "DOES_NOT_HOLD", false],
      ["QUOTA_CELL", "HOLDS", true],
    ],
  );
  assert.deepEqual(
    why.quotas.map(({ name, isIn, place }: Record<string, unknown>) => [name, isIn, place]),
    [
      ["Women", true, null],
      ["Young women", true, null],
      ["All", true, null],
    ],
  );
  assert.deepEqual(await counts(study.screener), {
    Women: "0 + 1 OPEN",
    "Young women": "0 + 1 HELD_FULL",
    All: "0 + 1 OPEN",
  });
  // Who changes an answer gives back what it no longer is in.
  await send(study, ada, { sex: "Man" });
  assert.deepEqual(await counts(study.screener), {
    Women: "0 + 0 OPEN",
    "Young women": "0 + 0 OPEN",
    All: "0 + 1 OPEN",
  });
  await send(study, ada, { sex: "Woman" });
  await send(study, ada, { town: "York" }, true);
  assert.equal(await readStatus(client, ada.assignment), "QUALIFIED");
  assert.deepEqual(await counts(study.screener), {
    Women: "1 + 0 OPEN",
    "Young women": "1 + 0 FULL",
    All: "1 + 0 OPEN",
  });
  // A child holds a place until the page that screens out.
  await send(study, cem, { sex: "Woman" });
  assert.equal((await named(study.screener, "Women")).status, "HELD_FULL");
  await send(study, cem, { age: 12 });
  assert.equal((await readSession(client, cem.session)).outcomeReason, "SCREENED_OUT");
  assert.equal((await named(study.screener, "Women")).held, 0);
  // In one submission.
  await send(study, dan, { sex: "Woman", age: 40, town: "Bath" }, true);
  assert.deepEqual(await counts(study.screener), {
    Women: "2 + 0 FULL",
    "Young women": "1 + 0 FULL",
    All: "2 + 0 OPEN",
  });
  const all = await places((await named(study.screener, "Women")).id);
  assert.deepEqual(
    all.map(({ state, reason, screenerSessionId }) => [state, reason, screenerSessionId]),
    [
      ["RELEASED", "ANSWERS_CHANGED", ada.session],
      ["TAKEN", null, ada.session],
      ["RELEASED", "SCREENED_OUT", cem.session],
      ["TAKEN", null, dan.session],
    ],
  );
  const { id } = await named(study.screener, "Women");
  assert.equal((await places(id, "?filter[state][eq]=TAKEN")).length, 2);
  assert.equal((await places(id, "?filter[state][nin][]=TAKEN")).length, 2);
  assert.deepEqual(await places(id, "?filter[state][in]="), []);
  const [headings, ...rows] = parseCsv((await client.get(`/screeners/${study.screener}/export`)).text);
  const at = (heading: string) => headings!.indexOf(heading);
  assert.deepEqual(
    rows.map((row) => ["Women", "Young women", "All"].map((name) => row[at(`quotas.${name}`)])),
    [
      ["TAKEN", "TAKEN", "TAKEN"],
      ["", "", ""],
      ["", "", ""],
      ["TAKEN", "", "TAKEN"],
    ],
  );
  assert.match(
    (await client.get(`/screeners/${study.screener}/codebook`)).text,
    /quotas\.Young women,.*TAKEN, HELD or empty/,
  );
  const { text } = await client.call("GET", `/screener-quotas/${id}/places`, { headers: { Accept: "text/csv" } });
  assert.equal(parseCsv(text).length, 5);
  const events: { type: string; summary: object }[] = (await client.all(
    `/events?filter[resourceId][eq]=${id}`,
  )) as never;
  assert.deepEqual(
    events.map(({ type, summary }) => [type, summary]),
    [["screener-quota.full", { limit: 2, taken: 2, held: 0, screenerId: study.screener }]],
  );
});

test("of very many places the pages, the totals and the whole list are right", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 2 }] });
  const [ada, eve] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  await send(study, ada, { sex: "Woman" });
  const { id } = await named(study.screener, "Women");
  const many = 25_000;
  writeTo(service.context.workspaces, client.workspaceId, (db) =>
    db.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO quota_place (uid, quota_id, participant_id, session_id, state, reason, created_at)
       SELECT printf('released-%05d', i), p.quota_id, p.participant_id, p.session_id, 'RELEASED', 'ANSWERS_CHANGED', p.created_at
       FROM n CROSS JOIN quota_place AS p JOIN screener_quota AS q ON q.id = p.quota_id WHERE q.uid = ?`,
      many,
      id,
    ),
  );
  await send(study, eve, { sex: "Woman" });
  const page = async (query: string) => {
    const { status, body, text } = await client.get(`/screener-quotas/${id}/places${query}`);
    assert.equal(status, 200, text);
    return body;
  };
  const { total, items } = await page(`?pagination[offset]=${many - 1}&pagination[limit]=10`);
  assert.equal(total, many + 2);
  assert.deepEqual(
    items.map(({ id, state }: { id: string; state: string }) => [state, state === "RELEASED" && id]),
    [
      ["RELEASED", "released-24999"],
      ["RELEASED", "released-25000"],
      ["HELD", false],
    ],
  );
  assert.equal((await page("?filter[state][eq]=RELEASED")).total, many);
  assert.equal((await page("?filter[state][eq]=HELD")).total, 2);
  const { text } = await client.call("GET", `/screener-quotas/${id}/places`, { headers: { Accept: "text/csv" } });
  const ids = parseCsv(text).map(([first]) => first);
  assert.deepEqual([ids.length, new Set(ids).size], [many + 3, many + 3]);
});

test("a quota of everybody that is full refuses links that are not started; those who hold a place finish", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Everybody", when: null, limit: 1 }] });
  const [first, second] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  await send(study, first, { sex: "Man" });
  const refused = await send(study, second, { sex: "Man" });
  assert.deepEqual([refused.status, refused.body.code], [409, "quota_reached"]);
  assert.match(refused.body.detail, /^A quota of the screener has no place left/);
  const visitor = new Visitor(service.url);
  assert.match((await visitor.get(second.path)).text, /This study is full/);
  assert.equal((await send(study, first, { age: 50, town: "Ely" }, true)).status, 200);
  assert.equal((await named(study.screener, "Everybody")).status, "FULL");
  // A removed session gives its place back.
  await client.call("DELETE", `/screener-sessions/${first.session}`);
  assert.deepEqual(await counts(study.screener), { Everybody: "0 + 0 OPEN" });
  assert.equal((await send(study, second, { sex: "Man" })).status, 200);
});

test("results are split by who has a place in a quota", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 5 }] });
  const [ada, bea, cem] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  await send(study, ada, { sex: "Woman", age: 40, town: "York" }, true);
  await send(study, bea, { sex: "Woman" });
  await send(study, cem, { sex: "Man", age: 40, town: "Bath" }, true);
  const { id } = await named(study.screener, "Women");
  const results = (query = "") => client.get(`/screeners/${study.screener}/results${query}`);
  assert.deepEqual((await results()).body.splitQuotas, [{ screenerQuotaId: id, name: "Women" }]);
  const { body } = await results(`?splitBy=quotas.${id}`);
  assert.deepEqual(
    body.groups.map(({ label, sessions }: { label: string; sessions: number }) => [label, sessions]),
    [
      ["HELD", 1],
      ["TAKEN", 1],
      [null, 1],
    ],
  );
  const [sex] = body.questions;
  assert.deepEqual(
    sex.chart.rows.map(({ label, groupCounts }: { label: string; groupCounts: number[] }) => [label, groupCounts]),
    [
      ["Woman", [1, 1, 0]],
      ["Man", [0, 0, 1]],
    ],
  );
  const unknown = await results("?splitBy=quotas.0190a0a0-0000-7000-8000-000000000000");
  assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, "splitBy"]);
});

test("END lets people finish, and claims once more at the end", async () => {
  const ending = { at: "END", thankYou: "Enough women for now." };
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 1, ending }] });
  const [first, second, third] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  await send(study, first, { sex: "Woman" });
  for (const late of [second, third]) {
    const { body } = await send(study, late, { sex: "Woman" });
    assert.equal(body.state, "IN_PROGRESS");
  }
  const turned = await send(study, second, { age: 30, town: "Rye" }, true);
  assert.equal(turned.body.outcomeReason, "OVER_QUOTA");
  const visitor = new Visitor(service.url);
  assert.match((await visitor.get(`${second.path}?done`)).text, /Enough women for now\./);
  await client.call("DELETE", `/screener-sessions/${first.session}`);
  await send(study, third, { age: 30, town: "Rye" }, true);
  assert.equal(await readStatus(client, third.assignment), "QUALIFIED");
});

test("limits and pauses are live: they count at once, and take nobody's place", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Men", when: men, limit: 1 }] });
  const [first, second, third] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  const quota = await named(study.screener, "Men");
  const patch = (body: object, headers = {}) => client.call("PATCH", `/screener-quotas/${quota.id}`, { body, headers });
  await send(study, first, { sex: "Man", age: 33, town: "Deal" }, true);
  const raised = await patch({ limit: 2 });
  assert.deepEqual([raised.body.limit, raised.body.status, raised.body.remaining], [2, "OPEN", 1]);
  const stale = await patch({ limit: 3 }, { "If-Match": '"other"' });
  assert.equal(stale.status, 412);
  await patch({ paused: true });
  assert.equal((await send(study, second, { sex: "Man" })).body.outcomeReason, "OVER_QUOTA");
  assert.equal((await named(study.screener, "Men")).status, "PAUSED");
  await patch({ paused: false });
  assert.equal((await send(study, third, { sex: "Man" })).body.state, "IN_PROGRESS");
  const lowered = await patch({ limit: 0 });
  assert.deepEqual([lowered.body.taken, lowered.body.held, lowered.body.remaining], [1, 1, 0]);
  await send(study, third, { age: 33, town: "Deal" }, true);
  assert.equal(await readStatus(client, third.assignment), "QUALIFIED");
  for (const body of [{ limit: -1 }, { limit: 1.5 }, { limit: null }, { paused: "yes" }])
    assert.equal((await patch(body)).status, 400, JSON.stringify(body));
  assert.equal(
    (await client.call("PATCH", `/screener-quotas/${UNKNOWN}`, { body: {} })).body.code,
    "screener_quota_not_found",
  );
  const types = (await client.all(`/events?filter[resourceId][eq]=${quota.id}`)) as { type: string }[];
  assert.deepEqual(
    types.map(({ type }) => type.replace("screener-quota.", "")),
    ["full", "updated", "opened", "updated", "updated", "updated", "full"],
  );
});

test("that a quota turns full or has room again is said after what has done it, also by another mode or an outcome set by hand", async () => {
  const quotas = [{ name: "Men", when: men, limit: 1 }];
  const study = await publish(client, { pages, quotas });
  const [first] = (await invite(client, study.screener, 1)) as [Invitation];
  await send(study, first, { sex: "Man", age: 33, town: "Deal" }, true);
  const { id } = await named(study.screener, "Men");
  const types = async () => (await client.all("/events")).map(({ type }: { type: string }) => type);
  const assertNext = async (act: () => Promise<{ status: number; text: string }>, ...expected: string[]) => {
    const before = (await types()).length;
    const { status, text } = await act();
    assert.ok(status < 300, text);
    assert.deepEqual((await types()).slice(before), expected);
  };
  const override = (outcome: string) =>
    client.post(`/screener-sessions/${first.session}/override`, { outcome, reason: "Said so" });
  await assertNext(() => override("DISQUALIFIED"), "screener-session.overridden", "screener-quota.opened");
  await assertNext(() => override("BY_RULES"), "screener-session.overridden", "screener-quota.full");
  const path = `/screeners/${study.screener}/content`;
  const { body: draft } = await client.get(path);
  const publishWith = (mode: string) => async () => {
    const body = { ...draft, quotas: [{ ...draft.quotas[0], mode }] };
    assert.equal((await client.call("PUT", path, { body })).status, 200);
    return client.post("/screener-publications", { screenerId: study.screener });
  };
  const saved = "screener.updated";
  await assertNext(publishWith("COUNT"), saved, "screener.published", "screener-quota.opened");
  await assertNext(publishWith("LIMIT"), saved, "screener.published", "screener-quota.full");
  const remove = () => client.delete(`/screener-sessions/${first.session}`);
  await assertNext(remove, "screener-session.removed", "screener-quota.opened");
  const [opened] = (await client.all(`/events?filter[resourceId][eq]=${id}`)).slice(-1);
  assert.deepEqual(opened.summary, { limit: 1, taken: 0, held: 0, screenerId: study.screener });
});

test("a quota counts over all versions, and keeps its rule", async () => {
  const quotas = [{ id: "women", name: "Women", when: women, limit: 2 }];
  const study = await publish(client, { pages, quotas });
  const [first, second] = (await invite(client, study.screener, 2)) as [Invitation, Invitation];
  await send(study, first, { sex: "Woman", age: 40, town: "Hove" }, true);
  const path = `/screeners/${study.screener}/content`;
  const { body: draft } = await client.get(path);
  const put = (body: object) => client.call("PUT", path, { body });
  const changed = await put({ ...draft, quotas: [{ ...draft.quotas[0], when: null }] });
  assert.deepEqual(
    [changed.status, changed.body.code, changed.body.errors[0].pointer],
    [400, "quota_rule_changed", "/quotas/0/when"],
  );
  const wrong = await put({
    ...draft,
    quotas: [
      { name: "A" },
      { name: "A", limit: 1, mode: "Limit" },
      { name: "", limit: -1, ending: { at: "LATER" } },
      null,
    ],
  });
  const pointers = wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  for (const pointer of [
    "/quotas/0/limit",
    "/quotas/1/name",
    "/quotas/1/mode",
    "/quotas/2/name",
    "/quotas/2/limit",
    "/quotas/2/ending/at",
  ])
    assert.ok(pointers.includes(pointer), `${pointer} in ${pointers}`);
  assert.ok(!pointers.includes("/quotas/3/limit"), "what is no object lacks nothing");
  const renamed = await put({ ...draft, quotas: [{ ...draft.quotas[0], name: "All women", limit: 99 }] });
  assert.equal(renamed.status, 200, renamed.text);
  await client.post("/screener-publications", { screenerId: study.screener });
  // The first version's sessions go on, and claim the same quota. Its limit is the one that it began with.
  await send(study, second, { sex: "Woman", age: 41, town: "Hove" }, true);
  const [quota] = await quotasOf(study.screener);
  assert.deepEqual([quota?.name, quota?.taken, quota?.status], ["All women", 2, "FULL"]);
  await put({ ...draft, quotas: [] });
  assert.equal((await quotasOf(study.screener))[0]?.status, "RETIRED");
  const back = await put({ ...draft, quotas: draft.quotas });
  assert.equal(back.body.quotas[0].id, draft.quotas[0].id);
  assert.equal((await quotasOf(study.screener))[0]?.status, "FULL");
});

test("overrides may exceed a limit and are marked; removals release what is held; erasures leave a number", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Men", when: men, limit: 1 }] });
  const [first, second, third] = (await invite(client, study.screener, 3)) as [Invitation, Invitation, Invitation];
  await send(study, first, { sex: "Man", age: 33, town: "Deal" }, true);
  await send(study, second, { sex: "Man", age: 33, town: "Deal" }, true);
  const override = (outcome: string) =>
    client.post(`/screener-sessions/${second.session}/override`, { outcome, reason: "We know him" });
  await override("QUALIFIED");
  assert.deepEqual((await readSession(client, second.session)).outcomeQuotaIds, []);
  assert.deepEqual(await counts(study.screener), { Men: "2 + 0 FULL" });
  const { id } = await named(study.screener, "Men");
  assert.deepEqual(
    (await places(id)).map(({ isOverLimit }) => isOverLimit),
    [false, true],
  );
  await override("BY_RULES");
  assert.deepEqual(await counts(study.screener), { Men: "1 + 0 FULL" });
  await client.call("PATCH", `/screener-quotas/${id}`, { body: { limit: 2 } });
  await send(study, third, { sex: "Man" });
  assert.deepEqual(await counts(study.screener), { Men: "1 + 1 HELD_FULL" });
  await client.call("DELETE", `/screener-participants/${third.assignment}`);
  assert.deepEqual(await counts(study.screener), { Men: "1 + 0 OPEN" });
  const participant = (await client.get(`/screener-participants/${first.assignment}`)).body.participantId;
  await client.call("DELETE", `/participants/${participant}`);
  assert.deepEqual(await counts(study.screener), { Men: "1 + 0 OPEN" });
  assert.ok((await places(id)).every(({ screenerSessionId }) => screenerSessionId !== first.session));
  await client.call("DELETE", `/screeners/${study.screener}?confirm=Sleep%20and%20smoke`);
  assert.equal((await client.get(`/screener-quotas/${id}`)).status, 404);
});
