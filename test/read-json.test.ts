// Rows of a payload in JSON, wherever its slices are cut.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../src/base/problems.ts";
import { readJson } from "../src/imports/read/read-json.ts";

/** So many rows are several slices. */
const COUNT = 15_000;

/** Rows of a payload, by what could be taken for the end of a row. */
const ROWS: Record<string, (index: number) => unknown> = {
  objects: (index) => ({ externalUid: `R-${index}`, email: `p${index}@example.org`, name: "Ada Allen" }),
  "strings that look like the end of a row": (index) => ({
    externalUid: `R-${index}`,
    name: `a"},{"b },{ \\"},{ ${"}, {".repeat(9)}`,
  }),
  "objects in objects": (index) => ({ attributes: { a: index, b: "x" }, name: "Ada" }),
  "lists of objects": (index) => ({ list: [{ a: index }, { b: [{ c: 1 }, {}] }, {}], name: "é😀" }),
  "what is no object": (index) => [index, "},{", null, [index, { a: 1 }, { b: 2 }]][index % 4],
  "now and then a long one": (index) => ({ name: "é".repeat(index % 5000 === 4999 ? 200_000 : 3) }),
};

const LAYOUTS: Record<string, (value: unknown) => string> = {
  "in one line": (value) => JSON.stringify(value),
  "in many lines": (value) => JSON.stringify(value, null, "\t\r\n "),
};

for (const [what, rowOf] of Object.entries(ROWS)) {
  test(`rows are read as JSON.parse reads them: ${what}`, () => {
    const participants = Array.from({ length: COUNT }, (_, index) => rowOf(index));
    for (const [layout, write] of Object.entries(LAYOUTS)) {
      for (const around of [
        { before: 1, participants, after: [{ a: 1 }, { b: 2 }] },
        { participants },
        { participants, other: participants.slice(0, 100) },
      ]) {
        const { rows, envelope, slices } = readAll(write(around));
        assert.deepEqual(rows, participants, layout);
        assert.deepEqual(envelope, { ...around, participants: [] });
        assert.ok(slices > 1, `${slices} slices`);
      }
    }
  });

  test(`what is broken is pinpointed: ${what}`, () => {
    for (const broken of [0, 1, 9876, COUNT - 1]) {
      const rows = Array.from({ length: COUNT }, (_, index) => JSON.stringify(rowOf(index)));
      rows[broken] = '{"name": nobody}';
      assert.deepEqual(errorOf(payloadOf(rows)), {
        pointer: `/participants/${broken}`,
        message: "is not JSON: unexpected character",
      });
      rows[broken] = "";
      const { pointer, message } = errorOf(payloadOf(rows));
      assert.equal(pointer, `/participants/${broken}`);
      assert.match(message, /^is not JSON: (it is empty|a row is missing)/);
    }
  });
}

test("a payload is read whatever pieces it comes in", () => {
  const participants = Array.from({ length: COUNT }, (_, index) => ({ externalUid: `R-${index}` }));
  const text = JSON.stringify({ participants });
  for (const piece of [1, 1000, 65_536, 200_000]) assert.deepEqual(readAll(text, piece).rows, participants);
});

test("the list is known by its key, however that is written and whatever is between them", () => {
  const space = " \n\t".repeat(3000);
  for (const key of ['"participants"', '"\\u0070art\\u0069cipants"', `"participants"${space}`]) {
    for (const before of [
      "",
      `"list":${space}[1,{"participants":[2]}],`,
      `"participants ": [3], "a": "participants",`,
    ]) {
      const { rows } = readAll(`{${before}${key}:${space}[{"a":1},{"b":2}]}`, 1000);
      assert.deepEqual(rows, [{ a: 1 }, { b: 2 }]);
    }
  }
  for (const text of ['{"other":["participants",[{"a":1}]]}', '{"a":{"participants":[{"a":1}]}}'])
    assert.deepEqual(readAll(text).rows, []);
});

function payloadOf(rows: readonly string[]): string {
  return `{"importMode":"FULL_SYNC","participants":[${rows.join()}],"screenerId":"x"}`;
}

/** @param piece how many bytes come at once, at most */
function readAll(text: string, piece = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text);
  let at = 0;
  const reading = readJson((into, offset) => {
    const copied = bytes.subarray(at, at + piece).copy(into, offset);
    at += copied;
    return copied;
  });
  const rows: unknown[] = [];
  let slices = 0;
  for (;;) {
    const { done, value } = reading.next();
    if (done) return { rows, slices, envelope: value };
    assert.equal(value.first, rows.length);
    rows.push(...value.rows);
    slices++;
  }
}

function errorOf(text: string): { pointer: string; message: string } {
  try {
    readAll(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [{ pointer, message }] = error.document.errors as [{ pointer: string; message: string }];
    return { pointer, message };
  }
  throw new Error("It was read.");
}
