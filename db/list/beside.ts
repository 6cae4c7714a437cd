// Words that very many people have, in a list of many: whom the index finds become bits, and the list is read once beside them, in its own order,
// until as many are found as are wanted. To look up each of them in the list, or to bring both into one order, takes twice as long.

import type { Reader } from "../sqlite/connection.ts";
import type { Where } from "./where.ts";

/** As bits they are 1 MiB; as the text that SQLite gathers, up to 70 MB. */
const MAX_VALUE = 2 ** 23;
/** Where a list has so many times as many rows, those that the index finds are looked up. */
const FEW = 4;
/** Rows that are read first; and the most that are read at once. */
const FIRST_ROWS = 4000;
const MAX_ROWS = 1_000_000;
/** How many more rows are read than are likely to have what is wanted. */
const MORE = 1.5;
const NONE = new Uint8Array();
const COMMA = 44;
const ZERO = 48;

/** A search in a list. */
interface Beside {
  table: string;
  /** What the index gives, as a column of the list. */
  column: string;
  /** SELECTs of its values, each as `id`: some may lack the words by now. */
  gathers: readonly Where[];
  /** The filters for which no row is compared, and all that is asked for. */
  named: Where;
  all: Where;
  /** How many rows `named` leaves, at most. */
  rows: number;
}

/** Of rowids. */
interface Range {
  after: number;
  until: number;
}

/** The first rows in which the words are. Undefined: the index finds few among many rows, or there are too many people. */
export function idsBeside(db: Reader, beside: Beside, most: number): number[] | undefined {
  const bits = gather(db, beside);
  if (!bits) return undefined;
  const ids: number[] = [];
  let after = Number.MIN_SAFE_INTEGER;
  let rows = FIRST_ROWS;
  // Where the words are common: so many rows are read at once there.
  let common = { until: after, rows };
  while (after < Number.MAX_SAFE_INTEGER && ids.length < most) {
    const range = { after, until: endOf(db, beside, after, after < common.until ? common.rows : rows) };
    const { read, hits } = hitsIn(db, beside, range, bits);
    const missing = most - ids.length;
    if (read > FIRST_ROWS && hits.length > 2 * missing + FIRST_ROWS / 2) {
      // They are read again, in parts: to compare all of them would take longer.
      common = { until: range.until, rows: Math.max(Math.floor((read * missing) / hits.length), FIRST_ROWS) };
      continue;
    }
    ids.push(...compared(db, beside, range, hits));
    after = range.until;
    const likely = ((most - ids.length) / hits.length) * read * MORE;
    rows = likely < beside.rows / 4 ? Math.max(Math.ceil(likely), FIRST_ROWS) : MAX_ROWS;
  }
  return ids.slice(0, most);
}

/** One bit for each value that the index finds. */
function gather(db: Reader, { table, column, gathers, rows }: Beside): Uint8Array | undefined {
  const max = db.value<number | null>(`SELECT max(${column}) FROM ${table}`) ?? 0;
  if (max >= MAX_VALUE) return undefined;
  const bits = new Uint8Array((max >>> 3) + 1);
  let count = 0;
  for (const { sql, values } of gathers) count += setAll(bits, textOf(db, "id", { sql: `(${sql})`, values }));
  return count * FEW < rows ? undefined : bits;
}

/** The last rowid of so many rows; all that follow where the list has no more. */
function endOf(db: Reader, { table, named, rows: all }: Beside, after: number, rows: number): number {
  // Nothing has to be counted. Fewer are counted whatever `all` says, so that parts of a range are smaller than it.
  if (rows === MAX_ROWS && all <= MAX_ROWS) return Number.MAX_SAFE_INTEGER;
  const end = db.value<number>(
    `SELECT t.id FROM ${table} AS t WHERE ${named.sql} AND t.id > ? ORDER BY t.id LIMIT 1 OFFSET ?`,
    ...named.values,
    after,
    rows - 1,
  );
  return end ?? Number.MAX_SAFE_INTEGER;
}

/** How many rows a range has, and those of their values that are among the bits. */
function hitsIn(db: Reader, { table, column, named }: Beside, { after, until }: Range, bits: Uint8Array) {
  const sql = `${table} AS t WHERE ${named.sql} AND t.id > ? AND t.id <= ?`;
  return among(bits, textOf(db, `t.${column}`, { sql, values: [...named.values, after, until] }));
}

/** Those of a range that have all that is asked for, in their order. The plus: the index on the column finds them. */
function compared(db: Reader, { table, column, all }: Beside, { after, until }: Range, hits: readonly number[]) {
  const ids = db.values<number>(
    `SELECT t.id FROM json_each(?) AS f CROSS JOIN ${table} AS t ON t.${column} = f.value WHERE ${all.sql} AND +t.id > ? AND +t.id <= ?`,
    JSON.stringify(hits),
    ...all.values,
    after,
    until,
  );
  return ids.sort((one, other) => one - other);
}

/** Very many numbers, each with a comma after it: a row for each of them takes longer. @param from what follows FROM */
function textOf(db: Reader, column: string, from: Where): Uint8Array {
  const text = `CAST(group_concat(${column}) || ',' AS BLOB)`;
  return db.value<Uint8Array | null>(`SELECT ${text} FROM ${from.sql}`, ...from.values) ?? NONE;
}

/** Sets the bits of such numbers. @returns how many they are */
function setAll(bits: Uint8Array, text: Uint8Array): number {
  let count = 0;
  let value = 0;
  // By index: with `of` it takes six times as long.
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === COMMA) {
      bits[value >>> 3]! |= 1 << (value & 7);
      count++;
      value = 0;
    } else value = value * 10 + byte - ZERO;
  }
  return count;
}

/** Those of such numbers whose bits are set, and how many were read. */
function among(bits: Uint8Array, text: Uint8Array): { read: number; hits: number[] } {
  const hits: number[] = [];
  let read = 0;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === COMMA) {
      if (bits[value >>> 3]! & (1 << (value & 7))) hits.push(value);
      read++;
      value = 0;
    } else value = value * 10 + byte - ZERO;
  }
  return { read, hits };
}
