// Finds a person in texts that people write: by ids, by externalUid, by email, and by name. How freely names are understood
// depends on what is lost when a text is taken for one that names the person, and does not.

import { fold, foldWithPositions, lowerOf } from "../../db/sqlite/fold.ts";
import { findWords, literal, loneParts, type NamePatterns, type Range, type Word, wholeName } from "./patterns.ts";
import type { Person } from "./person.ts";

/**
 * What counts in a text.
 * SAID: notes and reasons, which somebody has written about one thing. All counts, also a part of the name that stands alone.
 * KEY: what callers choose to find something again, and what jobs report. Not parts of the name.
 * SHOWN: what is asked of everybody, such as questions and titles. An externalUid counts if it is like no word and no number.
 */
export type Rule = "SAID" | "KEY" | "SHOWN";

/** What replaces a person in a text. */
export const ERASED = "[erased]";

/** What an externalUid must have to be looked for in notes: "42" and "An" are in many. */
const SEARCHABLE = /^(?:(?=.*\p{N})(?=.*[^\p{N}]).{2,}|.{4,})$/su;

/** And in questions. */
const UNMISTAKABLE = /^(?=.*\p{L})(?=.*\p{N}).{6,}$/su;

/** What is longer is cut where it is quoted: what is before that. */
const QUOTED_LENGTH = 96;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TOKEN = /[\w-]+/g;

interface Finder {
  lower: RegExp;
  cased: RegExp | undefined;
  words: Word[];
}

/** Finds one person. */
export class Names {
  readonly #person: Person;
  readonly #finders: Partial<Record<Rule, Finder>> = {};
  readonly #ids: ReadonlySet<string>;
  readonly #slugs: ReadonlySet<string>;

  constructor(person: Person) {
    const { uid, assignments, sessions, slugs } = person;
    this.#person = person;
    this.#ids = new Set([uid, ...assignments, ...sessions].map((id) => id.toLowerCase()));
    this.#slugs = new Set(slugs.map((slug) => slug.toLowerCase()));
  }

  isIn(text: string, rule: Rule): boolean {
    const folded = fold(text);
    const lower = lowerOf(folded);
    const { lower: any, cased, words } = this.#finder(rule);
    return (
      lower.search(any) !== -1 ||
      (cased !== undefined && folded.search(cased) !== -1) ||
      this.#idsIn(lower).length > 0 ||
      findWords(lower, words).length > 0
    );
  }

  /** The text with `[erased]` instead of each mention. */
  without(text: string, rule: Rule): string {
    if (!this.isIn(text, rule)) return text;
    const { text: folded, starts, ends } = foldWithPositions(text);
    const lower = lowerOf(folded);
    const { lower: any, cased, words } = this.#finder(rule);
    const found = [...rangesOf(lower.matchAll(any)), ...(cased ? rangesOf(folded.matchAll(cased)) : [])];
    const ranges = [...found, ...this.#idsIn(lower), ...findWords(lower, words)].sort(
      (one, other) => one[0] - other[0],
    );
    // Found only in another normal form.
    if (!ranges.length) return ERASED;
    let rest = "";
    let at = 0;
    for (const [from, to] of ranges) {
      const [start, end] = [starts[from]!, ends[to - 1]!];
      if (start >= at) rest += text.slice(at, start) + ERASED;
      at = Math.max(at, end);
    }
    return rest + text.slice(at);
  }

  /** Made when it is needed: that takes milliseconds. */
  #finder(rule: Rule): Finder {
    this.#finders[rule] ??= finderOf(this.#person, rule);
    return this.#finders[rule];
  }

  #idsIn(lower: string): Range[] {
    const isOne = (known: ReadonlySet<string>) => (match: RegExpExecArray) => known.has(match[0]);
    const ids = [...lower.matchAll(UUID)].filter(isOne(this.#ids));
    const slugs = this.#slugs.size ? [...lower.matchAll(TOKEN)].filter(isOne(this.#slugs)) : [];
    return rangesOf([...ids, ...slugs]);
  }
}

function finderOf({ emails, externalUids, names }: Person, rule: Rule): Finder {
  if (rule === "SHOWN") {
    const whole = names.map((name) => ({ ...wholeName(name, "SUFFIX"), words: [] }));
    return finder([...emails, ...externalUids.filter((one) => UNMISTAKABLE.test(one))], whole);
  }
  const known = [...emails, ...externalUids.filter((one) => SEARCHABLE.test(one))];
  const whole = names.map((name) => wholeName(name, "STEM"));
  return finder(known, rule === "SAID" ? [...whole, ...names.map(loneParts)] : whole);
}

function finder(known: readonly string[], patterns: readonly NamePatterns[]): Finder {
  const lower = [...known.flatMap(literals), ...patterns.flatMap((one) => one.lower)];
  const cased = patterns.flatMap((one) => one.cased);
  const any = (all: readonly string[]) => new RegExp([...new Set(all)].join("|"), "gv");
  return {
    // Nothing: never.
    lower: lower.length ? any(lower) : /(?!)/gv,
    cased: cased.length ? any(cased) : undefined,
    words: patterns.flatMap((one) => one.words),
  };
}

/** An email or an externalUid, and how it looks where it is cut. */
function literals(text: string): string[] {
  const folded = lowerOf(fold(text));
  if (folded.trim() === "") return [];
  if (text.length <= QUOTED_LENGTH) return [literal(folded)];
  const begin = text.slice(0, QUOTED_LENGTH).replace(/[\ud800-\udbff]$/, "");
  return [literal(folded), literal(lowerOf(fold(begin)), true)];
}

function rangesOf(matches: Iterable<RegExpExecArray>): Range[] {
  return [...matches].map((match) => [match.index, match.index + match[0].length] as const);
}
