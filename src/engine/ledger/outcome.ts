// A job's outcome is decided once: in the workspace store, in the transaction that changes the data. A job may be delivered
// more than once. A later run finds the outcome and only copies it to the ledger.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { ProblemDocument } from "../../base/problems.ts";
import { type Cause, type NewEvent, recordEvent } from "../../events/record.ts";
import type { Outcome } from "./queries.ts";

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

export const NOTHING: Outcome = {
  summary: null,
  result: null,
  result_file: null,
  rows: null,
  problem: null,
  warnings: null,
  plan: null,
};

/** Whether there are outcomes to remove, or results to drop. */
export function hasOldOutcomes(db: Reader, removedBefore: number, droppedBefore: number): boolean {
  const sql = `SELECT EXISTS (SELECT 1 FROM job_outcome WHERE decided_at < ?)
    OR EXISTS (SELECT 1 FROM job_outcome WHERE decided_at < ? AND (result IS NOT NULL OR rows IS NOT NULL))`;
  return db.value<number>(sql, removedBefore, droppedBefore) === 1;
}

/** Removes old results, which the ledger has a copy of. */
export function dropResults(db: Writer, decidedBefore: number): void {
  db.run(
    "UPDATE job_outcome SET result = NULL, rows = NULL WHERE decided_at < ? AND (result IS NOT NULL OR rows IS NOT NULL)",
    decidedBefore,
  );
}

/** Removes old outcomes. */
export function deleteOutcomes(db: Writer, decidedBefore: number): void {
  db.run("DELETE FROM job_outcome WHERE decided_at < ?", decidedBefore);
}
