// Filters of lists as SQL.

import type { SqlValue } from "./connection.ts";

/** A column that a list can be filtered by. */
export interface FilterColumn {
  column: string;
  /** For a column that holds a rowid: the table's column in which the values that callers send are found; in `many` rows each, or in one. */
  references?: { table: string; by: string; many?: true };
}

export type Operator = "eq" | "ne" | "in" | "nin";

/** What a list is filtered by. */
export interface Filter {
  by: FilterColumn;
  operator: Operator;
  values: string[];
}

/** A piece of a WHERE clause, with what is bound in it. The listed table is `t`. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

/** What a filter asks of a row. */
export function condition({ by: { column, references }, operator, values }: Filter): Condition {
  if (!references && values.length === 1 && isPositive({ operator })) {
    return { sql: `t.${column} = ?`, values: [values[0]!] };
  }
  const set = references
    ? `SELECT id FROM ${references.table} WHERE ${references.by} IN (SELECT value FROM json_each(?))`
    : "SELECT value FROM json_each(?)";
  const bound = [JSON.stringify(values)];
  if (isPositive({ operator })) {
    // One value as a scalar, so that an index on the column also gives the order.
    if (values.length === 1 && !references?.many) return { sql: `t.${column} = (${set})`, values: bound };
    return { sql: `t.${column} IN (${set})`, values: bound };
  }
  return { sql: `(t.${column} IS NULL OR t.${column} NOT IN (${set}))`, values: bound };
}

/** Whether a filter says what is wanted, not what isn't. */
export function isPositive({ operator }: { operator: Operator }): boolean {
  return operator === "eq" || operator === "in";
}

/** All of these at once. */
export function allOf(conditions: readonly Condition[]): Condition {
  if (!conditions.length) return { sql: "TRUE", values: [] };
  return {
    sql: conditions.map(({ sql }) => sql).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  };
}
