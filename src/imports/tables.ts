// The tables of an import's scratch store: the columns that rows may change, and what is shown of them.
//
// Step 6, answer: one assignment per row, in the payload's order; rejected rows have none. And for each row its outcome, and what it changes.

import type { Writer } from "../../db/sqlite/connection.ts";
import { ROW_NAME_INDEX } from "../engine/ledger/rows.ts";
import { REQUIRED, WRITTEN, type Written } from "../nouns/participants/resource.ts";
import type { MatchKey } from "../nouns/screener-participants/import-settings.ts";
import { assignment } from "../nouns/screener-participants/resource.ts";
import type { Slice } from "./read/slice.ts";

/** What a row may change of a participant: all but `externalUid`, by which rows are matched. */
export const changeable = [
  ...(Object.keys(WRITTEN) as Written[]).flatMap((member) =>
    member === "externalUid" ? [] : { member, column: WRITTEN[member], isRequired: REQUIRED.includes(member) },
  ),
  // The text of all attributes: see attributes.ts.
  { member: "attributes", column: "attributes", isRequired: false },
];

/** SQL expression of a new participant's value, from the staged row `r`. */
export function newValue(column: string): string {
  return column === "attributes" ? "coalesce(r.attributes, '{}')" : `r.${column}`;
}

/**
 * SQL: the attributes that differ between two stored texts, as JSON objects of field, from and to, with a comma before each;
 * sorted, because plans are compared as texts.
 */
export function attributeChanges(from: string, to: string): string {
  const read = (text: string, columns: string) =>
    `SELECT key, iif(type IN ('true', 'false'), type, json_quote(value)) AS json, ${columns} FROM json_each(${text})`;
  return `coalesce((SELECT group_concat(concat(',{"field":', json_quote('attributes.' || key), ',"from":', coalesce(f, 'null'),
      ',"to":', coalesce(t, 'null'), '}'), '')
    FROM (SELECT key, max(iif(side = 0, json, NULL)) AS f, max(iif(side = 1, json, NULL)) AS t
      FROM (${read(from, "0 AS side")} UNION ALL ${read(to, "1 AS side")}) GROUP BY key)
    WHERE f IS NOT t), '')`;
}

/** SQL for each changeable column (or each of `columns`). */
export function each(
  sql: (column: string, member: string) => string,
  separator = ", ",
  columns: readonly { member: string; column: string }[] = changeable,
): string {
  return columns.map(({ column, member }) => sql(column, member)).join(separator);
}

/** The columns that a checked row has values for, in their order. The last ones may be missing. */
export const STAGED = [...Object.values(WRITTEN), "line", "attributes", "removed_attributes"];

/** Makes the tables; or empties those that the last import left in a store in memory. */
export function prepareTables(scratch: Writer): void {
  // Of a sheet of a workbook: where the members of rows are. The empty member is for the row as a whole. No result needs it.
  scratch.exec(
    "CREATE TEMP TABLE IF NOT EXISTS sheet_column (member TEXT PRIMARY KEY, letters TEXT NOT NULL) STRICT, WITHOUT ROWID",
  );
  if (scratch.value("SELECT 1 FROM sqlite_schema WHERE name = 'plan'") === undefined) {
    createTables(scratch);
    createAnswer(scratch);
  } else {
    for (const table of ["stage", "row_error", "target", "sheet_column"]) scratch.run(`DELETE FROM ${table}`);
    clearPlan(scratch);
  }
}

/** Keeps where the members of rows are, if they come from a sheet of a workbook. */
export function keepLetters(scratch: Writer, { first, letters }: Slice): void {
  if (!letters || first > 0) return;
  const rows = JSON.stringify([...letters, ["", "row "]]);
  scratch.run("INSERT INTO sheet_column SELECT value ->> 0, value ->> 1 FROM json_each(?)", rows);
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
    -- One row. is_planned: nothing is applied yet. matched_by: externalUid or email.
    CREATE TABLE target (screener_uid TEXT NOT NULL, is_planned INTEGER NOT NULL, matched_by TEXT NOT NULL) STRICT;
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

/** To change many externalUids takes longer with their index. */
export function dropStagedIndex(db: Writer): void {
  db.run("DROP INDEX IF EXISTS stage_external_uid");
}

/** To insert many removals takes longer with their index. */
export function dropRemovalsIndex(db: Writer): void {
  db.run(`DROP INDEX IF EXISTS ${ROW_NAME_INDEX}`);
}

const answered = assignment.jsonFrom({
  id: "q.assignment_uid",
  screenerId: "g.screener_uid",
  participantId: "q.participant_uid",
  externalParticipantUid: "r.external_uid",
  currentSessionId: "q.session_uid",
  name: "coalesce(r.name, q.kept_name)",
  email: "coalesce(r.email, q.kept_email)",
  status: "q.status",
  review: "NULL",
});

/** The values that a row changes, as a JSON array of field, from and to. Of the planned row `q` and the staged row `r`. */
const changes = `'[' || substr(concat(${changeable
  .map(
    ({ member, column }) =>
      `iif(r.${column} IS NOT NULL AND r.${column} IS NOT q.kept_${column}, ${changeOf(member, `q.kept_${column}`, `r.${column}`)}, '')`,
  )
  .join(", ")}), 2) || ']'`;

function changeOf(member: string, from: string, to: string): string {
  if (member === "attributes") return attributeChanges(from, to);
  return `concat(',{"field":"${member}","from":', json_quote(${from}), ',"to":', json_quote(${to}), '}')`;
}

/** Makes the views `answer (position, json)` and `job_row` (engine/ledger/rows.ts). What a plan has not made yet has no id. */
function createAnswer(scratch: Writer): void {
  scratch.exec(`
    CREATE VIEW answer AS SELECT q.id AS position, ${answered} AS json
      FROM plan AS q JOIN stage AS r USING (id) CROSS JOIN target AS g WHERE q.outcome <> 'REJECTED';
    CREATE VIEW job_row AS SELECT q.id,
      iif(q.outcome = 'REMOVED', NULL, q.id - 1) AS position,
      r.line,
      iif(q.outcome = 'CREATED' AND g.is_planned AND g.matched_by = 'email', NULL,
        coalesce(r.external_uid, q.removed_external_uid)) AS external_uid,
      iif(q.is_assigned = 0, 'true', 'false') AS assigned,
      iif(q.outcome = 'CREATED' AND g.is_planned, NULL, q.participant_uid) AS participant_uid,
      iif(q.is_assigned = 0 AND g.is_planned, NULL, q.assignment_uid) AS assignment_uid,
      iif(q.outcome = 'REMOVED', q.status, NULL) AS status,
      iif(q.outcome = 'REMOVED', q.session_uid, NULL) AS session_uid,
      iif(q.outcome IN ('CREATED', 'UPDATED'), ${changes}, '[]') AS changes,
      coalesce((SELECT '[' || group_concat(e.json, ',') || ']' FROM row_error AS e WHERE e.row = q.id), '[]') AS errors,
      NULL AS reason
    FROM plan AS q CROSS JOIN target AS g LEFT JOIN stage AS r ON r.id = q.id;
    -- To find rows by their externalUid.
    CREATE VIEW row_name AS SELECT id, external_uid FROM stage
      UNION ALL SELECT id, removed_external_uid FROM plan WHERE outcome = 'REMOVED';
  `);
}

/** Names the screener of the answer, and what rows are matched by. */
export function setTarget(scratch: Writer, screenerUid: string, matchBy: MatchKey): void {
  scratch.run("INSERT INTO target (screener_uid, is_planned, matched_by) VALUES (?, 0, ?)", screenerUid, matchBy);
}

/** Shows the plan as one that is not applied, or as one that is. */
export function showAsPlanned(scratch: Writer, isPlanned: boolean): void {
  scratch.run("UPDATE target SET is_planned = ?", isPlanned ? 1 : 0);
}
