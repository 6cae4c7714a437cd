// CSV as spreadsheets read it: RFC 4180 with CRLF, and a byte order mark, without which Excel takes UTF-8 for something
// else. A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay plain.

import { stringify } from "csv-stringify/sync";

/** What a cell can hold. */
export type Cell = string | number | boolean | null | undefined;

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

/**
 * Any value of a resource as a cell. A tag is `category:value`; several are joined by `; `.
 */
export function cellOf(value: unknown): Cell {
  if (Array.isArray(value)) return value.map((item) => textOf(item)).join("; ");
  return typeof value === "object" && value !== null ? textOf(value) : (value as Cell);
}

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  if ("category" in value && "value" in value) return `${value.category}:${value.value}`;
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${textOf(inner)}`)
    .join("; ");
}

/** What is at a path such as `createdBy.name` of an item. */
export function valueAt(item: unknown, path: string): unknown {
  let value = item;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
