// A sheet of a workbook (.xlsx) as a CSV, with a line for each row of the sheet: so what reads a CSV reads workbooks, too, and the number of
// a line is that of the row. A workbook is in memory as a whole, so it is read in a thread, and what it would take is looked at before.

import { SaxesParser } from "saxes";
import type { Decimals } from "../../attribute-types/values.ts";
import { csvLines } from "../../base/csv.ts";
import { MAX_ERRORS, type ProblemDetail } from "../../base/problems.ts";
import { placeOf } from "./slice.ts";

/** So large may the files in a workbook be, unpacked. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Rows times columns, up to the last one that has something. */
const MAX_CELLS = 10_000_000;

/** So many rows become text at a time. */
const ROWS_AT_ONCE = 1000;

/** How a workbook is read. */
export interface SheetChoice {
  /** The name of the sheet; undefined: the first one that is not hidden. */
  sheet?: string | undefined;
  /** The sign before decimals that the CSV has. */
  decimals?: Decimals | undefined;
}

/** A sheet that was read. */
interface SheetRead {
  /** The names of all sheets. */
  sheets: string[];
  sheet: string;
  /** The CSV, piece by piece. */
  csv: Iterable<string>;
}

/** A workbook that can't be read, and why. */
export class WorkbookFault extends Error {
  readonly errors: ProblemDetail[];

  constructor(errors: ProblemDetail[]) {
    super(errors[0]!.message);
    this.errors = errors;
  }
}

/** Few threads ever need what reads one: it is loaded then. @throws WorkbookFault with all that is wrong with it */
export async function readWorkbook(bytes: Buffer, { sheet, decimals = "POINT" }: SheetChoice): Promise<SheetRead> {
  const files = await unpack(bytes);
  const named = sheetsOf(files);
  const sheets = named.map(({ name }) => name);
  const chosen = sheet === undefined ? named[0] : named.find(({ name }) => name === sheet);
  if (!chosen)
    throw fault(`has no sheet ${JSON.stringify(sheet)}; its sheets are ${sheets.map(quote).join(", ")}`, "sheet");
  look(textOf(files, chosen.path), chosen.name);
  const rows = await cellsOf(bytes, chosen.name);
  return { sheets, sheet: chosen.name, csv: csvOf(rows, decimals) };
}

type Value = string | number | boolean | Date | null;

async function cellsOf(bytes: Buffer, sheet: string): Promise<Value[][]> {
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const { readSheet } = await import("read-excel-file/web-worker");
  try {
    return (await readSheet(whole, sheet, { trim: false })) as Value[][];
  } catch (error) {
    throw fault(`can't be read as a workbook: ${(error as Error).message}`);
  }
}

function* csvOf(rows: Value[][], decimals: Decimals): Generator<string> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    yield csvLines(rows.slice(from, from + ROWS_AT_ONCE).map((row) => row.map((value) => cellOf(value, decimals))));
}

/** The text of a cell. A line end in it is CR alone, so that the row stays one line. */
function cellOf(value: Value, decimals: Decimals): string | null {
  if (typeof value === "string") return value.replace(/\r?\n/g, "\r");
  if (value instanceof Date) return dateOf(value);
  // As many digits as spreadsheets show: 0.1 + 0.2 is 0.3 there.
  const text =
    typeof value === "number" ? String(Number(value.toPrecision(15))) : value === null ? null : String(value);
  return decimals === "COMMA" && typeof value === "number" ? text!.replace(".", ",") : text;
}

/** A day, a time of a day, or both: times without a day are in the year 1899 or 1900. */
function dateOf(date: Date): string {
  const seconds = Math.round(date.getTime() / 1000);
  const [day, time] = new Date(seconds * 1000).toISOString().slice(0, -".000Z".length).split("T") as [string, string];
  if (day < "1900-01-02") return time;
  return time === "00:00:00" ? day : `${day}T${time}`;
}

type Files = Record<string, Uint8Array>;

async function unpack(bytes: Buffer): Promise<Files> {
  const { unzipSync } = await import("fflate");
  let unpacked = 0;
  const isWanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!/\.(?:xml|rels)$/.test(name)) return false;
    unpacked += originalSize;
    if (unpacked > MAX_UNPACKED_BYTES) throw fault(`has more than ${MAX_UNPACKED_BYTES} bytes, unpacked`);
    return true;
  };
  try {
    return unzipSync(bytes, { filter: isWanted });
  } catch (error) {
    if (error instanceof WorkbookFault) throw error;
    throw fault("is no workbook (.xlsx), or a damaged one, or has a password");
  }
}

/** The sheets in their order, those that are hidden after the others, and the file of each. */
function sheetsOf(files: Files): { name: string; path: string }[] {
  const targets = new Map<string, string>();
  eachElement(textOf(files, "xl/_rels/workbook.xml.rels"), "Relationship", (attributes) => {
    if (attributes.Id && attributes.Target)
      targets.set(attributes.Id, new URL(attributes.Target, "file:///xl/").pathname.slice(1));
  });
  const sheets: { name: string; path: string }[] = [];
  const hidden: typeof sheets = [];
  eachElement(textOf(files, "xl/workbook.xml"), "sheet", (attributes) => {
    const relation = Object.entries(attributes).find(([name]) => /:id$/.test(name))?.[1];
    const path = targets.get(relation ?? "");
    // A chart that fills a sheet has no cells.
    if (!attributes.name || !path?.includes("worksheets/")) return;
    const isHidden = attributes.state === "hidden" || attributes.state === "veryHidden";
    (isHidden ? hidden : sheets).push({ name: attributes.name, path });
  });
  sheets.push(...hidden);
  if (!sheets.length) throw fault("has no sheet with cells");
  return sheets;
}

function textOf(files: Files, path: string): string {
  const file = files[path];
  if (!file) throw fault(`is no workbook (.xlsx): it has no ${path}`);
  return Buffer.from(file.buffer, file.byteOffset, file.length).toString("utf8");
}

function eachElement(xml: string, element: string, found: (attributes: Record<string, string>) => void): void {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw fault(`is no workbook (.xlsx): ${error.message}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (name === element || name.endsWith(`:${element}`)) found(attributes as Record<string, string>);
  });
  parser.write(xml).close();
}

/** Looks through the rows and cells of a sheet. @throws WorkbookFault for cells with errors, or too many cells */
function look(xml: string, sheet: string): void {
  const errors: ProblemDetail[] = [];
  let row = 0;
  let column = 0;
  let [rows, columns] = [0, 0];
  for (const [, element, attributes = ""] of xml.matchAll(/<(?:\w+:)?(row|c)(?=[\s/>])([^>]*)>/g)) {
    const place = /\sr="([A-Z]{0,3})(\d{0,7})"/.exec(attributes);
    if (element === "row") {
      row = Number(place?.[2] || row + 1);
      column = 0;
      rows = Math.max(rows, row);
      continue;
    }
    if (place?.[2]) row = Number(place[2]);
    column = place?.[1] ? numberOf(place[1]) : column + 1;
    rows = Math.max(rows, row);
    columns = Math.max(columns, column);
    if (/\st="e"/.test(attributes) && errors.length < MAX_ERRORS)
      errors.push({
        pointer: "",
        message: `${placeOf(row, column, true)}: the formula has an error; fix it, or clear the cell`,
      });
  }
  if (rows * columns > MAX_CELLS)
    throw fault(
      `has more than ${MAX_CELLS} cells in the sheet ${quote(sheet)}: it goes to ${placeOf(rows, columns, true)}`,
    );
  if (errors.length) throw new WorkbookFault(errors);
}

function numberOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function fault(message: string, pointer = ""): WorkbookFault {
  return new WorkbookFault([{ pointer, message }]);
}
