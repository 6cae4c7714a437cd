// All statements that write the status of a job: how it is taken, put back, planned, ended and withdrawn.

import type { Writer } from "../../../db/sqlite/connection.ts";
import type { JobCause } from "./events.ts";
import { type JobRow, type Outcome, statusOf } from "./queries.ts";
import { BLOCKED, BLOCKED_PAUSE_MS, isDueIn, MAX_TRIED_MS, MAY_RUN } from "./queue.ts";

/** The id of a job that goes to the end of the queue. Call noteLastId after it was given. */
const LAST_ID = "(SELECT seq + 1 FROM sqlite_sequence WHERE name = 'job')";

function noteLastId(db: Writer): void {
  db.run("UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM job) WHERE name = 'job'");
}

/** Takes a queued job of one of these kinds for `runner`. @returns false when it was not there to take */
export function claimJob(
  db: Writer,
  uid: string,
  { runner, kinds, now }: { runner: string; kinds: readonly string[]; now: number },
): boolean {
  const { changes } = db.run(
    `UPDATE job SET status = 'RUNNING', runner = ?, attempts = attempts + 1, started_at = coalesce(started_at, ?),
       progress_phase = NULL, progress_done = NULL, progress_total = NULL
     WHERE uid = ? AND ${isDueIn("job")} AND kind IN (SELECT value FROM json_each(?)) AND ${MAY_RUN}
       AND NOT EXISTS (SELECT 1 FROM job AS earlier INDEXED BY job_open WHERE earlier.workspace_id = job.workspace_id
         AND earlier.finished_at IS NULL AND earlier.id < job.id AND earlier.blocked_since IS NULL)
       AND NOT EXISTS (SELECT 1 ${BLOCKED} AND b.workspace_id = job.workspace_id AND b.id <> job.id
         AND (b.status = 'RUNNING' OR (b.id < job.id AND NOT job.apply_begun AND ${isDueIn("b")})))
       AND (job.blocked_since IS NULL OR NOT EXISTS (SELECT 1 FROM job AS later INDEXED BY job_open
         WHERE later.workspace_id = job.workspace_id AND later.finished_at IS NULL AND later.id > job.id
           AND (later.status = 'RUNNING' OR later.apply_begun)))`,
    runner,
    now,
    uid,
    now,
    now,
    JSON.stringify(kinds),
    now,
    now,
  );
  return changes === 1;
}

/** A failed run of a job that is tried again. */
interface FailedRun {
  /** The code of the reason. It is shown when the job is set aside. */
  code: string;
  now: number;
  /** How long it took, by a clock that only rises. */
  tookMs: number;
  /** How long the job waits, unless it is set aside. */
  pauseMs: number;
  /** The job has changed no data, so it may be cancelled again. */
  isUntouched?: boolean;
}

/** A job that is tried again waits, or is set aside: see `valuesOf`. */
const TRIED_AGAIN = `tried_ms = tried_ms + ?, blocked_since = iif(tried_ms + ? >= ${MAX_TRIED_MS}, coalesce(blocked_since, ?), NULL),
  blocked_code = iif(tried_ms + ? >= ${MAX_TRIED_MS}, ?, NULL),
  available_at = ? + iif(tried_ms + ? >= ${MAX_TRIED_MS}, ${BLOCKED_PAUSE_MS}, ?)`;

function valuesOf({ code, now, tookMs, pauseMs }: FailedRun): (string | number)[] {
  const tried = Math.ceil(tookMs + pauseMs);
  return [tried, tried, now, tried, code, now, tried, pauseMs];
}

/** Puts a job back in the queue after a failure, or sets it aside. */
export function requeueFailed(db: Writer, uid: string, runner: string, failed: FailedRun): void {
  db.run(
    `UPDATE job SET status = 'QUEUED', runner = NULL, failures = failures + 1, gave_way = 0,
       apply_begun = apply_begun AND NOT ?, ${TRIED_AGAIN}
     WHERE uid = ? AND status = 'RUNNING' AND runner = ?`,
    failed.isUntouched ? 1 : 0,
    ...valuesOf(failed),
    uid,
    runner,
  );
}

/** Lets a queued job wait, or sets it aside, because no process could run it. */
export function postpone(db: Writer, uid: string, failed: FailedRun): void {
  const { now } = failed;
  db.run(`UPDATE job SET ${TRIED_AGAIN} WHERE uid = ? AND ${isDueIn("job")}`, ...valuesOf(failed), uid, now, now);
}

/** Puts one job of a dead runner, or all of them, back in the queue. @returns their ids */
export function requeueCrashed(db: Writer, runner: string, uid?: string): string[] {
  return db.values(
    `UPDATE job SET status = 'QUEUED', runner = NULL, crashes = crashes + 1
     WHERE status = 'RUNNING' AND runner = ? AND uid = coalesce(?, uid) RETURNING uid`,
    runner,
    uid ?? null,
  );
}

/** A part of a job is done, and stays done: what it is at now has killed no process yet. */
export function forgetCrashes(db: Writer, uid: string): void {
  db.run("UPDATE job SET crashes = 0 WHERE uid = ? AND crashes > 0", uid);
}

/**
 * Puts a job that has failed in the queue, behind the workspace's other jobs: with its old id it might come before one that runs. A
 * job that applied a plan plans anew, because what was approved is not kept.
 */
export function requeueEnded(db: Writer, uid: string, now: number): void {
  db.run(
    `UPDATE job SET id = ${LAST_ID}, status = 'QUEUED', problem = NULL, finished_at = NULL, body_until = NULL,
       retried_at = ?, apply_begun = 0, failures = 0, crashes = 0, available_at = 0, plan = NULL, result = NULL, result_file = NULL, rows = NULL,
       result_bytes = NULL, summary = NULL, warnings = NULL,
       tried_ms = 0, blocked_since = NULL, blocked_code = NULL, gave_way = 0
     WHERE uid = ? AND status = 'FAILED'`,
    now,
    uid,
  );
  noteLastId(db);
}

/** Puts the jobs of a runner that shuts down back in the queue. This counts neither as a crash nor as a failure. */
export function requeueRunning(db: Writer, runner: string): number {
  return db.run("UPDATE job SET status = 'QUEUED', runner = NULL WHERE status = 'RUNNING' AND runner = ?", runner)
    .changes;
}

/** Puts all unfinished jobs in the queue, in the copy of a ledger: some may have run while it was copied. */
export function requeueRestored(db: Writer): void {
  db.run("UPDATE job SET status = 'QUEUED', runner = NULL, available_at = 0 WHERE finished_at IS NULL");
}

/** Puts a job back in the queue, because others are due before it. */
export function requeueBehind(db: Writer, uid: string, runner: string): void {
  db.run(
    "UPDATE job SET status = 'QUEUED', runner = NULL, gave_way = 1 WHERE uid = ? AND status = 'RUNNING' AND runner = ?",
    uid,
    runner,
  );
}

/**
 * Puts a plan in the queue, behind the workspace's other jobs, to be applied. @param cause of the request to apply it
 * @returns false when it is no plan (any more)
 */
export function queuePlan(db: Writer, uid: string, cause: JobCause): boolean {
  const { changes } = db.run(
    `UPDATE job SET id = ${LAST_ID}, status = 'QUEUED', problem = NULL,
       finished_at = NULL, apply_begun = 0, failures = 0, crashes = 0, available_at = ?, cause = ?,
       tried_ms = 0, blocked_since = NULL, blocked_code = NULL, gave_way = 0
     WHERE uid = ? AND status = 'PLANNED'`,
    Date.now(),
    JSON.stringify(cause),
    uid,
  );
  if (changes) noteLastId(db);
  return changes === 1;
}

/** Ends a plan. @param problem as JSON. @returns false when it is no plan (any more) */
export function markPlanEnded(db: Writer, uid: string, problem: string, now: number): boolean {
  const { changes } = db.run(
    `UPDATE job SET status = 'CANCELLED', problem = ?, finished_at = ?, result_file = NULL, result_bytes = NULL
     WHERE uid = ? AND status = 'PLANNED'`,
    problem,
    now,
    uid,
  );
  return changes === 1;
}

/** Ends a job that has not run. @param problem as JSON. @returns false when it has begun to change data, or has ended */
export function markEnded(
  db: Writer,
  id: number,
  status: "CANCELLED" | "FAILED",
  problem: string,
  now: number,
): boolean {
  const { changes } = db.run(
    `UPDATE job SET status = ?, problem = ?, finished_at = ?, result_file = NULL, result_bytes = NULL,
       progress_phase = NULL, progress_done = NULL, progress_total = NULL
     WHERE id = ? AND finished_at IS NULL AND apply_begun = 0`,
    status,
    problem,
    now,
    id,
  );
  return changes === 1;
}

/**
 * Copies the outcome, whose result takes `bytes`, into the ledger. @param bodyUntil until when the body is kept; null: it is removed
 * @returns false when the job has ended already
 */
export function finishJob(
  db: Writer,
  { uid, attempts }: JobRow,
  outcome: Outcome,
  { bytes, bodyUntil, now }: { bytes: number | null; bodyUntil: number | null; now: number },
): boolean {
  const isPlanned = outcome.plan !== null;
  // Two runs may overlap, and both end with a plan. The second must not end the job again.
  const { changes } = db.run(
    `UPDATE job SET status = ?, summary = ?, problem = ?, result = ?, result_file = ?, rows = ?, result_bytes = ?, warnings = ?,
       plan = coalesce(?, plan), runner = NULL, finished_at = ?, body_until = iif(spooled_bytes IS NULL, NULL, ?),
       progress_phase = NULL, progress_done = NULL, progress_total = NULL
     WHERE uid = ? AND finished_at IS NULL AND (NOT ? OR attempts = ?)`,
    statusOf(outcome),
    outcome.summary,
    outcome.problem,
    outcome.result,
    outcome.result_file,
    outcome.rows,
    bytes,
    outcome.warnings,
    outcome.plan,
    now,
    bodyUntil,
    uid,
    isPlanned ? 1 : 0,
    attempts,
  );
  return changes === 1;
}

/** What the job did is lost. Its result goes, too. @returns false when it has not succeeded (any more) */
export function failSucceeded(db: Writer, uid: string, problem: string): boolean {
  const { changes } = db.run(
    `UPDATE job SET status = 'FAILED', problem = ?, summary = NULL, result = NULL, result_file = NULL, rows = NULL, result_bytes = NULL
     WHERE uid = ? AND status = 'SUCCEEDED'`,
    problem,
    uid,
  );
  return changes === 1;
}
