// A job's outcome is decided once: in the workspace store, in the transaction that changes the data. A job may be delivered
// more than once. A later run finds the outcome and only copies it to the ledger.
//
// A long result is a SQLite file below results/ with a view `answer (position, json)`. It is read in slices, so that it is never in
// memory as a whole and never blocks the event loop for long.

import { statSync } from "node:fs";
import { Readable } from "node:stream";
import type { Expiry } from "../../../db/expiry.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { Problem, type ProblemDocument } from "../../base/problems.ts";
import { type Cause, type NewEvent, recordEvent } from "../../events/record.ts";
import {
  checkHas,
  damagedResult,
  isGone,
  openResultFile,
  ResultDamagedError,
  resultPath,
} from "../files/result-file.ts";
import type { EventDetails } from "./events.ts";
import type { JobRow, Outcome } from "./queries.ts";

/** The outcome; undefined before it is decided. `schema` is the name under which the workspace store is attached. */
export function findOutcome(db: Reader, jobUid: string, schema = "main"): Outcome | undefined {
  return db.get(
    `SELECT summary, result, result_file, rows, problem, warnings, NULL AS plan FROM ${schema}.job_outcome WHERE job_uid = ?`,
    jobUid,
  );
}

/** The event of a job's end, and its cause. */
export interface Ended {
  cause: Cause;
  event: NewEvent;
}

/** Records the outcome, and its event. Call it in the transaction that changes the data. */
export function decideOutcome(
  db: Writer,
  jobUid: string,
  outcome: Outcome,
  { cause, event }: Ended,
  schema = "main",
): void {
  recordEvent(db, cause, event, schema);
  db.run(
    `INSERT INTO ${schema}.job_outcome (job_uid, summary, result, result_file, rows, problem, warnings, decided_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    jobUid,
    outcome.summary,
    outcome.result,
    outcome.result_file,
    outcome.rows,
    outcome.problem,
    outcome.warnings,
    Date.now(),
  );
}

/** Records that the job failed, unless it has an outcome already. @returns the job's outcome */
export function decideFailure(db: Writer, jobUid: string, failure: Outcome, ended: Ended): Outcome {
  const decided = findOutcome(db, jobUid);
  if (decided) return decided;
  decideOutcome(db, jobUid, failure, ended);
  return failure;
}

/** Removes the outcome of a job that failed for a reason of the service's own: it is about to run again. */
export function forgetFailure(db: Writer, jobUid: string): void {
  db.run("DELETE FROM job_outcome WHERE job_uid = ? AND problem ->> 'status' >= 500", jobUid);
}

/** The outcome of a job that failed before it had rows. */
export function failureOf(problem: ProblemDocument): Outcome {
  return { ...NOTHING, rows: "[]", problem: JSON.stringify(problem) };
}

const NOTHING: Outcome = {
  summary: null,
  result: null,
  result_file: null,
  rows: null,
  problem: null,
  warnings: null,
  plan: null,
};

const DAY_MS = 24 * 3_600_000;

/** Old outcomes, and results that the ledger has a copy of: until then they are needed. Jobs are tried again for minutes, not for days. */
export const oldOutcomes: Expiry = {
  isDue: (db, { now, jobsSince }) =>
    db.value<number>(
      `SELECT EXISTS (SELECT 1 FROM job_outcome WHERE decided_at < ?)
         OR EXISTS (SELECT 1 FROM job_outcome WHERE decided_at < ? AND (result IS NOT NULL OR rows IS NOT NULL))`,
      jobsSince,
      now - DAY_MS,
    ) === 1,
  remove(db, { now, jobsSince }) {
    db.run("DELETE FROM job_outcome WHERE decided_at < ?", jobsSince);
    db.run(
      "UPDATE job_outcome SET result = NULL, rows = NULL WHERE decided_at < ? AND (result IS NOT NULL OR rows IS NOT NULL)",
      now - DAY_MS,
    );
    return false;
  },
};

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

/** Why nothing was applied, and until when it may be. */
export interface PlanNote {
  reason: "DRY_RUN" | "REMOVAL_LIMIT";
  /** ISO-8601. */
  expiresAt: string;
  /** Of a dry run: the limit for removals that would count, if there is one. */
  removalLimit?: { maxRemovals: number | string; isExceeded: boolean };
}

/** What a handler returns after it has changed the data, or instead of that. */
export interface Applied {
  summary?: object;
  /** The job's result, as JSON text. */
  result?: string;
  /** Or the name of the file below results/ that has it, and the rows (engine/ledger/outcome.ts, engine/ledger/rows.ts). */
  resultFile?: string;
  /** The outcomes of its rows as a JSON array, when they are few. */
  rows?: string;
  warnings?: object[];
  /** With one of these nothing was changed: why, or the plan that may be applied later. */
  problem?: Problem;
  plan?: PlanNote;
  /** Further details of its event. */
  event?: EventDetails;
  /** Events after it. */
  following?: readonly NewEvent[];
}

export function outcomeOf({ summary, result, resultFile, rows, warnings, problem, plan }: Applied): Outcome {
  return {
    ...NOTHING,
    summary: summary ? JSON.stringify(summary) : null,
    result: result ?? null,
    result_file: resultFile ?? null,
    rows: rows ?? null,
    warnings: warnings?.length ? JSON.stringify(warnings) : null,
    problem: problem ? JSON.stringify(problem.document) : null,
    plan: plan ? JSON.stringify(plan) : null,
  };
}
