// What a mailing says: subjects and bodies with placeholders, in several languages. What is wrong with them, and which of them suits a person.

import * as v from "valibot";
import type { AttributeValue } from "../base/attributes.ts";
import { isAttributeKey } from "../base/attributes.ts";
import type { ProblemDetail } from "../base/problems.ts";
import { closedObject, nearest, requiredText, shortArray } from "../base/schemas.ts";
import { suitingLanguage } from "../languages/negotiate.ts";
import { canonicalLanguage } from "../languages/tags.ts";
import { MAX_SUBJECT_LENGTH, partsOfBody } from "../mail/letter.tsx";
import { quoted } from "../nouns/question-types/comparisons.ts";
import type { Fill } from "../nouns/question-types/markup/plain.ts";
import { PLACEHOLDER, referenceOf } from "../nouns/question-types/markup/references.ts";

const MAX_BODY_LENGTH = 20_000;
const MAX_LANGUAGES = 50;
export const MAX_REMINDERS = 5;
const MAX_AFTER_DAYS = 60;

const subject = v.pipe(
  requiredText(MAX_SUBJECT_LENGTH),
  v.check((text) => !/\p{Cc}/u.test(text), "must be one line"),
);
const body = requiredText(MAX_BODY_LENGTH);

const NOT_A_LANGUAGE = "must be a language, such as de or pt-BR";

const language = v.pipe(
  v.string(NOT_A_LANGUAGE),
  v.check((tag) => canonicalLanguage(tag) !== undefined, NOT_A_LANGUAGE),
  v.transform((tag) => canonicalLanguage(tag)!),
);

const Translation = v.pipe(closedObject({ language, subject, body }), v.title("MailingTranslation"));

const NO_TRANSLATIONS: v.InferOutput<typeof Translation>[] = [];

/** Whether a language comes twice, among those that are right by themselves. */
function namesTwice(translations: unknown, issues: readonly v.BaseIssue<unknown>[] = []): boolean {
  // No list, or one that is too long: its entries have not been looked at.
  if (!Array.isArray(translations) || issues.some(({ path }) => path === undefined)) return false;
  const isWrong = new Set(issues.map(({ path = [] }) => `${path[0]?.key} ${path[1]?.key ?? ""}`));
  const known = translations.flatMap((one, index) =>
    isWrong.has(`${index} `) || isWrong.has(`${index} language`) ? [] : one.language,
  );
  return new Set(known).size < known.length;
}

/** Members that the first message and each reminder have. The subject and the body are in the study's own language. */
export const wordMembers = {
  subject,
  body,
  translations: v.pipe(
    v.optional(
      v.pipe(
        shortArray(Translation, MAX_LANGUAGES),
        v.rawCheck(({ dataset, addIssue }) => {
          if (namesTwice(dataset.value, dataset.issues)) addIssue({ message: "must not name a language twice" });
        }),
      ),
      NO_TRANSLATIONS,
    ),
    v.description("The same in other languages"),
  ),
};

const NOT_DAYS = `must be a whole number from 1 to ${MAX_AFTER_DAYS}`;

export const Reminder = v.pipe(
  closedObject({
    afterDays: v.pipe(
      v.number(NOT_DAYS),
      v.integer(NOT_DAYS),
      v.minValue(1, NOT_DAYS),
      v.maxValue(MAX_AFTER_DAYS, NOT_DAYS),
      v.description("Days after the message before it was sent"),
    ),
    ...wordMembers,
  }),
  v.title("MailingReminder"),
);

interface Words {
  subject: string;
  body: string;
}

/** One message of a mailing, in all its languages. */
export interface Step extends Words {
  /** 0: it is the first one. */
  afterDays: number;
  translations: readonly (Words & { language: string })[];
}

/** What a mailing has in its store. */
export interface Texts {
  /** Of the subjects and bodies themselves. */
  language: string;
  steps: readonly Step[];
}

/** The words for somebody who wants a language, and the language that they are in. @param wanted null: nobody knows it */
export function wordsFor(
  { language: own }: Pick<Texts, "language">,
  step: Step,
  wanted: AttributeValue | undefined,
): Words & { language: string } {
  const offered = [own, ...step.translations.map((one) => one.language)];
  const found = typeof wanted === "string" ? suitingLanguage([wanted], offered) : undefined;
  return step.translations.find((one) => one.language === found) ?? { ...step, language: own };
}

/** What a placeholder stands for. */
type Placeholder = { of: "link" } | { of: "name" | "attribute"; key: string; fallback: string | undefined };

function placeholderOf(typed: string): Placeholder | undefined {
  if (/^\{\{\s*link\s*\}\}$/.test(typed)) return { of: "link" };
  const [isName, fallback] = /^\{\{\s*name\s*(?:\|(.*))?\}\}$/.exec(typed) ?? [];
  if (isName !== undefined) return { of: "name", key: "name", fallback: fallback?.trim() };
  const reference = referenceOf(typed);
  return reference?.of === "attribute" ? { ...reference, of: "attribute" } : undefined;
}

/** Whether a body has a place for the link. */
export function hasLink({ body: text }: Words): boolean {
  return partsOfBody(text).length > 1;
}

/** Puts in what is known of a person. */
export function filling(name: string | null, attributes: ReadonlyMap<string, AttributeValue>): Fill {
  return (typed) => {
    const placeholder = placeholderOf(typed);
    if (!placeholder || placeholder.of === "link") return undefined;
    const value = placeholder.of === "name" ? name?.trim() || undefined : attributes.get(placeholder.key);
    return String(value ?? placeholder.fallback ?? "");
  };
}

/** Which texts are asked for. */
interface Rules {
  /** Whether each message needs the link. */
  needsLink: boolean;
  /** Attributes that texts may refer to. Undefined: any. */
  attributes: ReadonlySet<string> | undefined;
}

/** A message as it was sent. What is wrong by itself is undefined. */
export interface SentStep extends SentWords {
  translations?: readonly (SentWords | undefined)[] | undefined;
}

interface SentWords {
  subject?: string | undefined;
  body?: string | undefined;
}

/** Everything that is wrong with the placeholders of a message. @param at pointer of its object */
export function faultsOfStep(step: SentStep = {}, at: string, rules: Rules): ProblemDetail[] {
  const { translations = [] } = step;
  const texts: { at: string; words: SentWords }[] = [
    { at, words: step },
    ...translations.map((words = {}, index) => ({ at: `${at}/translations/${index}`, words })),
  ];
  return texts.flatMap(({ at: pointer, words: { subject, body } }) => [
    ...(subject === undefined ? [] : faultsOfSubject(subject, rules)).map((message) => ({
      pointer: `${pointer}/subject`,
      message,
    })),
    ...(body === undefined ? [] : faultsOfBody(body, rules)).map((message) => ({
      pointer: `${pointer}/body`,
      message,
    })),
  ]);
}

function faultsOfSubject(text: string, rules: Rules): string[] {
  const faults = faultsOf(text, rules);
  return /\{\{\s*link\s*\}\}/.test(text) ? [...faults, "must not have {{link}}: it belongs in the body"] : faults;
}

function faultsOfBody(text: string, rules: Rules): string[] {
  const parts = partsOfBody(text);
  const faults = parts.flatMap((part) => faultsOf(part, rules));
  if (parts.some((part) => /\{\{\s*link\s*\}\}/.test(part)))
    faults.push("has {{link}} within a line: it needs a line of its own");
  else if (rules.needsLink && parts.length === 1) faults.push("must have {{link}}, on a line of its own");
  if (/(?:\]\(|<[a-z]+:)[^)>\n]*\{\{/i.test(text)) faults.push("has a placeholder in the address of a link");
  return faults;
}

const KNOWN = ["name", "link", "attribute"];

function faultsOf(text: string, { attributes }: Rules): string[] {
  const open = /\{\{[^\n]{0,40}/.exec(text.replace(PLACEHOLDER, ""));
  const faults = open
    ? [`has ${quoted(open[0])}, which does not end: {{name|…}}, {{link}} or {{attribute:KEY|…}}`]
    : [];
  for (const typed of new Set(text.match(PLACEHOLDER))) {
    const fault = faultOf(typed, attributes);
    if (fault !== undefined) faults.push(`has ${typed}, which ${fault}`);
  }
  return faults;
}

function faultOf(typed: string, attributes: ReadonlySet<string> | undefined): string | undefined {
  const placeholder = placeholderOf(typed);
  if (!placeholder) {
    const [word = ""] = /^[^:|]*/.exec(typed.slice(2, -2)) ?? [];
    const near = nearest(word.trim(), KNOWN);
    const meant = near && { name: "{{name|…}}", link: "{{link}}", attribute: "{{attribute:KEY|…}}" }[near];
    return `is no placeholder of messages${meant === undefined ? "" : `; did you mean ${meant}?`}`;
  }
  if (placeholder.of === "link") return undefined;
  const { of, key, fallback } = placeholder;
  if (of === "attribute" && !isAttributeKey(key)) return "names no attribute: a key has 1 to 100 characters";
  if (of === "attribute" && attributes && !attributes.has(key)) {
    const near = nearest(key, [...attributes]);
    return `refers to an attribute that the workspace does not declare${near === undefined ? "" : `; did you mean ${near}?`}`;
  }
  if (fallback !== undefined) return undefined;
  return of === "name"
    ? "needs a fallback, as in {{name|there}}: a person may have no name"
    : `needs a fallback, as in {{attribute:${key}|…}}: a person may not have this attribute`;
}
