// Every operator of rules with every type of question, by a table: what the API takes is what the builder offers, and each holds for the same people
// on the page, in the explanation, in quotas and in the forecast. Each has words of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_ERRORS } from "../../src/base/problems.ts";
import { choicesOf } from "../../src/console/islands/drafts/condition-parts.ts";
import { neverHolds } from "../../src/nouns/content/advice/never.ts";
import { ContentNames, conditionText } from "../../src/nouns/content/sentences.ts";
import { ATTRIBUTE_OPERATORS, OPERATORS } from "../../src/nouns/question-types/comparisons.ts";
import { ownOperators, type Question, rowsOf } from "../../src/nouns/question-types/registry.ts";
import { sharedService } from "../support/service.ts";
import { invite, publish } from "../support/study.ts";
import { Visitor } from "../support/visitor.ts";

const service = await sharedService();
const client = service.workspace();

// biome-ignore lint/suspicious/noExplicitAny: contents as the API shows them
type Shown = any;

interface Subject {
  question: object;
  /** Compared is a row of it. */
  row?: string;
  /** Of one person each; a further one leaves it out. */
  answers: [unknown, unknown, unknown];
  /** For whom each operator holds: for the three, and for who left it out. */
  cases: Record<string, [operand: unknown, holds: string][]>;
}

const texts = (...all: string[]) => all.map((text) => ({ id: text, text }));
const chosen = (...all: string[]) => all.map((text) => ({ text }));
const inRow = (...columns: string[]) => ({ rows: [{ text: "r1", choices: chosen(...columns) }] });
const answered: Subject["cases"] = {
  answered: [
    [true, "yyy-"],
    [false, "---y"],
  ],
};
const MATRIX = { _type: "ScreenerMatrixQuestion", rows: texts("r1", "r2"), columns: texts("A", "B", "C") };

const numbers: Subject["cases"] = {
  ...answered,
  equals: [[3, "-y--"]],
  isNot: [[3, "y-yy"]],
  oneOf: [[[1, 3], "yy--"]],
  noneOf: [[[1, 3], "--yy"]],
  lessThan: [[3, "y---"]],
  atMost: [[3, "yy--"]],
  greaterThan: [[3, "--y-"]],
  atLeast: [[3, "-yy-"]],
};
const oneOption: Subject["cases"] = {
  ...answered,
  equals: [["A", "y---"]],
  isNot: [["A", "-yyy"]],
  oneOf: [[["A", "B"], "yy--"]],
  noneOf: [[["A", "B"], "--yy"]],
};
/** Of who has chosen A, A and B, and C. */
const someOptions: Subject["cases"] = {
  ...answered,
  contains: [["A", "yy--"]],
  notContains: [["A", "--yy"]],
  chosenAtLeast: [
    [2, "-y--"],
    [0, "yyy-"],
  ],
  chosenAtMost: [
    [1, "y-y-"],
    [0, "----"],
  ],
};

/** By the label of the question, or of its row. */
const SUBJECTS: Record<string, Subject> = {
  text: {
    question: { _type: "ScreenerTextQuestion" },
    answers: ["Green tea", "tea", "Mate"],
    cases: {
      ...answered,
      equals: [["tea", "-y--"]],
      isNot: [["tea", "y-yy"]],
      oneOf: [[["tea", "Mate"], "-yy-"]],
      noneOf: [[["tea", "Mate"], "y--y"]],
      contains: [["TEA", "yy--"]],
      notContains: [["TEA", "--yy"]],
    },
  },
  phone: {
    question: { _type: "ScreenerTextQuestion", format: "PHONE" },
    answers: ["+44 (0)20 7946 0958", "020 7946 0958", "+49 30 901820"],
    cases: {
      ...answered,
      equals: [["+442079460958", "y---"]],
      isNot: [["+44 20 7946 0958", "-yyy"]],
      oneOf: [[["02079460958", "+4930901820"], "-yy-"]],
      noneOf: [[["02079460958", "+4930901820"], "y--y"]],
      contains: [["+4420", "y---"]],
      notContains: [["7946 ", "--yy"]],
    },
  },
  number: { question: { _type: "ScreenerNumericQuestion" }, answers: [1, 3, 5.5], cases: numbers },
  scale: { question: { _type: "ScreenerScaleQuestion" }, answers: [1, 3, 5], cases: numbers },
  single: {
    question: { _type: "ScreenerSingleSelectQuestion", options: texts("A", "B"), allowsWriteIn: true },
    answers: [chosen("A"), chosen("B"), [{ text: "A", isWriteIn: true }]],
    cases: oneOption,
  },
  menu: {
    question: { _type: "ScreenerSingleSelectQuestion", options: texts("A", "B", "C"), display: "MENU" },
    answers: [chosen("A"), chosen("B"), chosen("C")],
    cases: oneOption,
  },
  multi: {
    question: { _type: "ScreenerMultiSelectQuestion", options: texts("A", "B", "C") },
    answers: [chosen("A"), chosen("A", "B"), chosen("C")],
    cases: someOptions,
  },
  none: {
    question: {
      ...{ _type: "ScreenerMultiSelectQuestion", allowsWriteIn: true },
      options: [...texts("A"), { id: "None", text: "None", exclusive: true }],
    },
    answers: [chosen("None"), [{ text: "A" }, { text: "B", isWriteIn: true }], chosen("A")],
    cases: {
      ...someOptions,
      contains: [["None", "y---"]],
      notContains: [["None", "-yyy"]],
      chosenAtMost: [[0, "y---"]],
    },
  },
  ranking: {
    question: { _type: "ScreenerRankingQuestion", options: texts("A", "B", "C") },
    answers: [chosen("A", "B", "C"), chosen("B", "A"), chosen("C")],
    cases: {
      ...answered,
      contains: [["A", "yy--"]],
      notContains: [["A", "--yy"]],
      first: [["B", "-y--"]],
      rankedAtMost: [[{ optionId: "B", rank: 2 }, "yy--"]],
      chosenAtLeast: [[2, "yy--"]],
      chosenAtMost: [[2, "-yy-"]],
    },
  },
  day: {
    question: { _type: "ScreenerDateQuestion" },
    answers: ["1980-02-29", "1990-06-15", "2000-12-31"],
    cases: {
      ...answered,
      equals: [["1990-06-15", "-y--"]],
      isNot: [["1990-06-15", "y-yy"]],
      oneOf: [[["1980-02-29", "2000-12-31"], "y-y-"]],
      noneOf: [[["1980-02-29", "2000-12-31"], "-y-y"]],
      before: [
        ["1990-06-15", "y---"],
        [{ today: "-P18Y" }, "yyy-"],
      ],
      after: [["1990-06", "--y-"]],
      onOrBefore: [["1990-06-15", "yy--"]],
      onOrAfter: [["1990", "-yy-"]],
      ageAtLeast: [[18, "yyy-"]],
      ageBelow: [[150, "yyy-"]],
    },
  },
  month: {
    question: { _type: "ScreenerDateQuestion", precision: "MONTH" },
    answers: ["1980-02", "1990-06", "2000-12"],
    cases: {
      ...answered,
      equals: [["1990-06", "-y--"]],
      isNot: [["1990-06", "y-yy"]],
      oneOf: [[["1990-06", "2000-12"], "-yy-"]],
      noneOf: [[["1990-06", "2000-12"], "y--y"]],
      // Some days of June are before the 15th, and some are not.
      before: [
        ["1990-06-15", "y---"],
        ["1990-07", "yy--"],
      ],
      after: [["1990-06-15", "--y-"]],
      onOrBefore: [
        ["1990-06", "yy--"],
        ["1990-06-29", "y---"],
      ],
      onOrAfter: [["1990-06", "-yy-"]],
      ageAtLeast: [[18, "yyy-"]],
      ageBelow: [[18, "----"]],
    },
  },
  year: {
    question: { _type: "ScreenerDateQuestion", precision: "YEAR" },
    answers: ["1980", "1990", "2000"],
    cases: {
      ...answered,
      equals: [["1990", "-y--"]],
      isNot: [["1990", "y-yy"]],
      oneOf: [[["1990", "2000"], "-yy-"]],
      noneOf: [[["1990", "2000"], "y--y"]],
      before: [
        ["1990-12", "y---"],
        ["1991", "yy--"],
      ],
      after: [["1989", "-yy-"]],
      onOrBefore: [["1990", "yy--"]],
      onOrAfter: [
        ["1990-01-01", "-yy-"],
        ["1990-01-02", "--y-"],
      ],
      ageAtLeast: [[18, "yyy-"]],
      ageBelow: [[1, "----"]],
    },
  },
  matrix: { question: MATRIX, answers: [inRow("A"), inRow("B"), inRow("C")], cases: answered },
  matrixRow: { question: MATRIX, row: "r1", answers: [inRow("A"), inRow("B"), inRow("C")], cases: oneOption },
  matrixRows: {
    question: { ...MATRIX, multiple: true },
    row: "r1",
    answers: [inRow("A"), inRow("A", "B"), inRow("C")],
    cases: someOptions,
  },
  consent: {
    question: { _type: "ScreenerConsentQuestion", text: "We ask.", required: false },
    answers: [{ isGiven: true }, { isGiven: true }, { isGiven: true }],
    cases: answered,
  },
};

/** The attributes of three people; the last one has none. */
const ATTRIBUTES: Record<string, Subject["answers"]> = { city: ["York", "New York", "Leeds"], age: [18, "42", true] };
const OF_ATTRIBUTES: [key: string, operator: string, operand: unknown, holds: string][] = [
  ["city", "exists", true, "yyy-"],
  ["city", "exists", false, "---y"],
  ["city", "is", "York", "y---"],
  ["city", "equals", "York", "y---"],
  ["city", "isNot", "York", "-yyy"],
  ["city", "oneOf", ["York", "Leeds"], "y-y-"],
  ["city", "noneOf", ["York", "Leeds"], "-y-y"],
  ["city", "contains", "york", "yy--"],
  ["city", "notContains", "york", "--yy"],
  ["age", "is", 42, "-y--"],
  ["age", "isNot", true, "yy-y"],
  ["age", "lessThan", 42, "y---"],
  ["age", "atMost", 42, "yy--"],
  ["age", "greaterThan", 18, "-y--"],
  ["age", "atLeast", 18, "yy--"],
];

interface Case {
  name: string;
  condition: Record<string, unknown>;
  holds: string;
}

const ofQuestions: Case[] = Object.entries(SUBJECTS).flatMap(([id, { row, cases }]) =>
  Object.entries(cases).flatMap(([operator, all]) =>
    all.map(([operand, holds]) => ({
      name: `${id} ${operator} ${JSON.stringify(operand)}`,
      condition: { questionId: id, ...(row !== undefined && { row }), [operator]: operand },
      holds,
    })),
  ),
);
const CASES: Case[] = [
  ...ofQuestions,
  ...OF_ATTRIBUTES.map(([attribute, operator, operand, holds]) => ({
    name: `${attribute} ${operator} ${JSON.stringify(operand)}`,
    condition: { attribute, [operator]: operand },
    holds,
  })),
];

const asked = Object.entries(SUBJECTS).map(([id, { question }]) => ({ id, key: id, prompt: `${id}?`, ...question }));
const content = (conditions: readonly object[]) => ({
  pages: [
    { title: "Asked", questions: asked },
    {
      title: "Shown",
      questions: conditions.map((showWhen, index) => ({
        ...{ _type: "ScreenerTextQuestion", key: `q${index}`, prompt: `${index}`, showWhen },
      })),
    },
  ],
});

/** Not: that the operand is wrong. */
const DOES_NOT_GO = /^(?:goes only with|does not go with|must be used with)/;

const OPERATORS_OF_ALL = [...OPERATORS, ...ownOperators.keys()];
/** The operators that a person can choose. */
const offered = (question: Question | undefined) =>
  new Set(choicesOf(question).map(([choice]) => choice.split(":")[0]!));

/** A question of a content as the API shows it; or its row, as rules see it. */
function subjectIn(shown: Shown, id: string): Question {
  const question = shown.pages[0].questions.find(({ key }: Shown) => key === id);
  const { row } = SUBJECTS[id]!;
  const at = question.rows?.find(({ text }: Shown) => text === row);
  return row === undefined ? question : rowsOf(question).get(at.id)!;
}

test("the table has each operator, with each type that it goes with; the builder offers these, and the API takes no other", async () => {
  const screener = await client.screener();
  const put = (body: object) => client.call("PUT", `/screeners/${screener}/content`, { body });
  const { body: shown } = await put(content([]));
  // An operand that some operator would take.
  const wrong = Object.entries(SUBJECTS).flatMap(([id, { row, cases }]) =>
    OPERATORS_OF_ALL.filter((operator) => !Object.hasOwn(cases, operator)).map((operator) => ({
      questionId: id,
      ...(row !== undefined && { row }),
      [operator]: operator === "oneOf" || operator === "noneOf" ? [1] : 1,
    })),
  );
  for (let from = 0; from < wrong.length; from += MAX_ERRORS) {
    const some = wrong.slice(from, from + MAX_ERRORS);
    const refused = await put(content(some));
    assert.equal(refused.status, 400, refused.text);
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: Shown) => pointer),
      some.map((condition, index) => `/pages/1/questions/${index}/showWhen/${Object.keys(condition).at(-1)}`),
    );
    for (const { message } of refused.body.errors) assert.match(message, DOES_NOT_GO);
  }
  for (const [id, { cases }] of Object.entries(SUBJECTS))
    assert.deepEqual(offered(subjectIn(shown, id)), new Set(Object.keys(cases)), id);
  const ofAttributes = new Set(OF_ATTRIBUTES.map(([, operator]) => operator));
  assert.deepEqual(ofAttributes, new Set(ATTRIBUTE_OPERATORS));
  // “equals” is “is”.
  assert.deepEqual(offered(undefined), ofAttributes.difference(new Set(["equals"])));
  const inTable = new Set(Object.values(SUBJECTS).flatMap(({ cases }) => Object.keys(cases)));
  assert.deepEqual(inTable, new Set(OPERATORS_OF_ALL));
});

test("each comparison holds for the same people on the page, in the explanation, in a quota and in a forecast, and has words of its own", async () => {
  const { body: written } = await client.call("PUT", `/screeners/${await client.screener()}/content`, {
    body: content(CASES.map(({ condition }) => condition)),
  });
  const conditions: Shown[] = written.pages[1].questions.map(({ showWhen }: Shown) => showWhen);
  const quotas = CASES.map(({ condition }, index) => ({ name: `c${index}`, when: condition, mode: "COUNT", limit: 9 }));
  const study = await publish(client, { ...content(CASES.map(({ condition }) => condition)), quotas });
  const attributesOf = (index: number) =>
    Object.fromEntries(Object.entries(ATTRIBUTES).flatMap(([key, all]) => (index < 3 ? [[key, all[index]]] : [])));
  const links = await invite(client, study.screener, 4, attributesOf);
  const visitor = new Visitor(service.url);
  const found = { page: [] as string[][], explanation: [] as string[][] };
  for (const [person, { session, path }] of links.entries()) {
    const responses = Object.entries(SUBJECTS).map(([id, { answers }]) => ({
      screenerQuestionId: study.question[id],
      answer: answers[person] ?? null,
    }));
    const sent = await client.post(`/screener-sessions/${session}/responses`, { responses });
    assert.equal(sent.status, 200, sent.text);
    const { text } = await visitor.open(`${path}?page=${study.page.Shown}`);
    found.page.push(CASES.flatMap(({ name }, at) => (text.includes(`"${study.question[`q${at}`]}"`) ? [name] : [])));
    const end = await client.post(`/screener-sessions/${session}/responses`, { responses: [], complete: true });
    assert.equal(end.status, 200, end.text);
    const explained = (await client.get(`/screener-sessions/${session}/explanation`)).body;
    found.explanation.push(CASES.flatMap(({ name }, at) => (explained.quotas[at].isIn ? [name] : [])));
  }
  const expected = links.map((_, person) => CASES.flatMap(({ name, holds }) => (holds[person] === "y" ? [name] : [])));
  assert.deepEqual(found.explanation, expected);
  assert.deepEqual(found.page, expected);

  const counts = CASES.map(({ name, holds }) => [name, holds.replaceAll("-", "").length]);
  const taken = (rows: Shown[]) => rows.map((row, at) => [CASES[at]!.name, row.taken]);
  assert.deepEqual(taken(await client.all(`/screeners/${study.screener}/quotas`)), counts);
  const forecast = await client.post(`/screeners/${study.screener}/quota-forecast`, { basis: "ANSWERS" });
  assert.deepEqual(taken(forecast.body.quotas), counts);

  // What may hold is never said to be impossible, and no two comparisons read alike.
  const questions = new ContentNames(written);
  const sentences = conditions.map((condition) => conditionText(condition, questions));
  for (const [at, { name, holds }] of CASES.entries())
    if (holds.includes("y")) assert.ok(!neverHolds(conditions[at], questions), name);
  const different = CASES.map(({ name }) => name.replace(/^(city|age) equals/, "$1 is"));
  assert.equal(new Set(sentences).size, new Set(different).size, sentences.toSorted().join("\n"));
});
