// Reads pages of a list in the order of creation, with an exact total, at a cost that does not grow with the list: a total
// is a sum of counts (counts.ts). For a deep offset, a running sum finds the block; then at most 1,024 rows are read.

import type { Reader, SqlValue } from "../sqlite/connection.ts";
import { blockSize, type CountedTable, countedSql, totalTable } from "./counts.ts";
import { type ListDefinition, type ListResult, NOTHING, readItems } from "./items.ts";
import { findRanges, type Page } from "./ranges.ts";
import { isSearch, readFound } from "./searched.ts";
import { readSorted, type Sort } from "./sorted.ts";
import {
  allOf,
  type Filter,
  isPositive,
  isSince,
  namesMany,
  splitApart,
  splitScans,
  type Where,
  whereOf,
  whereWithScans,
} from "./where.ts";

/** The most rows that are sorted at once, or kept as a list of ids. */
export const MAX_SORTED_ROWS = 5000;

/** An event loop has time to scan this many rows, even if each has 16 KiB. */
const MAX_SCANNED_ROWS = 500;

/**
 * It has time to pass this many rows that do not match, or to find this many by index, even if no page is in memory. They are 128
 * blocks, so that for pages of up to 128 rows nothing has to be counted.
 */
const MAX_PASSED_ROWS = 128 * 1024;
const MAX_NAMED_VALUES = 100;

/** Among so many rows it has time to search for words, whatever these are. */
const MAX_SEARCHED_ROWS = 5000;

/** Reads one page. `parameters` are the values for the list's `json` or `from`; they are bound first. */
export function readPage(
  db: Reader,
  list: ListDefinition,
  filters: readonly Filter[],
  page: Page,
  parameters: readonly SqlValue[] = [],
  sort?: Sort,
): ListResult {
  return db.snapshot(() => {
    if (sort) return readSorted(db, list, filters, page, parameters, sort);
    if (filters.some(isSearch)) return readFound(db, list, filters, page, parameters);
    const asked = splitApart(list, filters);
    const split = splitScans(db, asked.filters);
    const { onFacets, onRows } = splitFacets(list, split.others);
    // A column that is no facet has many values: one value selects few rows, and an index finds them.
    return asked.isAlone || split.scans.length || onRows.some(isPositive)
      ? readFew(db, list, allOf([asked.rows, whereWithScans(split)]), page, parameters, onRows.some(isPrefix))
      : readMany(db, list, onFacets, onRows, page, parameters);
  });
}

/** Whether readPage would take longer than an event loop has time for. Then call it in a thread. */
export function isLongRead(
  db: Reader,
  list: CountedTable,
  filters: readonly Filter[],
  page: Page,
  sort?: Sort,
): boolean {
  if (sort) return countAll(db, list) > MAX_SCANNED_ROWS;
  if (!filters.length) return false;
  const { limit } = page;
  if (filters.some(isSearch)) return countAll(db, list) > MAX_SEARCHED_ROWS;
  const asked = splitApart(list, filters);
  // All of them are counted one by one. Few callers ask for them.
  if (asked.isAlone) return true;
  const { scans, others } = splitScans(db, asked.filters);
  const { onFacets, onRows } = splitFacets(list, others);
  const named = onRows.filter(isPositive);
  if (named.some((filter) => namesMany(db, list.table, filter))) return true;
  // The value of each of them is worked out.
  if (named.some(isSince)) return countAll(db, list) > MAX_SCANNED_ROWS;
  if (named.length)
    return named.some(({ values }) => values.length > MAX_NAMED_VALUES) && countAll(db, list) > MAX_PASSED_ROWS;
  if (scans.length) return countAll(db, list) > MAX_SCANNED_ROWS;
  // A row of the page costs a block at most.
  if (limit * blockSize(list) <= MAX_PASSED_ROWS) return false;
  const { ranges } = findRanges(db, list, allOf(onFacets.map(whereOf)), [], page);
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0) > MAX_PASSED_ROWS;
}

function isPrefix({ operator }: Filter): boolean {
  return operator === "startsWith";
}

function countAll(db: Reader, list: CountedTable): number {
  return db.value<number>(`SELECT sum(n) FROM ${totalTable(list)}`) ?? 0;
}

/** Splits filters into those on facets and those on other columns. */
export function splitFacets(list: CountedTable, filters: readonly Filter[]): { onFacets: Filter[]; onRows: Filter[] } {
  const isFacet = ({ by }: Filter) => list.facets.includes(by.column);
  return { onFacets: filters.filter(isFacet), onRows: filters.filter((filter) => !isFacet(filter)) };
}

/** @param isRange whether they may be many after all */
function readFew(
  db: Reader,
  list: ListDefinition,
  where: Where,
  page: Page,
  parameters: readonly SqlValue[],
  isRange: boolean,
): ListResult {
  const total = db.value<number>(`SELECT count(*) FROM ${list.table} AS t WHERE ${where.sql}`, ...where.values) ?? 0;
  const items = readItems(
    db,
    list.json,
    `FROM ${list.from} WHERE t.id IN (${idsSql(list, where, isRange ? total : 0)} LIMIT ? OFFSET ?) ORDER BY t.id`,
    ...parameters,
    ...where.values,
    page.limit,
    page.offset,
  );
  return { total, items };
}

function readMany(
  db: Reader,
  list: ListDefinition,
  onFacets: readonly Filter[],
  onRows: readonly Filter[],
  page: Page,
  parameters: readonly SqlValue[],
): ListResult {
  const facets = allOf(onFacets.map(whereOf));
  const rows = countedSql(list);
  const excluded = excludedIds(db, list, facets, onRows);
  const counted =
    db.value<number>(`SELECT sum(n) FROM ${totalTable(list)} AS t WHERE ${facets.sql}`, ...facets.values) ?? 0;
  const total = counted - excluded.length;
  if (page.offset >= total) return { total, items: NOTHING };
  if (!onFacets.length && !excluded.length && page.offset === 0) {
    const first = `FROM ${list.from} WHERE ${rows} ORDER BY t.id LIMIT ?`;
    const items = readItems(db, list.json, first, ...parameters, page.limit);
    return { total, items };
  }
  const ids = JSON.stringify(findIds(db, list, facets, excluded, page));
  const rest = `FROM ${list.from} WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY t.id`;
  const items = readItems(db, list.json, rest, ...parameters, ids);
  return { total, items };
}

/**
 * The rowids of a page. Reads its blocks row by row, without an index. Even if few rows match, a page has no more blocks
 * than rows.
 */
function findIds(db: Reader, list: ListDefinition, facets: Where, excluded: readonly number[], page: Page): number[] {
  const { ranges, skip } = findRanges(db, list, facets, excluded, page);
  return db.values<number>(
    `SELECT t.id FROM json_each(?) AS r CROSS JOIN ${list.table} AS t NOT INDEXED
     WHERE t.id >= r.value ->> 0 AND t.id < r.value ->> 1 AND ${facets.sql} AND ${countedSql(list)}
       AND t.id NOT IN (SELECT value FROM json_each(?))
     ORDER BY t.id LIMIT ? OFFSET ?`,
    JSON.stringify(ranges),
    ...facets.values,
    JSON.stringify(excluded),
    page.limit,
    skip,
  );
}

/** The rowids that negative filters on rows exclude: few, because each value selects few. */
function excludedIds(db: Reader, list: ListDefinition, facets: Where, onRows: readonly Filter[]): number[] {
  const ids = new Set<number>();
  for (const { by, values } of onRows) {
    const named = allOf([whereOf({ by, operator: "in", values }), facets]);
    const found = `SELECT t.id FROM ${list.table} AS t WHERE ${named.sql} AND ${countedSql(list)}`;
    for (const id of db.values<number>(found, ...named.values)) ids.add(id);
  }
  return [...ids];
}

/**
 * SQL that gives the rowids in order. Many rowids are read from the table itself: an index on one facet of several does
 * not give them in order, so SQLite would sort all of them for one page.
 */
export function idsSql(list: CountedTable, where: Where, total: number): string {
  if (total > MAX_SORTED_ROWS)
    return `SELECT t.id FROM ${list.table} AS t NOT INDEXED WHERE ${where.sql} ORDER BY t.id`;
  const order = list.clusteredBy ? `t.${list.clusteredBy}, t.id` : "t.id";
  return `SELECT t.id FROM ${list.table} AS t WHERE ${where.sql} ORDER BY ${order}`;
}
