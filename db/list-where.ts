// Turns the filters of a list into SQL.

import type { SqlValue } from "./connection.ts";

/** A column that a list can be filtered by. */
export interface FilterColumn {
  column: string;
  /** For a column that holds a rowid: the column `by` of `table` holds the values that callers send. `many`: several rows may have the same value. */
  references?: { table: string; by: string; many?: true };
}

/** `gte` and `lt` (at least; less than) are for values that have an order. */
export type Operator = "eq" | "ne" | "in" | "nin" | "gte" | "lt";

/** What a list is filtered by. */
export interface Filter {
  by: FilterColumn;
  operator: Operator;
  values: string[];
}

/** A part of a WHERE clause, with the values to bind. The listed table is `t`. */
export interface Where {
  sql: string;
  values: SqlValue[];
}

export function whereOf({ by: { column, references }, operator, values }: Filter): Where {
  if (operator === "gte" || operator === "lt") {
    return { sql: `t.${column} ${operator === "gte" ? ">=" : "<"} ?`, values: [values[0]!] };
  }
  if (!references && values.length === 1 && isPositive({ operator })) {
    return { sql: `t.${column} = ?`, values: [values[0]!] };
  }
  const set = references
    ? `SELECT id FROM ${references.table} WHERE ${references.by} IN (SELECT value FROM json_each(?))`
    : "SELECT value FROM json_each(?)";
  const bound = [JSON.stringify(values)];
  if (isPositive({ operator })) {
    // One value is compared as a scalar, so that an index on the column also gives the order.
    if (values.length === 1 && !references?.many) return { sql: `t.${column} = (${set})`, values: bound };
    return { sql: `t.${column} IN (${set})`, values: bound };
  }
  return { sql: `(t.${column} IS NULL OR t.${column} NOT IN (${set}))`, values: bound };
}

/** Whether the filter names the rows to include, not those to exclude. */
export function isPositive({ operator }: { operator: Operator }): boolean {
  return operator !== "ne" && operator !== "nin";
}

/** Joins all parts with AND. */
export function allOf(parts: readonly Where[]): Where {
  if (!parts.length) return { sql: "TRUE", values: [] };
  return {
    sql: parts.map(({ sql }) => sql).join(" AND "),
    values: parts.flatMap(({ values }) => values),
  };
}
