// Pages of a list in the order of creation, with a true total, at a cost that does not grow with the list.
//
// Beside a listed table stands a *_block table: for each 1,024 rowids and each combination of facets (columns of few
// values, such as a status) the number of rows. A total is a sum over it; a deep offset is a running sum that leads
// to a block, and then at most 1,024 rows. Whatever changes rows or facets changes the counts in the same
// transaction: one row at a time with countRow, whole statements with countRows.

import type { Reader, SqlValue, Writer } from "./connection.ts";
import { allOf, type Condition, condition, isPositive } from "./list-where.ts";

const BLOCK_BITS = 10;

/** How many rows may be sorted at once, or kept as a list of ids. */
export const FEW = 5000;

/** A table whose rows are counted by block. */
export interface CountedTable {
  /** The table; its counts are in `<table>_block`. */
  table: string;
  /** Columns that the counts are kept apart by. They have the same names in both tables. */
  facets: readonly string[];
  /** A block is 2 to the power of this many rowids; 10 unless rowids are sparse. */
  blockBits?: number;
  /** A column that has the order of the rowids, so that an index on it gives them in order for several values. */
  clusteredBy?: string;
}

/** A column that a list can be filtered by. */
export interface FilterColumn {
  column: string;
  /** For a column that holds a rowid: the table's column in which the values that callers send are found; in `many` rows each, or in one. */
  references?: { table: string; by: string; many?: true };
}

export interface ListDefinition extends CountedTable {
  /** FROM clause. The listed table is `t`; joins must neither add nor drop rows. */
  from: string;
  /** SQL expression that gives one item as JSON text. */
  json: string;
  filters: Record<string, FilterColumn>;
}

export type Operator = "eq" | "ne" | "in" | "nin";

/** One `filter[field][operator]=values`. */
export interface Filter {
  field: string;
  operator: Operator;
  values: string[];
}

export interface Page {
  offset: number;
  limit: number;
}

export interface ListResult {
  total: number;
  /** Each item as JSON text. */
  items: string[];
}

/** One page of `list`. `parameters` are bound first: what the list's `json` or `from` need. */
export function readPage(
  db: Reader,
  list: ListDefinition,
  filters: readonly Filter[],
  page: Page,
  parameters: readonly SqlValue[] = [],
): ListResult {
  return db.snapshot(() => {
    const isFacet = ({ field }: Filter) => list.facets.includes(list.filters[field]!.column);
    const onRows = filters.filter((filter) => !isFacet(filter));
    // Values of a column with many values name few rows, which an index finds.
    return onRows.some(isPositive)
      ? readFew(db, list, filters, page, parameters)
      : readMany(db, list, filters.filter(isFacet), onRows, page, parameters);
  });
}

/** Adds `change` to the count of the row `id` with these facets. */
export function countRow(
  db: Writer,
  counted: CountedTable,
  id: number,
  facets: readonly SqlValue[],
  change: 1 | -1,
): void {
  const columns = [...counted.facets, "block"];
  db.run(
    `INSERT INTO ${counted.table}_block (${columns.join(", ")}, n) VALUES (${columns.map(() => "?").join(", ")}, ?)
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    ...facets,
    blockOf(counted, id),
    change,
  );
}

/** The same for every row that `where` selects: before they are removed, or after they were added. */
export function countRows(
  db: Writer,
  counted: CountedTable,
  schema: string,
  where: string,
  values: readonly SqlValue[],
  change: 1 | -1,
): void {
  const facets = counted.facets.map((facet) => `${facet}, `).join("");
  db.run(
    `INSERT INTO ${schema}.${counted.table}_block (${facets}block, n)
     SELECT ${facets}id >> ${counted.blockBits ?? BLOCK_BITS}, count(*) * ? FROM ${schema}.${counted.table} AS t WHERE ${where}
     GROUP BY ${facets}id >> ${counted.blockBits ?? BLOCK_BITS}
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    change,
    ...values,
  );
}

function readFew(
  db: Reader,
  list: ListDefinition,
  filters: readonly Filter[],
  page: Page,
  parameters: readonly SqlValue[],
): ListResult {
  const where = allOf(filters.map((filter) => condition(list, filter)));
  const total = db.value<number>(`SELECT count(*) FROM ${list.table} AS t WHERE ${where.sql}`, ...where.values) ?? 0;
  const items = db.values<string>(
    `SELECT ${list.json} FROM ${list.from} WHERE t.id IN (${idsSql(list, where, 0)} LIMIT ? OFFSET ?) ORDER BY t.id`,
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
  const facets = allOf(onFacets.map((filter) => condition(list, filter)));
  const excluded = excludedIds(db, list, facets, onRows);
  const counted =
    db.value<number>(`SELECT sum(n) FROM ${list.table}_block AS t WHERE ${facets.sql}`, ...facets.values) ?? 0;
  const total = counted - excluded.length;
  if (page.offset >= total) return { total, items: [] };

  const where = [facets, { sql: "t.id NOT IN (SELECT value FROM json_each(?))", values: [JSON.stringify(excluded)] }];
  if (!excluded.length) where.pop();
  let skip = page.offset;
  // Without facets the table begins with the first page; anything else is narrowed to its blocks.
  if (page.offset > 0 || onFacets.length) {
    const span = findSpan(db, list, facets, excluded, page);
    where.push({ sql: "t.id >= ? AND t.id < ?", values: [span.from, span.to] });
    skip = span.skip;
  }
  const rows = allOf(where);
  const items = db.values<string>(
    `SELECT ${list.json} FROM ${list.from} WHERE t.id IN (${idsSql(list, rows, total)} LIMIT ? OFFSET ?) ORDER BY t.id`,
    ...parameters,
    ...rows.values,
    page.limit,
    skip,
  );
  return { total, items };
}

/** The rowids that negative filters on rows take out: few, because each value names few. */
function excludedIds(db: Reader, list: ListDefinition, facets: Condition, onRows: readonly Filter[]): number[] {
  const ids = new Set<number>();
  for (const { field, values } of onRows) {
    const named = allOf([condition(list, { field, operator: "in", values }), facets]);
    for (const id of db.values<number>(`SELECT t.id FROM ${list.table} AS t WHERE ${named.sql}`, ...named.values)) {
      ids.add(id);
    }
  }
  return [...ids];
}

/** The rowids between which the page lies, and how many of the matching rows there come before it. */
function findSpan(
  db: Reader,
  list: ListDefinition,
  facets: Condition,
  excluded: readonly number[],
  page: Page,
): { from: number; to: number; skip: number } {
  const blocks = db.all<{ block: number; n: number }>(
    `SELECT block, sum(n) AS n FROM ${list.table}_block AS t WHERE ${facets.sql} GROUP BY block ORDER BY block`,
    ...facets.values,
  );
  const out = new Map<number, number>();
  for (const id of excluded) out.set(blockOf(list, id), (out.get(blockOf(list, id)) ?? 0) + 1);
  let before = 0;
  let from = -1;
  let skip = 0;
  for (const { block, n } of blocks) {
    const live = n - (out.get(block) ?? 0);
    if (from < 0 && before + live > page.offset) {
      from = block * blockSize(list);
      skip = page.offset - before;
    }
    before += live;
    if (before >= page.offset + page.limit) return { from, to: (block + 1) * blockSize(list), skip };
  }
  return { from: Math.max(from, 0), to: Number.MAX_SAFE_INTEGER, skip };
}

/**
 * The rowids of a list's rows in order. Unless they are few, by the table itself: an index on one facet of several does
 * not give them in order, and all that it names would be sorted for one page.
 */
export function idsSql(list: CountedTable, where: Condition, total: number): string {
  if (total > FEW) return `SELECT t.id FROM ${list.table} AS t NOT INDEXED WHERE ${where.sql} ORDER BY t.id`;
  const order = list.clusteredBy ? `t.${list.clusteredBy}, t.id` : "t.id";
  return `SELECT t.id FROM ${list.table} AS t WHERE ${where.sql} ORDER BY ${order}`;
}

/** How many rowids a block has. */
export function blockSize({ blockBits = BLOCK_BITS }: CountedTable): number {
  return 2 ** blockBits;
}

function blockOf(counted: CountedTable, id: number): number {
  return Math.floor(id / blockSize(counted));
}
