// Cuts a text file into rows, for CSV and NDJSON. The text is UTF-8, or UTF-16 with a byte order mark. It is read into one
// buffer, which limits a row, so memory stays the same however long the file or a row is.

import { isUtf8 } from "node:buffer";
import { invalidRequest } from "../../base/problems.ts";
import type { Input } from "../../engine/files/bodies.ts";
import { MAX_PIECE_BYTES } from "./slice.ts";

export const LINE_END = 0x0a;

/** Complete rows at the beginning of some bytes. */
export interface Cut {
  /** The offset after each row's line end. */
  ends: number[];
  /** The number of line ends in each row. */
  lineEnds: number[];
  /** Why the text after these rows is no row. Undefined when it may be the beginning of one. */
  unclosed?: string | undefined;
}

/** Some rows of the file. They are read before the next ones are asked for. */
export type TextRows<Found extends Cut = Cut> = Found & {
  /** The rows in UTF-8, with their line ends. */
  bytes: Buffer;
  /** The line where each row begins, from 1 on. */
  lines: number[];
};

const LATIN = "if it is Windows-1252 (Latin-1), send charset=windows-1252";

export class TextFile {
  readonly #input: Input;
  readonly #decoder: TextDecoder | undefined;
  readonly #buffer = Buffer.allocUnsafe(MAX_PIECE_BYTES + "\r\n".length);
  /** The bytes of `#buffer` that are filled. The rows before `#from` were given already. */
  #length = 0;
  #from = 0;
  /** UTF-8 of a UTF-16 file that does not fit into the buffer yet. */
  #waiting = Buffer.alloc(0);
  #isRead = false;
  #line = 1;
  /** False once the last row was given, if it has no line end and is not blank. */
  isEnded = true;

  /** @throws Problem 400 when its text is not in UTF-8 or UTF-16 */
  constructor(input: Input) {
    const start = Buffer.alloc(3);
    const length = fill(start, input);
    this.#input = afterwards(start.subarray(0, length), input);
    const encoding = start.readUInt16BE() === 0xfffe ? "utf-16le" : start.readUInt16BE() === 0xfeff ? "utf-16be" : "";
    // A decoder skips the byte order mark.
    if (encoding) this.#decoder = new TextDecoder(encoding, { fatal: true });
    this.#fill("");
    if (start.readUIntBE(0, 3) === 0xefbbbf) this.#from = 3;
  }

  /** Takes the first line away: bytes of `ahead`, with the line end. */
  skipLine(bytes: number): void {
    this.#from += bytes;
    this.#line++;
  }

  /** The text that is not given yet, up to 1 MiB, in UTF-8. */
  get ahead(): Buffer {
    return this.#buffer.subarray(this.#from, this.#length);
  }

  /**
   * The next rows; undefined at the end.
   * @param cut finds complete rows. Text without a line end at the end of the file is a row
   * @param pointer of the first of these rows, for errors
   * @throws Problem 400 when a row is too long, or is not closed, or not in UTF-8
   */
  next<Found extends Cut>(cut: (bytes: Buffer) => Found, pointer: string): TextRows<Found> | undefined {
    this.#fill(pointer);
    const bytes = this.ahead;
    if (!bytes.length) return undefined;
    const found = cut(bytes);
    const { ends, lineEnds, unclosed } = found;
    if (!ends.length || (this.#isRead && !unclosed && ends.at(-1) !== bytes.length)) {
      if (!this.#isRead)
        throw this.#error(pointer, `has more than ${MAX_PIECE_BYTES} bytes${unclosed ? `: ${unclosed}` : ""}`);
      if (unclosed) throw this.#error(pointer, unclosed);
      this.isEnded = bytes.toString("utf8", ends.at(-1) ?? 0).trim() === "";
      ends.push(bytes.length);
      lineEnds.push(0);
    }
    const given = bytes.subarray(0, ends.at(-1));
    const lines = lineEnds.map((count) => {
      const line = this.#line;
      this.#line += count;
      return line;
    });
    if (!isUtf8(given)) {
      const broken = ends.findIndex((end, index) => !isUtf8(given.subarray(ends[index - 1] ?? 0, end)));
      throw invalidRequest([{ pointer: "", message: `is not UTF-8, at line ${lines[broken]}; ${LATIN}` }]);
    }
    this.#from += given.length;
    return { ...found, bytes: given, lines };
  }

  /** Fills the buffer, from its beginning. */
  #fill(pointer: string): void {
    this.#buffer.copyWithin(0, this.#from, this.#length);
    this.#length -= this.#from;
    this.#from = 0;
    while (!this.#isRead && this.#length < this.#buffer.length) {
      const size = this.#decoder ? this.#decode(this.#decoder, pointer) : this.#read(this.#buffer, this.#length);
      if (size === 0) this.#isRead = true;
      this.#length += size;
    }
  }

  #decode(decoder: TextDecoder, pointer: string): number {
    // The bytes of half a character decode to nothing. That is not the end.
    for (let isMore = true; isMore && !this.#waiting.length; ) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const size = this.#read(chunk, 0);
      isMore = size > 0;
      try {
        this.#waiting = Buffer.from(decoder.decode(chunk.subarray(0, size), { stream: isMore }));
      } catch {
        throw this.#error(pointer, "or later is not UTF-16");
      }
    }
    const size = this.#waiting.copy(this.#buffer, this.#length);
    this.#waiting = this.#waiting.subarray(size);
    return size;
  }

  #read(into: Buffer, at: number): number {
    return this.#input(into, at);
  }

  #error(pointer: string, message: string): Error {
    return invalidRequest([{ pointer, message: `line ${this.#line}: ${message}` }]);
  }
}

/** Fills `buffer`, unless the input ends before. @returns how many bytes it has */
function fill(buffer: Buffer, input: Input): number {
  let length = 0;
  for (let size = input(buffer, 0); size > 0; size = length < buffer.length ? input(buffer, length) : 0) length += size;
  return length;
}

/** The input with what was read of it already. */
function afterwards(start: Buffer, input: Input): Input {
  let position = 0;
  return (into, at) => {
    if (position === start.length) return input(into, at);
    const copied = start.copy(into, at, position);
    position += copied;
    return copied + input(into, at + copied);
  };
}
