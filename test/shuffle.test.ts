// Orders by chance: even, the same for the same session, and pinned by their version.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { SHUFFLE_VERSION, shownPositions } from "../src/chance/shuffle.ts";

const NODE = "018f3a52-7b1c-7def-8a9b-0c1d2e3f4a5b";

/** Seeds that are always the same, so that no run differs from another one. */
const seedOf = (index: number) => createHash("sha256").update(`session ${index}`).digest("hex").slice(0, 32);
const order = (index: number) => ({ seed: seedOf(index), version: SHUFFLE_VERSION });
const plain = (length: number) => Array.from({ length }, () => ({}));

const RUNS = 20_000;

function chiSquare(counts: readonly number[], cells: number): number {
  const expected = RUNS / cells;
  const missing = (cells - counts.length) * expected;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, missing);
}

test("each order of four items is as likely as the others", () => {
  const counts = new Map<string, number>();
  for (let index = 0; index < RUNS; index++) {
    const shown = shownPositions(plain(4), order(index), NODE).join();
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  // 24 orders: 23 degrees of freedom, of which 99.9 % are below.
  assert.ok(chiSquare([...counts.values()], 24) < 49.73);
});

test("each item comes to each position equally often, and the orders of two lists of a session have nothing to do with each other", () => {
  const length = 7;
  const at = Array.from({ length }, () => new Array<number>(length).fill(0));
  const pairs = new Array<number>(9).fill(0);
  for (let index = 0; index < RUNS; index++) {
    for (const [position, item] of shownPositions(plain(length), order(index), NODE).entries()) at[position]![item]!++;
    const [[one], [other]] = ["a", "b"].map((id) => shownPositions(plain(3), order(index), id)) as [number[], number[]];
    pairs[one! * 3 + other!]!++;
  }
  // 6 and 8 degrees of freedom.
  for (const counts of at) assert.ok(chiSquare(counts, length) < 22.46);
  assert.ok(chiSquare(pairs, 9) < 26.12);
});

test("a fixed item keeps its position, and an exclusive one comes last", () => {
  const items = [{}, { exclusive: true as const }, { fixed: true as const }, {}, {}, { fixed: true as const }];
  const seen = new Set<string>();
  for (let index = 0; index < 200; index++) {
    const shown = shownPositions(items, order(index), NODE);
    assert.deepEqual([shown[2], shown[4], shown[5]], [2, 1, 5]);
    assert.deepEqual(shown.toSorted(), [0, 1, 2, 3, 4, 5]);
    seen.add(shown.join());
  }
  assert.equal(seen.size, 6);
});

test("what version 1 has drawn, it draws for ever", () => {
  const seed = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
  assert.deepEqual(shownPositions(plain(12), { seed, version: 1 }, NODE), GOLDEN);
});

const GOLDEN = [1, 0, 9, 6, 2, 10, 11, 4, 3, 5, 7, 8];
