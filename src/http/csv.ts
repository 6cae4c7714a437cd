// CSV as spreadsheets read it: RFC 4180 with CRLF, and a byte order mark, without which Excel takes UTF-8 for something
// else. A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay plain.

import { stringify } from "csv-stringify/sync";
import type { Cell } from "../members.ts";

/** The line of headings. */
export function csvHead(headings: readonly string[]): string {
  return `\uFEFF${csvLines([headings])}`;
}

/** Lines of cells. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    record_delimiter: "windows",
    // A line end within a cell, of whatever kind. Named delimiters switch this off.
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: { boolean: (value) => String(value) },
  });
}
