// Grids of quotas: numbers that add up, and ranges as people type them.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  combinations,
  inRange,
  overlapOf,
  type Range,
  readRange,
  ruleOfCell,
} from "../src/nouns/content/grids/grids.ts";
import { divided, table } from "../src/nouns/content/grids/shares.ts";
import { ContentNames, conditionText } from "../src/nouns/content/sentences.ts";
import { seeded } from "./support/seeded.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

test("a total is divided to whole numbers that add up to it, by the largest remainder", () => {
  assert.deepEqual(divided(40, [50, 50]), [20, 20]);
  assert.deepEqual(divided(100, [33.3, 33.3, 33.4]), [33, 33, 34]);
  assert.deepEqual(divided(10, [1, 1, 1]), [4, 3, 3]);
  assert.deepEqual(divided(10, [0, 5]), [0, 10]);
  assert.deepEqual(divided(100, [7, 14, 79]), [7, 14, 79], "not spoilt by floating point");
});

test("in a table of combinations the sums of every answer are exact, and no number is further than one from its share", () => {
  const random = seeded("tables");
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  for (let round = 0; round < 500; round++) {
    const total = upTo(300);
    const margins = Array.from({ length: 2 + (round % 2) }, () =>
      divided(
        total,
        Array.from({ length: upTo(6) }, () => upTo(50)),
      ),
    );
    const cells = table(margins);
    const positions = combinations(margins.map(({ length }) => length));
    assert.equal(cells.length, positions.length);
    for (const [question, margin] of margins.entries())
      for (const [answer, wanted] of margin.entries())
        assert.equal(sum(cells.filter((_, at) => positions[at]![question] === answer)), wanted, `round ${round}`);
    if (margins.length > 2) continue;
    for (const [at, cell] of cells.entries()) {
      const [row = 0, column = 0] = positions[at]!;
      assert.ok(Math.abs(cell - (margins[0]![row]! * margins[1]![column]!) / total) < 1, `round ${round}`);
    }
  }
});

test("ranges are read as people type them", () => {
  const range = (from: number | null, to: number | null, more: Partial<Range> = {}): Range => ({
    ...{ from, to, includesFrom: true, includesTo: true },
    ...more,
  });
  for (const [line, expected] of [
    ["under 30", range(null, 30, { includesTo: false })],
    ["Up to  29", range(null, 29)],
    ["30-49", range(30, 49)],
    ["30 – 49", range(30, 49)],
    ["1,5 to 2.5", range(1.5, 2.5)],
    ["50 and over", range(50, null)],
    ["50+", range(50, null)],
    ["over 50", range(50, null, { includesFrom: false })],
    ["7", range(7, 7)],
    ["49 to 30", undefined],
    ["young", undefined],
    ["", undefined],
  ] as const)
    assert.deepEqual(readRange(line), expected, line);
  const ranges = (...lines: string[]) => lines.map((line) => readRange(line)!);
  assert.equal(overlapOf(ranges("under 30", "30 to 49", "50+")), undefined);
  assert.deepEqual(overlapOf(ranges("up to 30", "50+", "30 to 49")), [0, 2]);
});

test("the rule of a cell names the question of a range once, and no bracket is needed", () => {
  const nobody = new ContentNames({ pages: [] });
  const sex = { questionId: "sex", equals: "women" };
  const words = (line: string) => conditionText(inRange("age", readRange(line)!), nobody);
  const text = (line: string) => conditionText(ruleOfCell([sex, inRange("age", readRange(line)!)]), nobody);
  assert.equal(words("18 to 29"), "“age” is at least “18” and at most “29”");
  assert.equal(text("18 to 29"), "“sex” is “women” and “age” is at least “18” and at most “29”");
  assert.equal(text("under 30"), "“sex” is “women” and “age” is less than “30”");
  // What is not one range stays as it is.
  const [from, to] = [
    { questionId: "age", atLeast: 18 },
    { questionId: "age", atMost: 29 },
  ] as const;
  const both = "“age” is at least “18” and at most “29”";
  assert.equal(conditionText({ any: [sex, { all: [from, to] }] }, nobody), `“sex” is “women” or (${both})`);
  assert.equal(conditionText({ not: { all: [from, to] } }, nobody), `it is not true that (${both})`);
  assert.equal(
    conditionText({ all: [from, { questionId: "pets", atMost: 2 }] }, nobody),
    "“age” is at least “18” and “pets” is at most “2”",
  );
  assert.equal(
    conditionText({ all: [sex, { all: [from, to, { questionId: "pets", atMost: 2 }] }] }, nobody),
    "“sex” is “women” and (“age” is at least “18” and “age” is at most “29” and “pets” is at most “2”)",
  );
});
