// Step 3, stage: puts the checked rows into the scratch store, and checks them against each other. This does not touch the
// workspace store, so it may take long.

import type { Writer } from "../../../db/connection.ts";
import { deferred } from "../../../db/write.ts";
import { WRITTEN } from "../../participants/resource.ts";
import type { CheckedRow } from "./check.ts";
import { Repeats } from "./repeats.ts";
import { type RowErrors, rowErrorSql } from "./row-errors.ts";

const written = Object.values(WRITTEN);
const columns = [...written, "attributes", "removed_attributes"];

/** The place of the email in a checked row. */
const EMAIL = 2 + written.indexOf(WRITTEN.email);

const insertOf = (of: readonly string[]) => `INSERT INTO stage (id, line, ${of.join(", ")})
  SELECT (value ->> 0) + 1, value ->> 1, ${of.map((_, index) => `value ->> ${index + 2}`).join(", ")} FROM jsonb_each(?)`;
const INSERT_PLAIN = insertOf(written);
const INSERT = insertOf(columns);

/**
 * Fills the table `stage`: each row's id (its position + 1) and line, and its values in columns named as those of
 * `participant`. `attributes` are those that it sets, until they are merged (attributes.ts).
 * @param onProgress called with the number of rows staged so far
 * @returns the number of rows, and their emails
 */
export function stageRows(
  scratch: Writer,
  slices: Iterable<CheckedRow[]>,
  onProgress: (rows: number) => void,
): { rows: number; emails: Repeats } {
  const emails = new Repeats();
  let staged = 0;
  deferred(scratch, () => {
    for (const rows of slices) {
      scratch.run(rows.some((row) => row.length > written.length + 2) ? INSERT : INSERT_PLAIN, JSON.stringify(rows));
      for (const { [EMAIL]: email } of rows) if (typeof email === "string") emails.add(email);
      staged += rows.length;
      onProgress(staged);
    }
  });
  indexStage(scratch);
  return { rows: staged, emails };
}

/** Makes the table `stage`. */
export function createStage(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE stage (
      id INTEGER PRIMARY KEY, line INTEGER, ${columns.map((column) => `${column} TEXT`).join(", ")}
    ) STRICT;
  `);
}

/** For the search for duplicates, and later for a row by its externalUid. After the rows: they come in no order. */
function indexStage(scratch: Writer): void {
  scratch.run("CREATE INDEX IF NOT EXISTS stage_external_uid ON stage (external_uid)");
}

/** Adds an error for each row whose externalUid or email another row has too. */
export function findDuplicates(scratch: Writer, emails: Repeats, errors: RowErrors): void {
  findRepeated(scratch, "external_uid", "externalUid", errors);
  if (emails.arePossible()) findRepeated(scratch, "email", "email", errors);
}

function findRepeated(scratch: Writer, column: string, member: string, errors: RowErrors): void {
  const collation = column === "email" ? "COLLATE NOCASE" : "";
  const twice = `SELECT ${column} FROM stage WHERE ${column} IS NOT NULL GROUP BY ${column} ${collation} HAVING count(*) > 1`;
  if (scratch.value(`${twice} LIMIT 1`) === undefined) return;
  errors.addFrom(
    `SELECT r.id, ${rowErrorSql(member, "'is in the payload more than once'", `r.${column}`)}
     FROM stage AS r WHERE r.${column} ${collation} IN (${twice}) ORDER BY r.id`,
  );
}
