// Writes the rows that an import has rejected into a file, as they stand in the imported one and with their errors, to be
// mended and imported again.

import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { openScratchReader } from "../../db/sqlite/open.ts";
import { csvLines } from "../base/csv.ts";
import { openFile } from "../engine/files/bodies.ts";
import { resultPath } from "../engine/files/result-file.ts";
import type { JobRow } from "../engine/ledger/queries.ts";
import { jobRowList, rowsInMemory } from "../engine/ledger/rows.ts";
import type { Context } from "../http/context.ts";
import { NOTES } from "../imports/read/csv-headings.ts";
import { type RawRow, RawRows } from "../imports/read/raw-rows.ts";
import { parseLine } from "../imports/read/read-ndjson.ts";
import type { ImportFile } from "../nouns/screener-participants/import-settings.ts";

interface Rejected {
  line: number;
  errors: string;
}

const [LINE, ERRORS] = NOTES;

/**
 * Writes the rejected rows of a job beside the file that it has imported. `path`: as what it was read. If there are none, no such file is left.
 * @returns the path, if there are some
 */
export function writeRejected(
  context: Context,
  job: JobRow,
  {
    file: imported,
    path,
    ...source
  }: Pick<ImportFile, "format" | "sheet" | "columns"> & { file: string; path: string },
): string | undefined {
  const target = `${imported}.rejected.${source.format}`;
  rmSync(target, { force: true });
  using file = openFile(path);
  const rows = new RawRows(file.read, source);
  const { delimiter } = rows;
  const write = delimiter ? csvRow(delimiter) : jsonRow;
  const raw = rows[Symbol.iterator]();
  const find = (isWanted: (row: RawRow) => boolean): string => {
    for (let next = raw.next(); !next.done; next = raw.next()) if (isWanted(next.value)) return next.value.text;
    return "";
  };
  // The first row that is not blank has the headings.
  const head = delimiter
    ? `\uFEFF${NOTES.join(delimiter)}${delimiter}${find(({ text }) => text.replaceAll(delimiter, "").trim() !== "")}\r\n`
    : "";
  let isEmpty = true;
  for (const slice of readRejected(context, job)) {
    if (!slice.length) continue;
    if (isEmpty) writeFileSync(target, head);
    isEmpty = false;
    const lines = slice.map((rejected) =>
      write(
        find(({ line }) => line === rejected.line),
        rejected,
      ),
    );
    appendFileSync(target, lines.join(""));
  }
  return isEmpty ? undefined : target;
}

function csvRow(delimiter: string) {
  return (text: string, { line, errors }: Rejected) =>
    `${csvLines([[line, errors]], delimiter).trimEnd()}${delimiter}${text}\r\n`;
}

function jsonRow(text: string, { line, errors }: Rejected): string {
  const row = parseLine(text);
  const isObject = typeof row === "object" && row !== null && !Array.isArray(row);
  return `${JSON.stringify({ [LINE]: line, [ERRORS]: errors, ...(isObject ? row : { "#text": text }) })}\n`;
}

function* readRejected({ control, config }: Context, { rows, result_file }: JobRow): Generator<Rejected[]> {
  if (rows === null && result_file === null) return;
  const inMemory = rowsInMemory(rows);
  // Rows in memory need no store, but reading takes one.
  const file = result_file === null ? undefined : openScratchReader(resultPath(config.dataDir, result_file));
  const db = file ?? control.reader;
  const { cell } = jobRowList.columns(db).find(({ heading }) => heading === "errors")!;
  try {
    const slices = jobRowList.slices(
      db,
      [{ by: { column: "outcome" }, operator: "eq", values: ["REJECTED"] }],
      inMemory,
    );
    for (let slice = slices.next(db); slice; slice = slices.next(db)) {
      yield slice.map((json) => {
        const item = JSON.parse(json);
        return { line: item.line, errors: String(cell(item)) };
      });
    }
  } finally {
    file?.close();
  }
}
