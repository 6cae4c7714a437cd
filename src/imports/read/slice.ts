// What all readers of a payload give: slices of some thousand rows. Memory holds one slice, however long the payload is.

import type { ProblemDetail } from "../../base/problems.ts";

/** The limit for one row, and for the envelope of JSON. */
export const MAX_PIECE_BYTES = 1024 * 1024;

/** A row of a file that can't be read. `badText` has the reason. */
export const UNREADABLE = Symbol("unreadable");

/** An error in a file. @param column of a CSV, from 1 on. @param member the rest of the pointer */
export function fileError(
  row: { position: number; line: number; column?: number },
  message: string,
  member = "",
): ProblemDetail {
  const { position, line, column } = row;
  return {
    pointer: `/participants/${position}${member}`,
    message: `line ${line}${column === undefined ? "" : `, column ${column}`}: ${message}`,
    row: position + 1,
    line,
  };
}

export interface Slice {
  /** The position of the first row. */
  first: number;
  rows: unknown[];
  /** Text of these rows that can't be stored, and why rows are UNREADABLE. Pointers into the payload. */
  badText: ProblemDetail[];
  /** Only of a file: the line where each row begins, from 1 on. */
  lines?: number[];
}
