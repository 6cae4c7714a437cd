// What conditions hold for, what answers a question takes, and what of a screener is shown, as tables.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { differenceOf } from "../src/nouns/content/advice/difference.ts";
import { neverHolds } from "../src/nouns/content/advice/never.ts";
import { warningsOf } from "../src/nouns/content/advice/warnings.ts";
import { checkAnswer, requireAnswer, shown } from "../src/nouns/content/answers.ts";
import type { Content } from "../src/nouns/content/content.ts";
import { type Counting, Facts, holds, type KnownAttribute } from "../src/nouns/content/holds.ts";
import type { Condition, LeafCondition } from "../src/nouns/question-types/comparisons.ts";
import type { DateQuestion } from "../src/nouns/question-types/date-view.ts";
import { apiMessage } from "../src/nouns/question-types/errors.ts";
import { NOTHING_TYPED } from "../src/nouns/question-types/form.ts";
import type { MultiSelectQuestion } from "../src/nouns/question-types/multi-select.tsx";
import type { NumericQuestion } from "../src/nouns/question-types/numeric.tsx";
import type { Checked } from "../src/nouns/question-types/question-type.ts";
import type { RankingQuestion } from "../src/nouns/question-types/ranking-field.tsx";
import type { Answer, Question } from "../src/nouns/question-types/registry.ts";
import type { ScaleQuestion } from "../src/nouns/question-types/scale-field.tsx";
import type { SingleSelectQuestion } from "../src/nouns/question-types/single-select.tsx";
import type { TextQuestion } from "../src/nouns/question-types/text.tsx";
import { checkTyped } from "../src/participant-page/input.ts";
import { ENGLISH } from "../src/words/languages.ts";

const TODAY = "2026-02-28";

const common = { id: "q", key: null, prompt: "?", helpText: null, required: false, showWhen: null };
const options = [
  { id: "a", text: "A" },
  { id: "b", text: "B" },
  { id: "c", text: "C" },
];
const noneOfThese = options.map((option) => (option.id === "c" ? { ...option, exclusive: true as const } : option));
const text = (more: Partial<TextQuestion> = {}): TextQuestion => ({
  _type: "ScreenerTextQuestion",
  ...common,
  multiline: false,
  minLength: null,
  maxLength: null,
  ...more,
});
const numeric = (more: Partial<NumericQuestion> = {}): NumericQuestion => ({
  _type: "ScreenerNumericQuestion",
  ...common,
  min: null,
  max: null,
  wholeNumber: false,
  ...more,
});
const single = (more: Partial<SingleSelectQuestion> = {}): SingleSelectQuestion => ({
  _type: "ScreenerSingleSelectQuestion",
  ...common,
  options,
  allowsWriteIn: false,
  ...more,
});
const multi = (more: Partial<MultiSelectQuestion> = {}): MultiSelectQuestion => ({
  _type: "ScreenerMultiSelectQuestion",
  ...common,
  options,
  allowsWriteIn: false,
  minChoices: null,
  maxChoices: null,
  ...more,
});
const scale = (more: Partial<ScaleQuestion> = {}): ScaleQuestion => ({
  _type: "ScreenerScaleQuestion",
  ...common,
  ...{ look: "NUMBERS", from: 0, to: 10, lowLabel: null, highLabel: null },
  ...more,
});
const date = (more: Partial<DateQuestion> = {}): DateQuestion => ({
  _type: "ScreenerDateQuestion",
  ...common,
  ...{ precision: "DAY", min: null, max: null },
  ...more,
});
const ranking = (more: Partial<RankingQuestion> = {}): RankingQuestion => ({
  _type: "ScreenerRankingQuestion",
  ...common,
  ...{ options, rankAtLeast: null, rankAtMost: null },
  ...more,
});
/** A comparison by an operator of the question's type. */
const own = (questionId: string, operator: string, operand: unknown) =>
  ({ questionId, [operator]: operand }) as LeafCondition;
const chosen = (...ids: string[]) => ids.map((id) => ({ optionId: id, text: id.toUpperCase(), isWriteIn: false }));
const writtenIn = (written: string) => ({ optionId: null, text: written, isWriteIn: true });

const yes: Condition = { questionId: "n", answered: true };
const no: Condition = { questionId: "none", answered: true };

const attributes = new Map<string, KnownAttribute>(
  Object.entries({
    country: { value: "GB" },
    age: { value: 42 },
    zero: { value: 0 },
    number: { value: "42" },
    member: { value: false },
    none: { value: "" },
  }),
);

const answers = new Facts({ attributes: () => attributes, today: () => TODAY });
const given: Record<string, Counting> = {
  t: { question: text(), answer: "Green Tea" },
  n: { question: numeric(), answer: 5 },
  zero: { question: numeric(), answer: 0 },
  s: { question: single(), answer: chosen("a") },
  m: { question: multi(), answer: [...chosen("a", "b"), writtenIn("c")] },
  w: { question: single(), answer: [writtenIn("a")] },
  several: { question: multi(), answer: [writtenIn("a")] },
  skipped: { question: text(), answer: null },
  step: { question: scale(), answer: 0 },
  day: { question: date(), answer: "2008-02-29" },
  month: { question: date({ precision: "MONTH" }), answer: "2008-02" },
  year: { question: date({ precision: "YEAR" }), answer: "2008" },
  noneOfThese: { question: multi({ options: noneOfThese }), answer: chosen("c") },
  order: { question: ranking(), answer: chosen("b", "c", "a") },
};
for (const [id, counting] of Object.entries(given)) answers.set(id, counting);

const conditions: [condition: Condition, holds: boolean][] = [
  [{ questionId: "t", answered: true }, true],
  [{ questionId: "t", answered: false }, false],
  [{ questionId: "zero", answered: true }, true],
  [{ questionId: "w", answered: true }, true],
  [{ questionId: "skipped", answered: true }, false],
  [{ questionId: "skipped", answered: false }, true],
  [{ questionId: "none", answered: false }, true],
  [{ questionId: "t", equals: "Green Tea" }, true],
  [{ questionId: "t", equals: "green tea" }, false],
  [{ questionId: "t", equals: "Green" }, false],
  [{ questionId: "n", equals: 5 }, true],
  [{ questionId: "n", equals: 5.5 }, false],
  [{ questionId: "zero", equals: 0 }, true],
  [{ questionId: "s", equals: "a" }, true],
  [{ questionId: "s", equals: "b" }, false],
  // What is written in is none of the options, whatever it says.
  [{ questionId: "w", equals: "a" }, false],
  [{ questionId: "w", oneOf: ["a", "b"] }, false],
  [{ questionId: "w", contains: "a" }, false],
  [{ questionId: "several", contains: "a" }, false],
  [{ questionId: "m", contains: "c" }, false],
  [{ questionId: "t", oneOf: ["x", "Green Tea"] }, true],
  [{ questionId: "n", oneOf: [4, 6] }, false],
  [{ questionId: "n", oneOf: [4, 5] }, true],
  [{ questionId: "s", oneOf: ["b", "a"] }, true],
  [{ questionId: "s", oneOf: ["b"] }, false],
  [{ questionId: "t", contains: "TEA" }, true],
  [{ questionId: "t", contains: "coffee" }, false],
  [{ questionId: "m", contains: "b" }, true],
  [{ questionId: "n", lessThan: 5 }, false],
  [{ questionId: "n", lessThan: 5.1 }, true],
  [{ questionId: "n", atMost: 5 }, true],
  [{ questionId: "n", atMost: 4.9 }, false],
  [{ questionId: "n", greaterThan: 5 }, false],
  [{ questionId: "n", greaterThan: -1 }, true],
  [{ questionId: "n", atLeast: 5 }, true],
  [{ questionId: "n", atLeast: 6 }, false],
  [{ questionId: "step", answered: true }, true],
  [{ questionId: "step", equals: 0 }, true],
  [{ questionId: "step", oneOf: [1, 2] }, false],
  [{ questionId: "step", atLeast: 1 }, false],
  [{ questionId: "step", lessThan: 1 }, true],
  [{ questionId: "day", equals: "2008-02-29" }, true],
  [{ questionId: "day", equals: "2008-02" }, false],
  [{ questionId: "month", oneOf: ["2008-01", "2008-02"] }, true],
  // Today is 28 February 2026: who was born on the 29th is not 18 yet.
  [own("day", "ageAtLeast", 18), false],
  [own("day", "ageAtLeast", 17), true],
  [own("day", "ageBelow", 18), true],
  [own("day", "before", "2008-02-29"), false],
  [own("day", "before", "2008-03"), true],
  [own("day", "onOrBefore", "2008-02"), true],
  [own("day", "onOrAfter", "2008-02-29"), true],
  [own("day", "after", "2008-02-28"), true],
  [own("day", "after", "2008"), false],
  [own("day", "onOrBefore", { today: "-P18Y" }), false],
  [own("day", "after", { today: "-P18Y" }), true],
  // Of a month and of a year it is not certain.
  [own("month", "ageAtLeast", 18), false],
  [own("month", "ageBelow", 18), false],
  [{ not: own("month", "ageBelow", 18) }, true],
  [own("month", "ageBelow", 19), true],
  [own("month", "onOrBefore", "2008-02-28"), false],
  [own("month", "onOrBefore", "2008-02"), true],
  [own("year", "ageAtLeast", 17), true],
  [own("year", "ageAtLeast", 18), false],
  [own("year", "before", "2009"), true],
  [own("order", "first", "b"), true],
  [own("order", "first", "c"), false],
  [own("order", "rankedAtMost", { optionId: "c", rank: 1 }), false],
  [own("order", "rankedAtMost", { optionId: "c", rank: 2 }), true],
  [own("order", "rankedAtMost", { optionId: "x", rank: 50 }), false],
  [{ questionId: "order", contains: "a" }, true],
  // An operator of another type holds for nothing.
  [own("n", "ageAtLeast", 1), false],
  // No comparison holds with what was not answered; so that it does not is the opposite.
  ...(["skipped", "none"] as const).flatMap((questionId): [Condition, boolean][] => [
    [{ questionId, equals: 0 }, false],
    [{ questionId, equals: "" }, false],
    [{ questionId, oneOf: [""] }, false],
    [{ questionId, contains: "" }, false],
    [{ questionId, lessThan: 1 }, false],
    [{ questionId, atMost: 0 }, false],
    [{ questionId, greaterThan: -1 }, false],
    [{ questionId, atLeast: 0 }, false],
    [own(questionId, "ageBelow", 150), false],
    [own(questionId, "before", "9999"), false],
    [own(questionId, "first", "a"), false],
    [{ not: { questionId, equals: 0 } }, true],
  ]),
  [{ attribute: "country", exists: true }, true],
  [{ attribute: "none", exists: true }, true],
  [{ attribute: "town", exists: true }, false],
  [{ attribute: "town", exists: false }, true],
  [{ attribute: "country", equals: "GB" }, true],
  [{ attribute: "country", equals: "gb" }, false],
  [{ attribute: "none", equals: "" }, true],
  [{ attribute: "age", equals: 42 }, true],
  // A CSV has only texts.
  [{ attribute: "age", equals: "42" }, true],
  [{ attribute: "number", equals: 42 }, true],
  [{ attribute: "number", is: "42.0" }, false],
  [{ attribute: "member", equals: false }, true],
  [{ attribute: "member", equals: "false" }, true],
  [{ attribute: "zero", equals: false }, false],
  [{ attribute: "age", oneOf: ["42", 41] }, true],
  [{ attribute: "age", oneOf: ["4", 41] }, false],
  [{ attribute: "age", oneOf: ["x", 42, true] }, true],
  [{ attribute: "member", oneOf: [false] }, true],
  [{ attribute: "country", contains: "b" }, true],
  [{ attribute: "country", contains: "c" }, false],
  [{ attribute: "age", contains: "4" }, false],
  [{ attribute: "age", lessThan: 42 }, false],
  [{ attribute: "age", atMost: 42 }, true],
  [{ attribute: "age", greaterThan: 41.5 }, true],
  [{ attribute: "age", atLeast: 42.5 }, false],
  [{ attribute: "zero", atLeast: 0 }, true],
  [{ attribute: "number", atLeast: 42 }, true],
  [{ attribute: "number", lessThan: 42 }, false],
  [{ attribute: "country", atLeast: 0 }, false],
  [{ attribute: "none", atMost: 0 }, false],
  [{ attribute: "member", atMost: 1 }, false],
  [{ not: { attribute: "age", equals: 1 } }, true],
  // No comparison holds with what the participant lacks; so that it does not is the opposite.
  [{ attribute: "town", equals: "" }, false],
  [{ attribute: "town", oneOf: [""] }, false],
  [{ attribute: "town", contains: "x" }, false],
  [{ attribute: "town", lessThan: 1 }, false],
  [{ attribute: "town", atMost: 0 }, false],
  [{ attribute: "town", greaterThan: -1 }, false],
  [{ attribute: "town", atLeast: 0 }, false],
  [{ not: { attribute: "town", equals: "York" } }, true],
  [{ all: [yes, yes] }, true],
  [{ all: [yes, no] }, false],
  [{ any: [no, yes] }, true],
  [{ any: [no, no] }, false],
  [{ not: no }, true],
  [{ not: yes }, false],
  // The opposites hold where there is no answer, or no attribute. The counts do not.
  [{ questionId: "t", isNot: "Green Tea" }, false],
  [{ questionId: "t", isNot: "green tea" }, true],
  [{ questionId: "t", notContains: "TEA" }, false],
  [{ questionId: "n", noneOf: [4, 6] }, true],
  [{ questionId: "n", noneOf: [4, 5] }, false],
  [{ questionId: "w", isNot: "a" }, true],
  [{ questionId: "m", notContains: "c" }, true],
  [{ questionId: "m", notContains: "b" }, false],
  [{ questionId: "day", isNot: "2008-02-28" }, true],
  [{ questionId: "order", notContains: "b" }, false],
  [{ questionId: "skipped", isNot: "x" }, true],
  [{ questionId: "none", noneOf: ["x"] }, true],
  [{ questionId: "none", notContains: "x" }, true],
  [{ attribute: "country", isNot: "GB" }, false],
  [{ attribute: "age", isNot: "41" }, true],
  [{ attribute: "age", notContains: "4" }, true],
  [{ attribute: "number", noneOf: [41, 42] }, false],
  [{ attribute: "town", isNot: "York" }, true],
  [{ attribute: "town", noneOf: ["York"] }, true],
  [{ attribute: "town", notContains: "York" }, true],
  [own("m", "chosenAtLeast", 3), true],
  [own("m", "chosenAtLeast", 4), false],
  [own("m", "chosenAtMost", 3), true],
  [own("m", "chosenAtMost", 2), false],
  [own("order", "chosenAtMost", 3), true],
  [own("order", "chosenAtLeast", 4), false],
  [own("noneOfThese", "chosenAtLeast", 1), false],
  [own("noneOfThese", "chosenAtMost", 0), true],
  [own("skipped", "chosenAtMost", 1), false],
  [own("none", "chosenAtMost", 1), false],
  [{ not: { all: [yes, { any: [no, { not: yes }] }] } }, true],
];

test("a condition holds for what it says, and for nothing else", () => {
  for (const [condition, expected] of conditions)
    assert.equal(holds(condition, answers), expected, JSON.stringify(condition));
  // An opposite is exactly what `not` around the other operator is.
  const opposites = { isNot: ["equals", "is"], noneOf: ["oneOf"], notContains: ["contains"] };
  for (const [condition, expected] of conditions)
    for (const [opposite, plain] of Object.entries(opposites)) {
      const operator = plain.find((one) => one in condition && !("arm" in condition));
      if (!operator) continue;
      const { [operator]: value, ...subject } = condition as Record<string, unknown>;
      const other = { ...subject, [opposite]: value } as unknown as Condition;
      assert.equal(holds(other, answers), !expected, JSON.stringify(other));
    }
});

const long = "x".repeat(10_000);

/** What is wrong, in the API's words. */
function messageOf(checked: Checked<Answer>): string {
  return "error" in checked ? apiMessage(checked.error) : "nothing wrong";
}

/** What a question makes of an answer: what is kept, or what is wrong with it. */
const checks: [question: Question, raw: unknown, expected: Answer | RegExp][] = [
  [text(), "Why not?", "Why not?"],
  [text(), "  both ends \t", "both ends"],
  [text(), " ", null],
  [text(), "", null],
  [text(), null, null],
  [text(), undefined, null],
  [text({ required: true }), null, /required/],
  [text({ required: true }), " \n", /required/],
  [text(), "<b>\u202e😀", "<b>\u202e😀"],
  [text(), "one\ntwo", /one line/],
  [text({ multiline: true }), "one\r\ntwo\n", "one\ntwo"],
  [text({ minLength: 3 }), "ab", /at least 3/],
  [text({ minLength: 3 }), "ab  ", /at least 3/],
  [text({ minLength: 3 }), "", null],
  [text({ minLength: 3 }), "abc", "abc"],
  [text({ maxLength: 2 }), "abc", /at most 2/],
  // Characters are counted, not what they take.
  [text({ maxLength: 2 }), "😀😀", "😀😀"],
  [text({ minLength: 3 }), "😀😀", /at least 3/],
  [text(), long, long],
  [text(), `${long}x`, /at most 10000/],
  [text(), "a\0b", /U\+0000/],
  [text(), "\ud800", /surrogate/],
  ...[5, true, [], {}, ["a"]].map((raw): [Question, unknown, RegExp] => [text(), raw, /string/]),

  [numeric(), 0, 0],
  [numeric(), -1.5, -1.5],
  [numeric(), null, null],
  [numeric({ required: true }), null, /required/],
  [numeric({ required: true }), 0, 0],
  [numeric({ wholeNumber: true }), 3, 3],
  [numeric({ wholeNumber: true }), 3.5, /whole/],
  [numeric({ min: 1, max: 2 }), 0.99, /at least 1/],
  [numeric({ min: 1, max: 2 }), 1, 1],
  [numeric({ min: 1, max: 2 }), 2, 2],
  [numeric({ min: 1, max: 2 }), 2.01, /at most 2/],
  [numeric({ min: 0 }), -1, /at least 0/],
  [numeric({ max: 0 }), 1, /at most 0/],
  ...["1", "", true, [], [1], {}, Number.NaN, Number.POSITIVE_INFINITY].map((raw): [Question, unknown, RegExp] => [
    numeric(),
    raw,
    /number/,
  ]),

  [scale(), 0, 0],
  [scale(), 10, 10],
  [scale(), null, null],
  [scale({ required: true }), null, /required/],
  [scale(), 11, /at most 10/],
  [scale({ from: 1, to: 5 }), 0, /at least 1/],
  [scale(), 2.5, /whole/],
  ...["1", "", true, [], [1], {}, Number.NaN].map((raw): [Question, unknown, RegExp] => [scale(), raw, /number/]),

  [date(), "2008-02-29", "2008-02-29"],
  [date(), "2007-02-29", /no day of the calendar: 2007-02 has 28 days/],
  [date(), "2008-02", /a day such as/],
  [date(), "29.2.2008", /a day such as/],
  [date(), "", null],
  [date({ required: true }), "", /required/],
  [date({ precision: "YEAR" }), 2008, /a year such as/],
  [date({ max: { today: "P0D" } }), TODAY, TODAY],
  [date({ max: { today: "-P1D" } }), TODAY, /not be after 2026-02-27/],
  [date({ min: { today: "-P1M" } }), "2026-01-27", /not be before 2026-01-28/],
  // One of its days is within the limits.
  [date({ precision: "MONTH", min: { today: "-P1M" } }), "2026-01", "2026-01"],
  [date({ precision: "MONTH", min: { today: "-P1M" } }), "2025-12", /not be before 2026-01/],

  [ranking(), [{ text: "C" }, { optionId: "a" }], chosen("c", "a")],
  [ranking(), [], null],
  [ranking({ required: true }), [], /required/],
  [ranking(), [{ text: "C" }, { text: "C" }], /twice/],
  [ranking(), [{ text: "C", isWriteIn: true }], /write-in/],
  [ranking({ rankAtLeast: 2 }), [{ text: "C" }], /at least 2/],
  [ranking({ rankAtMost: 1 }), [{ text: "C" }, { text: "A" }], /at most 1/],
  [ranking(), "A", /array/],

  [single(), [{ text: "B" }], chosen("b")],
  [single(), [{ text: "B", isWriteIn: false }], chosen("b")],
  [single(), [{ optionId: "c" }], chosen("c")],
  [single(), [], null],
  [single(), null, null],
  [single({ required: true }), [], /required/],
  [single({ required: true }), null, /required/],
  [single(), [{ text: "b" }], /not an option/],
  [single(), [{ optionId: "B" }], /not an option/],
  [single(), [{}], /not an option/],
  [single(), [{ text: "A" }, { text: "B" }], /one option/],
  [single(), [{ text: "A" }, { optionId: "a" }], /twice/],
  [single(), [{ text: "D", isWriteIn: true }], /write-in/],
  [single({ allowsWriteIn: true }), [{ text: " D ", isWriteIn: true }], [writtenIn("D")]],
  [single({ allowsWriteIn: true }), [{ text: "D" }], /not an option/],
  [single({ allowsWriteIn: true }), [{ text: " ", isWriteIn: true }], /without text/],
  [single({ allowsWriteIn: true }), [{ isWriteIn: true }], /without text/],
  [single({ allowsWriteIn: true }), [{ text: "x".repeat(501), isWriteIn: true }], /more than 500/],
  [single({ allowsWriteIn: true }), [{ text: "\0", isWriteIn: true }], /U\+0000|without text/],
  [single({ allowsWriteIn: true }), [{ text: "A" }, { text: "D", isWriteIn: true }], /one option/],
  ...["A", 1, {}, true].map((raw): [Question, unknown, RegExp] => [single(), raw, /array/]),
  ...["A", 1, null].map((item): [Question, unknown, RegExp] => [single(), [item], /objects/]),

  [multi(), [{ text: "C" }, { text: "A" }], chosen("a", "c")],
  [multi(), [], null],
  [multi({ required: true }), [], /required/],
  [multi({ minChoices: 2 }), [], null],
  [multi({ minChoices: 2 }), [{ text: "A" }], /at least 2/],
  [multi({ maxChoices: 1 }), [{ text: "A" }, { text: "B" }], /at most 1/],
  [multi(), [{ text: "A" }, { text: "A" }], /twice/],
  [multi({ options: noneOfThese, minChoices: 2 }), [{ text: "C" }], chosen("c")],
  [multi({ options: noneOfThese }), [{ text: "A" }, { text: "B" }], chosen("a", "b")],
  [multi({ options: noneOfThese }), [{ text: "A" }, { text: "C" }], /“C”, which excludes all others/],
  [
    multi({ options: noneOfThese, allowsWriteIn: true }),
    [{ text: "D", isWriteIn: true }, { text: "C" }],
    /“C”, which excludes all others/,
  ],
  [
    multi({ allowsWriteIn: true, maxChoices: 2 }),
    [{ text: "D", isWriteIn: true }, { text: "B" }],
    [...chosen("b"), writtenIn("D")],
  ],
  [
    multi({ allowsWriteIn: true }),
    [
      { text: "D", isWriteIn: true },
      { text: "E", isWriteIn: true },
    ],
    /more than one write-in/,
  ],
  // A write-in may read like an option.
  [multi({ allowsWriteIn: true }), [{ text: "A", isWriteIn: true }, { text: "A" }], [...chosen("a"), writtenIn("A")]],
  [multi(), [{ text: "A", isWriteIn: true }], /write-in/],
  [multi({ allowsWriteIn: true }), [{ text: "A\rB", isWriteIn: true }], /several lines/],
  [multi(), "A", /array/],
  [multi({ allowsWriteIn: true }), [{ text: "A", isWriteIn: "true" }], /isWriteIn/],
  [multi(), [{ text: "A", optionId: "b" }], /another option/],
  [multi(), [{ text: "B", optionId: "b", isWriteIn: null }], chosen("b")],
  [numeric(), 1e300, /at most 9007199254740991/],
  [numeric(), -1e300, /at least -9007199254740991/],
  [text(), "A\rB", /one line/],
  [text({ multiline: true }), " A\rB\r\nC\n", "A\nB\nC"],
];

test("a question takes the answers that it allows, and says what is wrong with others", () => {
  for (const [question, raw, expected] of checks) {
    const checked = requireAnswer(
      question,
      checkAnswer(question, raw, () => TODAY),
    );
    const what = `${question._type} ${JSON.stringify(raw)}`.slice(0, 200);
    if (expected instanceof RegExp) assert.match(messageOf(checked), expected, what);
    else assert.deepEqual(checked, { answer: expected }, what);
  }
});

const whole = numeric({ wholeNumber: true });
const typed: [question: NumericQuestion, typed: string, expected: number | null | RegExp][] = [
  [numeric(), "12", 12],
  [numeric(), " +1,5 ", 1.5],
  [numeric(), "-.5", -0.5],
  [numeric(), "3.", 3],
  [numeric(), "", null],
  [numeric({ required: true }), " ", /required/],
  [numeric({ min: 5 }), "4", /at least 5/],
  [numeric(), "0,125", 0.125],
  [numeric(), "1 000", 1000],
  [numeric(), "1'234'567.5", 1234567.5],
  [numeric(), "1,000.5", 1000.5],
  [numeric(), "1.000,5", 1000.5],
  [numeric(), "-1,000,000", -1_000_000],
  [numeric(), "3.1250", 3.125],
  [numeric(), "50,000", /^may be read as 50000 or as 50$/],
  [numeric(), "-3.125", /^may be read as -3125 or as -3\.1250$/],
  [whole, "50,000", 50_000],
  [whole, "50.000", 50_000],
  [whole, "5,000.5", /whole/],
  [whole, "5,5", /whole/],
  [whole, "50,00", 50],
  [whole, "1,000,00", /number/],
  [numeric(), "\u200e12\u200f", 12],
  [numeric(), "9".repeat(1_000_000), /must be a number/],
  [numeric(), "٢٥٫٥", 25.5],
  [numeric(), "٢٫٥٠٠", 2.5],
  [whole, "٢٫٥٠٠", /whole/],
  [whole, "١٢٬٥٠٠", 12_500],
  [numeric(), "１２．５", 12.5],
  ...["5²", "①②", "½", "𝟙𝟚"].map((text): [NumericQuestion, string, RegExp] => [numeric(), text, /number/]),
  [numeric(), "۵۰٬۰۰۰", 50_000],
  [numeric(), "−５", -5],
  [numeric(), "9007199254740993", /at most 9007199254740991/],
  ...["1e3", "0x10", "1,000.000,5", "1,0000.5", "Infinity", "NaN", "--1", ".", "twelve", "9".repeat(400)].map(
    (text): [NumericQuestion, string, RegExp] => [numeric(), text, /number/],
  ),
];

test("a number is read as people write it", () => {
  for (const [question, text, expected] of typed) {
    const checked = checkTyped(question, { ...NOTHING_TYPED, text }, ENGLISH, () => TODAY);
    if (expected instanceof RegExp) assert.match(messageOf(checked), expected, text);
    else assert.deepEqual(checked, { answer: expected }, text);
  }
});

const page = (id: string, questions: Question[], showWhen: Condition | null = null) => ({
  _type: "ScreenerPage" as const,
  ...{ id, title: null, description: null, showWhen, disqualifyWhen: null, questions },
});
/** b hangs on a, the second page on b, its question d on c; the third page is for people who have not answered c. */
const content: Content = {
  pages: [
    page("1", [numeric({ id: "a" }), numeric({ id: "b", showWhen: { questionId: "a", atLeast: 1 } })]),
    page("2", [text({ id: "c" }), text({ id: "d", showWhen: { questionId: "c", equals: "more" } })], {
      questionId: "b",
      atLeast: 1,
    }),
    page("3", [text({ id: "e" })], { questionId: "c", answered: false }),
  ],
  ...{ qualifyWhen: null, thankYou: null, thankYouByOutcome: null },
};

const shows: [answers: Record<string, Answer>, pages: Record<string, string[]>, counting: string[]][] = [
  [{}, { 1: ["a"], 3: ["e"] }, []],
  [{ a: 0 }, { 1: ["a"], 3: ["e"] }, ["a"]],
  [{ a: 1 }, { 1: ["a", "b"], 3: ["e"] }, ["a"]],
  [{ a: 1, b: 1 }, { 1: ["a", "b"], 2: ["c"], 3: ["e"] }, ["a", "b"]],
  [{ a: 1, b: 1, c: "more" }, { 1: ["a", "b"], 2: ["c", "d"] }, ["a", "b", "c"]],
  [{ a: 1, b: 1, c: null }, { 1: ["a", "b"], 2: ["c"], 3: ["e"] }, ["a", "b", "c"]],
  [{ a: 1, b: 1, c: "more", d: "x", e: "y" }, { 1: ["a", "b"], 2: ["c", "d"] }, ["a", "b", "c", "d"]],
  // All that hung on the first answer goes with it, however long the chain.
  [{ a: 0, b: 1, c: "more", d: "x", e: "y" }, { 1: ["a"], 3: ["e"] }, ["a", "e"]],
  [{ a: null, b: 1, c: "more" }, { 1: ["a"], 3: ["e"] }, ["a"]],
  [{ b: 1, unknown: 5 }, { 1: ["a"], 3: ["e"] }, []],
];

test("what is shown follows from the answers that count, and only answers to what is shown count", () => {
  for (const [given, pages, counting] of shows) {
    const { pages: seen, counting: counted } = shown(
      { ...content, attributes: () => new Map(), today: () => TODAY },
      new Map(Object.entries(given)),
    );
    const what = JSON.stringify(given);
    const ids = Object.fromEntries(seen.map((one) => [one.page.id, one.questions.map(({ id }) => id)]));
    assert.deepEqual(ids, pages, what);
    const answered = new Map([...counted].map(([id, { answer }]) => [id, answer]));
    assert.deepEqual(answered, new Map(counting.map((id) => [id, given[id] ?? null])), what);
  }
});

const asked = new Map<string, Question>([
  ["n", numeric({ id: "n", min: 0, max: 5, wholeNumber: true })],
  ["s", single({ id: "s" })],
  ["m", multi({ id: "m", options: noneOfThese })],
  ["scale", scale({ id: "scale", from: 1, to: 5 })],
]);

const both = (...all: Condition[]): Condition => ({ all });

const impossible: [condition: Condition, isFound: boolean][] = [
  [both({ questionId: "s", equals: "a" }, { questionId: "s", isNot: "a" }), true],
  [both({ questionId: "s", oneOf: ["a", "b"] }, { questionId: "s", noneOf: ["b", "a"] }), true],
  [both({ questionId: "s", answered: true }, { questionId: "s", noneOf: ["a", "b", "c"] }), true],
  // Without an answer it does hold.
  [{ questionId: "s", noneOf: ["a", "b", "c"] }, false],
  [both({ questionId: "s", answered: false }, { questionId: "s", isNot: "a" }), false],
  [{ questionId: "gone", isNot: "a" }, false],
  [both({ questionId: "n", equals: 3 }, { questionId: "n", isNot: 3 }), true],
  [both({ questionId: "m", contains: "a" }, { questionId: "m", notContains: "a" }), true],
  [both({ questionId: "m", contains: "a" }, { questionId: "m", notContains: "b" }), false],
  [both({ questionId: "m", contains: "a" }, { questionId: "m", contains: "b" }, own("m", "chosenAtMost", 1)), true],
  [both({ questionId: "m", contains: "c" }, own("m", "chosenAtMost", 0)), false],
  [both(own("m", "chosenAtLeast", 2), own("m", "chosenAtMost", 1)), true],
  [own("m", "chosenAtLeast", 4), true],
  [{ questionId: "n", lessThan: 0 }, true],
  [{ questionId: "n", atMost: 0 }, false],
  [{ questionId: "n", greaterThan: 5 }, true],
  [{ questionId: "scale", atMost: 0 }, true],
  [{ questionId: "scale", atLeast: 5 }, false],
  [{ questionId: "n", equals: 2.5 }, true],
  [{ all: [{ questionId: "n", greaterThan: 2 }, { all: [{ questionId: "n", lessThan: 3 }] }] }, true],
  [
    {
      all: [
        { questionId: "n", atLeast: 2 },
        { questionId: "n", atMost: 2 },
      ],
    },
    false,
  ],
  [
    {
      all: [
        { questionId: "s", equals: "a" },
        { questionId: "s", oneOf: ["b", "c"] },
      ],
    },
    true,
  ],
  [
    {
      all: [
        { questionId: "s", answered: false },
        { questionId: "s", equals: "a" },
      ],
    },
    true,
  ],
  [
    {
      any: [
        { questionId: "n", lessThan: 0 },
        { questionId: "s", equals: "a" },
      ],
    },
    false,
  ],
  [
    {
      any: [
        { questionId: "n", lessThan: 0 },
        { questionId: "gone", equals: "a" },
      ],
    },
    true,
  ],
  [{ questionId: "gone", answered: false }, false],
  [{ not: { questionId: "n", atLeast: 0 } }, false],
];

test("what is said never to hold holds for no answers", () => {
  for (const [condition, isFound] of impossible)
    assert.equal(neverHolds(condition, asked), isFound, JSON.stringify(condition));
  const number = fc.integer({ min: -2, max: 7 });
  const option = fc.constantFrom("a", "b", "c");
  const order = fc.constantFrom("lessThan", "atMost", "greaterThan", "atLeast", "equals");
  const leaf = fc.oneof(
    fc.tuple(order, number).map(([operator, value]) => ({ questionId: "n", [operator]: value }) as Condition),
    fc.array(number, { minLength: 1, maxLength: 3 }).map((oneOf): Condition => ({ questionId: "n", oneOf })),
    option.map((equals): Condition => ({ questionId: "s", equals })),
    fc.array(option, { minLength: 1, maxLength: 2 }).map((oneOf): Condition => ({ questionId: "s", oneOf })),
    option.map((isNot): Condition => ({ questionId: "s", isNot })),
    number.map((isNot): Condition => ({ questionId: "n", isNot })),
    fc.array(option, { minLength: 1, maxLength: 3 }).map((noneOf): Condition => ({ questionId: "s", noneOf })),
    option.map((contains): Condition => ({ questionId: "m", contains })),
    option.map((notContains): Condition => ({ questionId: "m", notContains })),
    fc
      .tuple(fc.constantFrom("chosenAtLeast", "chosenAtMost"), fc.nat(4))
      .map(([operator, count]) => own("m", operator, count)),
    fc
      .tuple(fc.constantFrom("n", "s", "m", "gone"), fc.boolean())
      .map(([questionId, answered]): Condition => ({ questionId, answered })),
  );
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.array(tie("condition"), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie("condition"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
      tie("condition").map((not) => ({ not })),
    ),
  }));
  const possible: Facts[] = [];
  for (const n of [undefined, null, 0, 1, 2, 3, 4, 5]) {
    for (const s of [undefined, null, "a", "b", "c"]) {
      for (const m of [undefined, null, "a", "b", "c", "ab"]) {
        const facts = new Facts({ attributes: () => new Map(), today: () => TODAY });
        if (n !== undefined) facts.set("n", { question: asked.get("n")!, answer: n });
        if (s !== undefined) facts.set("s", { question: asked.get("s")!, answer: s && chosen(s) });
        if (m !== undefined) facts.set("m", { question: asked.get("m")!, answer: m && chosen(...m) });
        possible.push(facts);
      }
    }
  }
  let found = 0;
  fc.assert(
    fc.property(condition, (one) => {
      if (!neverHolds(one, asked)) return;
      found++;
      assert.ok(!possible.some((facts) => holds(one, facts)));
    }),
    { numRuns: 3000 },
  );
  assert.ok(found > 50, `${found} of them`);
});

test("what is said never to hold is said of each row of a matrix alone", () => {
  const part = (id: string) => ({ id, text: id });
  const matrix: Question = {
    ...{ _type: "ScreenerMatrixQuestion", ...common, id: "x" },
    ...{ rows: ["r", "s"].map(part), columns: ["a", "b"].map(part), multiple: false, requireEachRow: false },
  };
  const questions = new Map([["x", matrix]]);
  const inRow = (row: string, rest: object) => ({ questionId: "x", row, ...rest }) as Condition;
  const never = (...all: Condition[]) => neverHolds({ all }, questions);
  assert.ok(never(inRow("r", { equals: "a" }), inRow("r", { equals: "b" })));
  assert.ok(never(inRow("r", { noneOf: ["a", "b"] }), inRow("r", { answered: true })));
  assert.ok(never(inRow("r", { equals: "a" }), inRow("r", { answered: false })));
  assert.ok(!never(inRow("r", { equals: "a" }), inRow("s", { equals: "b" })));
  assert.ok(!never(inRow("r", { equals: "a" }), inRow("s", { answered: false })));
});

test("two contents are compared in words, and what is probably a mistake is named", () => {
  const page = (id: string, questions: Question[], more = {}) => ({
    _type: "ScreenerPage" as const,
    ...{ id, title: null, description: null, showWhen: null, disqualifyWhen: null },
    ...more,
    questions,
  });
  const content = (...pages: Content["pages"]): Content => ({
    pages,
    qualifyWhen: null,
    thankYou: null,
    thankYouByOutcome: null,
  });
  const age = numeric({ id: "n", prompt: "Age?" });
  const drink = single({ id: "s", prompt: "Drink?" });
  const before = content(page("1", [age, drink]), page("2", [text({ id: "t", prompt: "Why?" })]));
  const after = content(
    page("2", [{ ...drink, prompt: "Which drink?", required: true, options: [options[1]!, { id: "d", text: "b" }] }]),
    page("1", [numeric({ id: "n", prompt: "Age?", min: 18 })], {
      title: "You",
      disqualifyWhen: { questionId: "n", lessThan: 18 },
    }),
  );
  assert.deepEqual(differenceOf(before, before), []);
  assert.deepEqual(differenceOf(before, after), [
    { text: "Question removed: “Why?”", details: [] },
    {
      text: "Question changed: “Which drink?”",
      details: [
        "moved to page 1",
        "the text was “Drink?”",
        "an answer is now required",
        "option “A” removed",
        "option “C” removed",
        "option “b” added",
      ],
    },
    {
      text: "Page changed: “You”",
      details: ["the heading is new: “You”", "rule added: Screen out if “Age?” is less than 18"],
    },
    { text: "Question changed: “Age?”", details: ["the smallest number: none, now 18"] },
    { text: "Pages are in another order", details: [] },
  ]);
  assert.deepEqual(warningsOf(after), [
    "“Which drink?” has the option “b” twice.",
    "The rule of the page “You” never screens out: it never holds.",
  ]);
  assert.match(warningsOf(before).join(), /^There is no rule/);
  // A list is what older content means that says nothing of it.
  const shown = (display: "LIST" | "MENU") => content(page("1", [{ ...drink, display }]));
  assert.deepEqual(differenceOf(content(page("1", [drink])), shown("LIST")), []);
  assert.deepEqual(differenceOf(shown("MENU"), content(page("1", [drink]))), [
    { text: "Question changed: “Drink?”", details: ["how it looks: MENU, now LIST"] },
  ]);
});
