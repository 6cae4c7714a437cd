// What code asks SQLite for.

import type { Reader, SqlValue } from "../../db/sqlite/connection.ts";

/** The statements for several values that `read` runs. */
export function statementsOf(db: Reader, read: () => unknown): [sql: string, ...values: SqlValue[]][] {
  const asked: [sql: string, ...values: SqlValue[]][] = [];
  const { values } = db;
  db.values = <Value>(sql: string, ...given: SqlValue[]) => {
    asked.push([sql, ...given]);
    return values.call(db, sql, ...given) as Value[];
  };
  try {
    read();
  } finally {
    db.values = values;
  }
  return asked;
}
