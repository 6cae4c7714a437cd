// Questions that are answered with a text of one line or several lines.

import * as v from "valibot";
import { isCleanText, lengthOf } from "../../base/clean-text.ts";
import type { Speech } from "../../words/speech.ts";
import { WordCounter } from "./charts/words.ts";
import { NO_ORDER, quoted } from "./comparisons.ts";
import { count, flag, nullableNumber } from "./entries.ts";
import { entryAttributes, LabelledField } from "./field.tsx";
import { NOTHING_TYPED } from "./form.ts";
import { type Checked, checkOrder, defineQuestionType, type QuestionOf } from "./question-type.ts";

/** The limit where the question has none, in characters. */
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
    card: {
      label: "Text",
      fresh: { multiline: false, minLength: null, maxLength: null },
      fields: [
        {
          has: "limits",
          least: ["minLength", "At least so many characters"],
          most: ["maxLength", "At most so many characters"],
        },
        { has: "box", member: "multiline", label: "Several lines" },
      ],
    },
    memberNames: {
      multiline: "several lines",
      minLength: "the least number of characters",
      maxLength: "the greatest number of characters",
    },
    texts: {},
    build({ multiline, minLength = null, maxLength = null }, draft) {
      checkOrder(draft, ["minLength", minLength], ["maxLength", maxLength]);
      return { multiline: multiline ?? false, minLength, maxLength };
    },
    check: checkText,
    comparisons: {
      readOperand(raw, operator) {
        if (typeof raw !== "string") return { message: "must be a string" };
        // A whole answer is trimmed, as answers are kept; a piece of an answer may begin or end with a space.
        const lines = withPlainLineEnds(raw);
        const text = operator === "contains" ? lines : lines.trim();
        return text || { message: "must not be empty; use answered" };
      },
      operandText: (_, value) => quoted(value),
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
    counter: (_, counting) => new WordCounter(counting),
    readTyped: (_, { text }) => ({ raw: text }),
    toTyped: (text) => ({ ...NOTHING_TYPED, text }),
    Field(props) {
      const attributes = entryAttributes(props);
      return (
        <LabelledField {...props}>
          {props.question.multiline ? (
            <textarea class="entry" rows={5} {...attributes} />
          ) : (
            <input class="entry" type="text" {...attributes} />
          )}
        </LabelledField>
      );
    },
    limitsText,
    missingText: (_, speech) => speech.say("writeAnswer"),
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

/** Browsers send line ends as CRLF; we keep LF. */
function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function limitsText({ minLength, maxLength }: TextQuestion, speech: Speech): string | null {
  const min = minLength ?? 0;
  const max = maxLength ?? MAX_TEXT_LENGTH;
  // The limit that all texts have is not worth showing.
  const hasMax = max < MAX_TEXT_LENGTH;
  if (min > 1 && hasMax) return speech.count("charactersBetween", max, { min });
  if (min > 1) return speech.count("charactersFrom", min);
  return hasMax ? speech.count("charactersUpTo", max) : null;
}
