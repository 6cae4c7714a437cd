// docs/faults.md names a test for each fault. Each must be there.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("../", import.meta.url);
const MIN_FAULTS = 60;

const rows = readFileSync(new URL("docs/faults.md", ROOT), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| What happens"));

test("the table of faults has many, and none twice", () => {
  assert.ok(rows.length >= MIN_FAULTS, `it has ${rows.length}`);
  assert.equal(new Set(rows.map((row) => row.split(" | ")[0])).size, rows.length);
});

test("each fault has a test that is there", () => {
  for (const row of rows) {
    const [, path, name] = / \| `([\w/-]+)`: (.+) \|$/.exec(row) ?? [];
    assert.ok(path && name, `it names no test: ${row}`);
    const file = new URL(`test/${path}.test.ts`, ROOT);
    assert.ok(existsSync(file), `test/${path}.test.ts is not there: ${row}`);
    assert.ok(readFileSync(file, "utf8").includes(name), `test/${path}.test.ts has no test with this name: ${row}`);
  }
});
