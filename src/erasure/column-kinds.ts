// What the text columns of the stores have of people, and how a person is removed from a text.

import type { Mentions } from "./mentions.ts";
import type { Rule } from "./names.ts";
import type { Column, Columns, Words } from "./search.ts";

/** A text that goes as a whole. */
const forgotten = (rule: Rule) => (mentions: Mentions, text: string) => (mentions.isIn(text, rule) ? null : text);
/** A text that stays, without the person. */
const blanked = (rule: Rule) => (mentions: Mentions, text: string) => mentions.without(text, rule);
const blankedJson = (rule: Rule) => (mentions: Mentions, json: string) => mentions.withoutTexts(json, rule);

export const NOTE: Words = { words: forgotten("SAID") };
export const KEY: Words = { words: forgotten("KEY") };
export const SHOWN: Words = { words: blanked("SHOWN") };
export const SHOWN_JSON: Words = { words: blankedJson("SHOWN") };
export const ROWS: Words = { words: (mentions, json) => mentions.withoutRows(json) };
/** Why a person has decided something, as a member of its JSON. */
export const REASON: Words = { words: (mentions, json) => mentions.withoutReason(json) };
export const ITEMS: Words = { words: (mentions, json) => mentions.withoutItems(json) };
export const PROBLEM: Words = { words: (mentions, json) => blankedJson("KEY")(mentions, mentions.withoutErrors(json)) };
export const WARNINGS: Words = { words: blankedJson("KEY") };

export const WORD: Column = { not: "one of our own words, a time or a number" };
export const ID: Column = { not: "an id that the service made" };
export const HASH: Column = { not: "a hash of a request: it leads to nobody" };
export const ADDRESS_HASH: Column = { not: "a keyed hash of an address of mail: it leads to nobody" };
export const SECRET: Column = { not: "a secret of a credential" };
export const STAFF: Column = {
  not: "who works with the service: keys, users, operators. Their names are in the log as its authors",
};
export const OWN: Column = { not: "the participant's own row, which is deleted; that of another one is that one's" };
export const SYSTEM: Column = { not: "the service says it of its files, cells or connections" };
export const ADDRESS: Column = { not: "an address that must go on working; who set it can change it" };

export function each(table: string, columns: readonly string[], how: Column): Columns {
  return Object.fromEntries(columns.map((column) => [`${table}.${column}`, how]));
}

export const WITH_JOBS: Column = { by: "forgetInJobs" };
