// Questions that are answered with a number.

import * as v from "valibot";
import type { Speech } from "../../words/speech.ts";
import { NumberCounter } from "./charts/histogram.ts";
import { flag, nullableNumber } from "./entries.ts";
import { entryAttributes, LabelledField } from "./field.tsx";
import { NOTHING_TYPED } from "./form.ts";
import { type Checked, checkOrder, defineQuestionType, type QuestionOf } from "./question-type.ts";
import { numberComparisons } from "./values/numbers.ts";
import { plainNumber } from "./values/plain-number.ts";
import { readTypedNumber } from "./values/typed-number.ts";

/** Up to this number, every whole number is exact. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

const bound = v.optional(
  v.nullable(
    v.pipe(
      v.number("must be a number or null"),
      v.minValue(-MAX_NUMBER, `must be at least ${-MAX_NUMBER}`),
      v.maxValue(MAX_NUMBER, `must be at most ${MAX_NUMBER}`),
    ),
  ),
);

const view = { min: nullableNumber, max: nullableNumber, wholeNumber: v.boolean() };

export type NumericQuestion = QuestionOf<"Numeric", typeof view>;

export const numericType = defineQuestionType(
  { kind: "Numeric", input: { min: bound, max: bound, wholeNumber: flag }, view, answer: v.number() },
  {
    card: {
      label: "Number",
      fresh: { min: null, max: null, wholeNumber: true },
      fields: [
        { has: "limits", least: ["min", "Smallest number"], most: ["max", "Largest number"] },
        { has: "box", member: "wholeNumber", label: "Only whole numbers" },
      ],
    },
    memberNames: { min: "the smallest number", max: "the largest number", wholeNumber: "whole numbers only" },
    texts: {},
    build({ min = null, max = null, wholeNumber }, draft) {
      checkOrder(draft, ["min", min], ["max", max]);
      if (wholeNumber && min !== null && max !== null && min <= max && Math.ceil(min) > Math.floor(max))
        draft.fail("/max", "leaves no whole number");
      return { min, max, wholeNumber: wholeNumber ?? false };
    },
    check: checkNumber,
    comparisons: {
      ...numberComparisons,
      range: ({ min, max, wholeNumber }) => ({ min, max, isWhole: wholeNumber }),
    },
    inWords: (_, answer, speech) => speech.number(answer),
    toShown: (answer) => answer,
    fromShown: (_, shown) => shown,
    cell: (shown) => shown,
    statistics: () => ({ are: "NUMBERS" }),
    counter: (versions, counting) =>
      new NumberCounter(
        counting,
        versions.every(({ wholeNumber }) => wholeNumber),
      ),
    readTyped: (question, { text }) => readTypedNumber(text, question.wholeNumber),
    toTyped: (number, speech) => ({ ...NOTHING_TYPED, text: plainNumber(number).replace(".", speech.decimalSign) }),
    Field: (props) => (
      <LabelledField {...props}>
        <input
          class="entry entry-number"
          type="text"
          inputMode={keyboard(props.question)}
          autocomplete="off"
          {...entryAttributes(props)}
        />
      </LabelledField>
    ),
    limitsText,
    missingText: (_, speech) => speech.say("enterNumber"),
  },
);

function checkNumber({ min, max, wholeNumber }: NumericQuestion, raw: unknown): Checked<number> {
  if (typeof raw !== "number" || !Number.isFinite(raw)) return { error: { code: "not_number", wholeNumber } };
  // Beyond this limit the stored number would differ from the given one, without an error.
  if (raw > MAX_NUMBER) return { error: { code: "too_large", limits: { max: MAX_NUMBER } } };
  if (raw < -MAX_NUMBER) return { error: { code: "too_small", limits: { min: -MAX_NUMBER } } };
  if (wholeNumber && !Number.isInteger(raw)) return { error: { code: "not_whole" } };
  if (min !== null && raw < min) return { error: { code: "too_small", limits: { min } } };
  if (max !== null && raw > max) return { error: { code: "too_large", limits: { max } } };
  return { answer: raw };
}

function limitsText({ min, max, wholeNumber }: NumericQuestion, speech: Speech): string {
  const kind = wholeNumber ? "wholeNumber" : "number";
  if (min !== null && max !== null) return speech.say(`${kind}Between`, { min, max });
  if (min !== null) return speech.say(`${kind}From`, { min });
  return max === null ? speech.say(kind) : speech.say(`${kind}UpTo`, { max });
}

/** Digit keyboards often have no minus sign, so they are only for numbers that can't be negative. */
function keyboard({ min, wholeNumber }: NumericQuestion): "text" | "numeric" | "decimal" {
  if (min === null || min < 0) return "text";
  return wholeNumber ? "numeric" : "decimal";
}
