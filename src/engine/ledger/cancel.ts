// Cancels jobs that have not changed anything yet.

import type { Writer } from "../../../db/sqlite/connection.ts";
import type { Problem } from "../../base/problems.ts";
import { pendEvent } from "../../events/outbox.ts";
import type { Cause } from "../../events/record.ts";
import { causedByService, eventOfCancellation } from "./events.ts";
import { findJob, type JobRow } from "./queries.ts";
import { markEnded } from "./states.ts";

/** Cancels a job. @param cause by default the service. @returns false when it has begun to change data, or has ended */
export function cancelJob(
  db: Writer,
  { id, uid }: Pick<JobRow, "id" | "uid">,
  problem: Problem,
  now: number,
  cause?: Cause,
): boolean {
  const isCancelled = markEnded(db, id, "CANCELLED", JSON.stringify(problem.document), now);
  if (isCancelled) recordCancellation(db, uid, problem, cause);
  return isCancelled;
}

/** Writes the event of a job that was cancelled. */
export function recordCancellation(db: Writer, uid: string, { code }: Problem, cause = causedByService(uid)): void {
  const job = findJob(db, uid)!;
  pendEvent(db, job.workspace_uid, { ...cause, jobUid: uid }, eventOfCancellation(job, code));
}
