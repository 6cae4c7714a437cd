// Questions that are answered with a text of one line or several lines.

import * as v from "valibot";
import { isCleanText, lengthOf } from "../../base/clean-text.ts";
import { maxCharacters } from "../../base/schemas.ts";
import type { Speech } from "../../words/speech.ts";
import { WordCounter } from "./charts/words.ts";
import { NO_ORDER, quoted } from "./comparisons.ts";
import { count, flag, nullableNumber, text, type ValuesOf } from "./entries.ts";
import { entryAttributes, LabelledField } from "./field.tsx";
import { NOTHING_TYPED } from "./form.ts";
import { formatText } from "./page-words.ts";
import { type Checked, checkOrder, defineQuestionType, type QuestionDraft, type QuestionOf } from "./question-type.ts";
import { faultOfPattern, MAX_MATCHED_LENGTH, MAX_PATTERN_LENGTH, matchesPattern } from "./values/patterns.ts";
import { FORMAT_NAMES, FORMATS, type Format, normalized } from "./values/text-formats.ts";

/** The limit where the question has none, in characters. */
const MAX_TEXT_LENGTH = 10_000;

const MAX_MESSAGE_LENGTH = 500;

const input = {
  multiline: flag,
  minLength: count(0, MAX_TEXT_LENGTH),
  maxLength: count(1, MAX_TEXT_LENGTH),
  format: v.optional(v.nullable(v.picklist(FORMATS, `must be ${FORMATS.join(", ").replace(/, (?!.*,)/, " or ")}`))),
  pattern: v.optional(
    v.nullable(
      v.pipe(
        maxCharacters(MAX_PATTERN_LENGTH),
        v.description(
          "A regular expression of RE2 that the whole answer has to match; of a format, its normalized form",
        ),
      ),
    ),
  ),
  patternMessage: text(MAX_MESSAGE_LENGTH),
};

/** What few questions have is shown only where it is set. */
const view = {
  multiline: v.boolean(),
  minLength: nullableNumber,
  maxLength: nullableNumber,
  format: v.optional(v.picklist(FORMATS)),
  pattern: v.optional(v.string()),
  patternMessage: v.optional(v.string()),
};

export type TextQuestion = QuestionOf<"Text", typeof view>;

export const textType = defineQuestionType(
  {
    kind: "Text",
    input,
    view,
    answer: v.string(),
  },
  {
    card: {
      label: "Text",
      fresh: { multiline: false, minLength: null, maxLength: null },
      fields: [
        {
          has: "choice",
          member: "format",
          label: "Kind of text",
          options: [
            { value: null, label: "Any" },
            { value: "EMAIL", label: "Email address", sets: { multiline: false } },
            { value: "PHONE", label: "Phone number", sets: { multiline: false } },
            { value: "POSTCODE", label: "Postcode", sets: { multiline: false } },
            { value: "URL", label: "Web address", sets: { multiline: false } },
            { value: "DIGITS", label: "Digits, such as a membership number", sets: { multiline: false } },
          ],
        },
        {
          has: "limits",
          least: ["minLength", "Minimum number of characters"],
          most: ["maxLength", "Maximum number of characters"],
        },
        {
          has: "text",
          member: "pattern",
          label: "Pattern",
          hint: "For codes such as [A-Z]{2}[0-9]{6}: a regular expression of RE2 that the whole answer has to match.",
        },
        {
          has: "text",
          member: "patternMessage",
          label: "What people read where it does not match",
          hint: "Say how it should look: “Enter two letters and six digits, such as AB123456”.",
          onlyWith: "pattern",
        },
        { has: "box", member: "multiline", label: "Several lines" },
      ],
    },
    memberNames: {
      multiline: "several lines",
      minLength: "the least number of characters",
      maxLength: "the greatest number of characters",
      format: "the kind of text",
      pattern: "the pattern",
      patternMessage: "the message where the pattern does not match",
    },
    texts: { pattern: "code", patternMessage: "text" },
    build: buildText,
    check: checkText,
    isSearched: true,
    comparisons: {
      readOperand(raw, operator, _, { format }) {
        if (typeof raw !== "string") return { message: "must be a string" };
        // A whole answer is trimmed, as answers are kept; a piece of an answer may begin or end with a space.
        const lines = withPlainLineEnds(raw);
        const text = operator === "contains" ? lines : lines.trim();
        if (!text) return { message: "must not be empty; use answered" };
        if (!format || operator === "contains") return text;
        const { name, example } = FORMAT_NAMES[format];
        return normalized(format, text) ?? { message: `must be ${name} such as ${example}` };
      },
      operandText: (_, value) => quoted(value),
      equality: comparable,
      contains(answer, piece, memo, question) {
        // Both forms of the answer. No piece has U+0000.
        memo.lowerCase ??= (question.format ? `${answer}\0${comparable(answer, question)}` : answer).toLowerCase();
        return memo.lowerCase.includes(piece.toLowerCase());
      },
      order: NO_ORDER,
    },
    inWords: (_, answer) => answer,
    toShown: (answer) => answer,
    fromShown: (_, shown) => shown,
    normalizer: (question) => (question.format ? (shown) => comparable(shown, question) : undefined),
    cell: (shown) => shown,
    codebookText: ({ format }) => (format ? FORMAT_CELLS[format] : "text"),
    counter: (_, counting) => new WordCounter(counting),
    readTyped: (_, { text }) => ({ raw: text }),
    toTyped: (text) => ({ ...NOTHING_TYPED, text }),
    Field(props) {
      const attributes = entryAttributes(props);
      const { format, multiline } = props.question;
      return (
        <LabelledField {...props}>
          {multiline ? (
            <textarea class="entry" rows={5} {...attributes} />
          ) : (
            <input class="entry" type="text" {...attributes} {...(format && KEYBOARDS[format])} />
          )}
        </LabelledField>
      );
    },
    limitsText,
    missingText: ({ format }, speech) => (format ? formatText(format, speech) : speech.say("writeAnswer")),
  },
);

/** What an answer is typed with, and what the browser offers. These read from left to right in every language. */
const KEYBOARDS = {
  EMAIL: {
    type: "email",
    inputMode: "email",
    autocomplete: "email",
    autocapitalize: "none",
    spellcheck: false,
    dir: "ltr",
  },
  PHONE: { type: "tel", inputMode: "tel", autocomplete: "tel", dir: "ltr" },
  POSTCODE: { autocomplete: "postal-code", autocapitalize: "characters", spellcheck: false, dir: "ltr" },
  // Not of the type url: that has nothing in it but whole addresses, and www.example.org is taken, too.
  URL: { type: "text", inputMode: "url", autocomplete: "url", autocapitalize: "none", spellcheck: false, dir: "ltr" },
  DIGITS: { inputMode: "numeric", autocomplete: "off", dir: "ltr" },
} as const satisfies Record<Format, object>;

/** What cells have, for the codebook. */
const FORMAT_CELLS: Record<Format, string> = {
  EMAIL: "email address, as it was typed",
  PHONE: "phone number, as it was typed",
  POSTCODE: "postcode, as it was typed",
  URL: "web address, as it was typed",
  DIGITS: "digits, as they were typed",
};

function buildText(sent: ValuesOf<typeof input>, draft: QuestionDraft) {
  const { minLength = null, maxLength = null, format } = sent;
  const multiline = sent.multiline ?? false;
  checkOrder(draft, ["minLength", minLength], ["maxLength", maxLength]);
  if (format && multiline) draft.fail("/format", "goes only with one line: multiline must be false");
  const pattern = sent.pattern || undefined;
  const patternMessage = sent.patternMessage?.trim() || undefined;
  if (pattern !== undefined) {
    const fault = faultOfPattern(pattern, draft.patterns);
    if (fault !== undefined) draft.fail("/pattern", fault);
    if (patternMessage === undefined) draft.fail("/patternMessage", "is required where there is a pattern");
    if (maxLength !== null && maxLength > MAX_MATCHED_LENGTH)
      draft.fail("/maxLength", `must be at most ${MAX_MATCHED_LENGTH} where there is a pattern`);
  } else if (patternMessage !== undefined) draft.fail("/pattern", "is required where there is a patternMessage");
  return { multiline, minLength, maxLength, ...(format && { format }), ...(pattern && { pattern, patternMessage }) };
}

/** An answer in the form in which it is compared. */
function comparable(answer: string, { format }: TextQuestion): string {
  return (format && normalized(format, answer)) ?? answer;
}

function checkText(question: TextQuestion, raw: unknown): Checked<string> {
  if (typeof raw !== "string") return { error: { code: "not_text" } };
  const text = withPlainLineEnds(raw).trim();
  if (!isCleanText(text)) return { error: { code: "unclean_text" } };
  if (!text) return { answer: null };
  if (!question.multiline && text.includes("\n")) return { error: { code: "several_lines" } };
  const { format, pattern, patternMessage = "" } = question;
  const form = format && normalized(format, text);
  if (format && form === undefined) return { error: { code: "wrong_format", format } };
  const { min, max } = lengthsOf(question);
  const length = format === "DIGITS" ? form!.length : lengthOf(text);
  if (length < min) return { error: { code: format === "DIGITS" ? "too_few_digits" : "too_short", limits: { min } } };
  if (length > max) return { error: { code: format === "DIGITS" ? "too_many_digits" : "too_long", limits: { max } } };
  if (pattern !== undefined && !matchesPattern(pattern, form ?? text))
    return { error: { code: "wrong_pattern", message: patternMessage } };
  return { answer: text };
}

function lengthsOf({ minLength, maxLength, pattern }: TextQuestion): { min: number; max: number } {
  return { min: minLength ?? 0, max: maxLength ?? (pattern === undefined ? MAX_TEXT_LENGTH : MAX_MATCHED_LENGTH) };
}

/** Browsers send line ends as CRLF; we keep LF. */
function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function limitsText(question: TextQuestion, speech: Speech): string | null {
  const { min, max } = lengthsOf(question);
  // The limit that all texts have is not worth showing.
  const hasMax = question.maxLength !== null && max < MAX_TEXT_LENGTH;
  if (question.format === "DIGITS") {
    if (hasMax && min === max) return speech.count("digitsExactly", max);
    if (min > 1 && hasMax) return speech.count("digitsBetween", max, { min });
    if (min > 1) return speech.count("digitsFrom", min);
    return hasMax ? speech.count("digitsUpTo", max) : null;
  }
  if (min > 1 && hasMax) return speech.count("charactersBetween", max, { min });
  if (min > 1) return speech.count("charactersFrom", min);
  return hasMax ? speech.count("charactersUpTo", max) : null;
}
