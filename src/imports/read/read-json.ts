// Reads a payload in JSON. The rows are the items of `participants`; the envelope is everything around them.
//
// Nearly always a slice can be cut where an object ends and another one begins: if JSON.parse reads what is before it as a list,
// these are rows. Where it does not, a scan looks for quotes, brackets and commas, to find where rows end. JSON.parse reads each
// slice, so this accepts nothing that JSON.parse refuses.

import { isUtf8 } from "node:buffer";
import { badTextPointers } from "../../base/clean-text.ts";
import { invalidRequest } from "../../base/problems.ts";
import type { Input } from "../../engine/files/bodies.ts";
import { Bytes } from "./bytes.ts";
import { MAX_PIECE_BYTES, type Slice } from "./slice.ts";

const SPACE = 0x20;

const READ_BYTES = 256 * 1024;
/** A slice ends with the first row that ends after this many bytes. What is made of a longer one, V8 would keep for longer. */
const SLICE_BYTES = 128 * 1024;
/** The name of the list, however it is escaped, is not longer. */
const MAX_KEY_BYTES = 128;
/** A slice has its last comma between objects within its last ones, or is no usual one. */
const MAX_CUT_TRIES = 100;

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
  // Where in `envelope` the last string of the root is: the key of what follows it.
  let keyStart = 0;
  let keyEnd = 0;
  // Inside `participants`, and how many such lists there were.
  let inList = false;
  let lists = 0;
  // The position of the current row, and where it starts in `pending`.
  let row = 0;
  let rowStart = 0;
  // The bytes of this chunk before `from` are read, or in `envelope` or `pending`.
  let from = 0;
  let size = 0;
  // Whether a cut was no end of a row. Then this payload is scanned.
  let isScanned = false;
  const fill = () => {
    chunk.copyWithin(0, from, size);
    size -= from;
    from = 0;
    for (let more = 1; more > 0 && size < chunk.length; size += more) more = read(chunk, size);
  };
  /** Gives the slices from here on that can be cut without a scan. Nothing of them is in `pending`. */
  const cutSlices = function* (): Generator<Slice> {
    while (!isScanned) {
      if (size - from < SLICE_BYTES) fill();
      // What is left is shorter than a slice.
      if (size - from < SLICE_BYTES) return;
      const end = findCut(chunk.subarray(from, from + SLICE_BYTES));
      if (end < 0) return;
      const slice = readSlice(chunk.subarray(from, from + end), first);
      isScanned = !slice;
      if (!slice) return;
      yield slice;
      first += slice.rows.length;
      row += slice.rows.length;
      from += end + 1;
    }
  };
  for (fill(); size > 0; from = size, fill()) {
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
        else if (byte === QUOTE) {
          inString = false;
          if (depth === 1) keyEnd = envelope.length + i + 1 - from;
        }
      } else if (byte === QUOTE) {
        inString = true;
        if (depth === 1) keyStart = envelope.length + i - from;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth++;
        if (depth === 2 && byte === OPEN_ARRAY && !inList) {
          envelope.add(chunk.subarray(from, i + 1));
          from = i + 1;
          if (keyEnd - keyStart <= MAX_KEY_BYTES && isKey(envelope.text(keyStart, keyEnd), "participants")) {
            if (lists++) throw invalidRequest([{ pointer: "/participants", message: "is given twice" }]);
            inList = true;
            yield* cutSlices();
            i = from - 1;
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
          yield* cutSlices();
          i = from - 1;
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

/**
 * The offset of the last comma between two objects; negative if there is none. If what is before it can be read as a list, it is a
 * comma between rows: within a row, something would be open there.
 */
function findCut(bytes: Buffer): number {
  let open = bytes.lastIndexOf("{");
  for (let tries = 0; open > 0 && tries < MAX_CUT_TRIES; tries++, open = bytes.lastIndexOf("{", open - 1)) {
    const comma = skipBack(bytes, open - 1);
    if (bytes[comma] === COMMA && bytes[skipBack(bytes, comma - 1)] === CLOSE_OBJECT) return comma;
  }
  return -1;
}

/** The offset of the last byte up to `at` that is no white space. */
function skipBack(bytes: Buffer, at: number): number {
  let end = at;
  while (end >= 0 && bytes[end]! <= SPACE) end--;
  return end;
}

function parseSlice(bytes: Buffer, ends: readonly number[], first: number): Slice {
  if (!isUtf8(bytes))
    throw invalidRequest([{ pointer: "/participants", message: `is not UTF-8, at row ${first} or later` }]);
  const slice = readSlice(bytes, first);
  if (!slice) throw brokenRowProblem(bytes, ends, first);
  return slice;
}

/** Reads rows with commas between them. @returns undefined if they are not that */
function readSlice(bytes: Buffer, first: number): Slice | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = `[${bytes.toString("utf8")}]`;
  let rows: unknown[];
  try {
    rows = JSON.parse(text);
  } catch {
    return undefined;
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

/** Whether this is the JSON of a string. */
function isKey(json: string, key: string): boolean {
  try {
    return JSON.parse(json) === key;
  } catch {
    return false;
  }
}
