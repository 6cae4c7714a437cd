// Writes many rows without what SQLite does for each of them: indexes and triggers are dropped, and made again in the same transaction,
// so nobody sees it. To sort a million values once takes half of the time that inserting each where it belongs takes.

import type { Reader, Writer } from "./sqlite/connection.ts";

/** For fewer rows the statements of all connections would be compiled anew for nothing. */
export const MIN_BULK_ROWS = 5000;

/** An index or a trigger, as sqlite_schema has it. */
export interface SchemaPart {
  type: "index" | "trigger";
  name: string;
  sql: string;
}

/**
 * Inside a transaction: runs `write` without these indexes and triggers. The caller does then what the triggers would have done.
 * @param later names of those that the caller makes again
 */
export function without(
  db: Writer,
  schema: string,
  parts: readonly SchemaPart[],
  write: () => void,
  later: readonly string[] = [],
): void {
  for (const { type, name } of parts) db.exec(`DROP ${type} ${schema}."${name}"`);
  write();
  for (const { name, sql } of parts)
    if (!later.includes(name)) db.exec(sql.replace(/ (?:INDEX|TRIGGER) /, `$&${schema}.`));
}

/** The indexes and triggers of a table with these names. */
export function findParts(db: Reader, schema: string, table: string, names: readonly string[]): SchemaPart[] {
  return db.all(
    `SELECT type, name, sql FROM ${schema}.sqlite_schema WHERE tbl_name = ? AND name IN (SELECT value FROM json_each(?))`,
    table,
    JSON.stringify(names),
  );
}

/** Whether so many rows are at least half of a table whose rowids have few gaps: then its indexes are better made again. */
export function isHalfOf(db: Reader, schema: string, table: string, rows: number): boolean {
  return rows * 2 >= db.value<number>(`SELECT coalesce(max(rowid), 0) FROM ${schema}.${table}`)!;
}
