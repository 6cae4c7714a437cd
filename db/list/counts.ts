// Counts the rows of listed tables, so that a list has an exact total at once.
//
// Each listed table has a *_block table. It keeps the number of rows for each block of 1,024 rowids and each combination
// of facets (columns of few values, such as a status). Code that changes rows or facets changes the counts in the same
// transaction: countRow for one row, countRows and countRange for many. Tables that may have millions of rows have a *_part
// table, too. Triggers keep in it the sums of 256 blocks.

import type { SqlValue, Writer } from "../sqlite/connection.ts";

const BLOCK_BITS = 10;

/** The number of blocks in a part. */
export const PART_BLOCKS = 256;

/** A table whose rows are counted by block. */
export interface CountedTable<Facet extends string = string> {
  /** The table; its counts are in `<table>_block`. */
  table: string;
  /** For each combination of these columns there is a count. They have the same names in both tables. */
  facets: readonly Facet[];
  /** A block is 2 ** blockBits rowids. Default: 10. Use more if rowids are sparse. */
  blockBits?: number;
  /** Whether sums of blocks are kept, too, in `<table>_part`. */
  parts?: true;
  /**
   * Rows that are not counted, and that a list has only where a filter asks for them (`FilterColumn.apart`): SQL conditions on `t` for
   * all the others, and for them alone.
   */
  apart?: { without: string; alone: string };
  /** A column that is ordered like the rowids: its index gives the rowids in order, even for several values. */
  clusteredBy?: string;
}

/** The values of a row's facets. */
type Facets<Facet extends string> = { readonly [facet in Facet]: SqlValue };

/** Adds `change` to the count of the row `id` with these facets. Without `schema`, in the first store that has such counts. */
export function countRow<Facet extends string>(
  db: Writer,
  counted: CountedTable<Facet>,
  id: number,
  facets: Facets<Facet>,
  change: 1 | -1,
  schema?: string,
): void {
  const values: SqlValue[] = counted.facets.map((facet) => facets[facet]);
  values.push(blockOf(counted, id));
  db.add(addSql(counted, schema), values, change);
}

/** The statements of `countRow`, by table and schema: it is called for each row, and a new text would be hashed to find its statement. */
const adding = new WeakMap<CountedTable, Map<string | undefined, string>>();

function addSql(counted: CountedTable, schema: string | undefined): string {
  let known = adding.get(counted);
  if (!known) {
    known = new Map();
    adding.set(counted, known);
  }
  let sql = known.get(schema);
  if (sql === undefined) {
    const columns = [...counted.facets, "block"];
    sql = `INSERT INTO ${schema ? `${schema}.` : ""}${counted.table}_block (${columns.join(", ")}, n)
     VALUES (${columns.map(() => "?").join(", ")}, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`;
    known.set(schema, sql);
  }
  return sql;
}

/** Moves the row `id` to another count. `to` has the facets that change. */
export function recountRow<Facet extends string>(
  db: Writer,
  counted: CountedTable<Facet>,
  id: number,
  from: Facets<Facet>,
  to: Partial<Facets<Facet>>,
): void {
  if (counted.facets.every((facet) => to[facet] === undefined || to[facet] === from[facet])) return;
  countRow(db, counted, id, from, -1);
  countRow(db, counted, id, { ...from, ...to }, 1);
}

/** Changes the counts of all rows that `where` selects, but for those that are not counted. Call it before they are removed, or after they were added. */
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
     SELECT ${facets}id >> ${counted.blockBits ?? BLOCK_BITS}, count(*) * ? FROM ${schema}.${counted.table} AS t
     WHERE ${where} AND ${countedSql(counted)}
     GROUP BY ${facets}id >> ${counted.blockBits ?? BLOCK_BITS}
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    change,
    ...values,
  );
}

/** Moves counted rows that get other facets to other counts. @param rows SQL of what they were: `id` and the facets, each named */
export function recountRows<Facet extends string>(
  db: Writer,
  counted: CountedTable<Facet>,
  schema: string,
  rows: { sql: string; values: readonly SqlValue[] },
  to: Partial<Facets<Facet>>,
): void {
  const moved = counted.facets.filter((facet) => to[facet] !== undefined);
  const after = counted.facets.map((facet) => (moved.includes(facet) ? "?" : facet)).join(", ");
  db.run(
    `INSERT INTO ${schema}.${counted.table}_block (${counted.facets.join(", ")}, block, n)
     WITH r AS MATERIALIZED (SELECT ${counted.facets.join(", ")}, id >> ${counted.blockBits ?? BLOCK_BITS} AS block, count(*) AS n FROM (${rows.sql})
       GROUP BY ${counted.facets.join(", ")}, id >> ${counted.blockBits ?? BLOCK_BITS})
     SELECT ${counted.facets.join(", ")}, block, -n FROM r UNION ALL SELECT ${after}, block, n FROM r WHERE TRUE
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    ...rows.values,
    ...moved.map((facet) => to[facet]!),
  );
}

/** Counts new rows whose rowids have no gaps: `n` rows after the rowid `after`. They have the same facets. */
export function countRange<Facet extends string>(
  db: Writer,
  counted: CountedTable<Facet>,
  schema: string,
  facets: Facets<Facet>,
  { after, n }: { after: number; n: number },
): void {
  const size = blockSize(counted);
  const blocks: [block: number, n: number][] = [];
  for (let from = after + 1; from <= after + n; from = (blockOf(counted, from) + 1) * size) {
    const block = blockOf(counted, from);
    blocks.push([block, Math.min((block + 1) * size, after + n + 1) - from]);
  }
  const names = counted.facets.map((facet) => `${facet}, `).join("");
  db.run(
    `INSERT INTO ${schema}.${counted.table}_block (${names}block, n)
     SELECT ${counted.facets.map(() => "?, ").join("")}value ->> 0, value ->> 1 FROM json_each(?) WHERE TRUE
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    ...counted.facets.map((facet) => facets[facet]),
    JSON.stringify(blocks),
  );
}

/** The condition on `t` for rows that are counted. */
export function countedSql({ apart }: Pick<CountedTable, "apart">): string {
  return apart?.without ?? "TRUE";
}

/** The table whose sum is the number of rows. It has the facets. */
export function totalTable({ table, parts }: CountedTable): string {
  return `${table}_${parts ? "part" : "block"}`;
}

/** The number of rowids in a block. */
export function blockSize({ blockBits = BLOCK_BITS }: CountedTable): number {
  return 2 ** blockBits;
}

/** The block of a row. */
export function blockOf(counted: CountedTable, id: number): number {
  return Math.floor(id / blockSize(counted));
}
