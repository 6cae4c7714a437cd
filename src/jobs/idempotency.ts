// Statements on the Idempotency-Keys of jobs.

import type { Reader, Writer } from "../../db/connection.ts";
import { JOB, type JobRow } from "./queries.ts";

/** A job that was cancelled, or failed by no fault of its request, no longer holds its key: a retry may succeed. */
const HOLDS_KEY = "j.status <> 'CANCELLED' AND (j.problem IS NULL OR j.problem ->> 'status' < 500)";

/** The job that holds this key. */
export function findJobByIdempotencyKey(
  db: Reader,
  workspaceId: number,
  key: string,
  since: number,
): JobRow | undefined {
  return db.get(
    `${JOB} WHERE j.workspace_id = ? AND j.idempotency_key = ? AND j.created_at > ? AND ${HOLDS_KEY}`,
    workspaceId,
    key,
    since,
  );
}

/** Takes the key from the job that had it. */
export function releaseIdempotencyKey(db: Writer, workspaceId: number, key: string): void {
  db.run("UPDATE job SET idempotency_key = NULL WHERE workspace_id = ? AND idempotency_key = ?", workspaceId, key);
}
