// Finds the rowids among which a page's rows are, by the counts of parts and of blocks.

import type { Reader } from "../sqlite/connection.ts";
import { blockSize, type CountedTable, PART_BLOCKS } from "./counts.ts";
import type { Where } from "./where.ts";

export interface Page {
  offset: number;
  limit: number;
}

/** The ranges of rowids that contain the page, and how many matching rows in them come before the page. */
export function findRanges(
  db: Reader,
  list: CountedTable,
  facets: Where,
  excluded: readonly number[],
  page: Page,
): { ranges: [from: number, to: number][]; skip: number } {
  const size = blockSize(list);
  const parts = list.parts
    ? coverPage(readParts(db, list, facets), 0, page, countBy(excluded, size * PART_BLOCKS))
    : ALL;
  const blocks = readBlocks(db, list, facets, parts.numbers);
  const { numbers, before } = coverPage(blocks, parts.before, page, countBy(excluded, size));
  const ranges: [from: number, to: number][] = [];
  for (const block of numbers) {
    const from = block * size;
    const last = ranges.at(-1);
    if (last?.[1] === from) last[1] = from + size;
    else ranges.push([from, from + size]);
  }
  return { ranges, skip: page.offset - before };
}

/** Blocks or parts: their numbers, and how many rows come before the first. */
interface Cover {
  /** undefined: all. */
  numbers: readonly number[] | undefined;
  before: number;
}

const ALL: Cover = { numbers: undefined, before: 0 };

interface Count {
  /** Of a block or a part. */
  number: number;
  n: number;
}

/** Those of `counts` that contain the page. `before` rows come before the first of them. */
function coverPage(
  counts: readonly Count[],
  before: number,
  { offset, limit }: Page,
  excluded: ReadonlyMap<number, number>,
): Cover & { numbers: number[] } {
  const numbers: number[] = [];
  let passed = before;
  let after = before;
  for (const { number, n } of counts) {
    after += n - (excluded.get(number) ?? 0);
    if (after > offset) numbers.push(number);
    else passed = after;
    if (after >= offset + limit) break;
  }
  return { numbers, before: passed };
}

function countBy(ids: readonly number[], size: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(Math.floor(id / size), (counts.get(Math.floor(id / size)) ?? 0) + 1);
  return counts;
}

function readParts(db: Reader, { table }: CountedTable, facets: Where): Count[] {
  return db.all(
    `SELECT part AS number, sum(n) AS n FROM ${table}_part AS t WHERE ${facets.sql} GROUP BY part HAVING sum(n) > 0 ORDER BY part`,
    ...facets.values,
  );
}

/** The blocks of these parts that have rows. */
function readBlocks(
  db: Reader,
  { table, facets: columns }: CountedTable,
  facets: Where,
  parts: Cover["numbers"],
): Count[] {
  if (!parts)
    return db.all(
      `SELECT block AS number, sum(n) AS n FROM ${table}_block AS t WHERE ${facets.sql}
       GROUP BY block HAVING sum(n) > 0 ORDER BY block`,
      ...facets.values,
    );
  // With all of the key's columns, so that only these blocks are looked at.
  const same = columns.map((column) => `b.${column} = t.${column} AND `).join("");
  return db.all(
    `SELECT b.block AS number, sum(b.n) AS n FROM ${table}_part AS t
     CROSS JOIN ${table}_block AS b ON ${same} b.block >= t.part * ${PART_BLOCKS} AND b.block < (t.part + 1) * ${PART_BLOCKS}
     WHERE t.part IN (SELECT value FROM json_each(?)) AND ${facets.sql}
     GROUP BY b.block HAVING sum(b.n) > 0 ORDER BY b.block`,
    JSON.stringify(parts),
    ...facets.values,
  );
}
