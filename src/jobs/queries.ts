// Statements on the job ledger, in the control store.

import type { Reader, Writer } from "../../db/connection.ts";
import type { Actor } from "../workspaces/credentials.ts";
import type { JobStatus } from "./resource.ts";

export interface JobRow {
  id: number;
  uid: string;
  workspace_id: number;
  workspace_uid: string;
  kind: string;
  status: JobStatus;
  payload: string;
  actor_type: Actor["type"];
  actor_uid: string;
  actor_name: string;
  fingerprint: string | null;
  runner: string | null;
  attempts: number;
  crashes: number;
  failures: number;
  available_at: number;
  problem: string | null;
  result: string | null;
  result_file: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
}

/** A job's outcome, as JSON texts; or the name of its result file. */
export interface Outcome {
  summary: string | null;
  result: string | null;
  result_file: string | null;
  problem: string | null;
}

const JOB = "SELECT j.*, w.uid AS workspace_uid FROM job AS j JOIN workspace AS w ON w.id = j.workspace_id";

export function findJob(db: Reader, uid: string): JobRow | undefined {
  return db.get(`${JOB} WHERE j.uid = ?`, uid);
}

export function findJobOf(db: Reader, workspaceId: number, uid: string): JobRow | undefined {
  return db.get(`${JOB} WHERE j.uid = ? AND j.workspace_id = ?`, uid, workspaceId);
}

export function findJobByIdempotencyKey(
  db: Reader,
  workspaceId: number,
  key: string,
  since: number,
): JobRow | undefined {
  return db.get(
    `${JOB} WHERE j.workspace_id = ? AND j.idempotency_key = ? AND j.created_at > ?`,
    workspaceId,
    key,
    since,
  );
}

/** Makes a key that was used before `until` free again. */
export function releaseIdempotencyKey(db: Writer, workspaceId: number, key: string, until: number): void {
  db.run(
    "UPDATE job SET idempotency_key = NULL WHERE workspace_id = ? AND idempotency_key = ? AND created_at <= ?",
    workspaceId,
    key,
    until,
  );
}

export function insertJob(
  db: Writer,
  job: {
    uid: string;
    workspaceId: number;
    kind: string;
    payload: string;
    actor: Actor;
    idempotencyKey: string | null;
    fingerprint: string | null;
    now: number;
  },
): void {
  db.run(
    `INSERT INTO job (uid, workspace_id, kind, payload, actor_type, actor_uid, actor_name, idempotency_key, fingerprint, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    job.uid,
    job.workspaceId,
    job.kind,
    job.payload,
    job.actor.type,
    job.actor.uid,
    job.actor.name,
    job.idempotencyKey,
    job.fingerprint,
    job.now,
  );
}

export function countUnfinishedJobs(db: Reader, workspaceId: number): number {
  return db.value("SELECT count(*) FROM job WHERE workspace_id = ? AND finished_at IS NULL", workspaceId) ?? 0;
}

export interface HeadRow {
  uid: string;
  workspace_id: number;
  status: JobStatus;
  attempts: number;
  available_at: number;
  runner: string | null;
}

const HEAD = "SELECT uid, workspace_id, status, attempts, available_at, runner FROM job";

/** The workspace's first unfinished job. */
export function findHead(db: Reader, workspaceId: number): HeadRow | undefined {
  return db.get(`${HEAD} WHERE workspace_id = ? AND finished_at IS NULL ORDER BY id LIMIT 1`, workspaceId);
}

/** The first unfinished job of every workspace, in the order in which they were accepted. */
export function listHeads(db: Reader): HeadRow[] {
  return db.all(
    `${HEAD} WHERE id IN (SELECT min(id) FROM job INDEXED BY job_open WHERE finished_at IS NULL GROUP BY workspace_id) ORDER BY id`,
  );
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
     WHERE uid = ? AND status = 'QUEUED' AND available_at <= ? AND kind IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM job AS earlier WHERE earlier.workspace_id = job.workspace_id
         AND earlier.finished_at IS NULL AND earlier.id < job.id)`,
    runner,
    now,
    uid,
    now,
    JSON.stringify(kinds),
  );
  return changes === 1;
}

/** Records that the job may change data from now on. @returns false when the job was cancelled */
export function beginApply(db: Writer, uid: string): boolean {
  return db.run("UPDATE job SET apply_begun = 1 WHERE uid = ? AND status = 'RUNNING'", uid).changes === 1;
}

/** @returns false when the job has begun to change data, or has ended */
export function cancelJob(db: Writer, id: number, problem: string, now: number): boolean {
  const { changes } = db.run(
    `UPDATE job SET status = 'CANCELLED', problem = ?, finished_at = ?, progress_phase = NULL, progress_done = NULL, progress_total = NULL
     WHERE id = ? AND finished_at IS NULL AND apply_begun = 0`,
    problem,
    now,
    id,
  );
  return changes === 1;
}

/** @returns false when `runner` does not run the job any more */
export function updateProgress(
  db: Writer,
  uid: string,
  runner: string,
  progress: { phase: string; done: number; total: number | null },
): boolean {
  const { changes } = db.run(
    "UPDATE job SET progress_phase = ?, progress_done = ?, progress_total = ? WHERE uid = ? AND status = 'RUNNING' AND runner = ?",
    progress.phase,
    progress.done,
    progress.total,
    uid,
    runner,
  );
  return changes === 1;
}

/** Copies the outcome into the ledger, unless the job has ended already. */
export function finishJob(db: Writer, uid: string, outcome: Outcome, now: number): void {
  db.run(
    `UPDATE job SET status = ?, summary = ?, problem = ?, result = ?, result_file = ?, runner = NULL, finished_at = ?,
       progress_phase = NULL, progress_done = NULL, progress_total = NULL
     WHERE uid = ? AND finished_at IS NULL`,
    outcome.problem === null ? "SUCCEEDED" : "FAILED",
    outcome.summary,
    outcome.problem,
    outcome.result,
    outcome.result_file,
    now,
    uid,
  );
}

/** Puts a job back in the queue after a failure. `isUntouched`: it has changed no data, so it may be cancelled again. */
export function requeueFailed(db: Writer, uid: string, runner: string, availableAt: number, isUntouched = false): void {
  db.run(
    `UPDATE job SET status = 'QUEUED', runner = NULL, failures = failures + 1, available_at = ?, apply_begun = apply_begun AND NOT ?
     WHERE uid = ? AND status = 'RUNNING' AND runner = ?`,
    availableAt,
    isUntouched ? 1 : 0,
    uid,
    runner,
  );
}

/** Puts one job of a dead runner, or all of them, back in the queue. @returns how many */
export function requeueCrashed(db: Writer, runner: string, uid?: string): number {
  return db.run(
    "UPDATE job SET status = 'QUEUED', runner = NULL, crashes = crashes + 1 WHERE status = 'RUNNING' AND runner = ? AND uid = coalesce(?, uid)",
    runner,
    uid ?? null,
  ).changes;
}

/** Puts the jobs of a runner that shuts down back in the queue. This counts neither as a crash nor as a failure. */
export function requeueRunning(db: Writer, runner: string): number {
  return db.run("UPDATE job SET status = 'QUEUED', runner = NULL WHERE status = 'RUNNING' AND runner = ?", runner)
    .changes;
}

/** Removes up to 1,000 expired results. @returns their files, which the caller removes; `isDone` when none was left */
export function expireResults(db: Writer, finishedBefore: number): { files: string[]; isDone: boolean } {
  const files = db.values<string>(
    "SELECT result_file FROM job WHERE finished_at < ? AND result_file IS NOT NULL ORDER BY finished_at LIMIT 1000",
    finishedBefore,
  );
  const { changes } = db.run(
    `UPDATE job SET result = NULL, result_file = NULL WHERE id IN (SELECT id FROM job WHERE finished_at < ?
       AND (result IS NOT NULL OR result_file IS NOT NULL) ORDER BY finished_at LIMIT 1000)`,
    finishedBefore,
  );
  return { files, isDone: changes === 0 };
}

/** Removes up to 1,000 old jobs. @returns how many */
export function deleteFinished(db: Writer, finishedBefore: number): number {
  return db.run(
    "DELETE FROM job WHERE id IN (SELECT id FROM job WHERE finished_at < ? ORDER BY finished_at LIMIT 1000)",
    finishedBefore,
  ).changes;
}
