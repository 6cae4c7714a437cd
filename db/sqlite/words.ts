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

/** A word that is looked for. Whole: others only begin with it. */
interface Wanted {
  word: string;
  isWhole: boolean;
}

const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}\p{Co}]$/u;

/**
 * What is looked for. A word is whole where a sign follows it that is no space: `ada@` does not find `adam@`. So is a word of one sign: too
 * many begin with it.
 */
function wantedIn(asked: string): Wanted[] {
  const all = asked.split(/\s+/).flatMap((piece) => {
    const words = spaced(piece).split(" ").filter(Boolean);
    const isOpen = ENDS_IN_WORD.test(piece);
    return words.map((word, index) => ({
      word,
      isWhole: !isOpen || index < words.length - 1 || [...word].length === 1,
    }));
  });
  return [...new Map(all.map((one) => [`${one.word} ${one.isWhole}`, one])).values()];
}

/** What is looked for in a text that somebody has typed: words without spaces. */
export function searchedWords(asked: string): string[] {
  return wantedIn(asked).map(({ word }) => word);
}

/** The same, each as a search of its own. */
export function searchedPieces(asked: string): string[] {
  return wantedIn(asked).map(({ word, isWhole }) => (isWhole ? `${word}.` : word));
}

/** What the index is asked. */
function expressionOf(asked: string): string {
  return wantedIn(asked)
    .map(({ word, isWhole }) => `"${word}"${isWhole ? "" : "*"}`)
    .join(" ");
}

/** What LIKE looks for: the word that few may have. Null: a word has other letters than ASCII, so no text of ASCII alone has it. */
function patternOf(asked: string): string | null {
  const words = searchedWords(asked);
  if (!words.every((word) => ASCII.test(word))) return null;
  const withDigit = words.filter((word) => /\d/.test(word) && word.length > 1);
  const longest = (withDigit.length ? withDigit : words).reduce(
    (one, other) => (other.length > one.length ? other : one),
    "",
  );
  return `%${longest.slice(0, MAX_PATTERN)}%`;
}

/** More than a word is. LIKE takes 50,000 bytes. */
const MAX_PATTERN = 100;

/**
 * SQL condition: whether texts have all words. Its two `?` are bound to these. SQLite itself passes the texts of ASCII alone that lack a
 * word: a quarter of the time that a call for each of them takes.
 * @param texts the three SQL expressions for `search_finds`
 */
export function scanForWords(texts: readonly [string, string, string]): string {
  const columns = texts.filter((text) => text !== "NULL");
  const all = columns.length > 1 ? `concat_ws(' ', ${columns.join(", ")})` : columns[0];
  const others = columns.map((text) => `octet_length(${text}) <> length(${text})`);
  return `(${all} LIKE search_pattern(?) OR ${others.join(" OR ")}) AND search_finds(${texts.join(", ")}, ?)`;
}

/**
 * Gives a connection the SQL functions `search_words(name, email, external_uid)`, `search_expression(asked)`, `search_pattern(asked)` and
 * `search_finds(name, email, external_uid, asked)`: 1 if the index would find them.
 */
export function addSearch(sqlite: Database): void {
  const textOf = (...values: unknown[]) => spaced(values.map((value) => value ?? "").join(" "));
  // A scan asks for the same words again and again.
  let last: { asked: unknown; wanted: string[] } | undefined;
  const piecesOf = (asked: unknown) => {
    if (last?.asked !== asked)
      last = { asked, wanted: wantedIn(String(asked)).map(({ word, isWhole }) => ` ${word}${isWhole ? " " : ""}`) };
    return last!.wanted;
  };
  const options = { deterministic: true };
  sqlite.function("search_words", options, (name: unknown, email: unknown, uid: unknown) => textOf(name, email, uid));
  sqlite.function("search_expression", options, (asked: unknown) => expressionOf(String(asked)));
  sqlite.function("search_pattern", options, (asked: unknown) => patternOf(String(asked)));
  sqlite.function("search_finds", options, (name: unknown, email: unknown, uid: unknown, asked: unknown) => {
    const text = textOf(name, email, uid);
    return piecesOf(asked).every((word) => text.includes(word)) ? 1 : 0;
  });
}
