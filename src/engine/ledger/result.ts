// Reads a job's result. A long result is a SQLite file below results/ with a view `answer (position, json)`. It is read in
// slices, so that it is never in memory as a whole and never blocks the event loop for long.

import { statSync } from "node:fs";
import { Readable } from "node:stream";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";
import {
  checkHas,
  damagedResult,
  isGone,
  openResultFile,
  ResultDamagedError,
  resultPath,
} from "../files/result-file.ts";
import type { JobRow } from "./queries.ts";

const SLICE_ROWS = 500;

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

/** A JSON array of the result's items, in order. @throws Problem 410 when the file was removed, or is damaged */
function openResult(dataDir: string, file: string): Readable {
  const { file: db, first } = openAnswers(resultPath(dataDir, file));
  let items: Answer[] | undefined = first;
  let last = -1;
  return new Readable({
    highWaterMark: 256 * 1024,
    read() {
      try {
        const start = last < 0 ? "[" : ",";
        items ??= answersAfter(db, last);
        last = items.at(-1)?.position ?? last;
        const isLast = items.length < SLICE_ROWS;
        const texts = items.map(({ json }) => json).join();
        items = undefined;
        this.push(`${start === "," && !texts ? "" : start}${texts}${isLast ? "]" : ""}`);
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

interface Answer {
  position: number;
  json: string;
}

function answersAfter(db: Reader, position: number): Answer[] {
  return db.all(`SELECT position, json FROM answer WHERE position > ? ORDER BY position LIMIT ${SLICE_ROWS}`, position);
}

/** The result's file, and its first items. */
function openAnswers(path: string): { file: Reader; first: Answer[] } {
  try {
    return openResultFile(path, (db) => {
      checkHas(db, "answer");
      return answersAfter(db, -1);
    });
  } catch (error) {
    if (error instanceof ResultDamagedError) throw damagedResult(error.message, error);
    if (isGone(error)) throw new Problem("job_result_gone", { cause: error });
    throw error;
  }
}
