// Step 3, stage: puts the checked rows into the scratch store, and checks them against each other. This does not touch the
// workspace store, so it may take long.

import type { Writer } from "../../../db/connection.ts";
import { deferred } from "../../../db/write.ts";
import { WRITTEN } from "../../participants/resource.ts";
import { MAX_ERRORS } from "../../problems.ts";
import type { CheckedRow, ImportErrors } from "./check.ts";

const columns = Object.values(WRITTEN);

/**
 * Fills the table `stage`: each row's position, and its values in columns named as those of `participant`.
 * @param onProgress called with the number of rows staged so far
 * @returns the number of rows
 */
export function stageRows(scratch: Writer, slices: Iterable<CheckedRow[]>, onProgress: (rows: number) => void): number {
  scratch.exec(`
    CREATE TABLE IF NOT EXISTS stage (
      position INTEGER PRIMARY KEY, ${columns.map((column) => `${column} TEXT`).join(", ")}
    ) STRICT;
    DELETE FROM stage;
  `);
  const insert = `INSERT INTO stage (position, ${columns.join(", ")})
    SELECT value ->> 0, ${columns.map((_, index) => `value ->> ${index + 1}`).join(", ")} FROM jsonb_each(?)`;
  let staged = 0;
  deferred(scratch, () => {
    for (const rows of slices) {
      scratch.run(insert, JSON.stringify(rows));
      staged += rows.length;
      onProgress(staged);
    }
  });
  return staged;
}

/** Adds an error for each row whose externalUid or email another row has too. */
export function findDuplicates(scratch: Writer, errors: ImportErrors): void {
  findRepeated(scratch, "external_uid", "externalUid", errors);
  findRepeated(scratch, "email", "email", errors);
}

function findRepeated(scratch: Writer, column: string, member: string, errors: ImportErrors): void {
  const collation = column === "email" ? "COLLATE NOCASE" : "";
  const twice = `SELECT ${column} FROM stage WHERE ${column} IS NOT NULL GROUP BY ${column} ${collation} HAVING count(*) > 1`;
  if (scratch.value(`${twice} LIMIT 1`) === undefined) return;
  const where = `${column} ${collation} IN (${twice})`;
  const count = scratch.value<number>(`SELECT count(*) FROM stage WHERE ${where}`)!;
  const positions = scratch.values<number>(
    `SELECT position FROM stage WHERE ${where} ORDER BY position LIMIT ${MAX_ERRORS}`,
  );
  errors.addAll(
    positions.map((position) => ({
      position,
      detail: { pointer: `/participants/${position}/${member}`, message: "is in the payload more than once" },
    })),
    count,
  );
}
