// Statements on the Idempotency-Keys of jobs.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { JOB, type JobRow } from "./queries.ts";

/** A job that was cancelled, or failed by no fault of its request, no longer holds its key: a retry may succeed. */
const HOLDS_KEY = "j.status <> 'CANCELLED' AND (j.problem IS NULL OR j.problem ->> 'status' < 500)";

/**
 * The job that holds this key: of the request that made it, or of the request that had its plan applied. The time of the
 * second key counts from the job's end.
 */
export function findJobByIdempotencyKey(
  db: Reader,
  workspaceId: number,
  key: string,
  since: number,
): JobRow | undefined {
  return db.get(
    `${JOB} WHERE j.workspace_id = ? AND (j.idempotency_key = ? OR j.apply_key = ?) AND ${HOLDS_KEY}
       AND iif(j.apply_key = ?, coalesce(j.finished_at, j.created_at), j.created_at) > ?`,
    workspaceId,
    key,
    key,
    key,
    since,
  );
}

/** Takes the key from the job that had it. */
export function releaseIdempotencyKey(db: Writer, workspaceId: number, key: string): void {
  db.run(
    `UPDATE job SET idempotency_key = nullif(idempotency_key, ?), apply_key = nullif(apply_key, ?)
     WHERE workspace_id = ? AND (idempotency_key = ? OR apply_key = ?)`,
    key,
    key,
    workspaceId,
    key,
    key,
  );
}

/** The first later job of these kinds for the same screener that was applied or is about to be. */
export function findLater(db: Reader, job: JobRow, kinds: readonly string[]): string | undefined {
  return db.value(
    `SELECT uid FROM job WHERE workspace_id = ? AND id > ? AND screener_uid = ? AND status IN ('QUEUED', 'RUNNING', 'SUCCEEDED')
       AND kind IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT 1`,
    job.workspace_id,
    job.id,
    job.screener_uid,
    JSON.stringify(kinds),
  );
}
