// References in the texts of a draft: whether they lead anywhere, and whether there is something to show whatever has been answered.

import { isAttributeKey } from "../../base/attributes.ts";
import type { ProblemDetail } from "../../base/problems.ts";
import { nearest } from "../../base/schemas.ts";
import { quoted } from "../question-types/comparisons.ts";
import { blocksOf, hasReferenceInAddress } from "../question-types/markup/parse.ts";
import {
  PLACEHOLDER,
  REFERENCED,
  type Reference,
  referenceOf,
  referencesIn,
} from "../question-types/markup/references.ts";
import { type Question, typeOf } from "../question-types/registry.ts";
import { askedIn, type Content, isQuestion } from "./content.ts";
import { mayComeBefore } from "./draft-shuffles.ts";
import { outcomeString, stringsOf, THANK_YOU, withEndingTexts, withItemTexts, withPageTexts } from "./strings.ts";

/** Where a text is read: on a page, or at the end, to which some come early. */
export type Position = { page: number } | { end: "EARLY" | "LATE" };

interface Keyed {
  question: Question;
  page: number;
}

/** The attributes that texts refer to. */
export function attributesReferredTo(content: Content): string[] {
  if (content.markup !== "MARKDOWN") return [];
  const references = stringsOf(content, null).flatMap(({ text }) => referencesIn(text));
  return [...new Set(references.flatMap(({ of, key }) => (of === "attribute" ? [key] : [])))];
}

/** What references may lead to. */
interface Declared {
  questions: ReadonlyMap<string, Keyed>;
  /** Missing: the workspace declares none, so any is. */
  attributes: ReadonlySet<string> | undefined;
}

/**
 * What is wrong with references. @param pointerOf where a page, a question or a quota is, by its id
 * @param attributes that texts may refer to. Undefined: any
 */
export function referenceFaults(
  content: Content,
  pointerOf: (id: string) => string,
  attributes: ReadonlySet<string> | undefined,
): ProblemDetail[] {
  if (content.markup !== "MARKDOWN") return [];
  const { pages } = content;
  const keyed = new Map<string, Keyed>();
  for (const [page, one] of pages.entries())
    for (const question of askedIn(one)) if (question.key !== null) keyed.set(question.key, { question, page });
  const declared = { questions: keyed, attributes };
  const faults: ProblemDetail[] = [];
  const check = (text: string, pointer: string, position: Position) => {
    if (!text.includes("{{")) return;
    for (const message of faultsOf(text, position, content, declared)) faults.push({ pointer, message });
  };
  for (const [page, one] of pages.entries()) {
    withPageTexts(
      one,
      noting((text, _, pointer) => check(text, pointerOf(one.id) + pointer, { page })),
    );
    for (const item of one.questions) {
      const names = isQuestion(item) ? ["prompt", "helpText", ...(typeOf(item).markedTexts ?? [])] : ["text"];
      const readable = new Set(names.map((name) => `/${name}`));
      const note = (text: string, _: string, pointer: string) => {
        if (readable.has(pointer)) check(text, pointerOf(item.id) + pointer, { page });
      };
      withItemTexts(item, noting(note));
    }
  }
  withEndingTexts(
    content,
    noting((text, id, pointer) => {
      const [, quotaId] = /^quota\/([^/]+)\//.exec(id) ?? [];
      const isOfAll = id === THANK_YOU || id === outcomeString("DISQUALIFIED") || quotaId !== undefined;
      const at = quotaId === undefined ? pointer : `${pointerOf(quotaId)}/ending/thankYou`;
      check(text, at, endPosition(content, isOfAll));
    }),
  );
  return faults;
}

/** Goes through texts, and leaves them as they are. */
const noting =
  (note: (text: string, id: string, pointer: string) => void) => (id: string, text: string, pointer: string) => {
    note(text, id, pointer);
    return text;
  };

/** Whether some may come to the end before they have been asked all. */
function mayEndEarly({ pages, quotas }: Content): boolean {
  return quotas !== undefined || pages.some(({ disqualifyWhen }) => disqualifyWhen !== null);
}

function faultsOf(text: string, position: Position, content: Content, declared: Declared): string[] {
  const open = text.replace(PLACEHOLDER, "").match(/\{\{\s*(?:answer|attribute)\s*:[^\n]{0,40}/);
  const faults = open ? [`has ${quoted(open[0])}, which does not end: {{answer:KEY}}, or {{answer:KEY|fallback}}`] : [];
  for (const typed of new Set(text.match(PLACEHOLDER))) {
    const reference = referenceOf(typed);
    const fault = reference ? faultOf(reference, position, content, declared) : faultOfOther(typed, declared.questions);
    if (fault !== undefined) faults.push(`has ${typed}, which ${fault}`);
  }
  if (hasReferenceInAddress(blocksOf(text))) faults.push("has a reference in the address of a link");
  return faults;
}

/** A placeholder that is no reference is shown as it was typed, unless it seems to be meant as one. */
function faultOfOther(typed: string, keyed: ReadonlyMap<string, Keyed>): string | undefined {
  const [, name = "", rest] = /^\{\{\s*([^:|]*?)\s*(:.*|\|.*)?\}\}$/.exec(typed) ?? [];
  if (keyed.has(name)) return `is no reference; did you mean {{answer:${name}${rest ?? ""}}}?`;
  if (!rest?.startsWith(":")) return undefined;
  const near = nearest(name, REFERENCED);
  return near === undefined ? undefined : `is no reference; did you mean {{${near}${rest}}}?`;
}

function faultOf(
  { of, key, fallback }: Reference,
  position: Position,
  content: Content,
  { questions: keyed, attributes }: Declared,
): string | undefined {
  const needs = (why: string) =>
    fallback === undefined ? `needs a fallback, as in {{${of}:${key}|…}}: ${why}` : undefined;
  if (of === "attribute") {
    if (!isAttributeKey(key)) return "names no attribute: a key has 1 to 100 characters";
    if (attributes && !attributes.has(key)) {
      const near = nearest(key, [...attributes]);
      return `refers to an attribute that the workspace does not declare${near === undefined ? "" : `; did you mean ${near}?`}`;
    }
    return needs("a person may not have this attribute");
  }
  const named = keyed.get(key);
  if (!named) {
    const near = key && nearest(key, [...keyed.keys()]);
    return `refers to no question: none has the key ${quoted(key)}${near ? `; did you mean ${near}?` : ""}`;
  }
  const { question } = named;
  if (!typeOf(question).inWords) return `refers to a ${typeOf(question).name} question, whose answer can’t be inserted`;
  const why = doubtOf(named, position, content);
  return why && needs(`${quoted(question.prompt)} ${why}`);
}

/** Whether there may be no answer to a question where a text is read. For the builder. */
export function mayBeMissing(content: Content, question: Question, position: Position): boolean {
  const page = content.pages.findIndex((one) => askedIn(one).includes(question));
  return doubtOf({ question, page }, position, content) !== undefined;
}

/** Where the text of an ending is read. @param isOfAll whether also those read it who are turned away */
export function endPosition(content: Content, isOfAll: boolean): Position {
  return { end: isOfAll && mayEndEarly(content) ? "EARLY" : "LATE" };
}

/** Why a question may not have been answered where a text is read. Undefined: it has. */
function doubtOf({ question, page: index }: Keyed, position: Position, { pages }: Content): string | undefined {
  if ("page" in position) {
    if (position.page === index) return "is on the same page";
    if (index > position.page) return "is on a later page";
    if (mayComeBefore(pages, position.page, index)) return "may come later, by chance";
  }
  if (question.showWhen || pages[index]!.showWhen) return "is not asked in any case";
  if (!question.required) return "may be skipped";
  return "end" in position && position.end === "EARLY" ? "may not have been asked when the session ends" : undefined;
}
