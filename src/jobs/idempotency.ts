// Statements on the Idempotency-Keys of jobs.

import type { Reader, Writer } from "../../db/connection.ts";
import { JOB, type JobRow } from "./queries.ts";

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
