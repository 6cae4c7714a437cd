// Reads a payload in JSON. The rows are the items of `participants`; the envelope is everything around them.
//
// The scan looks only for quotes, brackets and commas, to find where rows end. JSON.parse then reads each slice, so this
// accepts nothing that JSON.parse refuses.

import { isUtf8 } from "node:buffer";
import type { Input } from "../../jobs/body.ts";
import { invalidRequest } from "../../problems.ts";
import { badTextPointers } from "../../text.ts";
import { MAX_PIECE_BYTES, type Slice } from "./slice.ts";

const READ_BYTES = 256 * 1024;
/** A slice ends with the first row that ends after this many bytes. What is made of a longer one, V8 would keep for longer. */
const SLICE_BYTES = 128 * 1024;
/** How far before a list its key is looked for. */
const MAX_KEY_BYTES = 1024;

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from(
  '"\\,[]{}',
) as unknown as number[];

/** Reads the rows of JSON. @returns the payload with an empty `participants`. @throws Problem 400 when it is not JSON */
export function* readJson(read: Input): Generator<Slice, unknown> {
  const envelope = new Bytes();
  // The rows of the next slice; where each but the last ends; the position of the first.
  const pending = new Bytes();
  let ends: number[] = [];
  let first = 0;
  const takeSlice = (): Slice => {
    const slice = parseSlice(pending.take(), ends, first);
    ends = [];
    first += slice.rows.length;
    return slice;
  };
  const chunk = Buffer.allocUnsafe(READ_BYTES);
  let depth = 0;
  let inString = false;
  let escaped = false;
  // Inside `participants`, and how many such lists there were.
  let inList = false;
  let lists = 0;
  // The position of the current row, and where it starts in `pending`.
  let row = 0;
  let rowStart = 0;
  for (let size = read(chunk, 0); size > 0; size = read(chunk, 0)) {
    // The bytes of this chunk before `from` are in `envelope` or `pending` already.
    let from = 0;
    for (let i = 0; i < size; i++) {
      let byte = chunk[i]!;
      if (inString) {
        if (escaped) {
          escaped = false;
          continue;
        }
        // Most bytes are inside of strings.
        while (byte !== QUOTE && byte !== BACKSLASH && ++i < size) byte = chunk[i]!;
        if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth++;
        if (depth === 2 && byte === OPEN_ARRAY && !inList) {
          envelope.add(chunk.subarray(from, i + 1));
          from = i + 1;
          if (endsWithKey(envelope.tail(MAX_KEY_BYTES), "participants")) {
            if (lists++) throw invalidRequest([{ pointer: "/participants", message: "is given twice" }]);
            inList = true;
          }
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        depth--;
        if (inList && depth === 1) {
          pending.add(chunk.subarray(from, i));
          from = i;
          inList = false;
          const last = takeSlice();
          if (row > 0 && !last.rows.length) throw notJson(first, "a row is missing after the last comma");
          yield last;
        }
      } else if (byte === COMMA && inList && depth === 2) {
        row++;
        const end = pending.length + (i - from);
        ends.push(end);
        rowStart = end + 1;
        if (rowStart > SLICE_BYTES) {
          pending.add(chunk.subarray(from, i));
          from = i + 1;
          const slice = takeSlice();
          if (!slice.rows.length) throw notJson(first, "a row is missing before a comma");
          yield slice;
          rowStart = 0;
        }
      }
    }
    const rest = chunk.subarray(from, size);
    (inList ? pending : envelope).add(rest);
    if (inList && pending.length - rowStart > MAX_PIECE_BYTES) throw tooLarge(`/participants/${row}`);
    if (envelope.length > MAX_PIECE_BYTES) throw tooLarge("", " outside participants");
  }
  if (inList || inString || depth > 0)
    throw invalidRequest([{ pointer: "", message: "is not JSON: it ends too early" }]);
  return parseEnvelope(envelope.take());
}

function parseSlice(bytes: Buffer, ends: readonly number[], first: number): Slice {
  if (!isUtf8(bytes))
    throw invalidRequest([{ pointer: "/participants", message: `is not UTF-8, at row ${first} or later` }]);
  const text = `[${bytes.toString("utf8")}]`;
  let rows: unknown[];
  try {
    rows = JSON.parse(text);
  } catch {
    throw brokenRowProblem(bytes, ends, first);
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

/** Names the first row that is not JSON. */
function brokenRowProblem(bytes: Buffer, ends: readonly number[], first: number): Error {
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

function tooLarge(pointer: string, where = ""): Error {
  return invalidRequest([{ pointer, message: `has more than ${MAX_PIECE_BYTES} bytes${where}` }]);
}

function parseEnvelope(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidRequest([{ pointer: "", message: "is not UTF-8" }]);
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidRequest([{ pointer: "", message: "is not JSON" }]);
  }
  const bad = badTextPointers(text, value);
  if (bad.length)
    throw invalidRequest(bad.map((pointer) => ({ pointer, message: "holds U+0000 or a lone surrogate" })));
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

/** Bytes that are collected piece by piece. */
class Bytes {
  #pieces: Buffer[] = [];
  length = 0;

  /** Copies `piece`, because the next read overwrites its buffer. */
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

  /** At least the last `length` bytes (if there are so many), as text. */
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
