// The tables of an import's scratch store. What they show is in answer.ts.

import type { Writer } from "../../db/sqlite/connection.ts";
import { ROW_NAME_INDEX } from "../engine/ledger/rows.ts";
import { WRITTEN } from "../nouns/participants/resource.ts";
import { createAnswer } from "./answer.ts";
import { each } from "./columns.ts";

/** The columns that a checked row has values for, in their order. The last ones may be missing. */
export const STAGED = [...Object.values(WRITTEN), "line", "attributes", "removed_attributes"];

/** Makes the tables; or empties those that the last import left in a store in memory. */
export function prepareTables(scratch: Writer): void {
  if (scratch.value("SELECT 1 FROM sqlite_schema WHERE name = 'plan'") === undefined) {
    createTables(scratch);
    createAnswer(scratch);
  } else {
    for (const table of ["stage", "row_error", "target"]) scratch.run(`DELETE FROM ${table}`);
    clearPlan(scratch);
  }
}

function createTables(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE stage (
      id INTEGER PRIMARY KEY, ${STAGED.map((column) => `${column} ${column === "line" ? "INTEGER" : "TEXT"}`).join(", ")}
    ) STRICT;
    -- row: the id of the staged row.
    CREATE TABLE row_error (id INTEGER PRIMARY KEY, row INTEGER NOT NULL, json TEXT NOT NULL) STRICT;
    CREATE INDEX row_error_row ON row_error (row);
    -- A row for each row of the payload, with the same id, and then one for each assignment that goes.
    CREATE TABLE plan (
      id INTEGER PRIMARY KEY,
      outcome TEXT NOT NULL,
      participant_id INTEGER,
      participant_uid TEXT,
      -- The participant's current values, kept where the row has none.
      ${each((column) => `kept_${column} TEXT`)},
      kept_updated_by INTEGER,
      assignment_uid TEXT,
      -- Whether it was assigned before.
      is_assigned INTEGER,
      status TEXT,
      session_uid TEXT,
      -- Of an assignment that goes.
      removed_id INTEGER,
      removed_session_id INTEGER,
      removed_external_uid TEXT
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    -- The rows that create a participant, numbered from 1 without gaps.
    CREATE TABLE new_row (rank INTEGER PRIMARY KEY, id INTEGER NOT NULL) STRICT;
    -- One row. is_planned: nothing is applied yet.
    CREATE TABLE target (screener_uid TEXT NOT NULL, is_planned INTEGER NOT NULL) STRICT;
  `);
}

export function clearPlan(scratch: Writer): void {
  for (const table of ["plan", "plan_block", "new_row"]) scratch.run(`DELETE FROM ${table}`);
}

/** Lets a row, staged or removed, be found by its externalUid. After they are written: they come in no order. */
export function indexNames(db: Writer): void {
  db.run("CREATE INDEX IF NOT EXISTS stage_external_uid ON stage (external_uid)");
  db.run(`CREATE INDEX IF NOT EXISTS ${ROW_NAME_INDEX} ON plan (removed_external_uid) WHERE outcome = 'REMOVED'`);
}

/** To insert many removals takes longer with their index. */
export function dropRemovalsIndex(db: Writer): void {
  db.run(`DROP INDEX IF EXISTS ${ROW_NAME_INDEX}`);
}
