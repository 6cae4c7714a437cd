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

/** The words, with spaces before and after each: folded, in lower case. */
function spaced(text: string): string {
  if (ASCII.test(text)) return ` ${text.toLowerCase().replace(BETWEEN_ASCII, " ")} `;
  return ` ${unitByUnit(text) ?? foldedWords(text)} `;
}

function foldedWords(text: string): string {
  return lowerOf(fold(text)).replace(UNSPACED, " $& ").replace(BETWEEN_WORDS, " ");
}

/** What units of UTF-16 become; null: that depends on the units around them. It is filled as they are met. */
const pieces: (string | null)[] = [];

/** What is composed with a sign before it, or stands for half of one. */
const COMPOSED = /[\p{M}\p{Cs}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;

/** The same words as `foldedWords`, in a third of the time. Undefined: a unit depends on those around it. */
function unitByUnit(text: string): string | undefined {
  let words = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    let piece = pieces[unit];
    if (piece === undefined) {
      const sign = text[at]!;
      piece = COMPOSED.test(sign.normalize("NFKC")) ? null : foldedWords(sign);
      pieces[unit] = piece;
    }
    if (piece === null) return undefined;
    words += piece;
  }
  return words;
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

/** Of what is looked for, the word that few may have: with other letters than ASCII, if there is one. */
function longestOf(asked: string): string {
  const all = searchedWords(asked);
  const others = all.filter((word) => !ASCII.test(word));
  const words = others.length ? others : all;
  const withDigit = words.filter((word) => /\d/.test(word) && word.length > 1);
  return (withDigit.length ? withDigit : words).reduce((one, other) => (other.length > one.length ? other : one), "");
}

/** What LIKE looks for. Null: a word has other letters than ASCII, so no text of ASCII alone has it. */
function patternOf(asked: string): string | null {
  const longest = longestOf(asked);
  return ASCII.test(longest) ? `%${longest.slice(0, MAX_PATTERN)}%` : null;
}

/** More than a word is. LIKE takes 50,000 bytes. */
const MAX_PATTERN = 100;

/** SQL condition: whether a text has other letters than ASCII. */
const isOther = (text: string) => `octet_length(${text}) <> length(${text})`;

/**
 * SQL condition: whether a text has all words. Its two `?` are bound to these. SQLite itself passes the texts of ASCII alone that lack a
 * word: a quarter of the time that a call for each of them takes.
 */
export function scanForWords(text: string): string {
  return `(${text} LIKE search_pattern(?) OR ${isOther(text)}) AND search_finds(${text}, NULL, NULL, ?)`;
}

/**
 * SELECTs of the participants `p` for whom a condition holds and who have all words, in two parts: those in whose texts SQLite itself finds the word
 * that few may have, and others with letters that only `fold` knows, whom an index has. Each `?` is bound to the words.
 * @param after SQL expression: the rowid after which they are looked for
 */
export function scanPeopleForWords(after: string): string {
  const columns = ["p.name", "p.email", "p.external_uid"];
  const finds = `search_finds(${columns.join(", ")}, ?)`;
  const like = `(${columns.map((column) => `${column} LIKE search_pattern(?)`).join(" OR ")})`;
  // As the index has it: db/workspace/061-other-letters.sql.
  const hasOther = `iif(${columns.map(isOther).join(" OR ")}, 1, NULL) = 1`;
  const inName = `(search_has(p.name, ?) OR ${isOther("p.email")} OR ${isOther("p.external_uid")})`;
  // No text of ASCII has a word without a pattern: then none is looked at.
  return `SELECT p.id FROM participant AS p WHERE p.id > iif(search_pattern(?) IS NULL, ${2n ** 63n - 1n}, ${after}) AND ${like} AND ${finds}
    UNION ALL
    SELECT p.id FROM participant AS p WHERE ${hasOther} AND p.id > ${after} AND ${like} IS NOT TRUE AND ${inName} AND ${finds}`;
}

/**
 * Gives a connection the SQL functions `search_words(name, email, external_uid)`, `search_expression(asked)`, `search_pattern(asked)`,
 * `search_finds(name, email, external_uid, asked)`: 1 if the index would find them, and `search_has(text, asked)`: 0 if a text lacks a word.
 */
export function addSearch(sqlite: Database): void {
  const textOf = (...values: unknown[]) => spaced(values.map((value) => value ?? "").join(" "));
  // A scan asks for the same words again and again.
  let last: { asked: unknown; wanted: string[]; longest: string } | undefined;
  const soughtIn = (asked: unknown) => {
    if (last?.asked !== asked) {
      const wanted = wantedIn(String(asked)).map(({ word, isWhole }) => ` ${word}${isWhole ? " " : ""}`);
      last = { asked, wanted, longest: longestOf(String(asked)) };
    }
    return last!;
  };
  const options = { deterministic: true };
  sqlite.function("search_words", options, (name: unknown, email: unknown, uid: unknown) => textOf(name, email, uid));
  sqlite.function("search_expression", options, (asked: unknown) => expressionOf(String(asked)));
  sqlite.function("search_pattern", options, (asked: unknown) => patternOf(String(asked)));
  sqlite.function("search_finds", options, (name: unknown, email: unknown, uid: unknown, asked: unknown) => {
    const text = textOf(name, email, uid);
    return soughtIn(asked).wanted.every((word) => text.includes(word)) ? 1 : 0;
  });
  sqlite.function("search_has", options, (text: unknown, asked: unknown) =>
    typeof text === "string" && spaced(text).includes(soughtIn(asked).longest) ? 1 : 0,
  );
}
