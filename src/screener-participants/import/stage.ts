// Step 3, stage: puts the checked rows into the scratch store, and checks them against each other. This does not touch the
// workspace store, so it may take long.

import type { Writer } from "../../../db/connection.ts";
import { deferred } from "../../../db/write.ts";
import { MAX_UNINDEXED_ROWS, ROW_NAME_INDEX } from "../../jobs/rows.ts";
import { WRITTEN } from "../../participants/resource.ts";
import type { CheckedRow } from "./check.ts";
import { Repeats } from "./repeats.ts";
import { type RowErrors, rowErrorSql } from "./row-errors.ts";

/** The columns that a checked row has values for, in their order. The last ones may be missing. */
const columns = [...Object.values(WRITTEN), "line", "attributes", "removed_attributes"];

/** What no two rows of a payload may have, and its position in a checked row. */
const UNIQUE = [
  { member: "externalUid", column: WRITTEN.externalUid, at: columns.indexOf(WRITTEN.externalUid), foldsCase: false },
  { member: "email", column: WRITTEN.email, at: columns.indexOf(WRITTEN.email), foldsCase: true },
];

/** Statements that insert rows, by the number of their values: to look for what is not there takes time. */
const inserts = columns.map(
  (_, last) =>
    `INSERT INTO stage (id, ${columns.slice(0, last + 1).join(", ")})
     SELECT key + ?, ${columns.slice(0, last + 1).map((_, at) => `value ->> ${at}`)} FROM jsonb_each(?)`,
);

/**
 * Fills the table `stage`: each row's id (its position + 1) and line, and its values in columns named as those of
 * `participant`. `attributes` are those that it sets, until they are merged (attributes.ts). Then adds an error for each row
 * whose externalUid or email another row has too.
 * @param onProgress called with the number of rows staged so far
 * @returns the number of rows
 */
export function stageRows(
  scratch: Writer,
  slices: Iterable<CheckedRow[]>,
  { errors, onProgress }: { errors: RowErrors; onProgress: (rows: number) => void },
): number {
  const given = UNIQUE.map((unique) => ({ ...unique, repeats: new Repeats(unique.foldsCase) }));
  let staged = 0;
  deferred(scratch, () => {
    for (const rows of slices) {
      const values = rows.reduce((most, row) => Math.max(most, row.length), 1);
      scratch.run(inserts[values - 1]!, BigInt(staged + 1), JSON.stringify(rows));
      for (const { at, repeats } of given) {
        for (const { [at]: text } of rows) if (typeof text === "string") repeats.add(text);
      }
      staged += rows.length;
      onProgress(staged);
    }
  });
  if (staged > MAX_UNINDEXED_ROWS) indexNames(scratch);
  for (const { column, member, repeats, foldsCase } of given) {
    if (repeats.arePossible())
      findRepeated(scratch, { column, member, collation: foldsCase ? "COLLATE NOCASE" : "" }, errors);
  }
  return staged;
}

/** Makes the table `stage`. */
export function createStage(scratch: Writer): void {
  scratch.exec(`
    CREATE TABLE stage (
      id INTEGER PRIMARY KEY, ${columns.map((column) => `${column} ${column === "line" ? "INTEGER" : "TEXT"}`).join(", ")}
    ) STRICT;
  `);
}

/** Lets a row, staged or removed, be found by its externalUid. After the rows are staged: they come in no order. */
export function indexNames(db: Writer): void {
  db.run("CREATE INDEX IF NOT EXISTS stage_external_uid ON stage (external_uid)");
  db.run(`CREATE INDEX IF NOT EXISTS ${ROW_NAME_INDEX} ON plan (removed_external_uid) WHERE outcome = 'REMOVED'`);
}

/** To insert many removals takes longer with their index. */
export function dropRemovalsIndex(db: Writer): void {
  db.run(`DROP INDEX IF EXISTS ${ROW_NAME_INDEX}`);
}

function findRepeated(
  scratch: Writer,
  { column, member, collation }: { column: string; member: string; collation: string },
  errors: RowErrors,
): void {
  const twice = `SELECT ${column} FROM stage WHERE ${column} IS NOT NULL GROUP BY ${column} ${collation} HAVING count(*) > 1`;
  if (scratch.value(`${twice} LIMIT 1`) === undefined) return;
  errors.addFrom(
    `SELECT r.id, ${rowErrorSql(member, "'is in the payload more than once'", `r.${column}`)}
     FROM stage AS r WHERE r.${column} ${collation} IN (${twice}) ORDER BY r.id`,
  );
}
