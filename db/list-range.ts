// Turns ranges of a column that rises with the rowids into a range of rowids, so that a list needs no index on it and counts
// whole blocks.

import type { Reader } from "./connection.ts";
import type { CountedTable } from "./counts.ts";
import type { Filter, Where } from "./list-where.ts";

/** Rowids from `from` (included) to `to` (excluded). */
export interface Range {
  from: number;
  to: number;
}

/** Splits filters into the rowids that those on the rising column select, and the others. Undefined: all rowids. */
export function splitRange(
  db: Reader,
  { table, risingBy }: CountedTable,
  filters: readonly Filter[],
): { range: Range | undefined; others: readonly Filter[] } {
  const isRising = ({ by }: Filter) => risingBy !== undefined && by.column === risingBy;
  const ranges = filters.filter(isRising);
  if (!ranges.length) return { range: undefined, others: filters };
  const range = { from: 0, to: (db.value<number | null>(`SELECT max(id) FROM ${table}`) ?? 0) + 1 };
  for (const { operator, values } of ranges) {
    const first = firstFrom(db, table, risingBy!, Number(values[0]), range.to);
    if (operator === "gte") range.from = Math.max(range.from, first);
    else range.to = Math.min(range.to, first);
  }
  return { range, others: filters.filter((filter) => !isRising(filter)) };
}

/** The condition on rowids. */
export function inRange(range: Range | undefined): Where[] {
  return range ? [{ sql: "t.id >= ? AND t.id < ?", values: [range.from, range.to] }] : [];
}

/** The lowest rowid whose value is at least `value`; `end` if there is none. A binary search. */
function firstFrom(db: Reader, table: string, column: string, value: number, end: number): number {
  const at = `SELECT ${column} FROM ${table} WHERE id >= ? ORDER BY id LIMIT 1`;
  let [low, high] = [0, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((db.value<number>(at, middle) ?? Number.POSITIVE_INFINITY) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
