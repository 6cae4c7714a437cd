// The state of each text's translation: there is none, it is of a former text, or it is of this one.

import { hash } from "node:crypto";
import type { Content } from "../content/content.ts";
import { type ContentString, stringsOf } from "../content/strings.ts";

export const STATES = ["MISSING", "STALE", "DONE"] as const;
export type State = (typeof STATES)[number];

/** A translation of a text, and the hash of the text that it translates. */
export type Translated = readonly [text: string, sourceHash: string];

/** The translations to one language, by the ids of strings. Also of strings that the draft has no more: a former version may come back. */
export type Translations = ReadonlyMap<string, Translated>;

export function readTranslations(json: string | undefined): Translations {
  return new Map(Object.entries(JSON.parse(json ?? "{}") as Record<string, Translated>));
}

export function writeTranslations(translations: Translations): string {
  return JSON.stringify(Object.fromEntries(translations));
}

/** Of a text that is translated. Line ends don't count: some programs change them. */
export function sourceHash(text: string): string {
  return hash("sha256", withPlainLineEnds(text)).slice(0, 16);
}

export function withPlainLineEnds(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

/** A text with its translation. */
export interface Entry extends ContentString {
  translated: string | null;
  state: State;
}

/** All texts that a draft has, with their translations. */
export function entriesOf(content: Content, title: string | null, translations: Translations): Entry[] {
  return stringsOf(content, title).map((string) => {
    const [translated = null, of] = translations.get(string.id) ?? [];
    return { ...string, translated, state: stateOf(string.text, of) };
  });
}

/** @param of the hash of the text that was translated; undefined: none was */
export function stateOf(source: string, of: string | undefined): State {
  if (of === undefined) return "MISSING";
  return of === sourceHash(source) ? "DONE" : "STALE";
}

/** How many texts there are, and in which states. */
export interface Progress {
  total: number;
  translated: number;
  stale: number;
  missing: number;
}

export function progressOf(entries: readonly Pick<Entry, "state">[]): Progress {
  const count = (state: State) => entries.filter((entry) => entry.state === state).length;
  return { total: entries.length, translated: count("DONE"), stale: count("STALE"), missing: count("MISSING") };
}
