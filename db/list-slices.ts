// A list from its beginning to its end, slice by slice: for answers that are streamed. Each slice is a short read of its
// own that goes on after the last key, so that between two of them nothing is open and anybody may write. What changes
// meanwhile shows as it is when its slice is read; what is added after the beginning does not show.

import type { Reader, SqlValue } from "./connection.ts";
import { blockSize, FEW, idsSql, type ListDefinition } from "./list.ts";
import type { Filter } from "./list-where.ts";
import { allOf, type Condition, condition, isPositive } from "./list-where.ts";

/** How many items a slice has at most, unless told otherwise. */
export const SLICE_ROWS = 500;

// Blocks next to each other are read as one, up to so many rowids: however few of them match, a slice is a short read.
const SPAN_SIZE = 8192;

export interface Slices<Item = string> {
  /** The next items, which may be none; undefined at the end. `db` may be another connection each time. */
  next(db: Reader): Item[] | undefined;
}

export interface SliceOptions {
  /** Bound first: what the list's `json` or `from` need. */
  parameters?: readonly SqlValue[];
  /** Only rows whose facets are like this, beyond the filters: SQL on `t`. */
  only?: string;
  rows?: number;
}

/** The whole of `list`, in its order. */
export function openSlices(
  db: Reader,
  list: ListDefinition,
  filters: readonly Filter[],
  { parameters = [], only = "TRUE", rows = SLICE_ROWS }: SliceOptions = {},
): Slices {
  const isFacet = ({ by }: Filter) => list.facets.includes(by.column);
  const facets = allOf([{ sql: only, values: [] }, ...filters.filter(isFacet).map(condition)]);
  const onRows = filters.filter((filter) => !isFacet(filter));
  const where = allOf([facets, ...onRows.map(condition)]);
  const read: SliceReader = { list, where, parameters, rows };
  // Values of a column with many values name few rows, as a rule.
  const ids = onRows.some(isPositive) ? findFew(db, list, where) : undefined;
  return ids ? slicesOfIds(read, ids) : slicesOfSpans(read, findSpans(db, list, facets));
}

/** Slices of what `read` gives after a key, beginning with `first`: `rows` of them at a time, fewer at the end. */
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

interface SliceReader {
  list: ListDefinition;
  where: Condition;
  parameters: readonly SqlValue[];
  rows: number;
}

/** Rowids from `from` up to, but without, `to`. */
interface Span {
  from: number;
  to: number;
}

/** The ids of all rows, when they are few. */
function findFew(db: Reader, list: ListDefinition, where: Condition): number[] | undefined {
  const ids = db.values<number>(
    `SELECT t.id FROM ${list.table} AS t WHERE ${where.sql} LIMIT ${FEW + 1}`,
    ...where.values,
  );
  return ids.length > FEW ? undefined : ids.sort((one, other) => one - other);
}

function slicesOfIds({ list, where, parameters, rows }: SliceReader, ids: readonly number[]): Slices {
  const sql = `SELECT ${list.json} FROM ${list.from}
    WHERE t.id IN (SELECT value FROM json_each(?)) AND ${where.sql} ORDER BY t.id`;
  let at = 0;
  return {
    next(db) {
      if (at >= ids.length) return undefined;
      const slice = JSON.stringify(ids.slice(at, at + rows));
      at += rows;
      return db.values<string>(sql, ...parameters, slice, ...where.values);
    },
  };
}

/** Where the rows with these facets are, as far as there are any now. */
function findSpans(db: Reader, list: ListDefinition, facets: Condition): Span[] {
  const end = (db.value<number>(`SELECT max(id) FROM ${list.table}`) ?? 0) + 1;
  const blocks = db.values<number>(
    `SELECT block FROM ${list.table}_block AS t WHERE ${facets.sql} GROUP BY block HAVING sum(n) > 0 ORDER BY block`,
    ...facets.values,
  );
  const size = blockSize(list);
  const spans: Span[] = [];
  for (const block of blocks) {
    const from = block * size;
    const to = Math.min(from + size, end);
    const last = spans.at(-1);
    if (last?.to === from && to - last.from <= SPAN_SIZE) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

function slicesOfSpans({ list, where, parameters, rows }: SliceReader, spans: readonly Span[]): Slices {
  const inSpan = allOf([where, { sql: "t.id >= ? AND t.id < ?", values: [] }]);
  const sql = `SELECT t.id AS id, ${list.json} AS json FROM ${list.from}
    WHERE t.id IN (${idsSql(list, inSpan, Number.POSITIVE_INFINITY)} LIMIT ?) ORDER BY t.id`;
  let at = 0;
  let from = spans[0]?.from ?? 0;
  return {
    next(db) {
      const span = spans[at];
      if (!span) return undefined;
      const found = db.all<{ id: number; json: string }>(sql, ...parameters, ...where.values, from, span.to, rows);
      if (found.length < rows) from = spans[++at]?.from ?? 0;
      else from = found.at(-1)!.id + 1;
      return found.map(({ json }) => json);
    },
  };
}
