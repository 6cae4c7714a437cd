// The placeholders in the texts of a mailing: what stands for them, and what is wrong with them.

import { isAttributeKey } from "../base/attributes.ts";
import type { ProblemDetail } from "../base/problems.ts";
import { nearest } from "../base/schemas.ts";
import { fillFrom } from "../insertions/fill.ts";
import { partsOfBody } from "../mail/letter.tsx";
import { quoted } from "../nouns/question-types/comparisons.ts";
import type { Fill } from "../nouns/question-types/markup/plain.ts";
import { PLACEHOLDER, type Reference, referenceOf, referencesIn } from "../nouns/question-types/markup/references.ts";
import { findType } from "../nouns/question-types/registry.ts";
import type { KeyedQuestion } from "./answers.ts";
import type { Words } from "./texts.ts";

/** What a placeholder stands for. */
type Placeholder = { of: "link" } | { of: "name"; fallback: string | undefined } | Reference;

function placeholderOf(typed: string): Placeholder | undefined {
  if (/^\{\{\s*link\s*\}\}$/.test(typed)) return { of: "link" };
  const [isName, fallback] = /^\{\{\s*name\s*(?:\|(.*))?\}\}$/.exec(typed) ?? [];
  if (isName !== undefined) return { of: "name", fallback: fallback?.trim() };
  return referenceOf(typed);
}

/** Whether a body has a place for the link. */
export function hasLink({ body: text }: Words): boolean {
  return partsOfBody(text).length > 1;
}

/** Whether a text inserts an answer. */
export function asksForAnswers({ subject, body }: SentWords): boolean {
  return [subject, body].some((text) => referencesIn(text ?? "").some(({ of }) => of === "answer"));
}

/** Puts in what is known of a person. */
export function filling(name: string | null, known: Parameters<typeof fillFrom>[0]): Fill {
  const fill = fillFrom(known);
  return (typed) => {
    const placeholder = placeholderOf(typed);
    return placeholder?.of === "name" ? name?.trim() || (placeholder.fallback ?? "") : fill(typed);
  };
}

/** Which texts are asked for. */
interface Rules {
  /** Whether each message needs the link. */
  needsLink: boolean;
  /** Attributes that texts may refer to. Undefined: any. */
  attributes: ReadonlySet<string> | undefined;
  /** Questions to whose answers they may refer. Called if a text does. Undefined: the study is not known, which is said elsewhere. */
  questions(): readonly KeyedQuestion[] | undefined;
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

const KNOWN = { name: "{{name|…}}", link: "{{link}}", attribute: "{{attribute:KEY|…}}", answer: "{{answer:KEY|…}}" };

function faultsOf(text: string, rules: Rules): string[] {
  const open = /\{\{[^\n]{0,40}/.exec(text.replace(PLACEHOLDER, ""));
  const faults = open
    ? [`has ${quoted(open[0])}, which does not end: {{name|…}}, {{link}}, {{attribute:KEY|…}} or {{answer:KEY|…}}`]
    : [];
  for (const typed of new Set(text.match(PLACEHOLDER))) {
    const fault = faultOf(typed, rules);
    if (fault !== undefined) faults.push(`has ${typed}, which ${fault}`);
  }
  return faults;
}

function faultOf(typed: string, rules: Rules): string | undefined {
  const placeholder = placeholderOf(typed);
  if (!placeholder) return `is no placeholder of messages${meantBy(typed, rules)}`;
  if (placeholder.of === "link") return undefined;
  if (placeholder.of === "answer") return faultOfAnswer(placeholder, rules);
  if (placeholder.of === "attribute") return faultOfAttribute(placeholder, rules);
  return placeholder.fallback === undefined
    ? "needs a fallback, as in {{name|there}}: a person may have no name"
    : undefined;
}

/** What may be meant by something that is no placeholder. */
function meantBy(typed: string, { questions }: Rules): string {
  const [word = ""] = /^[^:|]*/.exec(typed.slice(2, -2)) ?? [];
  const near = nearest(word.trim(), Object.keys(KNOWN)) as keyof typeof KNOWN | undefined;
  const isKey = near === undefined && questions()?.some(({ key }) => key === word.trim());
  const meant = near === undefined ? isKey && `{{answer:${word.trim()}|…}}` : KNOWN[near];
  return meant ? `; did you mean ${meant}?` : "";
}

function faultOfAttribute({ key, fallback }: Reference, { attributes }: Rules): string | undefined {
  if (!isAttributeKey(key)) return "names no attribute: a key has 1 to 100 characters";
  if (attributes && !attributes.has(key))
    return `refers to an attribute that the workspace does not declare${orNearest(key, [...attributes])}`;
  if (fallback !== undefined) return undefined;
  return `needs a fallback, as in {{attribute:${key}|…}}: a person may not have this attribute`;
}

function faultOfAnswer({ key, fallback }: Reference, { questions }: Rules): string | undefined {
  const known = questions();
  if (!known) return undefined;
  const named = known.find((one) => one.key === key);
  if (!named) {
    const others = known.map((one) => one.key);
    return `refers to no question: none that was published has the key ${quoted(key)}${orNearest(key, others)}`;
  }
  const type = findType(named.type);
  if (!type?.inWords) return `refers to a ${type?.name} question, whose answer can’t be inserted`;
  if (fallback !== undefined) return undefined;
  return `needs a fallback, as in {{answer:${key}|…}}: a person may not have answered ${quoted(named.prompt)}`;
}

function orNearest(key: string, known: readonly string[]): string {
  const near = key === "" ? undefined : nearest(key, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
