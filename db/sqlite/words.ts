// The words of a search: the SQL functions that take texts apart. The index of the search (db/people-search.ts) has what they make, and what
// it does not have yet is compared by them.

import type { Database } from "better-sqlite3";
import { fold, lowerOf } from "./fold.ts";

/** What one search may have. */
export const MAX_SEARCHED_WORDS = 20;

const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu;
const BETWEEN_ASCII = /[^a-z0-9]+/g;
const ASCII = /^[\0-~]*$/;
/** Scripts that write names without spaces: each sign is a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** The words, with a space before and after each: folded, in lower case. */
function spaced(text: string): string {
  if (ASCII.test(text)) return ` ${text.toLowerCase().replace(BETWEEN_ASCII, " ")} `;
  return ` ${lowerOf(fold(text)).replace(UNSPACED, " $& ").replace(BETWEEN_WORDS, " ")} `;
}

/** What is looked for: words without spaces. */
export function searchedWords(asked: string): string[] {
  return [...new Set(spaced(asked).split(" "))].filter((word) => word);
}

/** A word of one sign means itself: too many words begin with it. */
function isPrefix(word: string): boolean {
  return [...word].length > 1;
}

/** What the index is asked: all of the words, or words that begin with them. */
function expressionOf(asked: string): string {
  return searchedWords(asked)
    .map((word) => `"${word}"${isPrefix(word) ? "*" : ""}`)
    .join(" ");
}

/**
 * Gives a connection the SQL functions `search_words(name, email, external_uid)`, `search_expression(asked)` and
 * `search_finds(name, email, external_uid, asked)`: 1 if the index would find them.
 */
export function addSearch(sqlite: Database): void {
  const textOf = (...values: unknown[]) => spaced(values.map((value) => value ?? "").join(" "));
  // A scan asks for the same words again and again.
  let last: { asked: unknown; wanted: string[] } | undefined;
  const wantedIn = (asked: unknown) => {
    if (last?.asked !== asked) {
      const wanted = searchedWords(String(asked)).map((word) => ` ${word}${isPrefix(word) ? "" : " "}`);
      last = { asked, wanted };
    }
    return last!.wanted;
  };
  const options = { deterministic: true };
  sqlite.function("search_words", options, (name: unknown, email: unknown, uid: unknown) => textOf(name, email, uid));
  sqlite.function("search_expression", options, (asked: unknown) => expressionOf(String(asked)));
  sqlite.function("search_finds", options, (name: unknown, email: unknown, uid: unknown, asked: unknown) => {
    const text = textOf(name, email, uid);
    return wantedIn(asked).every((word) => text.includes(word)) ? 1 : 0;
  });
}
