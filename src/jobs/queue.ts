// Statements on the order in which jobs run: which is next, who takes it, and how it comes back.

import type { Reader, Writer } from "../../db/connection.ts";
import type { JobStatus } from "./resource.ts";

export interface HeadRow {
  uid: string;
  workspace_id: number;
  status: JobStatus;
  attempts: number;
  available_at: number;
  runner: string | null;
}

/** The longest pause before a job is tried again. */
export const MAX_PAUSE_MS = 15_000;

/**
 * Whether a queued job may be taken now. One that waits for longer than the longest pause does so because the clock was set
 * back.
 */
export function isDue({ status, available_at }: HeadRow, now: number): boolean {
  return status === "QUEUED" && (available_at <= now || available_at > now + MAX_PAUSE_MS);
}

/** The jobs of a workspace that is suspended or moves wait, but for one that runs already. */
const MAY_RUN =
  "(status = 'RUNNING' OR NOT EXISTS (SELECT 1 FROM workspace AS w WHERE w.id = workspace_id AND (w.suspended_at IS NOT NULL OR w.moving IS NOT NULL)))";

const HEAD = "SELECT uid, workspace_id, status, attempts, available_at, runner FROM job";

/** The id of a job that goes to the end of the queue. Call noteLastPlace after it was given. */
export const LAST_PLACE = "(SELECT seq + 1 FROM sqlite_sequence WHERE name = 'job')";

export function noteLastPlace(db: Writer): void {
  db.run("UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM job) WHERE name = 'job'");
}

/** The workspace's first unfinished job. */
export function findHead(db: Reader, workspaceId: number): HeadRow | undefined {
  return db.get(
    `${HEAD} INDEXED BY job_open WHERE workspace_id = ? AND finished_at IS NULL AND ${MAY_RUN} ORDER BY id LIMIT 1`,
    workspaceId,
  );
}

/** The first unfinished job of every workspace, in the order in which they were accepted. */
export function listHeads(db: Reader): HeadRow[] {
  return db.all(
    `${HEAD} WHERE id IN (SELECT min(id) FROM job INDEXED BY job_open WHERE finished_at IS NULL GROUP BY workspace_id)
       AND ${MAY_RUN} ORDER BY id`,
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
     WHERE uid = ? AND status = 'QUEUED' AND available_at NOT BETWEEN ? AND ? AND kind IN (SELECT value FROM json_each(?))
       AND ${MAY_RUN}
       AND NOT EXISTS (SELECT 1 FROM job AS earlier INDEXED BY job_open WHERE earlier.workspace_id = job.workspace_id
         AND earlier.finished_at IS NULL AND earlier.id < job.id)`,
    runner,
    now,
    uid,
    now + 1,
    now + MAX_PAUSE_MS,
    JSON.stringify(kinds),
  );
  return changes === 1;
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

/** Puts one job of a dead runner, or all of them, back in the queue. @returns their ids */
export function requeueCrashed(db: Writer, runner: string, uid?: string): string[] {
  return db.values(
    `UPDATE job SET status = 'QUEUED', runner = NULL, crashes = crashes + 1
     WHERE status = 'RUNNING' AND runner = ? AND uid = coalesce(?, uid) RETURNING uid`,
    runner,
    uid ?? null,
  );
}

/**
 * Puts a job that has failed in the queue, behind the workspace's other jobs: an earlier place might be before one that runs. A
 * job that applied a plan plans anew, because what was approved is not kept.
 */
export function requeueEnded(db: Writer, uid: string, now: number): void {
  db.run(
    `UPDATE job SET id = ${LAST_PLACE}, status = 'QUEUED', problem = NULL, finished_at = NULL, body_until = NULL,
       retried_at = ?, apply_begun = 0, failures = 0, crashes = 0, available_at = 0, plan = NULL, result = NULL, result_file = NULL, rows = NULL,
       result_bytes = NULL, summary = NULL, warnings = NULL
     WHERE uid = ? AND status = 'FAILED'`,
    now,
    uid,
  );
  noteLastPlace(db);
}

/** Puts the jobs of a runner that shuts down back in the queue. This counts neither as a crash nor as a failure. */
export function requeueRunning(db: Writer, runner: string): number {
  return db.run("UPDATE job SET status = 'QUEUED', runner = NULL WHERE status = 'RUNNING' AND runner = ?", runner)
    .changes;
}
