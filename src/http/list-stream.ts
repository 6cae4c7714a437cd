// Whole lists as they are streamed: slice by slice, each as soon as the reader has taken the one before. Between two
// slices nothing is held, in the store or here, so a reader that is slow or goes away costs nothing.

import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Reader } from "../../db/connection.ts";
import type { Slices } from "../../db/list-slices.ts";
import { type Cell, cellOf, csvHead, csvLines, valueAt } from "./csv.ts";
import type { Reply } from "./endpoint.ts";
import { MEDIA_TYPES } from "./formats.ts";

/** Lends a connection for one short read. */
export type Lend = <T>(read: (db: Reader) => T) => T;

const AHEAD_BYTES = 64 * 1024;

/** 200 with a stream of texts, and a name to save it under. Each step of `texts` is short. */
export function streamed(texts: AsyncIterable<string>, format: "csv" | "ndjson", name?: string): Reply {
  return {
    status: 200,
    type: MEDIA_TYPES[format],
    body: Readable.from(texts, { objectMode: false, highWaterMark: AHEAD_BYTES }),
    ...(name && { attachment: `${name}-${new Date().toISOString().slice(0, 10)}.${format}` }),
  };
}

/** The items of a list, one a line. */
export async function* ndjsonOf(slices: Slices, lend: Lend): AsyncGenerator<string> {
  for await (const items of takeAll(slices, lend)) yield `${items.join("\n")}\n`;
}

/** By column, how its cell is made from an item. */
export type Cells = Readonly<Record<string, (item: unknown) => Cell>>;

/** The items of a list as a table: a column for each path in them. */
export async function* csvOf(
  slices: Slices,
  lend: Lend,
  columns: readonly string[],
  cells: Cells = {},
): AsyncGenerator<string> {
  yield csvHead(columns);
  for await (const items of takeAll(slices, lend)) {
    yield csvLines(
      items.map((json) => {
        const item: unknown = JSON.parse(json);
        return columns.map((column) => (cells[column] ? cells[column](item) : cellOf(valueAt(item, column))));
      }),
    );
  }
}

/** Rows of a table that is no list. */
export async function* tableOf(
  headings: readonly string[],
  rows: Slices<readonly unknown[]>,
  lend: Lend,
): AsyncGenerator<string> {
  yield csvHead(headings);
  for await (const slice of takeAll(rows, lend)) yield csvLines(slice.map((row) => row.map(cellOf)));
}

/** Slice by slice, and in between whatever else there is to do. */
export async function* takeAll<Item>(slices: Slices<Item>, lend: Lend): AsyncGenerator<Item[]> {
  for (;;) {
    await turn();
    const items = lend((db) => slices.next(db));
    if (!items) return;
    if (items.length) yield items;
  }
}

let lastTurn = Promise.resolve();

/** One slice in each round of the event loop, however many lists are streamed at once. */
function turn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}
