// A screener's results: how many have come how far, and what they have answered.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Counter } from "../../src/nouns/question-types/charts/chart.ts";
import { NumberCounter } from "../../src/nouns/question-types/charts/histogram.ts";
import { WordCounter } from "../../src/nouns/question-types/charts/words.ts";
import { UNKNOWN } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { ABOUT, type Entries, formOf, Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body
type Row = Record<string, any>;

const counted = (rows: Row[]) => Object.fromEntries(rows.map(({ label, count }) => [label, count]));

const study = await publish(client, everyKind, { targetQualifiedParticipants: 10 });
const people = await invite(client, study.screener, 6);

async function answer(person: number, answers: Record<string, unknown>, complete = false): Promise<void> {
  const responses = Object.entries(answers).map(([key, given]) => ({
    screenerQuestionId: study.question[key],
    answer: given,
  }));
  const reply = await client.post(`/screener-sessions/${people[person]!.session}/responses`, { responses, complete });
  assert.equal(reply.status, 200, reply.text);
}

const choice = (text: string, isWriteIn = false) => [{ text, isWriteIn }];
const day = "With a run, and with tea";
await answer(0, { age: 17, smokes: choice("No") });
await answer(1, { age: 30, smokes: choice("No"), drink: choice("Tea"), town: null, day }, true);
await answer(2, { age: 42, smokes: choice("No"), drink: choice("Coffee"), town: "York", day: "Tea, and a run" }, true);
await answer(3, { age: 71, smokes: choice("Yes"), brands: [...choice("Cigars"), ...choice("Snus", true)] });
await answer(4, { age: 42, smokes: choice("No") });
// Nobody answers for the sixth.

test("the funnel, the days and the pages say how far everybody has come", async () => {
  const { status, body } = await client.get(`/screeners/${study.screener}/results`);
  assert.equal(status, 200);
  assert.deepEqual(body.funnel, {
    assigned: 6,
    opened: 6,
    started: 5,
    completed: 3,
    ...(await outcomes()),
  });
  assert.deepEqual([body.screenerPublicationId, body.version], [null, null]);
  assert.deepEqual(body.versions, [{ screenerPublicationId: study.publication, version: 1, sessions: 6 }]);
  assert.deepEqual([body.sessions, body.startedSessions, body.countedSessions], [6, 5, 6]);
  // The tests may run across midnight.
  const total = (what: string) => body.days.reduce((sum: number, one: Row) => sum + one[what], 0);
  assert.deepEqual(["opened", "started", "completed"].map(total), [6, 5, 3]);
  assert.match(body.days[0].date, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(
    body.pages.map(({ title, answered, left, screenedOut }: Row) => [title, answered, left, screenedOut]),
    [
      ["About you", 5, 1, 1],
      ["Smoking", 1, 1, 0],
      ["Your days", 2, 0, 0],
    ],
  );
});

test("days are those of the study's time zone", async () => {
  const times: { startedAt: string | null }[] = (await client.all(
    `/screener-sessions?filter[screenerId][eq]=${study.screener}`,
  )) as never;
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]) {
    await client.patch(`/screeners/${study.screener}`, { timeZone });
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
    const started = times.flatMap(({ startedAt }) => (startedAt === null ? [] : [format.format(new Date(startedAt))]));
    const { body } = await client.get(`/screeners/${study.screener}/results`);
    for (const date of new Set(started)) {
      const day = body.days.find((one: Row) => one.date === date);
      assert.equal(day?.started, started.filter((one) => one === date).length, `${timeZone} ${date}`);
    }
  }
});

/** The statuses of the screener's participants, by their list. */
async function outcomes(): Promise<Record<string, number>> {
  const all: Row[] = await client.all(`/screener-participants?filter[screenerId][eq]=${study.screener}`);
  const count = (wanted: string) => all.filter(({ status }) => status === wanted).length;
  return { qualified: count("QUALIFIED"), disqualified: count("DISQUALIFIED"), unknown: count("UNKNOWN") };
}

test("each question has the chart of its type", async () => {
  const { questions } = (await client.get(`/screeners/${study.screener}/results`)).body;
  const of = (key: string): Row => questions.find((one: Row) => one.key === key);
  assert.deepEqual(
    questions.map(({ screenerQuestionId }: Row) => screenerQuestionId),
    Object.values(study.question),
  );
  assert.equal(of("age").chart.kind, "HISTOGRAM");
  assert.deepEqual(of("age").chart.statistics, { min: 17, max: 71, mean: 40.4, median: 42 });
  assert.equal(
    of("age").chart.rows.reduce((sum: number, { count }: Row) => sum + count, 0),
    5,
  );
  assert.deepEqual(counted(of("drink").chart.rows), { Tea: 1, Coffee: 1, "Something else": 0 });
  assert.deepEqual(counted(of("brands").chart.rows), { Cigarettes: 0, Cigars: 1, "A pipe": 0, "Something else": 1 });
  assert.deepEqual([of("town").answered, of("town").skipped], [1, 1]);
  assert.deepEqual(counted(of("day").chart.rows), { run: 2, tea: 2, and: 2, with: 1 });
});

test("results are split by what was answered, and by attributes", async () => {
  const get = async (splitBy: string) =>
    (await client.get(`/screeners/${study.screener}/results?splitBy=${encodeURIComponent(splitBy)}`)).body;
  const smokers = await get(study.question.smokes!);
  assert.deepEqual(
    smokers.groups.map(({ label, sessions }: Row) => [label, sessions]),
    [
      ["No", 4],
      ["Yes", 1],
    ],
  );
  const age = smokers.questions.find(({ key }: Row) => key === "age");
  assert.deepEqual(age.groupAnswered, [4, 1]);
  for (const { count, groupCounts } of age.chart.rows)
    assert.equal(
      groupCounts.reduce((sum: number, n: number) => sum + n, 0),
      count,
    );
  const [first, second] = await client.all("/participants");
  for (const [person, country] of [
    [first, "GB"],
    [second, true],
  ] as const)
    await client.call("PATCH", `/participants/${person.id}`, { body: { attributes: { country } } });
  const { groups } = await get("attributes.country");
  assert.deepEqual(
    groups.map(({ label, sessions }: Row) => [label, sessions]),
    [
      ["GB", 1],
      ["true", 1],
      [null, 3],
    ],
  );
});

test("charts come for as many questions as are asked for", async () => {
  const get = async (query: string) => (await client.get(`/screeners/${study.screener}/results?${query}`)).body;
  const all = await get("");
  assert.equal(all.questionCount, 7);
  assert.deepEqual(
    all.splitQuestions.map(({ screenerQuestionId }: Row) => screenerQuestionId),
    ["smokes", "brands", "drink"].map((key) => study.question[key]),
  );
  assert.deepEqual((await get("fromQuestion=2&questions=3")).questions, all.questions.slice(2, 5));
  assert.deepEqual((await get("fromQuestion=99")).questions, []);
  for (const query of ["questions=501", "questions=x", "fromQuestion=-1"]) assert.equal((await get(query)).status, 400);
});

test("results are those of one publication, and what is not there is said", async () => {
  const other = await publish(client, { pages: [] });
  const results = `/screeners/${study.screener}/results`;
  const older = await client.get(`${results}?publicationId=${study.publication.toUpperCase()}`);
  assert.equal(older.body.screenerPublicationId, study.publication);
  const problem = async (path: string) => {
    const { status, body } = await client.get(path);
    return [status, body.code, body.errors?.[0]?.pointer];
  };
  assert.deepEqual(await problem(`/screeners/${UNKNOWN}/results`), [404, "screener_not_found", undefined]);
  for (const publication of [UNKNOWN, other.publication])
    assert.deepEqual(await problem(`${results}?publicationId=${publication}`), [
      404,
      "screener_publication_not_found",
      undefined,
    ]);
  for (const splitBy of [UNKNOWN, "", "country"])
    assert.deepEqual(await problem(`${results}?splitBy=${splitBy}`), [400, "invalid_request", "splitBy"]);
  const draft = await client.get(`/screeners/${await client.screener()}/results`);
  assert.deepEqual([draft.body.screenerPublicationId, draft.body.questions], [null, []]);
});

/** What a counter comes to after these answers, all of one group. */
function chartOf<Shown>(counter: Counter<Shown>, answers: readonly Shown[], group?: number) {
  for (const answer of answers) counter.add(answer, 0, group);
  return counter.result();
}

test("every number falls into one range, and ranges follow one another", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.maxSafeInteger()), { minLength: 1 }),
      fc.array(fc.double({ noNaN: true, min: -(2 ** 53), max: 2 ** 53 })),
      (whole, broken) => {
        for (const [numbers, isWhole] of [
          [whole, true],
          [[...whole, ...broken], false],
        ] as const) {
          const { rows, statistics } = chartOf(new NumberCounter({ groups: 1, questions: 1 }, isWhole), numbers, 0);
          assert.equal(
            rows.reduce((sum, { count }) => sum + count, 0),
            numbers.length,
          );
          assert.ok(rows.length <= 22, `${rows.length} rows`);
          rows.forEach(({ from, to, count, groupCounts }, at) => {
            const isLast = at === rows.length - 1;
            const within = numbers.filter((n) => n >= from! && (n < to! || (isLast && n <= to!)));
            assert.equal(count, within.length, `${from} to ${to}`);
            assert.deepEqual(groupCounts, [count]);
            if (at) assert.equal(from, rows[at - 1]!.to);
          });
          assert.ok(statistics!.min <= statistics!.median && statistics!.median <= statistics!.max);
        }
      },
    ),
  );
});

test("words of all languages count once for each answer", () => {
  const texts = ["Tee, Tee und Kaffee", "TEE!", "чай и кофе", "l'eau-de-vie"];
  const { rows } = chartOf(new WordCounter({ groups: 0, questions: 1 }), texts);
  assert.deepEqual(counted(rows), { tee: 2, "l'eau-de-vie": 1, kaffee: 1, und: 1, чай: 1, кофе: 1 });
});

test("pages say for how long people had them open, until they were sent", async () => {
  const timed = await publish(client, everyKind);
  const links = await invite(client, timed.screener, 5);
  const visitor = new Visitor(service.url);
  const send = (person: number, entries: Entries, openMs: number | string) => {
    const shown = typeof openMs === "number" ? Date.now() - openMs : openMs;
    return visitor.post(links[person]!.path, `${formOf(timed, "About you", entries)}&shown=${shown}`);
  };
  const form = await visitor.open(links[0]!.path);
  const shownAt = Number(/name="shown" value="(\d+)"/.exec(form.text)?.[1]);
  assert.ok(Math.abs(shownAt - Date.now()) < 60_000);
  // What was wrong is shown again, and its time goes on.
  const wrong = await send(0, { age: "x" }, 9_000);
  assert.equal(wrong.status, 422);
  const goesOn = Number(/name="shown" value="(\d+)"/.exec(wrong.text)?.[1]);
  assert.equal((await send(0, ABOUT, Date.now() - goesOn)).status, 303);
  assert.equal((await send(1, ABOUT, 60_000)).status, 303);
  assert.equal((await send(2, ABOUT, 125_000)).status, 303);
  // The page was left open; and a clock that no browser has.
  assert.equal((await send(3, ABOUT, 7_200_000)).status, 303);
  assert.equal((await send(4, ABOUT, "soon")).status, 303);
  const seconds = async () =>
    (await client.get(`/screeners/${timed.screener}/results`)).body.pages.map((page: Row) => page.medianSeconds);
  const [about, ...others] = await seconds();
  assert.ok(about >= 60 && about < 90, String(about));
  assert.deepEqual(others, [null, null]);
  // A page that is sent again adds to its time.
  assert.equal((await send(1, ABOUT, 50_000)).status, 303);
  const [longer] = await seconds();
  assert.ok(longer >= 110 && longer < 125, String(longer));
  const session = links[2]!.session;
  await client.delete(`/screener-sessions/${session}`);
  const [without] = await seconds();
  assert.ok(without >= 59 && without < 75, String(without));
});
