// A forecast says what quotas would have let through, and it says exactly what they have let through where they were there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { forecast } from "../../src/forecast/forecast.ts";
import { people, UNKNOWN } from "../support/client.ts";
import { men, pages, women } from "../support/quota-pages.ts";
import { sharedService } from "../support/service.ts";
import { withScopes } from "../support/store.ts";
import { type Invitation, invite, type Published, publish } from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();

const under = (age: number) => ({ questionId: "age", lessThan: age });

interface Cell {
  id: string | null;
  name: string;
  limit: number | null;
  taken: number;
  turnedAway: number;
  turnedAwayBy: { name: string; count: number }[];
  unknown: number;
  people: number;
  canFill: boolean | null;
  cannotFillBecause: string | null;
  invitationsNeeded: { estimate: number; low: number; high: number } | null;
}

interface Forecast {
  basis: string;
  roster: string | null;
  total: number;
  replayed: number;
  screenedOut: number;
  quotas: Cell[];
}

const ask = (screener: string, body: object = {}) => client.post(`/screeners/${screener}/quota-forecast`, body);
async function forecastOf(screener: string, body: object = {}): Promise<Forecast> {
  const { status, text, body: forecast } = await ask(screener, body);
  assert.equal(status, 200, text);
  return forecast;
}
const cellsOf = ({ quotas }: Forecast) => Object.fromEntries(quotas.map((cell) => [cell.name, cell]));
const counts = ({ taken, turnedAway, unknown }: Cell) => `${taken} / ${turnedAway} / ${unknown}`;

interface Given {
  sex?: "Woman" | "Man";
  age?: number;
  town?: string;
}
/** Undefined: the study is full. */
const send = async ({ question }: Published, { session }: Invitation, { sex, age, town }: Given, complete = false) => {
  const responses = [
    ...(sex === undefined ? [] : [{ screenerQuestionId: question.sex!, answer: [{ text: sex, isWriteIn: false }] }]),
    ...(age === undefined ? [] : [{ screenerQuestionId: question.age!, answer: age }]),
    ...(town === undefined ? [] : [{ screenerQuestionId: question.town!, answer: town }]),
  ];
  const { status, text, body } = await client.post(`/screener-sessions/${session}/responses`, { responses, complete });
  if (body.code === "quota_reached") return undefined;
  assert.equal(status, 200, text);
  return body as { state: string; outcomeReason: string | null; outcomeQuotaIds: string[] };
};

/** Answers page by page, as far as the session goes on. */
async function answer(study: Published, link: Invitation, { sex, age, town = "York" }: Given) {
  const steps: [Given, boolean][] = [
    [{ ...(sex && { sex }) }, false],
    [{ ...(age !== undefined && { age }) }, false],
    [{ town }, true],
  ];
  let last: Awaited<ReturnType<typeof send>> | undefined;
  for (const [given, complete] of steps) {
    last = await send(study, link, given, complete);
    if (last?.state !== "IN_PROGRESS") break;
  }
  return last;
}

/** Numbers from 0 to 1 that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

test("with the quotas that were there, the forecast is what they have let through", async () => {
  const study = await publish(client, {
    pages,
    qualifyWhen: { questionId: "age", lessThan: 75 },
    quotas: [
      { name: "Young women", when: { all: [women, under(30)] }, limit: 5 },
      { name: "Under 30", when: under(30), limit: 9 },
      { name: "Women", when: women, limit: 26, ending: { at: "END" } },
      { name: "Men", when: men, limit: 28 },
      { name: "Over 60", when: { not: under(60) }, limit: 15, ending: { at: "END" } },
      { name: "Everybody", when: null, limit: 200 },
      { name: "Counted", when: { any: [women, under(40)] }, mode: "COUNT" },
    ],
  });
  // Who was turned away on the first page has not said how old they are.
  const isIn: Record<string, (given: Given) => boolean> = {
    "Under 30": ({ age = 99 }) => age < 30,
    Women: ({ sex }) => sex === "Woman",
    "Young women": ({ sex, age = 99 }) => sex === "Woman" && age < 30,
    Men: ({ sex }) => sex === "Man",
    "Over 60": ({ age = 0 }) => age >= 60,
    Everybody: () => true,
    Counted: ({ sex, age = 99 }) => sex === "Woman" || age < 40,
  };
  const live = await client.all(`/screeners/${study.screener}/quotas`);
  const names = new Map(live.map(({ id, name }) => [id, name]));
  const random = seeded(7);
  const turned: { given: Given; by: string }[] = [];
  let screenedOut = 0;
  for (const link of await invite(client, study.screener, 200)) {
    const given: Given = { sex: random() < 0.5 ? "Woman" : "Man", age: Math.floor(10 + random() * 75) };
    const last = await answer(study, link, given);
    if (!last) break;
    if (last.outcomeReason === "SCREENED_OUT") screenedOut++;
    if (last.outcomeReason !== "OVER_QUOTA") continue;
    const { total } = (await client.get(`/screener-responses?filter[screenerSessionId][eq]=${link.session}`)).body;
    const known = total > 1 ? given : { sex: given.sex! };
    turned.push({ given: known, by: names.get(last.outcomeQuotaIds[0]!)! });
  }
  assert.ok(new Set(turned.map(({ by }) => by)).size >= 4);
  const forecast = await forecastOf(study.screener);
  assert.deepEqual([forecast.basis, forecast.screenedOut], ["ANSWERS", screenedOut]);
  const cells = cellsOf(forecast);
  for (const { id, name, taken } of await client.all(`/screeners/${study.screener}/quotas`)) {
    const cell = cells[name]!;
    assert.deepEqual([cell.id, cell.taken], [id, taken], name);
    const mine = turned.filter(({ given }) => isIn[name]!(given)).map(({ by }) => by);
    assert.equal(cell.turnedAway, mine.length, name);
    assert.deepEqual(Object.fromEntries(cell.turnedAwayBy.map((one) => [one.name, one.count])), countedBy(mine), name);
  }
});

function countedBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));
}

test("who is screened out because of what a program has left out is screened out in the forecast, too", async () => {
  const jam = { questionId: "eat", notContains: "jam" };
  const options = [
    { id: "jam", text: "Jam" },
    { id: "bread", text: "Bread" },
  ];
  const eat = { id: "eat", key: "eat", _type: "ScreenerMultiSelectQuestion", prompt: "What?", options };
  const agreed = {
    key: "agreed",
    _type: "ScreenerConsentQuestion",
    prompt: "May we?",
    text: "May we?",
    required: true,
  };
  const study = await publish(client, {
    pages: [{ title: "Eat", disqualifyWhen: jam, questions: [eat, agreed] }, ...pages],
    quotas: [{ name: "Women", when: women, limit: 5 }],
  });
  const [ada, bea] = await invite(client, study.screener, 2);
  for (const link of [ada!, bea!]) {
    const { state, outcomeReason } = (await send(study, link, { sex: "Woman" }, link === bea))!;
    assert.deepEqual([state, outcomeReason], ["COMPLETED", "SCREENED_OUT"]);
    const kept = await client.all(`/screener-responses?filter[screenerSessionId][eq]=${link.session}`);
    assert.deepEqual(
      kept.map(({ screenerQuestionId, answer }) => [screenerQuestionId, answer?.[0].text ?? null]),
      [
        [study.question.eat, null],
        [study.question.sex, "Woman"],
      ],
    );
  }
  const { replayed, screenedOut, quotas } = await forecastOf(study.screener);
  assert.deepEqual([replayed, screenedOut, counts(quotas[0]!)], [2, 2, "0 / 0 / 0"]);
});

test("who has refused a consent is screened out in the forecast, also where an answer had it shown: that is not kept", async () => {
  const agreed = {
    ...{ key: "agreed", _type: "ScreenerConsentQuestion", prompt: "May we?", text: "May we?" },
    ...{ required: true, showWhen: women },
  };
  const study = await publish(client, {
    pages: [...pages, { title: "May we?", questions: [agreed] }],
    quotas: [{ name: "Everybody", when: null, limit: 5 }],
  });
  const [ada, bea] = await invite(client, study.screener, 2);
  await send(study, bea!, { sex: "Woman", age: 30, town: "York" });
  const responses = [
    { screenerQuestionId: study.question.sex, answer: [{ text: "Woman", isWriteIn: false }] },
    { screenerQuestionId: study.question.age, answer: 30 },
    { screenerQuestionId: study.question.agreed, answer: null },
  ];
  const refused = await client.post(`/screener-sessions/${ada!.session}/responses`, { responses });
  assert.deepEqual([refused.body.state, refused.body.outcomeReason], ["COMPLETED", "NO_CONSENT"], refused.text);
  const { replayed, screenedOut, quotas } = await forecastOf(study.screener);
  assert.deepEqual([replayed, screenedOut, counts(quotas[0]!)], [2, 1, "0 / 0 / 1"]);
  // A draft that does not require it has nobody end there.
  const { body: draft } = await client.get(`/screeners/${study.screener}/content`);
  draft.pages.at(-1).questions[0].required = false;
  const changed = await client.call("PUT", `/screeners/${study.screener}/content`, {
    body: { pages: draft.pages, quotas: draft.quotas },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await forecastOf(study.screener)).screenedOut, 0);
});

test("who has refused a consent is not turned away in the forecast by a quota that was full before", async () => {
  const agreed = {
    ...{ id: "agreed", key: "agreed", _type: "ScreenerConsentQuestion", prompt: "May we?", text: "May we?" },
    required: true,
  };
  const [town] = pages.at(-1)!.questions;
  const study = await publish(client, {
    pages: [{ title: "May we?", questions: [agreed, { ...town, required: false }] }],
    // It asks for an answer, so nobody is turned away before the first one.
    quotas: [
      {
        name: "All",
        when: {
          any: [
            { questionId: "agreed", answered: true },
            { attribute: "city", isNot: "York" },
          ],
        },
        limit: 1,
      },
    ],
  });
  const [ada, bea] = await invite(client, study.screener, 2);
  const agree = async ({ session }: Invitation, answer: object | null) => {
    const responses = [{ screenerQuestionId: study.question.agreed, answer }];
    const { body } = await client.post(`/screener-sessions/${session}/responses`, { responses, complete: true });
    return [body.state, body.outcomeReason];
  };
  assert.deepEqual(await agree(ada!, { isGiven: true }), ["COMPLETED", null]);
  assert.deepEqual(await agree(bea!, null), ["COMPLETED", "NO_CONSENT"]);
  const { screenedOut, quotas } = await forecastOf(study.screener);
  assert.deepEqual([screenedOut, counts(quotas[0]!)], [1, "1 / 0 / 0"]);
});

test("who is turned away on the way is turned away in the forecast, also with questions left out before, or open on that page", async () => {
  const eat = { key: "eat", _type: "ScreenerTextQuestion", prompt: "What?" };
  const [first, ...rest] = pages;
  const study = await publish(client, {
    pages: [
      { title: "Eat", questions: [eat] },
      { ...first, questions: [...first!.questions, { ...eat, key: "drink" }] },
      ...rest,
    ],
    quotas: [{ name: "Women", when: women, limit: 0 }],
  });
  const [ada] = await invite(client, study.screener, 1);
  assert.equal((await send(study, ada!, { sex: "Woman" }))!.outcomeReason, "OVER_QUOTA");
  const kept = await client.all(`/screener-responses?filter[screenerSessionId][eq]=${ada!.session}`);
  assert.deepEqual(
    kept.map(({ screenerQuestionId, answer }) => [screenerQuestionId, answer?.[0].text ?? null]),
    [
      [study.question.eat, null],
      [study.question.sex, "Woman"],
    ],
  );
  assert.equal(counts((await forecastOf(study.screener)).quotas[0]!), "0 / 1 / 0");
});

test("what is not known is unknown: sessions that ended early, those in progress, and questions that are new", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 1 }] });
  const [ada, bea, cem, dan] = await invite(client, study.screener, 4);
  await answer(study, ada!, { sex: "Woman", age: 40 });
  // Turned away on the first page, in the middle, and screened out by a rule that the draft does not have any more.
  assert.equal((await answer(study, bea!, { sex: "Woman", age: 20 }))!.outcomeReason, "OVER_QUOTA");
  await send(study, cem!, { sex: "Man", age: 25 });
  assert.equal((await answer(study, dan!, { sex: "Man", age: 12 }))!.outcomeReason, "SCREENED_OUT");
  const isWoman = { questionId: study.question.sex, equals: study.option["sex/Woman"] };
  const isYoung = { questionId: study.question.age, lessThan: 30 };
  const quotas = [
    { name: "Women", when: isWoman, limit: 5 },
    { name: "Under 30", when: isYoung, limit: 5 },
    { name: "Young women", when: { all: [isWoman, isYoung] }, limit: 5 },
    { name: "Everybody", when: null, mode: "COUNT" },
  ];
  const forecast = await forecastOf(study.screener, { quotas });
  assert.deepEqual([forecast.total, forecast.replayed, forecast.screenedOut], [4, 4, 1]);
  const shown = () => forecast.quotas.map((cell) => [cell.name, counts(cell)]);
  assert.deepEqual(shown(), [
    ["Women", "1 / 0 / 1"],
    ["Under 30", "0 / 0 / 2"],
    ["Young women", "0 / 0 / 1"],
    ["Everybody", "1 / 0 / 2"],
  ]);
  const path = `/screeners/${study.screener}/content`;
  const { body: draft } = await client.get(path);
  const [sex, age, town] = draft.pages;
  const more = { id: "pet", _type: "ScreenerTextQuestion", prompt: "Pet?", required: true };
  const put = await client.call("PUT", path, {
    body: {
      pages: [sex, { ...age, disqualifyWhen: null }, { ...town, questions: [...town.questions, more] }],
      quotas: [
        { name: "Cats", when: { questionId: "pet", equals: "cat" }, limit: 5 },
        { name: "Women", when: isWoman, limit: 5 },
        {
          name: "Female cats",
          when: {
            all: [isWoman, { questionId: "pet", equals: "cat" }],
          },
          limit: 0,
        },
      ],
    },
  });
  assert.equal(put.status, 200, put.text);
  const again = await forecastOf(study.screener);
  assert.equal(again.screenedOut, 0);
  // Of Ada it is not known whether she would find the last quota full.
  assert.deepEqual(
    again.quotas.map((cell) => [cell.name, counts(cell)]),
    [
      ["Cats", "0 / 0 / 4"],
      ["Women", "0 / 0 / 2"],
      ["Female cats", "0 / 0 / 2"],
    ],
  );
});

test("a participant has one place; outcomes that a person has set count; limits are those that count now", async () => {
  const quotas = [
    { name: "Men", when: men, limit: 2 },
    { name: "Women", when: women, limit: 2 },
  ];
  const study = await publish(client, { pages, quotas });
  const [ada, bob, cem, dan] = await invite(client, study.screener, 4);
  await answer(study, bob!, { sex: "Man", age: 40 });
  await client.post(`/screener-sessions/${bob!.session}/override`, { outcome: "DISQUALIFIED", reason: "A robot" });
  await answer(study, cem!, { sex: "Man", age: 41 });
  await answer(study, dan!, { sex: "Man", age: 42 });
  await answer(study, ada!, { sex: "Woman", age: 40 });
  const { body } = await client.post("/screener-sessions", { screenerParticipantId: ada!.assignment });
  await answer(study, { ...ada!, session: body.id }, { sex: "Woman", age: 40 });
  const now = async () => (await forecastOf(study.screener)).quotas.map((cell) => [cell.limit, counts(cell)]);
  assert.deepEqual(await now(), [
    [2, "2 / 0 / 0"],
    [2, "1 / 0 / 0"],
  ]);
  const [first] = await client.all(`/screeners/${study.screener}/quotas`);
  await client.call("PATCH", `/screener-quotas/${first!.id}`, { body: { limit: 1 } });
  assert.deepEqual((await now())[0], [1, "1 / 1 / 0"]);
});

test("it says which quotas cannot fill, and how many invitations the others need", async () => {
  const study = await publish(client, { pages, qualifyWhen: { questionId: "age", atLeast: 30 } });
  const { question, option } = study;
  const is = (sex: string) => ({ questionId: question.sex!, equals: option[`sex/${sex}`]! });
  const links = await invite(client, study.screener, 20);
  for (const link of links.slice(0, 4)) await answer(study, link, { sex: "Woman", age: 50 });
  for (const link of links.slice(4, 6)) await answer(study, link, { sex: "Woman", age: 12 });
  const quotas = [
    { name: "Women", when: is("Woman"), limit: 10 },
    { name: "Few women", when: is("Woman"), limit: 4, ending: { at: "END" } },
    { name: "Men", when: is("Man"), limit: 5 },
    { name: "Many men", when: is("Man"), limit: 15 },
    { name: "Both", when: { all: [is("Man"), is("Woman")] }, limit: 1 },
    { name: "Young", when: { questionId: question.age!, lessThan: 30 }, limit: 1 },
    { name: "All", when: null, mode: "COUNT" },
  ];
  const { quotas: cells, screenedOut } = await forecastOf(study.screener, { quotas, basis: "ANSWERS" });
  assert.equal(screenedOut, 2);
  const shown = cells.map((cell) => [cell.name, cell.people, cell.canFill, cell.cannotFillBecause]);
  assert.deepEqual(shown, [
    ["Women", 18, true, null],
    ["Few women", 18, true, null],
    ["Men", 14, true, null],
    ["Many men", 14, false, "TOO_FEW_PEOPLE"],
    ["Both", 14, false, "CONTRADICTION"],
    ["Young", 14, false, "CONTRADICTION"],
    ["All", 18, null, null],
  ]);
  // 4 of 20 have taken a place: 20 %, or from 8.07 % to 41.6 %. Six places are left.
  assert.deepEqual(cells[0]!.invitationsNeeded, { estimate: 30, low: 15, high: 75 });
  assert.deepEqual(cells[1]!.invitationsNeeded, { estimate: 0, low: 0, high: 0 });
  for (const cell of cells.slice(2)) assert.equal(cell.invitationsNeeded, null, cell.name);
});

test("of very many the first are replayed, fewer where quotas compare more, and those who are left out may fill what is left", async () => {
  const study = await publish(client, { pages });
  const { question, option } = study;
  const is = (sex: string) => ({ questionId: question.sex!, equals: option[`sex/${sex}`]! });
  const links = await invite(client, study.screener, 8);
  for (const link of links.slice(0, 6)) await answer(study, link, { sex: "Woman", age: 50 });
  const quotas = [
    { name: "Women", when: is("Woman"), limit: 4 },
    { name: "Many women", when: { all: [is("Woman"), { questionId: question.age!, atLeast: 18 }] }, limit: 8 },
    { name: "All", when: null, mode: "COUNT" },
  ];
  const forecastWithin = (most: { replayed: number; comparisons: number }) =>
    service.context.workspaces.read(client.workspaceId, (db) =>
      db.snapshot(() => forecast(db, study.screener, { quotas, basis: "ANSWERS" }, most)),
    );
  const shown = (replayed: number, comparisons: number) => {
    const made = forecastWithin({ replayed, comparisons });
    return [made.total, made.replayed, ...made.quotas.map((cell) => `${cell.taken} of ${cell.people} ${cell.canFill}`)];
  };
  const all = [6, 6, "4 of 8 true", "4 of 8 true", "4 of 8 null"];
  assert.deepEqual(shown(6, 24), all);
  // The rules have three comparisons, and everybody counts as one.
  assert.deepEqual(shown(6, 23), [6, 5, "4 of 7 true", "4 of 7 true", "4 of 7 null"]);
  assert.deepEqual(shown(2, 24), [6, 2, "2 of 4 true", "2 of 4 true", "2 of 4 null"]);
  assert.deepEqual(shown(6, 1), [6, 1, "1 of 3 true", "1 of 3 true", "1 of 3 null"]);
});

test("by the roster: those assigned with their attributes, or all of the workspace", async () => {
  const other = service.workspace();
  const study = await publish(other, { pages });
  const roster = people(10).map((row, index) => ({
    ...row,
    attributes: { region: index < 6 ? "North" : "South", vip: index === 0 },
  }));
  const quotas = [
    { name: "North", when: { attribute: "region", is: "North" }, limit: 4 },
    { name: "VIP", when: { attribute: "vip", is: true }, limit: 1 },
    { name: "Women", when: { questionId: study.question.sex, equals: study.option["sex/Woman"] }, limit: 20 },
  ];
  for (const row of roster.slice(0, 8)) await other.post("/participants", row);
  const ofRoster = async () =>
    (await other.post(`/screeners/${study.screener}/quota-forecast`, { quotas })).body as Forecast;
  const all = await ofRoster();
  assert.deepEqual([all.basis, all.roster, all.total], ["ROSTER", "WORKSPACE", 8]);
  await other.import(study.screener, roster.slice(0, 5));
  const assigned = await ofRoster();
  assert.deepEqual([assigned.basis, assigned.roster, assigned.total], ["ROSTER", "ASSIGNED", 5]);
  assert.deepEqual(
    assigned.quotas.map((cell) => [
      cell.name,
      counts(cell),
      cell.people,
      cell.cannotFillBecause,
      cell.invitationsNeeded,
    ]),
    [
      ["North", "4 / 1 / 0", 5, null, { estimate: 0, low: 0, high: 0 }],
      ["VIP", "1 / 0 / 0", 1, null, { estimate: 0, low: 0, high: 0 }],
      ["Women", "0 / 0 / 5", 5, "TOO_FEW_PEOPLE", null],
    ],
  );
  assert.deepEqual(assigned.quotas[0]!.turnedAwayBy, [{ id: null, name: "North", count: 1 }]);
  const none = (await other.post(`/screeners/${study.screener}/quota-forecast`, { quotas, basis: "ANSWERS" })).body;
  assert.deepEqual([none.basis, none.total, none.quotas[0].people], ["ANSWERS", 0, 5]);
});

test("wrong quotas are refused with everything that is wrong, as in the content", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 3 }] });
  const { question } = study;
  const [published] = (await client.get(`/screeners/${study.screener}/content`)).body.quotas;
  const wrong = await ask(study.screener, {
    basis: "GUESSES",
    quota: [],
    quotas: [
      { name: "A" },
      { name: "A", limit: 1, mode: "Limit" },
      { name: "", limit: -1, ending: { at: "LATER" } },
      { name: "B", limit: 1, when: { questionId: "elsewhere", answered: true } },
      {
        name: "C",
        limit: 1,
        when: {
          all: [
            { questionId: question.age, contains: "x" },
            { attribute: "a", near: 1 },
          ],
        },
      },
    ],
  });
  assert.deepEqual([wrong.status, wrong.body.code], [400, "invalid_request"]);
  const pointers = wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  for (const pointer of [
    "/basis",
    "/quota",
    "/quotas/0/limit",
    "/quotas/1/mode",
    "/quotas/2/name",
    "/quotas/2/limit",
    "/quotas/2/ending/at",
    "/quotas/3/when/questionId",
    "/quotas/4/when/all/0/contains",
    "/quotas/4/when/all/1/near",
  ])
    assert.ok(pointers.includes(pointer), `${pointer} in ${pointers}`);
  const changed = await ask(study.screener, { quotas: [{ ...published, when: null }] });
  assert.deepEqual([changed.status, changed.body.code], [400, "quota_rule_changed"]);
  assert.equal((await ask(study.screener, { quotas: {} })).body.errors[0].pointer, "/quotas");
  assert.equal((await ask(study.screener, [])).status, 400);
  assert.equal((await ask(UNKNOWN)).body.code, "screener_not_found");
  assert.equal((await client.call("POST", `/screeners/${study.screener}/quota-forecast`)).status, 200);
});

test("a forecast needs the scope read, and writes nothing, whatever the key", async () => {
  const study = await publish(client, { pages, quotas: [{ name: "Women", when: women, limit: 3 }] });
  const [ada] = await invite(client, study.screener, 1);
  await answer(study, ada!, { sex: "Woman", age: 40 });
  const path = `/screeners/${study.screener}/quota-forecast`;
  for (const scope of ["read", "read-without-links", "admin"] as const)
    assert.equal((await (await withScopes(service, client, [scope])).post(path, {})).status, 200, scope);
  for (const scope of ["author", "respond", "import"] as const)
    assert.equal((await (await withScopes(service, client, [scope])).post(path, {})).status, 403, scope);
  await service.drain();
  const rows = () =>
    service.context.workspaces.read(client.workspaceId, (db) => [
      db.value("PRAGMA data_version"),
      ...db
        .values<string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
        .map((name) => `${name} ${db.value(`SELECT count(*) FROM "${name}"`)}`),
    ]);
  const before = rows();
  const key = { "Idempotency-Key": "forecast" };
  const first = await client.post(path, {}, key);
  const second = await client.post(path, { basis: "ROSTER" }, key);
  assert.deepEqual([first.body.basis, second.body.basis], ["ANSWERS", "ROSTER"]);
  assert.equal(second.headers.get("idempotency-replayed"), null);
  assert.deepEqual(rows(), before);
});
