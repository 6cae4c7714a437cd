// Streams whole lists, slice by slice. A slice is read when the client has taken the one before. Between two slices no
// connection or transaction is held, so a client that is slow or disconnects costs nothing.

import { Readable } from "node:stream";
import type { Reader } from "../../db/connection.ts";
import type { Slices } from "../../db/list-slices.ts";
import { csvHead, csvLines } from "../csv.ts";
import type { Cell } from "../members.ts";
import type { Column } from "../resource.ts";
import type { Reply } from "./endpoint.ts";
import { MEDIA_TYPES, type ReplyFormat } from "./formats.ts";

/** The store that a list is read from. */
export interface Source {
  /** The result file of a job. Default: the workspace's store. */
  file?: string;
  /** Lends a connection for one short read. */
  read<T>(readFrom: (db: Reader) => T): T;
  /** Resolves when the next slice may be read. */
  turn(): Promise<void>;
  /** Runs a step of a stream, and measures what it takes. */
  measure<T>(step: () => T): T;
}

const AHEAD_BYTES = 64 * 1024;

/** The cells of a table that one step makes, so that it takes only some milliseconds, however many columns there are. */
const MAX_STEP_CELLS = 4000;

/** 200 with a stream of texts. Each step of `texts` must be short. @param name of the file, without date and ending */
export function streamed(texts: AsyncIterable<string>, format: "csv" | "ndjson", name?: string): Reply {
  return {
    status: 200,
    type: MEDIA_TYPES[format],
    body: Readable.from(texts, { objectMode: false, highWaterMark: AHEAD_BYTES }),
    ...(name && { attachment: attachmentOf(name, format) }),
  };
}

/** The name of a file that is made today. */
export function attachmentOf(name: string, format: ReplyFormat): string {
  return `${name}-${new Date().toISOString().slice(0, 10)}.${format}`;
}

/** The items of a list, one on each line. */
export async function* ndjsonOf(slices: Slices, source: Source): AsyncGenerator<string> {
  for await (const items of takeAll(slices, source)) yield `${items.join("\n")}\n`;
}

/** The items of a list as a table. */
export async function* csvOf(slices: Slices, source: Source, columns: readonly Column[]): AsyncGenerator<string> {
  yield csvHead(columns.map(({ heading }) => heading));
  const rows = Math.ceil(MAX_STEP_CELLS / columns.length);
  for await (const items of takeAll(slices, source)) {
    for (let from = 0; from < items.length; from += rows) {
      if (from) await source.turn();
      yield source.measure(() =>
        csvLines(
          items.slice(from, from + rows).map((json) => {
            const item: object = JSON.parse(json);
            return columns.map(({ cell }) => cell(item));
          }),
        ),
      );
    }
  }
}

/** The rows of a table that is not a list of a resource. */
export async function* tableOf(
  headings: readonly string[],
  rows: Slices<readonly Cell[]>,
  source: Source,
): AsyncGenerator<string> {
  yield csvHead(headings);
  for await (const slice of takeAll(rows, source)) yield source.measure(() => csvLines(slice));
}

/** Gives slice by slice, and lets other work run in between. */
export async function* takeAll<Item>(slices: Slices<Item>, source: Source): AsyncGenerator<Item[]> {
  for (;;) {
    await source.turn();
    const items = source.measure(() => source.read((db) => slices.next(db)));
    if (!items) return;
    if (items.length) yield items;
  }
}
