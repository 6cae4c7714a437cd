// Pages of a list in another order than that of creation. Where no index has that order, all rows that match are looked at.

import type { Reader, SqlValue } from "../sqlite/connection.ts";
import { type ListDefinition, type ListResult, readItems } from "./items.ts";
import type { Page } from "./ranges.ts";
import { allOf, type Filter, splitApart, splitScans, whereWithScans } from "./where.ts";

export interface Sort {
  /** SQL expression on `t`. */
  by: string;
  isDescending: boolean;
}

/** Rows without a value come last. Call it in a snapshot. */
export function readSorted(
  db: Reader,
  list: ListDefinition,
  filters: readonly Filter[],
  { limit, offset }: Page,
  parameters: readonly SqlValue[],
  { by, isDescending }: Sort,
): ListResult {
  const asked = splitApart(list, filters);
  const where = allOf([asked.rows, whereWithScans(splitScans(db, asked.filters))]);
  const rows = `FROM ${list.table} AS t WHERE ${where.sql}`;
  const total = db.value<number>(`SELECT count(*) ${rows}`, ...where.values)!;
  const direction = isDescending ? "DESC" : "ASC";
  const end = limit + offset;
  // SQLite keeps only the rows up to the end of the page while it sorts; and looks at those without a value only when the others have ended.
  const ids = db.values<number>(
    `SELECT * FROM (SELECT t.id ${rows} AND ${by} IS NOT NULL ORDER BY ${by} ${direction}, t.id ${direction} LIMIT ?)
     UNION ALL SELECT * FROM (SELECT t.id ${rows} AND ${by} IS NULL ORDER BY t.id ${direction} LIMIT ?) LIMIT ? OFFSET ?`,
    ...[...where.values, end, ...where.values, end, limit, offset],
  );
  const shown = `FROM json_each(?) AS k CROSS JOIN ${list.from} WHERE t.id = k.value ORDER BY k.key`;
  return { total, items: readItems(db, list.json, shown, ...parameters, JSON.stringify(ids)) };
}
