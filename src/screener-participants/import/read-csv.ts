// Reads a payload in CSV (RFC 4180). The first row that is not blank has the headings.
//
// The scan looks only for quotes, delimiters and line ends, to find where rows end and which have quotes. csv-parse reads
// the rows with quotes, slice by slice. A row without one is nothing but texts between delimiters, and to split it is much
// faster.

import { parse } from "csv-parse/sync";
import { invalidRequest } from "../../problems.ts";
import { escapePointer } from "../../text.ts";
import type { ImportFile } from "../resource.ts";
import { type Columns, chooseDelimiter, type Delimiter, readHeadings, textOf } from "./csv-headings.ts";
import { fileError, type Slice, UNREADABLE } from "./slice.ts";
import { type Cut, LINE_END, TextFile, type TextRows } from "./text-rows.ts";

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

interface CsvCut extends Cut {
  /** The rows with quotes, by their index. */
  quoted: number[];
  /** The rows with a misplaced quote, by their index, and the column of the first one, from 1 on. */
  misquoted: Map<number, number>;
}

/**
 * Reads the rows of a CSV.
 * @param mapped the members of headings that have another name
 * @returns the headings of columns that are not imported
 * @throws Problem 400 when the headings are wrong, or the file can't be read to its end
 */
export function* readCsv(
  file: number,
  mapped: NonNullable<ImportFile["columns"]>,
  ignoresAttributes: boolean,
): Generator<Slice, string[]> {
  const text = new TextFile(file);
  const delimiter = chooseDelimiter((one) => firstCells(text.ahead, one), mapped);
  const cut = (bytes: Buffer) => cutRows(bytes, delimiter);
  let columns: Columns | undefined;
  let first = 0;
  for (;;) {
    const found = text.next(cut, columns ? `/participants/${first}` : "");
    if (!found) break;
    const cells = parseRows(found, delimiter);
    let start = 0;
    if (!columns) {
      start = cells.findIndex((one, index) => found.misquoted.has(index) || !isBlankRow(one));
      if (start < 0) continue;
      const line = found.lines[start]!;
      const misquoted = found.misquoted.get(start);
      if (misquoted !== undefined)
        throw invalidRequest([{ pointer: "", message: `line ${line}, column ${misquoted}: ${MISQUOTED}` }]);
      columns = readHeadings(cells[start]!, line, mapped, ignoresAttributes);
      start++;
    }
    const slice = sliceOf(found, cells, { columns, first, start });
    yield slice;
    first += slice.rows.length;
  }
  if (!columns) throw invalidRequest([{ pointer: "", message: "has no headings" }]);
  // Half a pipeline may have failed; with FULL_SYNC, nothing would remove everybody.
  if (!first) throw invalidRequest([{ pointer: "", message: "has no row below its headings; send no rows as JSON" }]);
  return columns.ignored;
}

const MISQUOTED =
  "has a misplaced quote: a cell with quotes begins and ends with a quote, and quotes between them are doubled";

/** The rows from index `start` on. Blank ones are left out. */
function sliceOf(
  found: TextRows<CsvCut>,
  cells: readonly string[][],
  { columns, first, start }: { columns: Columns; first: number; start: number },
): Slice {
  const slice = { first, rows: [] as unknown[], lines: [] as number[], badText: [] as Slice["badText"] };
  const hasNull = found.bytes.includes(0);
  for (let index = start; index < cells.length; index++) {
    const row = cells[index]!;
    const misquoted = found.misquoted.get(index);
    // Only a row with a blank first cell may be blank.
    if (isBlank(row[0] ?? "") && misquoted === undefined && isBlankRow(row)) continue;
    const line = found.lines[index]!;
    const position = first + slice.rows.length;
    const complain = (column: number, message: string, member = "") =>
      slice.badText.push(fileError({ position, line, column }, message, member));
    slice.lines.push(line);
    if (misquoted !== undefined) complain(misquoted, MISQUOTED);
    else if (row.length !== columns.count) {
      const column = Math.min(row.length, columns.count) + 1;
      complain(column, `the row has ${count(row.length)}, the headings have ${columns.count}`);
    } else {
      for (const column of columns.unnamed) {
        if (!isBlank(row[column]!)) complain(column + 1, "has a value, but its column has no heading");
      }
      if (hasNull) findNull(row, columns, complain);
      slice.rows.push(rowOf(row, columns));
      continue;
    }
    slice.rows.push(UNREADABLE);
  }
  return slice;
}

/** The row as JSON would have it. An empty cell counts as missing. */
function rowOf(cells: readonly string[], { members, attributes }: Columns): object {
  const row: Record<string, unknown> = {};
  for (const { column, member } of members) {
    const cell = cells[column]!;
    if (!isBlank(cell)) row[member] = textOf(cell);
  }
  if (!attributes.length) return row;
  // Without a prototype, any heading is a plain member.
  const values: Record<string, string> = Object.create(null);
  for (const { column, heading } of attributes) {
    const cell = cells[column]!;
    if (!isBlank(cell)) values[heading] = textOf(cell);
  }
  row.attributes = values;
  return row;
}

function findNull(
  cells: readonly string[],
  { members, attributes }: Columns,
  complain: (column: number, message: string, member: string) => void,
): void {
  const imported = [
    ...members.map(({ column, member }) => ({ column, pointer: `/${member}` })),
    ...attributes.map(({ column, heading }) => ({ column, pointer: `/attributes/${escapePointer(heading)}` })),
  ];
  for (const { column, pointer } of imported) {
    if (cells[column]!.includes("\0")) complain(column + 1, "holds U+0000", pointer);
  }
}

/** The cells of each row; none of a misquoted one. */
function parseRows({ bytes, ends, quoted, misquoted }: CsvCut & { bytes: Buffer }, delimiter: Delimiter): string[][] {
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
function cutRows(bytes: Buffer, delimiter: Delimiter, max = Number.POSITIVE_INFINITY): CsvCut {
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
function firstCells(bytes: Buffer, delimiter: Delimiter): string[] {
  const text = bytes.subarray(bytes.findIndex((byte) => !BLANK.includes(byte)));
  const row = cutRows(text, delimiter, 1);
  if (row.misquoted.size || (row.unclosed && !row.ends.length)) return [];
  if (!row.ends.length) row.ends.push(text.length);
  return parseRows({ ...row, bytes: text }, delimiter)[0]!;
}

/** Bytes of blank rows. */
const BLANK = Buffer.from(" ,;\t\r\n");

function isBlankRow(cells: readonly string[]): boolean {
  return cells.every(isBlank);
}

function isBlank(cell: string): boolean {
  return cell === "" || cell.trim() === "";
}

function count(cells: number): string {
  return cells === 1 ? "1 cell" : `${cells} cells`;
}
