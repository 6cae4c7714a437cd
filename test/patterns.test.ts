// What a match of an author's pattern costs at most: counted in the instructions that the library's machines look at, and not in time, so that it
// is the same on each machine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RE2JS } from "re2js";
import { faultOfPattern, MAX_MATCHED_LENGTH, matchesPattern } from "../src/nouns/question-types/values/patterns.ts";
import { Draw } from "./support/random-drafts.ts";

/** The most instructions that are looked at for each of the pattern and each character: there are several machines, of which one may give up. */
const MOST = 3;

/** How many instructions a match looks at, whichever machine the library takes. */
function costOf(pattern: string, text: string): number {
  const compiled = RE2JS.compile(pattern);
  // The types say nothing of the program within.
  const { prog } = (compiled as unknown as { re2Input: { prog: { inst: object[] } } }).re2Input;
  let cost = 0;
  prog.inst = new Proxy(prog.inst, {
    get(instructions, at) {
      if (typeof at === "string" && /^\d+$/.test(at)) cost++;
      return Reflect.get(instructions, at);
    },
  });
  assert.equal(compiled.matches(text), matchesPattern(pattern, text), pattern);
  assert.ok(cost <= MOST * compiled.programSize() * (text.length + 1), `${pattern} takes ${cost} for ${text}`);
  return cost;
}

/** Those on which machines that go back take twice as long for each further character; and those with many states. */
const HARD = [
  ...["(a*)*b", "(a|aa)+c", "([a-z]+)+d", "(.*)(.*)(.*)(.*)(.*)x", "(a?){40}a{40}", "(\\w*,?){20}", "(.*a){25}"],
  ...[
    "[ab]*a[ab]{60}",
    "([ab]*a){1,30}[ab]{30}",
    "(\\pL*\\d?){40}",
    "(?i)(é|É|e)*x",
    "(^|$|\\b|a)*b",
    "a{0,90}b?a{90}",
  ],
];

test("a match costs no more than the size of the pattern times the length of the text allows", () => {
  const draw = new Draw(7);
  const random = (letters: string) =>
    Array.from({ length: MAX_MATCHED_LENGTH }, () => draw.pick([...letters])).join("");
  for (const pattern of HARD) {
    assert.equal(faultOfPattern(pattern, { total: 0, refused: 0 }), undefined, pattern);
    for (const text of ["a".repeat(MAX_MATCHED_LENGTH), random("ab"), random("ab,é1"), random("a🙂")])
      costOf(pattern, text.slice(0, MAX_MATCHED_LENGTH));
  }
});

test("so it is with any pattern that a draft may have", () => {
  const draw = new Draw(11);
  const piece = (depth: number): string => {
    if (depth === 0 || draw.chance(0.3))
      return draw.pick(["a", "b", "[ab]", ".", "\\w", "\\pL", "[^a]", "\\b", "^", "$"]);
    const inner = Array.from({ length: draw.int(1, 3) }, () => piece(depth - 1)).join(draw.pick(["", "", "|"]));
    return `(?:${inner})${draw.pick(["", "*", "+", "?", "{2,5}", "{0,9}", "*?"])}`;
  };
  let allowed = 0;
  for (let count = 0; count < 400; count++) {
    const pattern = piece(4);
    if (pattern.length > 200 || faultOfPattern(pattern, { total: 0, refused: 0 }) !== undefined) continue;
    allowed++;
    costOf(pattern, Array.from({ length: MAX_MATCHED_LENGTH }, () => draw.pick(["a", "b", "c"])).join(""));
  }
  assert.ok(allowed > 100, `${allowed}`);
});

test("a text that is longer is not matched at all, and patterns that are too large are compiled only a few times", () => {
  assert.equal(matchesPattern("a*", "a".repeat(MAX_MATCHED_LENGTH)), true);
  assert.equal(matchesPattern("a*", "a".repeat(MAX_MATCHED_LENGTH + 1)), false);
  const costs = { total: 0, refused: 0 };
  const large = "(\\pL?){999}".repeat(18);
  const faults = Array.from({ length: 2000 }, () => faultOfPattern(large, costs)!);
  const compiled = faults.filter((fault) => fault.startsWith("is too large"));
  assert.ok(compiled.length > 0 && compiled.length < 5, `${compiled.length}`);
  assert.match(faults.at(-1)!, /^comes after patterns that are too large/);
});
