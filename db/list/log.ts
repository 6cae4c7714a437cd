// Reads pages of a log: a table whose rowids have no gaps, and whose times rise with them. So a range of times is a range of
// rowids, and without filters a page is found by arithmetic. For filters on facets, counts lead to a few blocks, and an index on
// the facets gives their rows. So a page costs about the same, however long the log is.

import type { Reader } from "../sqlite/connection.ts";
import { blockOf, blockSize } from "./counts.ts";
import { type ListDefinition, type ListResult, readItems } from "./items.ts";
import { splitFacets } from "./list.ts";
import type { Page } from "./ranges.ts";
import { openSlices, type Slices, type Span, within } from "./slices.ts";
import { allOf, type Filter, type Where, whereOf } from "./where.ts";

/** A log. It has an index `<table>_facets` on its facets, in their order. All other filters name rows, by an index. */
export interface LogDefinition extends ListDefinition {
  /** The column of milliseconds that never decreases from one row to the next. It needs no index. */
  time: string;
}

/** An event loop has time to look at this many rows, wherever they are in the file. */
const MAX_NAMED_ROWS = 2000;

const NOTHING = new Uint8Array();

/** Reads one page. */
export function readLogPage(db: Reader, log: LogDefinition, filters: readonly Filter[], page: Page): ListResult {
  return db.snapshot(() => {
    const { all, span, onFacets, onRows } = split(db, log, filters);
    if (onRows.length)
      return readNamed(db, log, allOf([...onRows.map(whereOf), within(span), ...onFacets.map(rowByRow)]), page);
    if (onFacets.length) return readCounted(db, log, allOf(onFacets.map(whereOf)), { all, span }, page);
    const from = span.from + page.offset;
    return { total: span.to - span.from, items: readSpan(db, log, { from, to: Math.min(from + page.limit, span.to) }) };
  });
}

/** Whether the filters name more rows than an event loop has time for. Then call readLogPage in a thread. */
export function isLongLogRead(db: Reader, log: LogDefinition, filters: readonly Filter[]): boolean {
  const onRows = splitFacets(log, filters).onRows.filter(({ by }) => by.column !== log.time);
  if (!onRows.length) return false;
  const where = allOf(onRows.map(whereOf));
  const found = `SELECT 1 FROM ${log.table} AS t WHERE ${where.sql} LIMIT ${MAX_NAMED_ROWS + 1}`;
  return db.value<number>(`SELECT count(*) FROM (${found})`, ...where.values)! > MAX_NAMED_ROWS;
}

/** Slices of the whole log, in its order. */
export function openLogSlices(db: Reader, log: LogDefinition, filters: readonly Filter[]): Slices {
  const { span, onFacets, onRows } = split(db, log, filters);
  return openSlices(db, log, [...onFacets, ...onRows], { range: span });
}

interface Spans {
  /** The whole log. */
  all: Span;
  /** What the filters on the time select. */
  span: Span;
}

/** The rowids that the filters on the time select, and the other filters. */
function split(db: Reader, log: LogDefinition, filters: readonly Filter[]) {
  const all = wholeSpan(db, log);
  const span = { ...all };
  for (const { by, operator, values } of filters) {
    if (by.column !== log.time) continue;
    const found = firstSince(db, log, Number(values[0]), all);
    if (operator === "gte") span.from = Math.max(span.from, found);
    else span.to = Math.min(span.to, found);
  }
  span.to = Math.max(span.from, span.to);
  return {
    all,
    span,
    ...splitFacets(
      log,
      filters.filter(({ by }) => by.column !== log.time),
    ),
  };
}

/** The rowids of a log. */
export function wholeSpan(db: Reader, { table }: Pick<LogDefinition, "table">): Span {
  const { first, last } = db.get<{ first: number | null; last: number | null }>(
    `SELECT (SELECT min(id) FROM ${table}) AS first, (SELECT max(id) FROM ${table}) AS last`,
  )!;
  return { from: first ?? 1, to: (last ?? 0) + 1 };
}

/** The lowest rowid of a span whose time is at least `ms`; `to` if there is none. A binary search. */
export function firstSince(
  db: Reader,
  { table, time }: Pick<LogDefinition, "table" | "time">,
  ms: number,
  { from, to }: Span,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (db.value<number>(`SELECT ${time} FROM ${table} WHERE id = ?`, middle)! >= ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

function readSpan(db: Reader, log: LogDefinition, { from, to }: Span): Uint8Array {
  if (from >= to) return NOTHING;
  return readItems(db, log.json, `FROM ${log.from} WHERE t.id >= ? AND t.id < ? ORDER BY t.id`, from, to);
}

/** A filter that no index serves. Else SQLite would take the index on the facets, where that on the others finds fewer rows. */
function rowByRow(filter: Filter): Where {
  const { sql, values } = whereOf(filter);
  return { sql: `CASE WHEN ${sql} THEN TRUE END`, values };
}

/** A page of rows that an index finds. */
function readNamed(db: Reader, log: LogDefinition, where: Where, { offset, limit }: Page): ListResult {
  const total = db.value<number>(`SELECT count(*) FROM ${log.table} AS t WHERE ${where.sql}`, ...where.values)!;
  const ids = `SELECT t.id FROM ${log.table} AS t WHERE ${where.sql} ORDER BY t.id LIMIT ? OFFSET ?`;
  const rest = `FROM ${log.from} WHERE t.id IN (${ids}) ORDER BY t.id`;
  return { total, items: readItems(db, log.json, rest, ...where.values, limit, offset) };
}

/** A page of rows with some facets. */
function readCounted(db: Reader, log: LogDefinition, facets: Where, spans: Spans, { offset, limit }: Page): ListResult {
  const blocks = countBlocks(db, log, facets, spans);
  const total = blocks.reduce((sum, { n }) => sum + n, 0);
  if (offset >= total) return { total, items: NOTHING };
  let before = 0;
  let index = 0;
  while (before + blocks[index]!.n <= offset) before += blocks[index++]!.n;
  const { from } = blocks[index]!;
  const skip = offset - before;
  while (before < offset + limit && index < blocks.length) before += blocks[index++]!.n;
  const { to } = blocks[index - 1]!;
  const ids = db.values<number>(
    `SELECT t.id FROM ${rowsOf(log)} ORDER BY t.id LIMIT ? OFFSET ?`,
    facetsWithin(db, log, facets, { from, to }),
    from,
    to,
    limit,
    skip,
  );
  const rest = `FROM ${log.from} WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY t.id`;
  return { total, items: readItems(db, log.json, rest, JSON.stringify(ids)) };
}

/** How many rows of each block have these facets, in the order of the blocks. Of the first and the last: what is in `span`. */
function countBlocks(db: Reader, log: LogDefinition, facets: Where, { all, span }: Spans): (Span & { n: number })[] {
  const { from, to } = span;
  if (from === to) return [];
  const size = blockSize(log);
  const rows = db.all<{ block: number; n: number }>(
    `SELECT block, sum(n) AS n FROM ${log.table}_block AS t WHERE ${facets.sql} AND block BETWEEN ? AND ?
     GROUP BY block HAVING sum(n) > 0 ORDER BY block`,
    ...facets.values,
    blockOf(log, from),
    blockOf(log, to - 1),
  );
  return rows.map(({ block, n }) => {
    const part = { from: Math.max(block * size, from), to: Math.min((block + 1) * size, to) };
    const isWhole =
      (from === all.from || part.from === block * size) && (to === all.to || part.to === (block + 1) * size);
    if (isWhole) return { ...part, n };
    const counted = `SELECT count(*) FROM ${rowsOf(log)}`;
    return { ...part, n: db.value<number>(counted, facetsWithin(db, log, facets, part), part.from, part.to)! };
  });
}

/** FROM and WHERE of rows with some facets. Its parameters: the facets, as `facetsWithin` gives them, and a span. */
function rowsOf({ table, facets }: LogDefinition): string {
  const same = facets.map((facet, index) => `t.${facet} = f.value ->> ${index}`).join(" AND ");
  return `json_each(?) AS f CROSS JOIN ${table} AS t INDEXED BY ${table}_facets WHERE ${same} AND t.id >= ? AND t.id < ?`;
}

/** The combinations of facets that the blocks of a span have, as a JSON array of arrays. */
function facetsWithin(db: Reader, log: LogDefinition, facets: Where, { from, to }: Span): string {
  return db.value<string>(
    `SELECT json_group_array(json_array(${log.facets.join(", ")})) FROM (
       SELECT DISTINCT ${log.facets.join(", ")} FROM ${log.table}_block AS t
       WHERE ${facets.sql} AND n > 0 AND block BETWEEN ? AND ?)`,
    ...facets.values,
    blockOf(log, from),
    blockOf(log, to - 1),
  )!;
}
