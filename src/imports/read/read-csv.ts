// Reads a payload in CSV (RFC 4180). The first row that is not blank has the headings.

import { escapePointer } from "../../base/clean-text.ts";
import { withoutApostrophes } from "../../base/csv.ts";
import { invalidRequest } from "../../base/problems.ts";
import type { Input } from "../../engine/files/bodies.ts";
import { takeDelimiter } from "./csv-delimiter.ts";
import { type Columns, type CsvSettings, lettersOfColumns, readHeadings } from "./csv-headings.ts";
import { type CsvCut, cutRows, isBlank, isBlankRow, parseRows } from "./csv-rows.ts";
import { fileError, type Letters, placeOf, type Slice, UNREADABLE } from "./slice.ts";
import { TextFile, type TextRows } from "./text-rows.ts";

/**
 * Reads the rows of a CSV.
 * @returns what its columns are, and whether its last line is ended
 * @throws Problem 400 when the headings are wrong, or the file can't be read to its end
 */
export function* readCsv(
  input: Input,
  settings: CsvSettings,
): Generator<Slice, { columns: Columns; isEnded: boolean }> {
  const { isSheet } = settings;
  const text = new TextFile(input);
  const delimiter = isSheet ? "," : takeDelimiter(text, settings.columns);
  const cut = (bytes: Buffer) => cutRows(bytes, delimiter);
  let columns: Columns | undefined;
  let letters: Letters | undefined;
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
        throw invalidRequest([{ pointer: "", message: `${placeOf(line, misquoted, isSheet)}: ${MISQUOTED}` }]);
      columns = readHeadings(cells[start]!, line, settings);
      if (isSheet) letters = lettersOfColumns(columns);
      start++;
    }
    const slice = sliceOf(found, cells, { columns, first, start, letters });
    yield slice;
    first += slice.rows.length;
  }
  if (!columns) throw invalidRequest([{ pointer: "", message: "has no headings" }]);
  // Half a pipeline may have failed; with FULL_SYNC, nothing would remove everybody.
  if (!first) throw invalidRequest([{ pointer: "", message: "has no row below its headings; send no rows as JSON" }]);
  return { columns, isEnded: text.isEnded };
}

const MISQUOTED =
  "has a misplaced quote: a cell with quotes begins and ends with a quote, and quotes between them are doubled";

/** The rows from index `start` on. Blank ones are left out. */
function sliceOf(
  found: TextRows<CsvCut>,
  cells: readonly string[][],
  { columns, first, start, letters }: { columns: Columns; first: number; start: number; letters: Letters | undefined },
): Slice {
  const slice = {
    ...{ first, rows: [] as unknown[], lines: [] as number[], badText: [] as Slice["badText"] },
    ...(letters && { letters }),
  };
  const isSheet = letters !== undefined;
  // In a sheet's row, a line end within a cell is CR alone.
  const textOf = isSheet ? (cell: string) => withoutApostrophes(cell).replaceAll("\r", "\n") : withoutApostrophes;
  const hasNull = found.bytes.includes(0);
  for (let index = start; index < cells.length; index++) {
    const row = cells[index]!;
    const misquoted = found.misquoted.get(index);
    // Only a row with a blank first cell may be blank.
    if (isBlank(row[0] ?? "") && misquoted === undefined && isBlankRow(row)) continue;
    const line = found.lines[index]!;
    const position = first + slice.rows.length;
    const complain = (column: number, message: string, member = "") =>
      slice.badText.push(fileError({ position, line, column, isSheet }, message, member));
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
      slice.rows.push(rowOf(row, columns, textOf));
      continue;
    }
    slice.rows.push(UNREADABLE);
  }
  return slice;
}

/** The row as JSON would have it. An empty cell counts as missing. */
function rowOf(
  cells: readonly string[],
  { members, nameParts, attributes }: Columns,
  textOf: (cell: string) => string,
): object {
  const row: Record<string, unknown> = {};
  for (const { column, member } of members) {
    const cell = cells[column]!;
    if (!isBlank(cell)) row[member] = textOf(cell);
  }
  if (nameParts.length) {
    const parts = nameParts.filter(({ column }) => !isBlank(cells[column]!));
    if (parts.length) row.name = Object.fromEntries(parts.map(({ column, part }) => [part, textOf(cells[column]!)]));
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

function count(cells: number): string {
  return cells === 1 ? "1 cell" : `${cells} cells`;
}
