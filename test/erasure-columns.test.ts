// Every column with text is in the list of what an erasure searches (src/erasure/columns.ts), or the list says why not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate } from "../db/migrate.ts";
import { openWriter } from "../db/sqlite/open.ts";
import { effectParts, jobKinds } from "../src/api/job-kinds.ts";
import { controlColumns, workspaceColumns } from "../src/erasure/columns.ts";
import { resultColumns } from "../src/erasure/result-columns.ts";
import { textColumns } from "./support/columns.ts";

for (const [kind, columns] of [
  ["control", controlColumns],
  ["workspace", workspaceColumns],
] as const)
  test(`each text column of a ${kind} store is searched for people who are erased, or the list says why not`, () => {
    const db = openWriter(":memory:", { busyTimeoutMs: 0, checkpoints: true });
    migrate(db, kind);
    const found = textColumns(db);
    db.close();
    const listed = Object.keys(columns);
    assert.deepEqual(
      found.filter((name) => !listed.includes(name)),
      [],
      "src/erasure/columns.ts lacks these columns: has each of them words that people write?",
    );
    assert.deepEqual(
      listed.filter((name) => !found.includes(name)),
      [],
      "src/erasure/columns.ts has columns that are not there",
    );
  });

test("each kind of job that keeps people in a result file says how they are removed", () => {
  // The columns themselves are compared with real files by test/api/participant-erasure.test.ts.
  const forgetting = jobKinds.flatMap(({ kind, forget }: { kind: string; forget?: unknown }) => (forget ? [kind] : []));
  assert.deepEqual(Object.keys(resultColumns).sort(), forgetting.sort());
});

test("each table of what jobs did belongs to a kind of job, so that it goes with its effect", () => {
  const db = openWriter(":memory:", { busyTimeoutMs: 0, checkpoints: true });
  migrate(db, "workspace");
  const tables = db.values<string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'effect\\_%' ESCAPE '\\'",
  );
  db.close();
  assert.deepEqual(Object.keys(effectParts).sort(), tables.sort());
});
