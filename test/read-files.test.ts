// Files of an import, in each encoding, wherever their bytes are cut: compared with csv-parse, JSON.parse and TextDecoder on the
// whole text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { Problem } from "../src/base/problems.ts";
import type { Input } from "../src/engine/files/bodies.ts";
import { previewCsv } from "../src/imports/read/preview.ts";
import { RawRows } from "../src/imports/read/raw-rows.ts";
import { Payload } from "../src/imports/read/read.ts";
import type { ImportPayload } from "../src/nouns/screener-participants/import-settings.ts";

const HEADINGS = ["externalUid", "name", "Ort €", "𝒳"];

const ENCODINGS = {
  "UTF-8": { label: "utf-8", encode: (text: string) => Buffer.from(text) },
  "UTF-8 with a byte order mark": { label: "utf-8", encode: (text: string) => Buffer.from(`\uFEFF${text}`) },
  "UTF-16, little end first": { label: "utf-16le", encode: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le") },
  "UTF-16, big end first": {
    label: "utf-16be",
    encode: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
  },
};

/** Gives the bytes in reads of these sizes, again and again. */
function inputOf(bytes: Buffer, sizes: readonly number[]): Input {
  let position = 0;
  let reads = 0;
  return (into, at) => {
    const size = sizes[reads++ % sizes.length]!;
    const copied = bytes.copy(into, at, position, position + size);
    position += copied;
    return copied;
  };
}

/** The rows as the import reads them; or the problem. */
function rowsOf(input: Input, file: ImportPayload): unknown[] | Problem {
  try {
    return [...new Payload(input, file).slices()].flatMap(({ rows }) => rows);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 });
// Without apostrophes, which may be taken off.
const text = fc.stringMatching(/^[a-zß€😀𝒳",;\t\n \r.-]{0,9}[a-zß€😀]$/u);
const cell = fc.option(text, { nil: "" });
const table = fc.array(fc.tuple(text, cell, cell, cell), { minLength: 1, maxLength: 12 });

/** What each row is by csv-parse, which reads the whole text at once. */
function expectedRows(whole: string, delimiter: string): object[] {
  const [headings, ...rows]: string[][] = parse(whole, { delimiter, record_delimiter: ["\r\n", "\n"] });
  return rows.map((cells) => {
    const filled = cells.flatMap((one, at) => (one.trim() === "" ? [] : [[headings![at], one] as const]));
    const attributes = Object.fromEntries(filled.filter(([heading]) => HEADINGS.indexOf(heading!) > 1));
    return { ...Object.fromEntries(filled.filter(([heading]) => HEADINGS.indexOf(heading!) <= 1)), attributes };
  });
}

for (const [encoding, { label, encode }] of Object.entries(ENCODINGS)) {
  test(`a CSV in ${encoding} has all its rows, however it is read`, () => {
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        sizes,
        (rows, delimiter, lineEnd, isEnded, reads) => {
          const quoted = (one: string) => (/["\r\n,;\t]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one);
          const lines = [HEADINGS, ...rows].map((cells) => cells.map(quoted).join(delimiter)).join(lineEnd);
          const bytes = encode(isEnded ? lines + lineEnd : lines);
          const whole = new TextDecoder(label, { fatal: true }).decode(bytes);
          const found = rowsOf(inputOf(bytes, reads), { format: "csv", screenerId: "" });
          assert.deepEqual(JSON.parse(JSON.stringify(found)), expectedRows(whole, delimiter));
        },
      ),
      { numRuns: 150 },
    );
  });

  test(`a CSV in ${encoding} that is cut off inside of a character is refused, however it is read`, () => {
    const start = "externalUid,name\nP-1,Ada\nP-2,Bo";
    for (const character of ["é", "€", "😀"]) {
      const whole = encode(start + character);
      for (let end = encode(start).length; end <= whole.length; end++) {
        const bytes = whole.subarray(0, end);
        let isText = true;
        try {
          new TextDecoder(label, { fatal: true }).decode(bytes);
        } catch {
          isText = false;
        }
        for (let size = 1; size <= 7; size++) {
          const found = rowsOf(inputOf(bytes, [size]), { format: "csv", screenerId: "" });
          assert.equal(Array.isArray(found), isText, `${character}, ${end} bytes in reads of ${size}`);
        }
      }
    }
  });

  test(`NDJSON in ${encoding} has all its rows, however it is read`, () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(text, text), { minLength: 1, maxLength: 12 }), sizes, (rows, reads) => {
        const bytes = encode(rows.map((row) => JSON.stringify(row)).join("\n"));
        const found = rowsOf(inputOf(bytes, reads), { format: "ndjson", screenerId: "" });
        assert.deepEqual(found, JSON.parse(JSON.stringify(rows)));
      }),
      { numRuns: 100 },
    );
  });
}

test("JSON has all its rows, however it is read", () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(text, text), { maxLength: 12 }), sizes, (rows, reads) => {
      const bytes = Buffer.from(JSON.stringify({ screenerId: "😀", participants: rows, dryRun: false }));
      assert.deepEqual(rowsOf(inputOf(bytes, reads), {}), JSON.parse(JSON.stringify(rows)));
    }),
    { numRuns: 100 },
  );
});

test("a file that names its delimiter is shown, and its wrong rows are found, as it is imported", () => {
  const bytes = Buffer.from("sep=;\r\nexternalUid;name\r\nP-1;Ada, Bo\r\n");
  const { columns, rows } = previewCsv(bytes, true, 10)!;
  assert.deepEqual([columns.map(({ heading }) => heading), rows], [["externalUid", "name"], [["P-1", "Ada, Bo"]]]);
  const raw = new RawRows(inputOf(bytes, [7]), { format: "csv" });
  assert.equal(raw.delimiter, ";");
  assert.deepEqual(
    [...raw],
    [
      { line: 2, text: "externalUid;name" },
      { line: 3, text: "P-1;Ada, Bo" },
    ],
  );
});
