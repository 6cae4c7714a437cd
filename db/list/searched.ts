// Pages of a list in which words are searched for. What is found is not counted to its end: a search that finds thousands is one that goes on.

import type { Reader, SqlValue } from "../sqlite/connection.ts";
import { type ListDefinition, type ListResult, readItems } from "./items.ts";
import type { Page } from "./ranges.ts";
import { allOf, type Filter, type Search, splitApart, splitScans, type Where, whereWithScans } from "./where.ts";

/** So far a total is exact. Where more is found, it is one more. */
const MAX_COUNTED = 1000;

/** Of more than so many in whom the words are, the rows of the list are compared one by one: the first ones come soon. */
const MAX_FOUND = 20_000;

/** Of words that everybody has, the first rows of a list have as many as are wanted: among this many for each of them they are looked for first. */
const LOOKED_AT_FIRST = 2;

export function isSearch({ operator }: Filter): boolean {
  return operator === "matches";
}

/** Call it in a snapshot. */
export function readFound(
  db: Reader,
  list: ListDefinition,
  filters: readonly Filter[],
  page: Page,
  parameters: readonly SqlValue[],
): ListResult {
  const asked = splitApart(list, filters);
  const split = splitScans(db, asked.filters);
  const search = split.scans.find(isSearch)!;
  const scans = split.scans.filter((filter) => filter !== search);
  const others = allOf([asked.rows, whereWithScans({ scans, others: split.others })]);
  const has = whereWithScans({ scans: [search], others: [] });
  const most = Math.max(MAX_COUNTED + 1, page.offset + page.limit);
  // Without an index for a filter, even the first rows may be far.
  const first = scans.length || most > MAX_FOUND ? undefined : firstIds(db, list, { others, has }, most);
  const ids = first ?? findIds(db, list, search, { others, all: allOf([others, has]) }, most);
  const shown = JSON.stringify(ids.slice(page.offset, page.offset + page.limit));
  const rest = `FROM ${list.from} WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY t.id`;
  return { total: Math.min(ids.length, MAX_COUNTED + 1), items: readItems(db, list.json, rest, ...parameters, shown) };
}

/** The first rows, where the words are common. The index would gather all in whom words begin so: 0.3 s for a million. Undefined: they are not */
function firstIds(
  db: Reader,
  { table }: ListDefinition,
  { others, has }: { others: Where; has: Where },
  most: number,
): number[] | undefined {
  const ids = db.values<number>(
    `SELECT t.id FROM (SELECT t.* FROM ${table} AS t WHERE ${others.sql} ORDER BY t.id LIMIT ?) AS t WHERE ${has.sql} ORDER BY t.id LIMIT ?`,
    ...others.values,
    LOOKED_AT_FIRST * most,
    ...has.values,
    most,
  );
  return ids.length === most ? ids : undefined;
}

function findIds(
  db: Reader,
  { table }: ListDefinition,
  { by: { column, search }, values }: Filter,
  { others, all }: { others: Where; all: Where },
  most: number,
): number[] {
  const { finds, parameters } = search as Search;
  const words = Array<SqlValue>(parameters).fill(values[0]!);
  // In the order of the rows the search ends with the last one that is wanted. Of a join SQLite would find all, and sort them.
  if (column === "id")
    return db.values(
      `SELECT f.id FROM (${finds}) AS f WHERE EXISTS (SELECT 1 FROM ${table} AS t WHERE t.id = f.id AND ${others.sql}) ORDER BY f.id LIMIT ?`,
      ...words,
      ...others.values,
      most,
    );
  const found = db.value<number>(`SELECT count(*) FROM (${finds} LIMIT ${MAX_FOUND + 1})`, ...words)!;
  if (found > MAX_FOUND)
    return db.values(
      `SELECT t.id FROM ${table} AS t NOT INDEXED WHERE ${all.sql} ORDER BY t.id LIMIT ?`,
      ...all.values,
      most,
    );
  return db.values(
    `SELECT t.id FROM (${finds}) AS f CROSS JOIN ${table} AS t ON t.${column} = f.id WHERE ${others.sql} ORDER BY t.id LIMIT ?`,
    ...words,
    ...others.values,
    most,
  );
}
