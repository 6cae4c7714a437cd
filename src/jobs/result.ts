// Reads a job's result. A long result is a SQLite file below results/ with a view `answer (position, json)`. It is read in
// slices, so that it is never in memory as a whole and never blocks the event loop for long.

import { statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { openScratchReader } from "../../db/open.ts";
import { Problem } from "../problems.ts";
import type { JobRow } from "./queries.ts";

const SLICE_ROWS = 500;

export function resultPath(dataDir: string, file: string): string {
  return join(dataDir, "results", file);
}

/** The result of a finished job, as JSON. @throws Problem the job's own when it failed; 410 when the result was removed */
export function resultOf(dataDir: string, job: JobRow): string | Readable {
  if (job.problem !== null) throw Problem.fromDocument({ ...JSON.parse(job.problem), jobId: job.uid });
  if (job.result_file !== null) return openResult(dataDir, job.result_file);
  if (job.result !== null) return job.result;
  throw new Problem("job_result_gone");
}

/** The bytes that are kept of a job's result and its rows; null when nothing is. */
export function bytesOf(dataDir: string, kept: Pick<JobRow, "result" | "result_file" | "rows">): number | null {
  const { result, result_file: file, rows } = kept;
  if (result === null && file === null && rows === null) return null;
  const inFile = file === null ? 0 : (statSync(resultPath(dataDir, file), { throwIfNoEntry: false })?.size ?? 0);
  return inFile + Buffer.byteLength(result ?? "") + Buffer.byteLength(rows ?? "");
}

/** A JSON array of the result's items, in order. @throws Problem 410 when the file was removed */
function openResult(dataDir: string, file: string): Readable {
  let db: ReturnType<typeof openScratchReader>;
  try {
    db = openScratchReader(resultPath(dataDir, file));
  } catch (error) {
    throw new Problem("job_result_gone", { cause: error });
  }
  let last = -1;
  let isStarted = false;
  return new Readable({
    highWaterMark: 256 * 1024,
    read() {
      try {
        const items = db.all<{ position: number; json: string }>(
          `SELECT position, json FROM answer WHERE position > ? ORDER BY position LIMIT ${SLICE_ROWS}`,
          last,
        );
        const isLast = items.length < SLICE_ROWS;
        const start = !isStarted ? "[" : items.length ? "," : "";
        isStarted = true;
        last = items.at(-1)?.position ?? last;
        this.push(`${start}${items.map(({ json }) => json).join()}${isLast ? "]" : ""}`);
        if (isLast) this.push(null);
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    },
    destroy(error, done) {
      db.close();
      done(error);
    },
  });
}
