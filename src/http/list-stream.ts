// Streams whole lists, slice by slice. A slice is read when the client has taken the one before. Between two slices no
// connection or transaction is held, so a client that is slow or disconnects costs nothing.

import { Readable } from "node:stream";
import type { Slices } from "../../db/list/slices.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { csvHead, csvLines } from "../base/csv.ts";
import type { Cell } from "../base/members.ts";
import type { Column } from "../base/resource.ts";
import type { Reply } from "./endpoint.ts";
import { MEDIA_TYPES, type ReplyFormat } from "./wire/formats.ts";

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
  /** Called when it was read to its end, or its reader has gone. @param rows how many were read */
  ended?(rows: number, isWhole: boolean): Promise<void>;
  /** Called with how many rows a page has. */
  shown?(rows: number): void;
}

const AHEAD_BYTES = 16 * 1024;

/** The cells of a table that one step makes, so that it takes only some milliseconds, however many columns there are. */
const MAX_STEP_CELLS = 4000;

/** 200 with a stream of texts in UTF-8. Each step of `texts` must be short. @param name of the file, without date and extension */
export function streamed(texts: AsyncIterable<Buffer>, format: "csv" | "ndjson", name?: string): Reply {
  return {
    status: 200,
    type: MEDIA_TYPES[format],
    body: Readable.from(texts, { objectMode: false, highWaterMark: AHEAD_BYTES }),
    ...(name && { attachment: attachmentOf(name, format) }),
  };
}

/** The name of a file, with the date of today. */
export function attachmentOf(name: string, format: ReplyFormat): string {
  return `${name}-${new Date().toISOString().slice(0, 10)}.${format === "spss" ? "zip" : format}`;
}

/** The items of a list, one on each line. */
export function ndjsonOf(slices: Slices, source: Source): AsyncGenerator<Buffer> {
  return bytesOf(slices, source, (items) => `${items.join("\n")}\n`);
}

/** The items of a list as a table. */
export async function* csvOf(slices: Slices, source: Source, columns: readonly Column[]): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHead(columns.map(({ heading }) => heading)));
  const steps = inSteps(slices, Math.ceil(MAX_STEP_CELLS / columns.length));
  yield* bytesOf(steps, source, (items) =>
    csvLines(
      items.map((json) => {
        const item: object = JSON.parse(json);
        return columns.map(({ cell }) => cell(item));
      }),
    ),
  );
}

/** The rows of a table that is not a list of a resource. */
export async function* tableOf(
  headings: readonly string[],
  rows: Slices<readonly Cell[]>,
  source: Source,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHead(headings));
  yield* bytesOf(rows, source, (slice) => csvLines(slice));
}

/**
 * Yields slice by slice, and lets other work run in between. While the client does not read, only the bytes of a slice are kept: V8
 * collects objects late that stay for long.
 */
async function* bytesOf<Item>(
  slices: Slices<Item>,
  source: Source,
  textOf: (items: Item[]) => string,
): AsyncGenerator<Buffer> {
  let rows = 0;
  let isWhole = false;
  try {
    while (!isWhole) {
      await source.turn();
      const bytes = source.measure(() => {
        const items = source.read((db) => slices.next(db));
        rows += items?.length ?? 0;
        return items && Buffer.from(items.length ? textOf(items) : "");
      });
      if (!bytes) isWhole = true;
      else if (bytes.length) yield bytes;
    }
  } finally {
    await source.ended?.(rows, isWhole);
  }
}

/** The same items, at most `max` at a time. */
function inSteps<Item>(slices: Slices<Item>, max: number): Slices<Item> {
  let rest: Item[] = [];
  return {
    next(db) {
      const items = rest.length ? rest : slices.next(db);
      if (!items) return undefined;
      rest = items.slice(max);
      return rest.length ? items.slice(0, max) : items;
    },
  };
}
