// Step 1, read: an import's payload, from its file in slices: the rows of `participants` a few thousand at a time, and the rest
// around them. However long the payload is, one slice is in memory.
//
// It looks only for where rows begin and end: quotes, brackets and commas. Whether what lies between is JSON, JSON.parse
// says, slice by slice, so that nothing is accepted here that it would not accept.

import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { invalidRequest, type ProblemDetail } from "../../problems.ts";
import { badTextPointers } from "../../text.ts";

const READ_BYTES = 256 * 1024;
const SLICE_BYTES = 1024 * 1024;
/** What one row, or everything around the rows, may have. */
const PIECE_BYTES = 1024 * 1024;
/** How far back the key of a list is looked for. */
const KEY_BYTES = 1024;

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from(
  '"\\,[]{}',
) as unknown as number[];

export interface Slice {
  /** The position of the first row. */
  first: number;
  rows: unknown[];
  /** Rows whose text can't be stored: positions (in the payload) and pointers. */
  badText: ProblemDetail[];
}

/** An import's payload, in the file at `path`. */
export class Payload {
  readonly #path: string;
  /** The object around the rows, whose list is empty; known when all slices were read. */
  around: unknown;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads the rows in order. @throws Problem 400 when the payload is not JSON */
  *slices(): Generator<Slice> {
    const file = openSync(this.#path, "r");
    try {
      this.around = yield* scan(file);
    } finally {
      closeSync(file);
    }
  }
}

function* scan(file: number): Generator<Slice, unknown> {
  // Everything outside the list of participants, and the rows that are not yet given out.
  const around = new Bytes();
  const pending = new Bytes();
  // Where the rows of `pending` end, to find the one that is not JSON.
  let ends: number[] = [];
  const chunk = Buffer.allocUnsafe(READ_BYTES);
  let depth = 0;
  let inString = false;
  let escaped = false;
  let inList = false;
  let lists = 0;
  let first = 0;
  let row = 0;
  let rowStart = 0;
  let afterComma = false;
  for (let size = read(file, chunk); size > 0; size = read(file, chunk)) {
    // Where the part of this chunk begins that is neither in `around` nor in `pending` yet.
    let from = 0;
    for (let i = 0; i < size; i++) {
      const byte = chunk[i]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth++;
        if (depth === 2 && byte === OPEN_ARRAY && !inList) {
          around.add(chunk.subarray(from, i + 1));
          from = i + 1;
          if (endsWithKey(around.tail(KEY_BYTES), "participants")) {
            if (lists++) throw invalidRequest([{ pointer: "/participants", message: "is given twice" }]);
            inList = true;
            rowStart = 0;
          }
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        depth--;
        if (inList && depth === 1) {
          pending.add(chunk.subarray(from, i));
          from = i;
          inList = false;
          const last = parseSlice(pending.take(), ends, first);
          ends = [];
          if (afterComma && !last.rows.length) throw notJson(first, "a row is missing after the last comma");
          yield last;
          first += last.rows.length;
        }
      } else if (byte === COMMA && inList && depth === 2) {
        afterComma = true;
        row++;
        const end = pending.length + (i - from);
        ends.push(end);
        rowStart = end + 1;
        if (rowStart > SLICE_BYTES) {
          pending.add(chunk.subarray(from, i));
          from = i + 1;
          const slice = parseSlice(pending.take(), ends, first);
          ends = [];
          if (!slice.rows.length) throw notJson(first, "a row is missing before a comma");
          yield slice;
          first += slice.rows.length;
          rowStart = 0;
        }
      }
    }
    const rest = chunk.subarray(from, size);
    (inList ? pending : around).add(rest);
    if (inList && pending.length - rowStart > PIECE_BYTES) throw tooLarge(`/participants/${row}`, "is a row");
    if (around.length > PIECE_BYTES) throw tooLarge("", "holds text around the participants");
  }
  if (inList || inString || depth > 0)
    throw invalidRequest([{ pointer: "", message: "is not JSON: it ends too early" }]);
  return parse(around.take(), "");
}

/** @param ends where the rows end, but for the last one */
function parseSlice(bytes: Buffer, ends: readonly number[], first: number): Slice {
  if (!isUtf8(bytes))
    throw invalidRequest([{ pointer: "/participants", message: `is not UTF-8, at row ${first} or later` }]);
  const text = `[${bytes.toString("utf8")}]`;
  let rows: unknown[];
  try {
    rows = JSON.parse(text);
  } catch {
    throw locate(bytes, ends, first);
  }
  const badText = badTextPointers(text, rows).map((pointer) => {
    const [, index = "0", ...rest] = pointer.split("/");
    return {
      pointer: ["/participants", first + Number(index), ...rest].join("/"),
      message: "holds U+0000 or a lone surrogate",
    };
  });
  return { first, rows, badText };
}

/** Finds the row that is not JSON. */
function locate(bytes: Buffer, ends: readonly number[], first: number): Error {
  let start = 0;
  for (const [index, end] of [...ends, bytes.length].entries()) {
    try {
      JSON.parse(bytes.toString("utf8", start, end));
    } catch {
      return notJson(first + index, end === start ? "it is empty" : "unexpected character");
    }
    start = end + 1;
  }
  return notJson(first + ends.length, "unexpected character");
}

function notJson(position: number, why: string): Error {
  return invalidRequest([{ pointer: `/participants/${position}`, message: `is not JSON: ${why}` }]);
}

function tooLarge(pointer: string, what: string): Error {
  return invalidRequest([{ pointer, message: `${what} of more than ${PIECE_BYTES} bytes` }]);
}

function parse(bytes: Buffer, pointer: string): unknown {
  if (!isUtf8(bytes)) throw invalidRequest([{ pointer, message: "is not UTF-8" }]);
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidRequest([{ pointer, message: "is not JSON" }]);
  }
  const bad = badTextPointers(text, value);
  if (bad.length) throw invalidRequest(bad.map((at) => ({ pointer: at, message: "holds U+0000 or a lone surrogate" })));
  return value;
}

/** Whether JSON text ends with this key, a colon and an opening bracket. */
function endsWithKey(text: string, key: string): boolean {
  const before = text.slice(0, -1).trimEnd();
  const quoted = before.endsWith(":") ? before.slice(0, -1).trimEnd() : "";
  if (!quoted.endsWith('"')) return false;
  let start = quoted.lastIndexOf('"', quoted.length - 2);
  // A quotation mark after an odd number of backslashes is part of the key.
  while (start > 0 && /(?<!\\)(?:\\\\)*\\$/.test(quoted.slice(0, start))) start = quoted.lastIndexOf('"', start - 1);
  if (start < 0) return false;
  try {
    return JSON.parse(quoted.slice(start)) === key;
  } catch {
    return false;
  }
}

function read(file: number, chunk: Buffer): number {
  return readSync(file, chunk, 0, chunk.length, null);
}

/** Bytes that are gathered piece by piece. */
class Bytes {
  #pieces: Buffer[] = [];
  length = 0;

  /** Copies `piece`, because the chunk that it is a part of is read into again. */
  add(piece: Buffer): void {
    if (!piece.length) return;
    this.#pieces.push(Buffer.from(piece));
    this.length += piece.length;
  }

  take(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.length = 0;
    return all;
  }

  /** The last bytes, `length` of them or a few more, as text. */
  tail(length: number): string {
    const pieces: Buffer[] = [];
    let found = 0;
    for (let i = this.#pieces.length - 1; i >= 0 && found < length; i--) {
      const piece = this.#pieces[i]!.subarray(-length);
      pieces.unshift(piece);
      found += piece.length;
    }
    return Buffer.concat(pieces).toString("utf8");
  }
}
