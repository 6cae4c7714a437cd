// Questions that are answered with a number.

import * as v from "valibot";
import { clean } from "../text.ts";
import { ORDER_OPERATORS } from "./comparisons.ts";
import { flag, nullableNumber } from "./entries.ts";
import { EntryField } from "./field.tsx";
import { NOTHING_TYPED } from "./form.ts";
import { type Checked, checkOrder, defineQuestionType, type QuestionOf } from "./question-type.ts";
import { plainNumber, readTypedNumber } from "./typed-number.ts";

/** Every whole number up to here can be told from the next. */
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
    partIds: () => [],
    build({ min = null, max = null, wholeNumber }, draft) {
      checkOrder(draft, ["min", min], ["max", max]);
      if (wholeNumber && min !== null && max !== null && min <= max && Math.ceil(min) > Math.floor(max))
        draft.fail("/max", "leaves no whole number");
      return { min, max, wholeNumber: wholeNumber ?? false };
    },
    check: checkNumber,
    comparisons: {
      readOperand(raw, operator) {
        if (typeof raw === "number" && Number.isFinite(raw)) return raw;
        const isOrder = ORDER_OPERATORS.some((one) => one === operator);
        return { message: isOrder ? "must be a number" : "must be a number, because the question is numeric" };
      },
      equality: (answer) => answer,
      contains: "does not go with a numeric question",
      order: (answer) => answer,
    },
    toShown: (answer) => answer,
    fromShown: (_, shown) => shown,
    cell: (shown) => shown,
    readTyped: (question, { text }) => readTypedNumber(text, question.wholeNumber),
    toTyped: (number) => ({ ...NOTHING_TYPED, text: plainNumber(number) }),
    Field({ question, typed, error }) {
      return (
        <EntryField
          question={question}
          limits={limitsText(question)}
          error={error}
          entry={(attributes) => (
            <input
              class="entry entry-number"
              type="text"
              inputMode={keyboard(question)}
              autocomplete="off"
              value={clean(typed.text)}
              {...attributes}
            />
          )}
        />
      );
    },
    missingText: () => "Enter a number",
  },
);

function checkNumber({ min, max, wholeNumber }: NumericQuestion, raw: unknown): Checked<number> {
  if (typeof raw !== "number" || !Number.isFinite(raw))
    return { error: { code: "not_number", limits: { wholeNumber } } };
  // Beyond, another number would be kept than was given, without a word.
  if (raw > MAX_NUMBER) return { error: { code: "too_large", limits: { max: MAX_NUMBER } } };
  if (raw < -MAX_NUMBER) return { error: { code: "too_small", limits: { min: -MAX_NUMBER } } };
  if (wholeNumber && !Number.isInteger(raw)) return { error: { code: "not_whole" } };
  if (min !== null && raw < min) return { error: { code: "too_small", limits: { min } } };
  if (max !== null && raw > max) return { error: { code: "too_large", limits: { max } } };
  return { answer: raw };
}

function limitsText({ min, max, wholeNumber }: NumericQuestion): string {
  const what = wholeNumber ? "A whole number" : "A number";
  if (min !== null && max !== null) return `${what} from ${min} to ${max}`;
  if (min !== null) return `${what}, ${min} or more`;
  if (max !== null) return `${what}, ${max} or less`;
  return what;
}

/** Keyboards of digits often have no minus, so they are for numbers that need none. */
function keyboard({ min, wholeNumber }: NumericQuestion): "text" | "numeric" | "decimal" {
  if (min === null || min < 0) return "text";
  return wholeNumber ? "numeric" : "decimal";
}
