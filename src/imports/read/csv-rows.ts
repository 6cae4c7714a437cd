// Cuts a CSV into rows, and rows into cells.
//
// The scan looks only for quotes, delimiters and line ends, to find where rows end and which have quotes. csv-parse reads
// the rows with quotes, slice by slice. A row without one is nothing but texts between delimiters, and to split it is much
// faster.

import { parse } from "csv-parse/sync";
import { type Cut, LINE_END } from "./text-rows.ts";

export type Delimiter = "," | ";" | "\t";

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

export interface CsvCut extends Cut {
  /** The rows with quotes, by their index. */
  quoted: number[];
  /** The rows with a misplaced quote, by their index, and the column of the first one, from 1 on. */
  misquoted: Map<number, number>;
}

/** The cells of each row; none of a misquoted one. */
export function parseRows(
  { bytes, ends, quoted, misquoted }: CsvCut & { bytes: Buffer },
  delimiter: Delimiter,
): string[][] {
  const sound = quoted.filter((index) => index < ends.length && !misquoted.has(index));
  const parsed: string[][] = parse(
    Buffer.concat(sound.map((index) => bytes.subarray(ends[index - 1] ?? 0, ends[index]))),
    { delimiter, record_delimiter: ["\r\n", "\n"], relax_column_count: true },
  );
  let next = 0;
  let start = 0;
  return ends.map((end, index) => {
    const from = start;
    start = end;
    if (misquoted.has(index)) return [];
    if (sound[next] === index) return parsed[next++]!;
    let to = end;
    if (bytes[to - 1] === LINE_END) to -= bytes[to - 2] === CARRIAGE_RETURN ? 2 : 1;
    return bytes.toString("utf8", from, to).split(delimiter);
  });
}

/** Finds rows, at most `max`. A quote counts only at the beginning of a cell. */
export function cutRows(bytes: Buffer, delimiter: Delimiter, max = Number.POSITIVE_INFINITY): CsvCut {
  const separator = delimiter.charCodeAt(0);
  const ends: number[] = [];
  const lineEnds: number[] = [];
  const quoted: number[] = [];
  const misquoted = new Map<number, number>();
  let cell = 0;
  let column = 1;
  let inQuotes = false;
  let lines = 0;
  const { length } = bytes;
  const misplace = () => {
    if (!misquoted.has(ends.length)) misquoted.set(ends.length, column);
  };
  for (let i = 0; i < length && ends.length < max; i++) {
    const byte = bytes[i]!;
    if (byte === LINE_END) {
      lines++;
      if (inQuotes) continue;
      ends.push(i + 1);
      lineEnds.push(lines);
      lines = 0;
      cell = i + 1;
      column = 1;
    } else if (byte === QUOTE) {
      if (quoted.at(-1) !== ends.length) quoted.push(ends.length);
      if (inQuotes) {
        const next = bytes[i + 1];
        if (next === QUOTE) i++;
        else {
          inQuotes = false;
          const ended = next === separator || next === LINE_END || i + 1 === length;
          if (!ended && !(next === CARRIAGE_RETURN && bytes[i + 2] === LINE_END)) misplace();
        }
      } else if (i === cell) inQuotes = true;
      else misplace();
    } else if (byte === separator && !inQuotes) {
      cell = i + 1;
      column++;
    }
  }
  const unclosed = inQuotes ? `the quote in column ${column} has no end` : undefined;
  return { ends, lineEnds, quoted, misquoted, unclosed };
}

/** The cells of the first row that is not blank, as well as they can be read. */
export function firstCells(bytes: Buffer, delimiter: Delimiter): string[] {
  const text = bytes.subarray(bytes.findIndex((byte) => !BLANK.includes(byte)));
  const row = cutRows(text, delimiter, 1);
  if (row.misquoted.size || (row.unclosed && !row.ends.length)) return [];
  if (!row.ends.length) row.ends.push(text.length);
  return parseRows({ ...row, bytes: text }, delimiter)[0]!;
}

/** Bytes of blank rows. */
const BLANK = Buffer.from(" ,;\t\r\n");

export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every(isBlank);
}

export function isBlank(cell: string): boolean {
  return cell === "" || cell.trim() === "";
}
