// Changes translations: those that a caller names, or those of a file. All of them are checked before any is made.

import { isCleanText, lengthOf } from "../../base/clean-text.ts";
import type { ProblemDetail } from "../../base/problems.ts";
import type { ContentString } from "../content/strings.ts";
import { PARTS } from "../question-types/entries.ts";
import type { Markup } from "../question-types/markup/parse.ts";
import { type State, sourceHash, stateOf, type Translated, type Translations, withPlainLineEnds } from "./states.ts";
import { faultOfTranslation } from "./survive.ts";

/** In characters. A text that is longer than half of it may become twice as long: what people agree to has up to 50,000. */
const MAX_TRANSLATION_LENGTH = 10_000;
export const MAX_LONGEST_TRANSLATION = 100_000;

/** A translation as somebody has sent it. */
export interface Sent {
  id: string;
  /** Null: there is to be none. */
  text: string | null;
  /** The text that was translated. Undefined: the one that the draft has. */
  source?: string | undefined;
  /** Whether the translator says that it fits, though it is as it was. A file has all texts, also those at which nobody has looked. */
  isConfirmed: boolean;
  /** Where it stands. */
  at: Pick<ProblemDetail, "pointer" | "line">;
}

/** What becomes of a text. */
export interface MadeChange {
  id: string;
  path: string;
  source: string;
  from: string | null;
  to: string | null;
  state: State;
  /** The text that was translated, if the draft has another one now. */
  madeFrom?: string;
}

/** Why nothing becomes of one. */
export interface Ignored {
  id: string;
  reason: "NOT_IN_DRAFT" | "MADE_FROM_FORMER_TEXT";
}

interface Changed {
  translations: Translations;
  changes: MadeChange[];
  ignored: Ignored[];
  errors: ProblemDetail[];
}

/** How a file may have changed texts that nobody has changed. */
interface Reading {
  markup: Markup | undefined;
  /** Whether unknown strings and texts of former sources are passed over. Else they are errors. */
  isFile: boolean;
  /** A text as the file's format gives it back. */
  asRead(text: string): string;
}

const TWICE = "is given twice";
const LATE = "translates a former text, and there is a translation of the present one";

export const AS_SENT: Omit<Reading, "markup"> = { isFile: false, asRead: withPlainLineEnds };

/** What is wrong with translations that are sent, without a look at the draft. */
export function givenTwice(sent: readonly Pick<Sent, "id" | "at">[]): ProblemDetail[] {
  const seen = new Set<string>();
  return sent.flatMap(({ id, at }) => {
    if (seen.has(id)) return { ...at, message: TWICE };
    seen.add(id);
    return [];
  });
}

/** @param strings of the draft */
export function changeTranslations(
  strings: readonly ContentString[],
  translations: Translations,
  sent: readonly Sent[],
  reading: Reading,
): Changed {
  const byId = new Map(strings.map((string) => [string.id, string]));
  const changed: Changed & { translations: Map<string, Translated> } = {
    translations: new Map(translations),
    changes: [],
    ignored: [],
    errors: [],
  };
  const seen = new Set<string>();
  for (const one of sent) {
    const string = byId.get(one.id);
    if (seen.has(one.id)) changed.errors.push({ ...one.at, message: TWICE });
    else if (string) changeOne(string, one, reading, changed);
    else if (reading.isFile) changed.ignored.push({ id: one.id, reason: "NOT_IN_DRAFT" });
    else changed.errors.push({ ...one.at, message: "is no text of the draft" });
    seen.add(one.id);
  }
  changed.errors.push(...sameParts(strings, sent, changed));
  return changed;
}

/** The id of such a text: the list that it is in, and what the list has. */
const PART = new RegExp(`^question/[^/]+/(${Object.values(PARTS).join("|")})/`);

/** Options, rows or columns of a question that would be the same to those who read them. A draft has no such, either. @returns an error where one was sent */
function sameParts(
  strings: readonly ContentString[],
  sent: readonly Sent[],
  { translations, changes }: Changed,
): ProblemDetail[] {
  const made = new Set(changes.flatMap(({ id }) => (PART.test(id) ? [id] : [])));
  if (!made.size) return [];
  const at = new Map(sent.map((one) => [one.id, one.at]));
  const first = new Map<string, string>();
  return strings.flatMap(({ id }) => {
    const [list, part] = PART.exec(id) ?? [];
    const [text] = translations.get(id) ?? [];
    if (list === undefined || text === undefined) return [];
    const key = `${list}${text}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, id);
    const wrong = other === undefined ? undefined : [id, other].find((one) => made.has(one));
    return wrong === undefined ? [] : [{ ...at.get(wrong)!, message: `is the same as another ${part}'s` }];
  });
}

function changeOne(
  { id, pointer, text: current }: ContentString,
  { text, source, isConfirmed, at }: Sent,
  { isFile, asRead, markup }: Reading,
  { translations, changes, ignored, errors }: Changed & { translations: Map<string, Translated> },
): void {
  const [from = null, of] = translations.get(id) ?? [];
  const change = { id, path: pointer, source: current, from };
  if (text === null) {
    if (isFile || from === null) return;
    translations.delete(id);
    changes.push({ ...change, to: null, state: "MISSING" });
    return;
  }
  const given = asRead(text).trim();
  const isFormer = source !== undefined && asRead(source) !== asRead(current);
  const isSame = from !== null && asRead(from).trim() === given;
  if (isSame && (isFormer || !isConfirmed)) return;
  const to = isSame ? from : given;
  const madeFrom = isFormer ? asRead(source) : current;
  const before = stateOf(current, of);
  const state = isFormer ? "STALE" : "DONE";
  if (isSame && before === state) return;
  const isLate = isFormer && before === "DONE";
  const fault =
    faultOf(to, madeFrom) ?? faultOfTranslation(madeFrom, to, markup) ?? (isLate && !isFile ? LATE : undefined);
  if (fault !== undefined) errors.push({ ...at, message: fault });
  else if (isLate) ignored.push({ id, reason: "MADE_FROM_FORMER_TEXT" });
  else {
    translations.set(id, [to, sourceHash(madeFrom)]);
    changes.push({ ...change, to, state, ...(isFormer && { madeFrom }) });
  }
}

function faultOf(text: string, source: string): string | undefined {
  if (text === "") return "must not be empty; null takes a translation away";
  if (!isCleanText(text)) return "has characters that no text may have";
  const max = Math.max(MAX_TRANSLATION_LENGTH, Math.min(2 * lengthOf(source), MAX_LONGEST_TRANSLATION));
  return lengthOf(text) > max ? `must be at most ${max} characters` : undefined;
}
