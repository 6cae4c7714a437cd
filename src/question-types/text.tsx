// Questions that are answered with a text: of one line, or of several.

import * as v from "valibot";
import { clean, isCleanText, lengthOf } from "../text.ts";
import { NO_ORDER } from "./comparisons.ts";
import { count, flag, nullableNumber } from "./entries.ts";
import { EntryField } from "./field.tsx";
import { NOTHING_TYPED } from "./form.ts";
import { characters } from "./page-words.ts";
import { type Checked, checkOrder, defineQuestionType, type QuestionOf } from "./question-type.ts";

/** How long a text may be when the question does not say. */
const MAX_TEXT_LENGTH = 10_000;

const view = { multiline: v.boolean(), minLength: nullableNumber, maxLength: nullableNumber };

export type TextQuestion = QuestionOf<"Text", typeof view>;

export const textType = defineQuestionType(
  {
    kind: "Text",
    input: { multiline: flag, minLength: count(0, MAX_TEXT_LENGTH), maxLength: count(1, MAX_TEXT_LENGTH) },
    view,
    answer: v.string(),
  },
  {
    partIds: () => [],
    build({ multiline, minLength = null, maxLength = null }, draft) {
      checkOrder(draft, ["minLength", minLength], ["maxLength", maxLength]);
      return { multiline: multiline ?? false, minLength, maxLength };
    },
    check: checkText,
    comparisons: {
      readOperand(raw, operator) {
        if (typeof raw !== "string") return { message: "must be a string" };
        // A whole answer is compared as answers are kept; a piece of one may begin and end with a space.
        const lines = withPlainLineEnds(raw);
        const text = operator === "contains" ? lines : lines.trim();
        return text || { message: "must not be empty; use answered" };
      },
      equality: (answer) => answer,
      contains(answer, piece, memo) {
        memo.lowerCase ??= answer.toLowerCase();
        return memo.lowerCase.includes(piece.toLowerCase());
      },
      order: NO_ORDER,
    },
    toShown: (answer) => answer,
    fromShown: (_, shown) => shown,
    cell: (shown) => shown,
    readTyped: (_, { text }) => ({ raw: text }),
    toTyped: (text) => ({ ...NOTHING_TYPED, text }),
    Field({ question, typed, error }) {
      const value = clean(typed.text);
      return (
        <EntryField
          question={question}
          limits={limitsText(question)}
          error={error}
          entry={(attributes) =>
            question.multiline ? (
              <textarea class="entry" rows={5} value={value} {...attributes} />
            ) : (
              <input class="entry" type="text" value={value} {...attributes} />
            )
          }
        />
      );
    },
    missingText: () => "Write an answer",
  },
);

function checkText(question: TextQuestion, raw: unknown): Checked<string> {
  if (typeof raw !== "string") return { error: { code: "not_text" } };
  const text = withPlainLineEnds(raw).trim();
  if (!isCleanText(text)) return { error: { code: "unclean_text" } };
  if (!text) return { answer: null };
  if (!question.multiline && text.includes("\n")) return { error: { code: "several_lines" } };
  const length = lengthOf(text);
  const { minLength: min, maxLength } = question;
  const max = maxLength ?? MAX_TEXT_LENGTH;
  if (min !== null && length < min) return { error: { code: "too_short", limits: { min } } };
  if (length > max) return { error: { code: "too_long", limits: { max } } };
  return { answer: text };
}

/** Browsers send line ends as CRLF; what is kept is LF. */
function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function limitsText({ minLength, maxLength }: TextQuestion): string | null {
  const min = minLength ?? 0;
  const max = maxLength ?? MAX_TEXT_LENGTH;
  // Nobody needs to hear of the limit that all texts have.
  const ends = max < MAX_TEXT_LENGTH;
  if (min > 1 && ends) return `${min} to ${characters(max)}`;
  if (min > 1) return `At least ${characters(min)}`;
  return ends ? `Up to ${characters(max)}` : null;
}
