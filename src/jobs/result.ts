// What a job has made: its answer. A long one is a SQLite file below results/ with a view `answer (position, json)`, read
// in slices, so that it is never in memory as a whole and never holds the event loop for long.

import { join } from "node:path";
import { Readable } from "node:stream";
import { openScratchReader } from "../../db/open.ts";
import { Problem } from "../problems.ts";
import type { JobRow } from "./queries.ts";

const SLICE_ROWS = 500;

/** Where a result file is. */
export function resultPath(dataDir: string, file: string): string {
  return join(dataDir, "results", file);
}

/** The answer of a job, as JSON. @throws Problem the very one that the job carries, when it failed */
export function resultOf(dataDir: string, job: JobRow): string | Readable {
  if (job.problem !== null) throw Problem.fromDocument(JSON.parse(job.problem));
  if (job.result_file !== null) return openResult(dataDir, job.result_file);
  if (job.result !== null) return job.result;
  throw new Problem("job_result_gone");
}

/** A JSON array of the answer's items in order. @throws Problem 410 when the file is gone */
function openResult(dataDir: string, file: string): Readable {
  let db: ReturnType<typeof openScratchReader>;
  try {
    db = openScratchReader(resultPath(dataDir, file));
  } catch (error) {
    throw new Problem("job_result_gone", { cause: error });
  }
  let next = 0;
  const slice = () => {
    const items = db.values<string>(
      "SELECT json FROM answer WHERE position >= ? AND position < ? ORDER BY position",
      next,
      next + SLICE_ROWS,
    );
    const text = items.length ? (next ? "," : "[") + items.join() : next ? "]" : "[]";
    const last = items.length < SLICE_ROWS;
    next += SLICE_ROWS;
    return { text: last && items.length ? `${text}]` : text, last };
  };
  return new Readable({
    highWaterMark: 256 * 1024,
    read() {
      try {
        const { text, last } = slice();
        this.push(text);
        if (last) this.push(null);
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
