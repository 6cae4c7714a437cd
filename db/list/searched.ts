// Pages of a list in which words are searched for. What is found is not counted to its end: a search that finds thousands is one that goes on.

import type { Reader, SqlValue } from "../sqlite/connection.ts";
import { idsBeside } from "./beside.ts";
import { totalTable } from "./counts.ts";
import { type ListDefinition, type ListResult, readItems } from "./items.ts";
import type { Page } from "./ranges.ts";
import { rareOf } from "./rare-words.ts";
import {
  allOf,
  type Filter,
  foundBy,
  gatheredBy,
  type Search,
  splitApart,
  splitScans,
  type Where,
  whereOf,
  whereWithScans,
} from "./where.ts";

/** So far a total is exact. Where more is found, it is one more. */
const MAX_COUNTED = 1000;

/** Of more than so many in whom the words are, the first rows of the list are compared before they are gathered. */
const MAX_FOUND = 20_000;
/** So many of them: 20 ms. */
const MAX_COMPARED = 10_000;

/** Of words that everybody has, the first rows of a list have as many as are wanted: among this many for each of them they are looked for first. */
const LOOKED_AT_FIRST = 2;
/** The index is asked for so many for each row that is wanted: some are not of the list, or lack a word of which it was not asked. */
const ASKED_FIRST = 4;
/** So many of the first rows say how frequent words are. */
const SAMPLE_ROWS = 200;
/** Among the rows behind them, words may be so many times as frequent as among the first ones. */
const UNEVEN = 2;
/** Of so many rows of a list, one in so many has words that are common in it. */
const FIRST_ROWS = 500;
const COMMON = 20;

export function isSearch({ operator }: Filter): boolean {
  return operator === "matches";
}

interface Asked {
  list: ListDefinition;
  /** The column that the index gives. */
  column: string;
  search: Search;
  words: string;
  /** The other filters; those of them for which no row is compared; and the most rows that they may leave. */
  others: Where;
  named: Where;
  rows: number;
  /** Whether a row has the words, and whether it has all that is asked for. */
  has: Where;
  all: Where;
}

/** Call it in a snapshot. */
export function readFound(
  db: Reader,
  list: ListDefinition,
  filters: readonly Filter[],
  page: Page,
  parameters: readonly SqlValue[],
): ListResult {
  const rows = splitApart(list, filters);
  const split = splitScans(db, rows.filters);
  const filter = split.scans.find(isSearch)!;
  const scans = split.scans.filter((one) => one !== filter);
  const others = allOf([rows.rows, whereWithScans({ scans, others: split.others })]);
  const named = allOf([rows.rows, whereWithScans({ scans: [], others: split.others })]);
  const has = whereWithScans({ scans: [filter], others: [] });
  const { column, search } = filter.by;
  const all = allOf([others, has]);
  const counted = countFacets(db, list, split.others);
  const asked = { list, column, search: search!, words: filter.values[0]!, others, named, rows: counted, has, all };
  const most = Math.max(MAX_COUNTED + 1, page.offset + page.limit);
  const ids = (most > MAX_FOUND ? undefined : nearIds(db, asked, most, scans.length > 0)) ?? findIds(db, asked, most);
  const shown = ids.slice(page.offset, page.offset + page.limit);
  const rest = `FROM ${list.from} WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY t.id`;
  const items = readItems(db, list.json, rest, ...parameters, JSON.stringify(shown));
  return { total: Math.min(ids.length, MAX_COUNTED + 1), items, rows: shown.length };
}

/** How many rows the filters on facets leave: the others leave at most as many. */
function countFacets(db: Reader, list: ListDefinition, filters: readonly Filter[]): number {
  const { sql, values } = allOf(filters.filter(({ by }) => list.facets.includes(by.column)).map(whereOf));
  return db.value<number | null>(`SELECT sum(n) FROM ${totalTable(list)} AS t WHERE ${sql}`, ...values) ?? 0;
}

/**
 * Those of a page that is not far down: whoever is looked at for it goes through memory. Undefined: they are to be found otherwise
 * @param hasScans without an index for a filter, even the first rows may be far
 */
function nearIds(db: Reader, asked: Asked, most: number, hasScans: boolean): number[] | undefined {
  return (hasScans ? undefined : firstIds(db, asked, most)) ?? soonIds(db, asked, most);
}

/**
 * The first rows, where the words are common: the index would gather all in whom words begin so, 0.3 s for a million. Of a short list among many people
 * they are all. Undefined: neither
 */
function firstIds(db: Reader, { list: { table }, column, others, has }: Asked, most: number): number[] | undefined {
  const looked = db.values<number>(
    `SELECT t.id FROM ${table} AS t WHERE ${others.sql} ORDER BY t.id LIMIT ?`,
    ...others.values,
    LOOKED_AT_FIRST * most,
  );
  const isAll = column !== "id" && looked.length < LOOKED_AT_FIRST * most;
  const having = (rows: number[], limit: number) =>
    db.values<number>(
      `SELECT t.id FROM json_each(?) AS j CROSS JOIN ${table} AS t ON t.id = j.value WHERE ${has.sql} LIMIT ?`,
      JSON.stringify(rows),
      ...has.values,
      limit,
    );
  // Where few of the first ones have the words, there is no need to compare the others.
  const rows = looked.slice(0, SAMPLE_ROWS);
  if (!isAll && having(rows, most).length * LOOKED_AT_FIRST * UNEVEN < rows.length) return undefined;
  const ids = having(looked, most);
  return ids.length === most || isAll ? ids : undefined;
}

/**
 * Those that the index finds first. Common words are compared in these alone: to gather all who have one takes 50 ms for a million.
 * Undefined: they may not be the first ones of the list
 */
function soonIds(db: Reader, { list: { table }, column, search, words, others, named, has, all }: Asked, most: number) {
  const rare = rareOf(db, table, has, words);
  const max = ASKED_FIRST * most;
  const finds = foundBy(search, rare);
  const found = db.values<number>(`SELECT id FROM (${finds.sql}) ORDER BY id LIMIT ?`, ...finds.values, max);
  const isPart = rare !== words;
  const { sql, values } = isPart ? all : others;
  const of = db.values<number>(
    `SELECT t.id FROM json_each(?) AS f CROSS JOIN ${table} AS t ON t.${column} = f.value WHERE ${sql}`,
    JSON.stringify(found),
    ...values,
  );
  const ids = inOrder(of, most);
  if (found.length < max) return ids;
  if (ids.length < most) return undefined;
  const before = column === "id" ? [] : earlierIds(db, { table, column, named, all }, ids.at(-1)!, found.at(-1)!);
  return before && inOrder([...ids, ...before], most);
}

function inOrder(ids: number[], most: number): number[] {
  return ids.sort((one, other) => one - other).slice(0, most);
}

/** Those that stand before a row, of people whom the index finds later. In most lists they stand in one order. Undefined: there may be many */
function earlierIds(
  db: Reader,
  { table, column, named, all }: { table: string; column: string; named: Where; all: Where },
  beforeId: number,
  after: number,
): number[] | undefined {
  const ends = db.get<{ id: number; found: number }>(
    `SELECT (SELECT max(id) FROM ${table}) AS id, (SELECT max(${column}) FROM ${table}) AS found`,
  )!;
  // One of both bounds leaves few: SQLite can't know which.
  const isRowBound = beforeId / ends.id < 1 - after / ends.found;
  const [ofRow, ofFound] = isRowBound ? ["", "+"] : ["+", ""];
  const ids = db.values<number>(
    `SELECT t.id FROM ${table} AS t WHERE ${ofRow}t.id < ? AND ${ofFound}t.${column} > ? AND ${named.sql} LIMIT ${MAX_FOUND + 1}`,
    beforeId,
    after,
    ...named.values,
  );
  if (ids.length > MAX_FOUND) return undefined;
  return db.values(
    `SELECT t.id FROM json_each(?) AS j CROSS JOIN ${table} AS t ON t.id = j.value WHERE ${all.sql}`,
    JSON.stringify(ids),
    ...all.values,
  );
}

/** Those among the first rows of a list that have the words: as many as are wanted where the words are common, in whatever order the rows stand. */
function comparedIds(db: Reader, { list: { table }, others, has }: Asked, most: number): number[] {
  return db.values(
    `SELECT t.id FROM (SELECT t.* FROM ${table} AS t WHERE ${others.sql} ORDER BY t.id LIMIT ?) AS t WHERE ${has.sql} ORDER BY t.id LIMIT ?`,
    ...others.values,
    rowsCompared(most),
    ...has.values,
    most,
  );
}

const rowsCompared = (most: number) => Math.max(MAX_COMPARED, LOOKED_AT_FIRST * most);

/** Whether `comparedIds` has compared the whole list. */
function isAllCompared(db: Reader, { list: { table }, others }: Asked, most: number): boolean {
  const rows = `SELECT 1 FROM ${table} AS t WHERE ${others.sql} LIMIT ?`;
  return db.value<number>(`SELECT count(*) FROM (${rows})`, ...others.values, rowsCompared(most))! < rowsCompared(most);
}

/** Whether a list is short, or its first rows say that `comparedIds` may find as many as are wanted. */
function mayCompare(db: Reader, { list: { table }, rows, named, has }: Asked, most: number): boolean {
  if (rows < rowsCompared(most)) return true;
  const found = db.value<number>(
    `SELECT count(*) FROM (SELECT t.* FROM ${table} AS t WHERE ${named.sql} ORDER BY t.id LIMIT ${FIRST_ROWS}) AS t WHERE ${has.sql}`,
    ...named.values,
    ...has.values,
  );
  return found! * COMMON >= FIRST_ROWS;
}

function findIds(db: Reader, asked: Asked, most: number): number[] {
  const { column, search, words, others, named, has, all, rows } = asked;
  const { table } = asked.list;
  // In the order of the rows the search ends with the last one that is wanted. Of a join SQLite would find all, and sort them.
  if (column === "id") {
    const finds = foundBy(search, words);
    return db.values(
      `SELECT f.id FROM (${finds.sql}) AS f WHERE EXISTS (SELECT 1 FROM ${table} AS t WHERE t.id = f.id AND ${others.sql}) ORDER BY f.id LIMIT ?`,
      ...finds.values,
      ...others.values,
      most,
    );
  }
  const rare = rareOf(db, table, has, words);
  if (mayCompare(db, asked, most) && findsMany(db, search, rare)) {
    const first = comparedIds(db, asked, most);
    if (first.length === most || isAllCompared(db, asked, most)) return first;
  }
  const beside = { table, column, gathers: gatheredBy(search, rare), named, all, rows };
  const read = most > MAX_FOUND ? undefined : idsBeside(db, beside, most);
  if (read) return read;
  const finds = foundBy(search, rare);
  const gathered = `SELECT t.id, t.${column} FROM (${finds.sql}) AS f CROSS JOIN ${table} AS t ON t.${column} = f.id WHERE ${others.sql} ORDER BY t.id`;
  if (rare === words) return db.values(`SELECT id FROM (${gathered}) LIMIT ?`, ...finds.values, ...others.values, most);
  // The common words are compared in their order, so that it ends with the last one that is wanted.
  return db.values(
    `SELECT t.id FROM (${gathered} LIMIT -1) AS t WHERE ${has.sql} ORDER BY t.id LIMIT ?`,
    ...finds.values,
    ...others.values,
    ...has.values,
    most,
  );
}

function findsMany(db: Reader, search: Search, words: string): boolean {
  const { sql, values } = foundBy(search, words);
  return db.value<number>(`SELECT count(*) FROM (${sql} LIMIT ${MAX_FOUND + 1})`, ...values)! > MAX_FOUND;
}
