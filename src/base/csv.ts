// CSV for spreadsheets: RFC 4180 with CRLF, and a byte order mark, because Excel does not recognise UTF-8 without it.
// A text that a spreadsheet would run as a formula gets an apostrophe in front, also where blanks are before the formula: some
// spreadsheets drop those. Numbers stay as they are.
//
// Where the comma is the decimal sign, spreadsheets split at semicolons instead, and quotes inside a line mean nothing to them
// then. So a formula after a semicolon, a tab or a line end gets an apostrophe, too.

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
    cast: { boolean: (value) => String(value), string: asText },
  });
}

/** What a formula begins with, also in full width. */
const SIGN = "[=+\\-@＝＋－＠]";

/** Invisible characters before it, other than those that separate cells. */
const BLANK = String.raw`[[\p{Z}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]--[\t\r\n]]`;

const SEPARATOR = String.raw`[;\t\r\n]`;

const HAS_SEPARATOR = new RegExp(SEPARATOR);
const BLANKS_FIRST = new RegExp(`^${BLANK}+${SIGN}`, "v");
const INNER = `(?=(?:"|${BLANK})*${SIGN})`;
const BEFORE_INNER = new RegExp(`(?<=${SEPARATOR})${INNER}`, "gv");

/** `escape_formulas` sees to what begins with a sign, a tab or CR. */
function asText(text: string): string {
  const inner = HAS_SEPARATOR.test(text) ? text.replace(BEFORE_INNER, "'") : text;
  return BLANKS_FIRST.test(inner) ? `'${inner}` : inner;
}

const OWN_FIRST = new RegExp(String.raw`^'(?:[\t\r]|${BLANK}*${SIGN})`, "v");
const OWN_INNER = new RegExp(`(?<=${SEPARATOR})'${INNER}`, "gv");

/**
 * A cell's text without the apostrophes that a CSV of ours, or of a spreadsheet, has before formulas. So a text that really has
 * one there loses it: a CSV can't say which of the two it is, and the other case is far more frequent.
 */
export function withoutApostrophes(cell: string): string {
  if (!cell.includes("'")) return cell;
  return (OWN_FIRST.test(cell) ? cell.slice(1) : cell).replace(OWN_INNER, "");
}
