// POST /screener-sessions/{id}/responses: answers from an interface of the integrator's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Answer, UNKNOWN } from "../support/client.ts";
import { sharedService } from "../support/service.ts";
import {
  everyKind,
  type Invitation,
  invite,
  type Published,
  publish,
  readAnswers,
  readSession,
  readStatus,
} from "../support/study.ts";

const service = await sharedService();
const client = service.workspace();

type Given = Record<string, unknown>;

const pick = (...texts: string[]) => texts.map((text) => ({ text, isWriteIn: false }));
const write = (text: string) => ({ text, isWriteIn: true });

/** A published content with a session for each of some people. */
class Study {
  readonly published: Published;
  readonly links: Invitation[];
  private constructor(published: Published, links: Invitation[]) {
    this.published = published;
    this.links = links;
  }

  static async of(content: object, count = 1, more: { targetQualifiedParticipants?: number } = {}): Promise<Study> {
    const published = await publish(client, content, more);
    return new Study(published, await invite(client, published.screener, count));
  }

  session(who = 0): string {
    return this.links[who]!.session;
  }

  /** Sends answers by the keys of questions. */
  send(given: Given, complete?: boolean, who = 0): Promise<Answer> {
    const responses = Object.entries(given).map(([key, answer]) => ({
      screenerQuestionId: this.published.question[key] ?? key,
      answer,
    }));
    return client.post(`/screener-sessions/${this.session(who)}/responses`, { responses, complete });
  }

  /** Sends answers that are taken. @returns the session's state and outcomeReason */
  async taken(given: Given, complete?: boolean, who = 0): Promise<[string, string | null]> {
    const { status, body, text } = await this.send(given, complete, who);
    assert.equal(status, 200, text);
    assert.deepEqual(await readSession(client, this.session(who)), body);
    return [body.state, body.outcomeReason];
  }

  /** Sends answers that are refused. @returns its errors: messages by pointers, but what is missing by itself; with keys for ids */
  async refused(given: Given, complete?: boolean, who = 0): Promise<Record<string, string>> {
    const { status, body, text } = await this.send(given, complete, who);
    assert.deepEqual([status, body?.code], [400, "invalid_request"], text);
    const keys = Object.entries(this.published.question);
    const named = (text: string) => keys.reduce((name, [key, id]) => name.replace(id, key), text);
    return Object.fromEntries(
      body.errors.map(({ pointer, message }: { pointer: string; message: string }) =>
        pointer === "/responses" ? [named(message), pointer] : [pointer, message],
      ),
    );
  }

  answers(who = 0): Promise<Given> {
    return readAnswers(client, this.session(who), this.published);
  }

  status(who = 0): Promise<string> {
    return readStatus(client, this.links[who]!.assignment);
  }
}

const about = { age: 44, smokes: pick("No") };
const days = { drink: pick("Tea"), day: "With the birds." };

test("answers of every kind are taken, replaced, and shown as they were given", async () => {
  const study = await Study.of(everyKind);
  assert.deepEqual(await study.taken({ age: 44, smokes: pick("Sometimes") }), ["IN_PROGRESS", null]);
  assert.equal(await study.status(), "IN_PROGRESS");
  await study.taken({ how_often: "On Sundays" });
  await study.taken({ brands: [write("Shisha"), ...pick("A pipe", "Cigars")] });
  await study.taken({ age: 45, drink: [{ text: "Coffee" }] });
  await study.taken({ drink: [write("Maté")], day: "Up at six.\r\nCoffee." });
  assert.deepEqual(await study.taken({ day: "Up at seven.\nTea." }, true), ["COMPLETED", null]);
  assert.equal(await study.status(), "QUALIFIED");
  assert.deepEqual(await study.answers(), {
    age: 45,
    smokes: pick("Sometimes"),
    how_often: "On Sundays",
    brands: [...pick("Cigars", "A pipe"), write("Shisha")],
    drink: [write("Maté")],
    // Shown, and passed over.
    town: null,
    day: "Up at seven.\nTea.",
  });
});

test("the answer lists everything that is wrong, and nothing is kept", async () => {
  const study = await Study.of(everyKind);
  assert.deepEqual(
    await study.refused({ age: 44.5, smokes: pick("Perhaps"), town: 5, [UNKNOWN]: 1, day: "Hm", drink: null }),
    {
      "/responses/0/answer": "must be a whole number",
      "/responses/1/answer": "is not an option of this question",
      "/responses/2/answer": "must be a string",
      "/responses/3/screenerQuestionId": "is not a question of this publication",
      "/responses/4/answer": "must have at least 5 characters",
      "/responses/5/answer": "is required",
    },
  );
  for (const [given, pointer, why] of [
    [{ ...about, age: 121 }, "/responses/0/answer", /at most 120/],
    [{ ...about, age: null }, "/responses/0/answer", /required/],
    [{ ...about, brands: pick("Cigars") }, "/responses/2/screenerQuestionId", /not shown/],
    [{ ...about, smokes: pick("Yes", "No") }, "/responses/1/answer", /one option/],
    [{ ...about, smokes: [write("x")] }, "/responses/1/answer", /write-in/],
    // What hangs on a wrong answer can't be judged yet.
    [{ age: 44, smokes: pick("Often"), brands: null }, "/responses/1/answer", /not an option/],
    [
      { age: 44, smokes: pick("Often"), how_often: "Daily", brands: pick("Cigars") },
      "/responses/1/answer",
      /not an option/,
    ],
  ] as const) {
    const errors = await study.refused(given);
    assert.deepEqual(Object.keys(errors), [pointer]);
    assert.match(errors[pointer] ?? "", why);
  }
  const { age } = study.published.question;
  const path = `/screener-sessions/${study.session()}/responses`;
  for (const [body, pointer] of [
    [{}, "/responses"],
    [{ responses: {} }, "/responses"],
    [{ responses: [1] }, "/responses/0"],
    [{ responses: [{ answer: 5 }] }, "/responses/0/screenerQuestionId"],
    [{ responses: [], complete: "yes" }, "/complete"],
    [{ responses: Array(2).fill({ screenerQuestionId: age, answer: 30 }) }, "/responses/1/screenerQuestionId"],
    [{ responses: Array(2001).fill({ screenerQuestionId: age, answer: 30 }) }, "/responses"],
  ] as const) {
    const { status, body: problem } = await client.post(path, body);
    assert.equal(status, 400);
    assert.deepEqual(
      problem.errors.map((error: { pointer: string }) => error.pointer),
      [pointer],
    );
  }
  assert.deepEqual(await study.answers(), {});
  assert.equal((await readSession(client, study.session())).state, "NOT_STARTED");
});

test("to complete a session, all required questions that are shown need an answer", async () => {
  const study = await Study.of(everyKind);
  assert.deepEqual(await study.refused({ age: 400, smokes: pick("Often") }, true), {
    "/responses/0/answer": "must be at most 120",
    "/responses/1/answer": "is not an option of this question",
    "lacks an answer to drink, which is required": "/responses",
    "lacks an answer to day, which is required": "/responses",
  });
  assert.deepEqual(await study.refused({}, true), {
    "lacks an answer to age, which is required": "/responses",
    "lacks an answer to smokes, which is required": "/responses",
    "lacks an answer to drink, which is required": "/responses",
    "lacks an answer to day, which is required": "/responses",
  });
  await study.taken({ age: 44 });
  assert.deepEqual(await study.refused({ smokes: pick("Sometimes") }, true), {
    "lacks an answer to how_often, which is required": "/responses",
    "lacks an answer to brands, which is required": "/responses",
    "lacks an answer to drink, which is required": "/responses",
    "lacks an answer to day, which is required": "/responses",
  });
  assert.deepEqual(await study.answers(), { age: 44 });
  assert.deepEqual(await study.taken({ smokes: pick("No"), ...days }, true), ["COMPLETED", null]);
});

test("a changed answer removes the answers that depended on it; a question that is not shown takes no answer", async () => {
  const study = await Study.of(everyKind);
  await study.taken({ age: 44, smokes: pick("Sometimes"), how_often: "Daily", brands: pick("Cigars") });
  await study.taken({ smokes: pick("Yes") });
  assert.deepEqual(await study.answers(), { age: 44, smokes: pick("Yes"), brands: pick("Cigars") });
  await study.taken({ smokes: pick("No") });
  assert.deepEqual(await study.answers(), about);
  // What was taken back is not there again when it is shown again.
  await study.taken({ smokes: pick("Sometimes") });
  assert.deepEqual(await study.answers(), { age: 44, smokes: pick("Sometimes") });
  // An empty answer counts as not sent, whether the question is required or not.
  await study.taken({ smokes: pick("No"), how_often: null, brands: [], ...days }, true);
  assert.deepEqual(await study.answers(), { ...about, drink: days.drink, town: null, day: days.day });
});

const number = (key: string, more: object = {}) => ({
  ...{ id: key, key, _type: "ScreenerNumericQuestion", prompt: key },
  ...more,
});

/** How a completed session comes out. `pages`: one question each, a, b, …; all of them are answered at once, unless `steps`. */
const verdicts: [name: string, content: object, steps: Given[], status: string, reason: string | null][] = [
  ["no rules", { pages: [{ questions: [number("a")] }] }, [{ a: 1 }], "UNKNOWN", null],
  [
    "qualifyWhen holds",
    { pages: [{ questions: [number("a")] }], qualifyWhen: { questionId: "a", equals: 1 } },
    [{ a: 1 }],
    "QUALIFIED",
    null,
  ],
  [
    "qualifyWhen does not hold",
    { pages: [{ questions: [number("a")] }], qualifyWhen: { questionId: "a", equals: 1 } },
    [{ a: 2 }],
    "DISQUALIFIED",
    "SCREENED_OUT",
  ],
  [
    "nothing disqualifies",
    { pages: [{ questions: [number("a")], disqualifyWhen: { questionId: "a", equals: 1 } }] },
    [{ a: 2 }],
    "QUALIFIED",
    null,
  ],
  [
    "disqualifyWhen goes before qualifyWhen",
    {
      pages: [{ questions: [number("a")], disqualifyWhen: { questionId: "a", equals: 1 } }],
      qualifyWhen: { questionId: "a", equals: 1 },
    },
    [{ a: 1 }],
    "DISQUALIFIED",
    "SCREENED_OUT",
  ],
  [
    "a page that is not shown does not disqualify",
    {
      pages: [
        { questions: [number("a")] },
        {
          questions: [number("b")],
          showWhen: { questionId: "a", equals: 1 },
          disqualifyWhen: { not: { questionId: "b", equals: 1 } },
        },
      ],
    },
    [{ a: 2 }],
    "QUALIFIED",
    null,
  ],
  [
    "a page whose questions were all passed over disqualifies people who do not answer it",
    { pages: [{ questions: [number("a")], disqualifyWhen: { questionId: "a", answered: false } }] },
    [{}],
    "DISQUALIFIED",
    "SCREENED_OUT",
  ],
  [
    "a later page disqualifies for an answer that was changed after it",
    {
      pages: [
        { questions: [number("a")] },
        { questions: [number("b")], disqualifyWhen: { questionId: "a", greaterThan: 9 } },
      ],
    },
    [{ a: 1 }, { b: 1 }, { a: 10 }, {}],
    "DISQUALIFIED",
    "SCREENED_OUT",
  ],
  [
    "a page without questions disqualifies, too",
    {
      pages: [
        { questions: [number("a")] },
        { title: "Mind", questions: [], disqualifyWhen: { questionId: "a", equals: 1 } },
      ],
    },
    [{ a: 1 }],
    "DISQUALIFIED",
    "SCREENED_OUT",
  ],
];

for (const [name, content, steps, status, reason] of verdicts) {
  test(`a completed session is judged by the rules: ${name}`, async () => {
    const study = await Study.of(content);
    for (const [index, given] of steps.entries()) {
      const isLast = index === steps.length - 1;
      assert.deepEqual(await study.taken(given, isLast), isLast ? ["COMPLETED", reason] : ["IN_PROGRESS", null]);
    }
    assert.equal(await study.status(), status);
  });
}

test("a page disqualifies at once when all of it is answered, and not before", async () => {
  const study = await Study.of(everyKind);
  assert.deepEqual(await study.taken({ age: 17 }), ["IN_PROGRESS", null]);
  assert.deepEqual(await study.taken({ smokes: pick("No") }), ["COMPLETED", "SCREENED_OUT"]);
  assert.equal(await study.status(), "DISQUALIFIED");
  const late = await study.send({ age: 18 });
  assert.deepEqual([late.status, late.body.code], [409, "session_completed"]);
  assert.deepEqual(await study.answers(), { age: 17, smokes: pick("No") });
});

test("a page disqualifies when it is over: when what it has brought up was answered or skipped, or a later one has begun", async () => {
  const content = {
    pages: [
      {
        questions: [
          {
            ...{ id: "drives", key: "drives", _type: "ScreenerSingleSelectQuestion", prompt: "Do you drive?" },
            required: true,
            options: [{ id: "yes", text: "A" }, { text: "B" }],
          },
          number("years", { showWhen: { questionId: "drives", equals: "yes" } }),
        ],
        disqualifyWhen: { not: { questionId: "years", atLeast: 2 } },
      },
      { questions: [number("later", { required: true })] },
    ],
  };
  const study = await Study.of(content, 6);
  for (const who of [0, 1, 2]) {
    assert.deepEqual(await study.taken({ drives: pick("A") }, false, who), ["IN_PROGRESS", null]);
  }
  assert.deepEqual(await study.taken({ years: 2 }, false, 0), ["IN_PROGRESS", null]);
  assert.deepEqual(await study.taken({ years: null }, false, 1), ["COMPLETED", "SCREENED_OUT"]);
  assert.deepEqual(await study.taken({ later: 1 }, false, 2), ["COMPLETED", "SCREENED_OUT"]);
  assert.deepEqual(await study.taken({ drives: pick("B") }, false, 3), ["COMPLETED", "SCREENED_OUT"]);
  // Who completes has skipped what is optional, and need not answer what would have come after.
  assert.deepEqual(await study.taken({ drives: pick("A") }, true, 4), ["COMPLETED", "SCREENED_OUT"]);
  assert.deepEqual(await study.taken({ drives: pick("A") }, false, 5), ["IN_PROGRESS", null]);
  assert.deepEqual(await study.taken({}, true, 5), ["COMPLETED", "SCREENED_OUT"]);
});

test("however many finish at once, as many qualify as were wanted, and no more sessions begin", async () => {
  const target = 15;
  const content = { pages: [{ questions: [number("a")], disqualifyWhen: { questionId: "a", lessThan: 0 } }] };
  const study = await Study.of(content, 64, { targetQualifiedParticipants: target });
  // Those who have begun may go on to the end; those who have not come too late. Who is screened out takes no place.
  const begun = Array.from({ length: 60 }, (_, who) => who);
  for (const who of begun) await study.taken({ a: 1 }, false, who);
  assert.deepEqual(await study.taken({ a: -1 }, true, 60), ["COMPLETED", "SCREENED_OUT"]);
  const ends = await Promise.all(begun.map((who) => study.send({ a: 2 }, true, who)));
  assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set([200]));
  const reasons = ends.map(({ body }) => body.outcomeReason);
  assert.equal(reasons.filter((reason) => reason === null).length, target);
  assert.equal(reasons.filter((reason) => reason === "OVER_QUOTA").length, begun.length - target);
  const filter = `filter[screenerId][eq]=${study.published.screener}`;
  const statuses = (await client.all(`/screener-participants?${filter}`)).map(({ status }) => status);
  assert.deepEqual(
    ["QUALIFIED", "DISQUALIFIED", "NOT_STARTED"].map((one) => statuses.filter((status) => status === one).length),
    [target, begun.length - target + 1, 3],
  );
  for (const refused of [
    await study.send({ a: 1 }, false, 61),
    await study.send({ a: 1 }, true, 62),
    await client.post("/screener-sessions", { screenerId: study.published.screener }),
    await client.post("/screener-sessions", { screenerParticipantId: study.links[0]!.assignment }),
  ]) {
    assert.deepEqual([refused.status, refused.body.code], [409, "quota_reached"]);
  }
  assert.equal((await fetch(service.url + study.links[63]!.path)).status, 409);
  // More are wanted.
  const { publication } = study.published;
  await client.patch(`/screener-publications/${publication}`, { targetQualifiedParticipants: target + 1 });
  assert.deepEqual(await study.taken({ a: 1 }, true, 61), ["COMPLETED", null]);
  assert.equal((await study.send({ a: 1 }, true, 62)).status, 409);
});

test("with a full quota, a session that has not started is refused; one under way may finish, and is over the quota", async () => {
  const content = { pages: [{ questions: [number("a")], disqualifyWhen: { questionId: "a", lessThan: 0 } }] };
  const study = await Study.of(content, 4, { targetQualifiedParticipants: 1 });
  const [fast, slow, failing, late] = [0, 1, 2, 3];
  assert.deepEqual(await study.taken({ a: 1 }, false, slow), ["IN_PROGRESS", null]);
  assert.deepEqual(await study.taken({ a: 1 }, false, failing), ["IN_PROGRESS", null]);
  assert.deepEqual(await study.taken({ a: 1 }, true, fast), ["COMPLETED", null]);
  const refused = await study.send({ a: 1 }, false, late);
  assert.deepEqual([refused.status, refused.body.code], [409, "quota_reached"]);
  const page = await fetch(service.url + study.links[late]!.path);
  assert.equal(page.status, 409);
  assert.match(await page.text(), /This study is full/);
  assert.deepEqual(await study.taken({ a: 2 }, false, slow), ["IN_PROGRESS", null]);
  assert.deepEqual(await study.taken({ a: 2 }, true, slow), ["COMPLETED", "OVER_QUOTA"]);
  assert.deepEqual(await study.taken({ a: -1 }, true, failing), ["COMPLETED", "SCREENED_OUT"]);
  const statuses = await Promise.all([fast, slow, failing, late].map((who) => study.status(who)));
  assert.deepEqual(statuses, ["QUALIFIED", "DISQUALIFIED", "DISQUALIFIED", "NOT_STARTED"]);
});

test("a participant who qualifies twice takes one place, and keeps it", async () => {
  const content = { pages: [{ questions: [number("a")], disqualifyWhen: { questionId: "a", lessThan: 0 } }] };
  const study = await Study.of(content, 2, { targetQualifiedParticipants: 2 });
  await study.taken({ a: 1 }, true, 0);
  const again = await client.post("/screener-sessions", { screenerParticipantId: study.links[0]!.assignment });
  assert.equal(again.status, 201);
  const responses = [{ screenerQuestionId: study.published.question.a, answer: 2 }];
  const path = `/screener-sessions/${again.body.id}/responses`;
  assert.equal((await client.post(path, { responses, complete: false })).body.state, "IN_PROGRESS");
  assert.deepEqual(await study.taken({ a: 1 }, true, 1), ["COMPLETED", null]);
  const { state, outcomeReason } = (await client.post(path, { responses, complete: true })).body;
  assert.deepEqual([state, outcomeReason], ["COMPLETED", null]);
  assert.deepEqual([await study.status(0), await study.status(1)], ["QUALIFIED", "QUALIFIED"]);
  const full = await client.post("/screener-sessions", { screenerParticipantId: study.links[0]!.assignment });
  assert.deepEqual([full.status, full.body.code], [409, "quota_reached"]);
});

test("responses are listed by session, page and question, whenever they were given", async () => {
  const study = await Study.of(everyKind, 3);
  await study.taken({ ...about }, false, 2);
  await study.taken({ ...days, town: "Oslo" }, false, 1);
  await study.taken({ ...about }, false, 1);
  await study.taken({ day: "Quite early.", smokes: pick("No"), age: 20, drink: pick("Tea") }, true, 0);
  const keys = new Map(Object.entries(study.published.question).map(([key, id]) => [id, key]));
  const items: { screenerSessionId: string; screenerQuestionId: string }[] = await client.all(
    `/screener-responses?filter[screenerId][eq]=${study.published.screener}`,
  );
  const shown = items.map(
    ({ screenerSessionId: session, screenerQuestionId: question }) =>
      `${study.links.findIndex((link) => link.session === session)} ${keys.get(question)}`,
  );
  const all = ["age", "smokes", "drink", "town", "day"];
  assert.deepEqual(shown, [...all.map((key) => `0 ${key}`), ...all.map((key) => `1 ${key}`), "2 age", "2 smokes"]);
});

const fuzzed = {
  pages: [
    {
      title: "One",
      questions: [
        { key: "line", _type: "ScreenerTextQuestion", prompt: "?", minLength: 2, maxLength: 5 },
        number("number", { min: -5, max: 5, wholeNumber: true }),
        {
          ...{ key: "one", _type: "ScreenerSingleSelectQuestion", prompt: "?", allowsWriteIn: true },
          options: [{ text: "A" }, { text: "B" }],
        },
        {
          ...{ key: "many", _type: "ScreenerMultiSelectQuestion", prompt: "?", minChoices: 2, maxChoices: 3 },
          options: [{ text: "A" }, { text: "B" }, { text: "C" }, { text: "D" }],
        },
        { key: "step", _type: "ScreenerScaleQuestion", prompt: "?", from: 3 },
        { key: "date", _type: "ScreenerDateQuestion", prompt: "?", precision: "MONTH", min: "1999-11", max: "2000-02" },
        {
          ...{ key: "order", _type: "ScreenerRankingQuestion", prompt: "?", rankAtMost: 2 },
          options: [{ text: "A" }, { text: "B" }, { text: "C" }],
        },
        {
          ...{ key: "hidden", _type: "ScreenerTextQuestion", prompt: "?", multiline: true },
          showWhen: { questionId: "number", atLeast: 1 },
        },
      ],
    },
  ],
};

interface Choice {
  text: string;
  isWriteIn: boolean;
}

/** What each question of `fuzzed` allows, said once more in other words. */
const allows: Record<string, (answer: unknown, all: Given) => boolean> = {
  line: (answer) => typeof answer === "string" && /^\S[^\n]{0,3}\S$/u.test(answer) && answer.isWellFormed(),
  number: (answer) => typeof answer === "number" && [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].includes(answer),
  one: (answer) => {
    const [choice, ...more] = answer as Choice[];
    if (more.length || !choice) return false;
    return choice.isWriteIn
      ? choice.text.trim() === choice.text && choice.text !== "" && choice.text.isWellFormed()
      : /^[AB]$/.test(choice.text);
  },
  many: (answer) => {
    const choices = answer as Choice[];
    return (
      choices.every(({ isWriteIn }) => !isWriteIn) &&
      /^(?=..)A?B?C?D?$(?<!^ABCD$)/.test(choices.map(({ text }) => text).join(""))
    );
  },
  step: (answer) => answer === 3 || answer === 4 || answer === 5,
  date: (answer) => typeof answer === "string" && ["1999-11", "1999-12", "2000-01", "2000-02"].includes(answer),
  order: (answer) =>
    ["A", "B", "C", "AB", "AC", "BA", "BC", "CA", "CB"].includes(
      (answer as Choice[]).map(({ text, isWriteIn }) => (isWriteIn ? "?" : text)).join(""),
    ),
  hidden: (answer, { number: shown }) => typeof answer === "string" && answer !== "" && Number(shown) >= 1,
};

test("whatever is sent as answers, there is no 500, and nothing is kept that the question does not allow", async () => {
  const study = await Study.of(fuzzed);
  const { question, option } = study.published;
  const [{ assignment } = { assignment: "" }] = study.links;
  const string = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: "binary", maxLength: 6 }), fc.constant("ab"));
  const choice = fc.oneof(
    fc.record({ text: fc.constantFrom("A", "B", "C", "D", "E"), isWriteIn: fc.constantFrom(false, false, true) }),
    fc.record(
      { optionId: fc.oneof(fc.constantFrom(...Object.values(option)), string), text: string, isWriteIn: fc.boolean() },
      { requiredKeys: [] },
    ),
    fc.anything(),
  );
  const texts = fc.shuffledSubarray(["A", "B", "C", "D"]).map((chosen) => chosen.map((text) => ({ text })));
  const plausible: Record<string, fc.Arbitrary<unknown>> = {
    line: string,
    number: fc.oneof(fc.integer({ min: -7, max: 7 }), fc.double()),
    one: fc.oneof(texts, fc.array(choice, { maxLength: 2 })),
    many: fc.oneof(texts, fc.array(choice, { maxLength: 4 })),
    step: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.double()),
    date: fc.oneof(
      fc.constantFrom("1999-10", "1999-11", "2000-02", "2000-02-28", "2000-2", "1999-13", "1999", "2000-03"),
      string,
    ),
    order: fc.oneof(texts, fc.array(choice, { maxLength: 3 })),
    hidden: string,
  };
  const answer = fc.oneof(...Object.values(plausible), fc.constant(null), fc.anything());
  const response = fc.oneof(
    ...Object.entries(plausible).map(([key, own]) => ({
      weight: 4,
      arbitrary: fc.record({ screenerQuestionId: fc.constant(question[key]), answer: own }),
    })),
    { weight: 4, arbitrary: fc.record({ screenerQuestionId: fc.constantFrom(...Object.values(question)), answer }) },
    { weight: 1, arbitrary: fc.record({ screenerQuestionId: string, answer }) },
    { weight: 1, arbitrary: fc.anything() },
  );
  const body = fc.record({
    responses: fc.oneof(
      { weight: 20, arbitrary: fc.array(response, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.anything() },
    ),
    complete: fc.constantFrom(undefined, undefined, undefined, false, null, true, 1),
  });
  const seen = { taken: 0, refused: 0, kept: new Set<string>() };
  let session = study.session();
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      // BigInt, symbols and cycles are nothing that JSON could say.
      let raw: string;
      try {
        raw = JSON.stringify(sent);
      } catch {
        return;
      }
      const {
        status,
        body: reply,
        text,
      } = await client.call("POST", `/screener-sessions/${session}/responses`, { raw });
      assert.ok(status === 200 || status === 400, `${status} ${text}`);
      if (status === 400) {
        seen.refused++;
        assert.ok(reply.errors.length > 0);
        return;
      }
      seen.taken++;
      const kept = await readAnswers(client, session, study.published);
      for (const [key, value] of Object.entries(kept)) {
        if (value === null) continue;
        assert.ok(allows[key]?.(value, kept), `${key}: ${JSON.stringify(value)}`);
        seen.kept.add(key);
      }
      if (reply.state !== "COMPLETED") return;
      session = (await client.post("/screener-sessions", { screenerParticipantId: assignment })).body.id;
    }),
    { numRuns: 400, seed: 11 },
  );
  assert.deepEqual([...seen.kept].sort(), Object.keys(allows).sort());
  assert.ok(seen.taken > 40 && seen.refused > 40, JSON.stringify({ ...seen, kept: [] }));
});
