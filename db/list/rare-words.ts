// Which words of a search few rows of a list have: the index is asked for these.

import type { Reader } from "../sqlite/connection.ts";
import { searchedPieces } from "../sqlite/words.ts";
import type { Where } from "./where.ts";

/** So many rows, as far from each other, say which words are common. */
const SAMPLE = 200;

/** The words without those that half of the people have; at least the one that is found least often. */
export function rareOf(db: Reader, table: string, has: Where, words: string): string {
  const pieces = searchedPieces(words);
  if (pieces.length < 2) return words;
  const sample = db.values<number>(
    `WITH ends AS MATERIALIZED (SELECT (SELECT min(id) FROM ${table}) AS first, (SELECT max(id) FROM ${table}) AS last),
       step (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < ${SAMPLE - 1})
     SELECT DISTINCT (SELECT id FROM ${table} WHERE id >= first + (last - first) * n / ${SAMPLE - 1} ORDER BY id LIMIT 1) FROM ends, step WHERE last IS NOT NULL`,
  );
  const having = `SELECT count(*) FROM json_each(?) AS j CROSS JOIN ${table} AS t ON t.id = j.value WHERE ${has.sql}`;
  const counts = pieces.map((piece) => db.value<number>(having, JSON.stringify(sample), piece)!);
  const most = Math.max(Math.min(...counts), sample.length / 2);
  const rare = pieces.filter((_, index) => counts[index]! <= most);
  return rare.length === pieces.length ? words : rare.join(" ");
}
