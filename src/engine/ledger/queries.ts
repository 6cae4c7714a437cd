// Statements on the job ledger, in the control store.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { Actor } from "../../events/actors.ts";
import type { Moving } from "../../workspaces/queries.ts";
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
  request_id: string | null;
  trace_id: string | null;
  note: string | null;
  /** The cause of the run, if that is not the submission: a JobCause as JSON (events.ts). */
  cause: string | null;
  idempotency_key: string | null;
  fingerprint: string | null;
  runner: string | null;
  attempts: number;
  crashes: number;
  failures: number;
  available_at: number;
  /** How long it was tried, in ms. */
  tried_ms: number;
  /** Since when it is set aside, and why (queue.ts). */
  blocked_since: number | null;
  blocked_code: string | null;
  /** Whether the jobs that are set aside before it had one more try (overtaken.ts). */
  gave_way: 0 | 1;
  /** When it was retried. */
  retried_at: number | null;
  problem: string | null;
  result: string | null;
  result_file: string | null;
  rows: string | null;
  plan: string | null;
  warnings: string | null;
  /** The Idempotency-Key of the request that had the plan applied, and its fingerprint. */
  apply_key: string | null;
  apply_fingerprint: string | null;
  screener_uid: string | null;
  /** Whether the workspace is on its way to another cell. */
  moving: Moving | null;
  /** The workspace's limit for removals, as JSON. */
  max_removals: string | null;
  /** The length of its body; null: it has none. */
  spooled_bytes: number | null;
  /** Until when its body is kept, if it failed for a reason of the service's own. */
  body_until: number | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
}

/** A job's outcome, as JSON texts. `result_file` is the name of the file that has the result and the rows, if it is long. */
export interface Outcome {
  summary: string | null;
  result: string | null;
  result_file: string | null;
  rows: string | null;
  problem: string | null;
  warnings: string | null;
  /** Nothing was changed, and the plan may be applied later. */
  plan: string | null;
}

/** Selects a JobRow. */
export const JOB =
  "SELECT j.*, w.uid AS workspace_uid, w.max_removals, w.moving FROM job AS j JOIN workspace AS w ON w.id = j.workspace_id";

export function findJob(db: Reader, uid: string): JobRow | undefined {
  return db.get(`${JOB} WHERE j.uid = ?`, uid);
}

export function findJobOf(db: Reader, workspaceId: number, uid: string): JobRow | undefined {
  return db.get(`${JOB} WHERE j.uid = ? AND j.workspace_id = ?`, uid, workspaceId);
}

/** The newest jobs of a workspace that have succeeded after a time. */
export function listSucceeded(db: Reader, workspaceUid: string, finishedAfter: number, limit = 20): string[] {
  return db.values(
    `SELECT uid FROM job INDEXED BY job_list WHERE workspace_id = (SELECT id FROM workspace WHERE uid = ?)
       AND status = 'SUCCEEDED' AND finished_at > ? ORDER BY created_at DESC LIMIT ?`,
    workspaceUid,
    finishedAfter,
    limit,
  );
}

/** Whether the job is queued or running: 1 or 0; undefined when it does not exist. */
export function isUnfinished(db: Reader, workspaceId: number, uid: string): 0 | 1 | undefined {
  return db.value("SELECT finished_at IS NULL FROM job WHERE uid = ? AND workspace_id = ?", uid, workspaceId);
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
    screenerUid: string | null;
    requestId: string;
    traceId: string | null;
    note: string | null;
    cause: string | null;
    spooledBytes: number | null;
    now: number;
  },
): void {
  db.run(
    `INSERT INTO job (uid, workspace_id, kind, payload, actor_type, actor_uid, actor_name, idempotency_key, fingerprint,
       screener_uid, request_id, trace_id, note, cause, spooled_bytes, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    job.uid,
    job.workspaceId,
    job.kind,
    job.payload,
    job.actor.type,
    job.actor.uid,
    job.actor.name,
    job.idempotencyKey,
    job.fingerprint,
    job.screenerUid,
    job.requestId,
    job.traceId,
    job.note,
    job.cause,
    job.spooledBytes,
    job.now,
  );
}

export function countUnfinishedJobs(db: Reader, workspaceId: number): number {
  return (
    db.value(
      "SELECT count(*) FROM job INDEXED BY job_open WHERE workspace_id = ? AND finished_at IS NULL",
      workspaceId,
    ) ?? 0
  );
}

/** What a job is about. */
export interface Subject {
  screenerUid?: string | null;
  importMode?: string | null;
  publicationUid?: string;
}

/** Members that are left out keep their value. */
const DESCRIBED = `screener_uid = coalesce(?, screener_uid), import_mode = coalesce(?, import_mode),
  publication_uid = coalesce(?, publication_uid)`;

function valuesOf(about: Subject): (string | null)[] {
  return [about.screenerUid ?? null, about.importMode ?? null, about.publicationUid ?? null];
}

/** Records what the job is about. */
export function describeJob(db: Writer, uid: string, about: Subject): void {
  db.run(`UPDATE job SET ${DESCRIBED} WHERE uid = ?`, ...valuesOf(about), uid);
}

/** Records that the job may change data from now on, and what it is about. @returns false when the job was cancelled */
export function beginApply(db: Writer, uid: string, about: Subject = {}): boolean {
  const sql = `UPDATE job SET apply_begun = 1, ${DESCRIBED} WHERE uid = ? AND status = 'RUNNING'`;
  return db.run(sql, ...valuesOf(about), uid).changes === 1;
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

/** The status of a job that has this outcome. */
export function statusOf({ plan, problem }: Outcome): "PLANNED" | "FAILED" | "SUCCEEDED" {
  if (plan !== null) return "PLANNED";
  return problem === null ? "SUCCEEDED" : "FAILED";
}
