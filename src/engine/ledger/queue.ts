// Statements on the order in which jobs run: which is next, and what is tried when. states.ts takes jobs, and puts them back.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { JobStatus } from "./resource.ts";

export interface HeadRow {
  uid: string;
  workspace_id: number;
  status: JobStatus;
  attempts: number;
  available_at: number;
  runner: string | null;
  blocked_since: number | null;
}

/** The longest pause before a job is tried again. */
export const MAX_PAUSE_MS = 15_000;

/** A job that failed for this long is set aside ("blocked"), and the jobs behind it run. */
export const MAX_TRIED_MS = 15 * 60_000;

/** The pause between two tries of a job that is set aside. */
export const BLOCKED_PAUSE_MS = 3_600_000;

/**
 * Whether a queued job may be taken now. If it would have to wait longer than the longest pause, the clock was set back, and it
 * is due.
 */
export function isDue({ status, available_at, blocked_since }: HeadRow, now: number): boolean {
  const longest = blocked_since === null ? MAX_PAUSE_MS : BLOCKED_PAUSE_MS;
  return status === "QUEUED" && (available_at <= now || available_at > now + longest);
}

/** The same in SQL, of the row `of`. Both of its parameters are the time. */
export function isDueIn(of: string): string {
  const longest = `iif(${of}.blocked_since IS NULL, ${MAX_PAUSE_MS}, ${BLOCKED_PAUSE_MS})`;
  return `(${of}.status = 'QUEUED' AND ${of}.available_at NOT BETWEEN ? + 1 AND ? + ${longest})`;
}

/** The jobs of a workspace that is suspended or moves wait, but for one that runs already. */
export const MAY_RUN =
  "(status = 'RUNNING' OR NOT EXISTS (SELECT 1 FROM workspace AS w WHERE w.id = workspace_id AND (w.suspended_at IS NOT NULL OR w.moving IS NOT NULL)))";

const HEAD = "SELECT uid, workspace_id, status, attempts, available_at, runner, blocked_since FROM job";

/** The jobs that are set aside, as `b`. There is almost never one. */
export const BLOCKED =
  "FROM job AS b INDEXED BY job_blocked WHERE b.blocked_since IS NOT NULL AND b.finished_at IS NULL";

/** A job that has begun to change data runs before those that are set aside: its outcome must be known first. */
const ORDER = "ORDER BY status <> 'RUNNING', apply_begun DESC, id";

/** The job of the workspace that is to run next, or runs: the first unfinished one that is not set aside, or whose next try is due. */
export function findHead(db: Reader, workspaceId: number, now: number): HeadRow | undefined {
  return db.get(
    `${HEAD} WHERE id IN (
       SELECT * FROM (SELECT id FROM job INDEXED BY job_open WHERE workspace_id = ? AND finished_at IS NULL
         AND id NOT IN (SELECT b.id ${BLOCKED} AND b.workspace_id = ?) ORDER BY id LIMIT 1)
       UNION ALL SELECT b.id ${BLOCKED} AND b.workspace_id = ? AND (b.status = 'RUNNING' OR ${isDueIn("b")}))
     AND ${MAY_RUN} ${ORDER} LIMIT 1`,
    workspaceId,
    workspaceId,
    workspaceId,
    now,
    now,
  );
}

/** The same of every workspace. */
export function listHeads(db: Reader, now: number): HeadRow[] {
  const found = db.all<HeadRow>(
    `${HEAD} WHERE id IN (
       SELECT min(id) FROM job INDEXED BY job_open WHERE finished_at IS NULL AND id NOT IN (SELECT b.id ${BLOCKED})
         GROUP BY workspace_id
       UNION ALL SELECT b.id ${BLOCKED} AND (b.status = 'RUNNING' OR ${isDueIn("b")}))
     AND ${MAY_RUN} ${ORDER}`,
    now,
    now,
  );
  const heads = new Map<number, HeadRow>();
  for (const head of found) if (!heads.has(head.workspace_id)) heads.set(head.workspace_id, head);
  return [...heads.values()];
}

/** A text that changes when the job makes progress; undefined: `runner` does not run it. */
export function howFar(db: Reader, uid: string, runner: string): string | undefined {
  return db.value(
    `SELECT concat_ws(' ', attempts, apply_begun, progress_phase, progress_done) FROM job
     WHERE uid = ? AND status = 'RUNNING' AND runner = ?`,
    uid,
    runner,
  );
}

/** Makes jobs due soon that waited for a worker of these kinds: this process is one. */
export function tryKnown(db: Writer, kinds: readonly string[], code: string): void {
  db.run(
    `UPDATE job INDEXED BY job_blocked SET available_at = 0 WHERE blocked_since IS NOT NULL AND finished_at IS NULL
       AND status = 'QUEUED' AND blocked_code = ? AND kind IN (SELECT value FROM json_each(?))`,
    code,
    JSON.stringify(kinds),
  );
}

/** Makes a job that is set aside due at once. @returns false when it is not set aside, or runs already */
export function tryBlocked(db: Writer, uid: string, now: number): boolean {
  const sql = "UPDATE job SET available_at = ? WHERE uid = ? AND status = 'QUEUED' AND blocked_since IS NOT NULL";
  return db.run(sql, now, uid).changes === 1;
}
