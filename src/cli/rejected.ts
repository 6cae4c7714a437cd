// Writes the rows that an import has rejected into a CSV.

import { appendFileSync, writeFileSync } from "node:fs";
import { openScratchReader } from "../../db/open.ts";
import type { Context } from "../context.ts";
import { csvHead, csvLines } from "../http/csv.ts";
import type { JobRow } from "../jobs/queries.ts";
import { resultPath } from "../jobs/result.ts";
import { jobRowList, rowsInMemory } from "../jobs/rows.ts";

const HEADINGS = ["line", "externalUid", "errors"];

/** Writes the rejected rows of a job into `path`, if there are some. @returns the path, if it did */
export function writeRejected(
  { control, config }: Context,
  { rows, result_file }: JobRow,
  path: string,
): string | undefined {
  if (rows === null && result_file === null) return undefined;
  const inMemory = rowsInMemory(rows);
  // Rows in memory need no store, but reading takes one.
  const file = result_file === null ? undefined : openScratchReader(resultPath(config.dataDir, result_file));
  const db = file ?? control.reader;
  const columns = jobRowList.columns(db).filter(({ heading }) => HEADINGS.includes(heading));
  try {
    const slices = jobRowList.slices(
      db,
      [{ by: { column: "outcome" }, operator: "eq", values: ["REJECTED"] }],
      inMemory,
    );
    let isEmpty = true;
    for (let slice = slices.next(db); slice; slice = slices.next(db)) {
      if (!slice.length) continue;
      if (isEmpty) writeFileSync(path, csvHead(columns.map(({ heading }) => heading)));
      isEmpty = false;
      appendFileSync(path, csvLines(slice.map((json) => columns.map(({ cell }) => cell(JSON.parse(json))))));
    }
    return isEmpty ? undefined : path;
  } finally {
    file?.close();
  }
}
