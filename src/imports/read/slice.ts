// What all readers of a payload give: slices of some thousand rows. Memory holds one slice, however long the payload is.

import type { ProblemDetail } from "../../base/problems.ts";

/** The limit for one row, and for the envelope of JSON. */
export const MAX_PIECE_BYTES = 1024 * 1024;

/** A row of a file that can't be read. `badText` has the reason. */
export const UNREADABLE = Symbol("unreadable");

/** An error in a file. @param column of a CSV, from 1 on. @param member the rest of the pointer */
export function fileError(
  row: { position: number; line: number; column?: number; isSheet?: boolean },
  message: string,
  member = "",
): ProblemDetail {
  const { position, line, column, isSheet = false } = row;
  return {
    pointer: `/participants/${position}${member}`,
    message: `${placeOf(line, column, isSheet)}: ${message}`,
    row: position + 1,
    line,
  };
}

/** Where something is: `line 12, column 3`; in a sheet of a workbook `C12`. @param column from 1 on */
export function placeOf(line: number, column: number | undefined, isSheet: boolean): string {
  if (isSheet) return column === undefined ? `row ${line}` : `${lettersOf(column)}${line}`;
  return column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
}

/** The letters of a column, which counts from 1. */
export function lettersOf(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

export interface Slice {
  /** The position of the first row. */
  first: number;
  rows: unknown[];
  /** Text of these rows that can't be stored, and why rows are UNREADABLE. Pointers into the payload. */
  badText: ProblemDetail[];
  /** Only of a file: the line where each row begins, from 1 on. */
  lines?: number[];
  /** Only of a sheet of a workbook: the column of each member, by the pointer's end, such as `email` or `attributes/City`. */
  letters?: Letters;
}

/** The letters of columns, by the ends of pointers. */
export type Letters = ReadonlyMap<string, string>;
