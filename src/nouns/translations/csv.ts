// Translations as a CSV: for spreadsheets.

import { parse } from "csv-parse/sync";
import { csvHead, csvLines, withoutApostrophes } from "../../base/csv.ts";
import type { ProblemDetail } from "../../base/problems.ts";
import { nearest } from "../../base/schemas.ts";
import type { Sent } from "./change.ts";
import type { FileFaults, FileOf } from "./files.ts";
import { type Entry, STATES, withPlainLineEnds } from "./states.ts";

const HEADINGS = ["id", "path", "source", "text", "state"] as const;

interface Row {
  record: string[];
  info: { lines: number };
}

/** Of one text: far longer than one may be. */
const MAX_ROW_LENGTH = 400_000;

export function writeCsv({ entries }: FileOf): string {
  return csvHead(HEADINGS) + csvLines(entries.map(rowOf));
}

function rowOf({ id, pointer, text, translated, state }: Entry): string[] {
  return [id, pointer, text, translated ?? "", state];
}

/** A cell as it was before it was written as CSV. */
export const asReadFromCsv = (cell: string) => withoutApostrophes(withPlainLineEnds(cell));

/** The rows of a file, or what is wrong with it as a whole. An empty cell says nothing of its text. */
export function readCsv(bytes: Uint8Array): Sent[] | FileFaults {
  const text = decoded(bytes);
  if (text === undefined) return fault("must be in UTF-8, or in UTF-16 with a byte order mark");
  let rows: Row[];
  try {
    rows = parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_LENGTH,
      info: true,
    }) as unknown as Row[];
  } catch (error) {
    const { lines, code } = error as Error & { lines?: number; code?: string };
    const message = code === "CSV_MAX_RECORD_SIZE" ? "has a row that is too long" : "is no CSV";
    return fault(`${message}${lines === undefined ? "" : `: see line ${lines}`}`);
  }
  const [head, ...body] = rows;
  const headings = (head?.record ?? []).map((heading) => heading.trim());
  const missing = ["id", "text"].filter((heading) => !headings.includes(heading));
  if (missing.length)
    return missing.map((heading) => ({
      pointer: "",
      message: `lacks the column ${heading}${nearTo(heading, headings)}`,
    }));
  return body.map(({ record, info }, index) => {
    const cell = (heading: (typeof HEADINGS)[number]) => record[headings.indexOf(heading)];
    const state = cell("state")?.trim().toUpperCase();
    return {
      id: cell("id")?.trim() ?? "",
      text: cell("text")?.trim() ? cell("text")! : null,
      source: cell("source"),
      // A file without the column says nothing of texts that are as they were.
      isConfirmed: state === STATES[2],
      at: { pointer: `/${cell("id")?.trim() ?? index}`, line: info.lines },
    };
  });
}

function decoded(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The one that the line of headings has most often. */
function delimiterOf(text: string): string {
  const [head = ""] = text.split(/[\r\n]/, 1);
  const count = (delimiter: string) => head.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

function nearTo(heading: string, headings: readonly string[]): string {
  const near = nearest(heading, headings);
  return near === undefined ? "" : `; is it ${near}?`;
}

function fault(message: string): ProblemDetail[] {
  return [{ pointer: "", message }];
}
