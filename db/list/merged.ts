// Lists of a table without counts. Their rows are in a few ranges of indexes, which SQLite merges in the order of the rowids.

import type { Reader, SqlValue } from "../sqlite/connection.ts";
import { type ListResult, readItems } from "./items.ts";
import type { Page } from "./ranges.ts";
import { type Slices, slicesByKey } from "./slices.ts";

interface IndexedRange {
  /** The table, as `p`, and the index that finds the rows. */
  table: string;
  /** A condition on `p`. */
  where: string;
  values: readonly SqlValue[];
}

export interface MergedDefinition {
  /** They have no row together. */
  ranges: readonly IndexedRange[];
  /** FROM clause. The listed table is `t`; joins must neither add nor drop rows. */
  from: string;
  /** SQL expression that gives one item as JSON text. */
  json: string;
}

/** Rows are counted and skipped one by one. So many take an event loop about a millisecond. */
const MAX_SHORT_ROWS = 10_000;

/** Whether readMergedPage would take longer than an event loop has time for. Then call it in a thread. */
export function isLongMerge(db: Reader, { ranges }: MergedDefinition): boolean {
  let left = MAX_SHORT_ROWS;
  return ranges.some(({ table, where, values }) => {
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${where} LIMIT ?)`;
    left -= db.value<number>(sql, ...values, left + 1)!;
    return left < 0;
  });
}

/** @param parameters the values for the list's `from` and `json`; they are bound first */
export function readMergedPage(
  db: Reader,
  list: MergedDefinition,
  page: Page,
  parameters: readonly SqlValue[],
): ListResult {
  return db.snapshot(() => {
    const total = list.ranges.reduce(
      (sum, { table, where, values }) =>
        sum + db.value<number>(`SELECT count(*) FROM ${table} WHERE ${where}`, ...values)!,
      0,
    );
    const ids = JSON.stringify(idsOf(db, list, page));
    return { total, items: readItems(db, list.json, `${rowsOf(list)} ORDER BY t.id`, ...parameters, ids) };
  });
}

/** The whole list. @param now the list and its parameters as they are when a slice is read */
export function mergedSlices(now: () => { list: MergedDefinition; parameters: readonly SqlValue[] }): Slices {
  return slicesByKey(0, (db, after, rows) => {
    const { list, parameters } = now();
    return db.all(
      `SELECT t.id AS key, ${list.json} AS json ${rowsOf(list)} ORDER BY t.id`,
      ...parameters,
      JSON.stringify(idsOf(db, list, { offset: 0, limit: rows }, after)),
    );
  });
}

const rowsOf = ({ from }: MergedDefinition) => `FROM ${from} WHERE t.id IN (SELECT value FROM json_each(?))`;

function idsOf(db: Reader, { ranges }: MergedDefinition, { offset, limit }: Page, after = 0): number[] {
  if (!ranges.length) return [];
  const all = ranges.map(({ table, where }) => `SELECT p.id AS id FROM ${table} WHERE ${where} AND p.id > ?`);
  const values = ranges.flatMap((range) => [...range.values, after]);
  return db.values(`${all.join(" UNION ALL ")} ORDER BY id LIMIT ? OFFSET ?`, ...values, limit, offset);
}
