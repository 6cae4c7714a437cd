// Questions that ask for consent: a text, and a box to tick. What is kept of an answer proves what was agreed to, and when.

import * as crypto from "node:crypto";
import * as v from "valibot";
import { requiredText, timestamp } from "../../base/schemas.ts";
import { DEFAULT_LANGUAGE } from "../../languages/tags.ts";
import { ConsentCounter } from "./charts/consents.ts";
import { nullableText, text } from "./entries.ts";
import { describedBy, Notes, Prompt } from "./field.tsx";
import { answerField, fieldId, NOTHING_TYPED } from "./form.ts";
import { TextBlock } from "./markup/texts.tsx";
import { type Checked, defineQuestionType, type FieldProps, type QuestionOf } from "./question-type.ts";
import { consentText } from "./values/consent-text.ts";

const MAX_CONSENT_LENGTH = 50_000;
const MAX_VERSION_LENGTH = 64;

const view = { text: v.string(), version: nullableText, withdrawText: nullableText, declinedText: nullableText };

type ConsentQuestion = QuestionOf<"Consent", typeof view>;

const consent = v.pipe(
  v.object({
    isGiven: v.literal(true),
    textHash: v.pipe(v.string(), v.description("SHA-256 of the text as it was shown, in UTF-8, as hexadecimal digits")),
    version: v.pipe(nullableText, v.description("The question’s, when it was answered")),
    language: v.pipe(v.string(), v.description("The language of the text that was shown, as BCP 47 has it")),
    at: v.pipe(timestamp, v.description("When consent was given first to this text")),
  }),
  v.title("ScreenerConsent"),
);

type Consent = v.InferOutput<typeof consent>;

/** What the box on the page sends. */
const TICKED = "given";

const NO_COMPARISON = "does not go with a consent; use answered";

export const consentType = defineQuestionType(
  {
    kind: "Consent",
    input: {
      text: requiredText(MAX_CONSENT_LENGTH),
      version: text(MAX_VERSION_LENGTH),
      withdrawText: text(5000),
      declinedText: text(5000),
    },
    view,
    answer: consent,
  },
  {
    card: {
      label: "Consent",
      fresh: { text: "", version: null, withdrawText: null, declinedText: null },
      fields: [
        { has: "text", member: "text", label: "What people agree to", rows: 8 },
        { has: "text", member: "version", label: "Version of this text" },
        { has: "text", member: "declinedText", label: "Ending for people who do not agree", rows: 3 },
        { has: "text", member: "withdrawText", label: "What people read before they withdraw", rows: 3 },
      ],
    },
    memberNames: {
      text: "what people agree to",
      version: "the version of the text",
      withdrawText: "what people read before they withdraw",
      declinedText: "the ending for people who do not agree",
    },
    texts: { text: "text", version: "code", withdrawText: "text", declinedText: "text" },
    markedTexts: ["declinedText"],
    isRequiredByDefault: true,
    endsWithout: "NO_CONSENT",
    build: ({ text, version, withdrawText, declinedText }) => ({
      text,
      version: version?.trim() || null,
      withdrawText: withdrawText?.trim() || null,
      declinedText: declinedText?.trim() || null,
    }),
    check: checkConsent,
    asRead: (answer, { text }, languageOf) => ({
      ...answer,
      textHash: hashOf(text),
      language: languageOf("text"),
    }),
    // It is given once. To send it again proves nothing new.
    keeps: (former, { textHash, version, language }, raw) =>
      (former.textHash === textHash && former.version === version && former.language === language) ||
      isSentBack(former, raw),
    comparisons: {
      readOperand: () => ({ message: NO_COMPARISON }),
      operandText: () => "",
      equality: { equals: NO_COMPARISON, oneOf: NO_COMPARISON },
      contains: NO_COMPARISON,
      order: NO_COMPARISON,
    },
    toShown: (answer) => answer,
    fromShown: (_, shown) => shown,
    cell: consentText,
    inWords: (_, { at }, speech, dayOf) => speech.date(dayOf(at)),
    codebookText: () => "consent: when it was given, to which version, and in which language; empty where it was not",
    counter: (_, { groups }) => new ConsentCounter(groups),
    readTyped: (_, { chosen }) => ({ raw: chosen.has(TICKED) ? { isGiven: true } : null }),
    toTyped: () => ({ ...NOTHING_TYPED, chosen: new Set([TICKED]) }),
    Field: ConsentField,
    limitsText: ({ required }, speech) => (required ? speech.say("consentNeeded") : null),
    missingText: (_, speech) => speech.say("chooseAnswer"),
  },
);

/** A request has `isGiven` alone. What else was kept of an answer may come back with it. */
function checkConsent({ text, version }: ConsentQuestion, raw: unknown): Checked<Consent> {
  const isGiven = typeof raw === "object" && raw !== null && "isGiven" in raw ? raw.isGiven : undefined;
  if (typeof isGiven !== "boolean") return { error: { code: "not_consent" } };
  if (!isGiven) return { answer: null };
  const at = new Date().toISOString();
  return { answer: { isGiven, textHash: hashOf(text), version, language: DEFAULT_LANGUAGE, at } };
}

/** A program sends back what was kept, which may have been given in another language than programs ask in. */
function isSentBack({ textHash }: Consent, raw: unknown): boolean {
  return typeof raw === "object" && raw !== null && "textHash" in raw && raw.textHash === textHash;
}

function hashOf(text: string): string {
  return crypto.createHash("sha256").update(text).digest("hex");
}

/** The text, then the box with the prompt. It is ticked only where the person has ticked it. */
function ConsentField({ typed, ...notes }: FieldProps<ConsentQuestion>) {
  const { question, author, error } = notes;
  const textId = `text-${question.id}`;
  return (
    <>
      <TextBlock class="text consent" id={textId} text={question.text} {...author("text")} />
      <Notes {...notes} />
      <label class="option">
        <input
          class="box"
          type="checkbox"
          id={fieldId(question.id)}
          name={answerField(question.id)}
          value={TICKED}
          checked={typed.chosen.has(TICKED)}
          aria-invalid={error ? "true" : undefined}
          aria-describedby={[textId, describedBy(notes)].filter(Boolean).join(" ")}
        />
        <span class="option-text">
          <Prompt {...notes} />
        </span>
      </label>
    </>
  );
}
