// Reads a whole list in slices, for replies that are streamed. Each slice is a short read that continues after the last
// key. No transaction is open between two slices, so others may write. A row is shown as it is when its slice is read.
// Rows that are added after the start are not shown.

import type { Reader, SqlValue } from "../sqlite/connection.ts";
import { blockSize } from "./counts.ts";
import type { ListDefinition } from "./items.ts";
import { idsSql, MAX_SORTED_ROWS, splitFacets } from "./list.ts";
import {
  allOf,
  type Filter,
  isPositive,
  splitApart,
  splitScans,
  type Where,
  whereOf,
  whereWithScans,
} from "./where.ts";

/** The default of `SliceOptions.rows`. So many rows of most lists are one step of a stream. */
const SLICE_ROWS = 125;

// Neighbouring blocks are read as one span. This limit keeps a slice a short read even if few rows match.
const MAX_SPAN_ROWIDS = 8192;

export interface Slices<Item = string> {
  /** The next items, perhaps none; undefined at the end. Each call may pass a different `db`. */
  next(db: Reader): Item[] | undefined;
}

interface SliceOptions {
  /** Values for the list's `json` or `from`. They are bound first. */
  parameters?: readonly SqlValue[];
  /** Selects rows by their facets, in addition to the filters: SQL on `t`. */
  only?: string;
  /** The maximum number of items in a slice. */
  rows?: number;
  /** Only these rowids. */
  range?: Span | undefined;
  /** Only these rowids, in their order. */
  ids?: readonly number[] | undefined;
}

/** Rowids from `from` (included) to `to` (excluded). */
export interface Span {
  from: number;
  to: number;
}

/** The condition on rowids. */
export function within({ from, to }: Span): Where {
  return { sql: "t.id >= ? AND t.id < ?", values: [from, to] };
}

/** Slices of the whole list, in its order. */
export function openSlices(
  db: Reader,
  list: ListDefinition,
  filters: readonly Filter[],
  { parameters = [], only = "TRUE", rows = SLICE_ROWS, range, ids: given }: SliceOptions = {},
): Slices {
  const asked = splitApart(list, filters);
  const { scans, others } = splitScans(db, asked.filters);
  const { onFacets, onRows } = splitFacets(list, others);
  const facets = allOf([{ sql: only, values: [] }, ...onFacets.map(whereOf)]);
  const inRange = range ? [within(range)] : [];
  const where = allOf([asked.rows, facets, whereWithScans({ scans, others: onRows }), ...inRange]);
  const read: SliceReader = { list, where, parameters, rows };
  if (given) return slicesOfIds(read, given);
  // They are in no block, and an index finds them.
  if (asked.isAlone) return slicesOfSpans({ ...read, isIndexed: true }, [{ from: 0, to: endOf(db, list) }]);
  // A column that is no facet has many values, so one value usually selects few rows.
  const named = onRows.filter(isPositive);
  const ids = named.length ? findFew(db, list, allOf([...named.map(whereOf), ...inRange])) : undefined;
  // A scan reads a value from each row, which takes longer.
  const maxSpan = scans.length ? 0 : MAX_SPAN_ROWIDS;
  return ids ? slicesOfIds(read, ids) : slicesOfSpans(read, findSpans(db, list, facets, maxSpan, range));
}

/** Slices of what `read` returns after a key, starting at `first`. Fewer than `rows` items mean the end. */
export function slicesByKey(
  first: number,
  read: (db: Reader, after: number, rows: number) => { key: number; json: string }[],
): Slices {
  let after: number | undefined = first;
  return {
    next(db) {
      if (after === undefined) return undefined;
      const found = read(db, after, SLICE_ROWS);
      after = found.length < SLICE_ROWS ? undefined : found.at(-1)!.key;
      return found.map(({ json }) => json);
    },
  };
}

/** Slices of what `read` returns for these ids, in their order. */
export function slicesByIds(ids: readonly number[], read: (db: Reader, ids: string) => string[]): Slices {
  let position = 0;
  return {
    next(db) {
      if (position >= ids.length) return undefined;
      position += SLICE_ROWS;
      return read(db, JSON.stringify(ids.slice(position - SLICE_ROWS, position)));
    },
  };
}

interface SliceReader {
  list: ListDefinition;
  where: Where;
  parameters: readonly SqlValue[];
  rows: number;
  /** Whether an index finds the rows. */
  isIndexed?: true;
}

/** The ids of these rows, in order; undefined if there are more than MAX_SORTED_ROWS. */
function findFew(db: Reader, list: ListDefinition, where: Where): number[] | undefined {
  const ids = db.values<number>(
    `SELECT t.id FROM ${list.table} AS t WHERE ${where.sql} LIMIT ${MAX_SORTED_ROWS + 1}`,
    ...where.values,
  );
  return ids.length > MAX_SORTED_ROWS ? undefined : ids.sort((a, b) => a - b);
}

function slicesOfIds({ list, where, parameters, rows }: SliceReader, ids: readonly number[]): Slices {
  const sql = `SELECT ${list.json} FROM ${list.from}
    WHERE t.id IN (SELECT value FROM json_each(?)) AND ${where.sql} ORDER BY t.id`;
  let position = 0;
  return {
    next(db) {
      if (position >= ids.length) return undefined;
      const slice = JSON.stringify(ids.slice(position, position + rows));
      position += rows;
      return db.values<string>(sql, ...parameters, slice, ...where.values);
    },
  };
}

/** The spans of rowids that now contain rows with these facets. Each is a block, or several up to `maxSpan` rowids. */
function findSpans(db: Reader, list: ListDefinition, facets: Where, maxSpan: number, range?: Span): Span[] {
  const end = endOf(db, list);
  const blocks = db.values<number>(
    `SELECT block FROM ${list.table}_block AS t WHERE ${facets.sql} GROUP BY block HAVING sum(n) > 0 ORDER BY block`,
    ...facets.values,
  );
  const size = blockSize(list);
  const spans: Span[] = [];
  for (const block of blocks) {
    const from = Math.max(block * size, range?.from ?? 0);
    const to = Math.min((block + 1) * size, end, range?.to ?? end);
    if (from >= to) continue;
    const last = spans.at(-1);
    if (last?.to === from && to - last.from <= maxSpan) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

/** The rowid after the last row. */
function endOf(db: Reader, { table }: ListDefinition): number {
  return (db.value<number>(`SELECT max(id) FROM ${table}`) ?? 0) + 1;
}

function slicesOfSpans({ list, where, parameters, rows, isIndexed }: SliceReader, spans: readonly Span[]): Slices {
  const inSpan = allOf([where, { sql: "t.id >= ? AND t.id < ?", values: [] }]);
  const sql = `SELECT t.id AS id, ${list.json} AS json FROM ${list.from}
    WHERE t.id IN (${idsSql(list, inSpan, isIndexed ? 0 : Number.POSITIVE_INFINITY)} LIMIT ?) ORDER BY t.id`;
  let position = 0;
  let from = spans[0]?.from ?? 0;
  return {
    next(db) {
      const span = spans[position];
      if (!span) return undefined;
      const found = db.all<{ id: number; json: string }>(sql, ...parameters, ...where.values, from, span.to, rows);
      if (found.length < rows) from = spans[++position]?.from ?? 0;
      else from = found.at(-1)!.id + 1;
      return found.map(({ json }) => json);
    },
  };
}
