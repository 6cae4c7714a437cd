// CSV for spreadsheets: RFC 4180 with CRLF, and a byte order mark, because Excel does not recognise UTF-8 without it.
// A text that a spreadsheet would run as a formula gets an apostrophe in front. Numbers stay as they are.
//
// Where the comma is the decimal sign, spreadsheets split at semicolons instead, and quotes inside a line mean nothing to them
// then. So a formula right after a semicolon or a tab gets an apostrophe, too.

import { stringify } from "csv-stringify/sync";
import type { Cell } from "./members.ts";

/** The byte order mark and the line of headings. */
export function csvHead(headings: readonly string[]): string {
  return `\uFEFF${csvLines([headings])}`;
}

export function csvLines(rows: readonly (readonly Cell[])[], delimiter = ","): string {
  return stringify(rows as Cell[][], {
    delimiter,
    record_delimiter: "windows",
    // Quote cells with a line end of any kind. A named record_delimiter turns this off.
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: { boolean: (value) => String(value), string: withoutFormulas },
  });
}

/** The place before a formula that follows a separator. An import takes the apostrophe off again (csv-headings.ts). */
const INNER_FORMULA = /(?<=[;\t])(?="*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

function withoutFormulas(text: string): string {
  return text.replace(INNER_FORMULA, "'");
}
