// Patterns of authors, which answers have to match as a whole. RE2 has no backtracking: what a match takes is the size of the pattern times the
// length of the text at most. Both have limits, so that a match takes no longer than some milliseconds, whoever wrote either. It has no limit on
// a clock: then an answer would be right or wrong by how busy the machine is.

import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

const require = createRequire(import.meta.url);
let loaded: typeof RE2JS | undefined;

/** The library, loaded with the first pattern: few processes and threads ever see one. */
function re2(): typeof RE2JS {
  loaded ??= (require("re2js") as typeof import("re2js")).RE2JS;
  return loaded;
}

/** In UTF-16 units. */
export const MAX_PATTERN_LENGTH = 200;
/** Of a text that is matched, in UTF-16 units. */
export const MAX_MATCHED_LENGTH = 250;
/** In instructions of RE2's machine. `[A-Z]{50}` has about 50. */
const MAX_SIZE = 300;
/** Of all patterns of a content together: instructions, and characters, because these take time once, when the pattern is compiled. */
const MAX_TOTAL_COST = 2500;

/** In instructions, of all patterns of a content that are too large: to compile them all would take minutes. */
const MAX_REFUSED = 100_000;

/** What the patterns of a content cost so far. */
export interface PatternCosts {
  total: number;
  /** The instructions of those that were too large. */
  refused: number;
}

/** What is wrong with a pattern that an author sent. */
export function faultOfPattern(pattern: string, costs: PatternCosts): string | undefined {
  const tooMuch = `brings all patterns of the content together above ${MAX_TOTAL_COST} instructions and characters`;
  if (costs.total > MAX_TOTAL_COST) return tooMuch;
  if (costs.refused > MAX_REFUSED) return "comes after patterns that are too large: it was not looked at";
  let compiled: RE2JS;
  try {
    compiled = re2().compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error);
    return `is not a regular expression of RE2: ${reason}`;
  }
  const size = compiled.programSize();
  if (size > MAX_SIZE) {
    costs.refused += size;
    return `is too large: it takes ${size} instructions, and at most ${MAX_SIZE} are allowed`;
  }
  costs.total += size + pattern.length;
  return costs.total > MAX_TOTAL_COST ? tooMuch : undefined;
}

/** So many compiled patterns are kept: each takes up to 8 MB, where answers are made for that, and some kilobytes else. */
const MAX_KEPT = 50;

/** Those that were used last, the latest one at the end. */
const kept = new Map<string, RE2JS>();

/** Whether a text as a whole matches a pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > MAX_MATCHED_LENGTH) return false;
  const compiled = kept.get(pattern) ?? re2().compile(pattern);
  kept.delete(pattern);
  kept.set(pattern, compiled);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return compiled.matches(text);
}
