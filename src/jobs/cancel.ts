// Cancels jobs that have not changed anything yet.

import type { Writer } from "../../db/connection.ts";
import { pendEvent } from "../events/outbox.ts";
import type { Cause } from "../events/record.ts";
import type { Problem } from "../problems.ts";
import { causedByService, eventOfCancellation } from "./events.ts";
import { findJob, type JobRow } from "./queries.ts";

/** Cancels a job. @param cause by default the service. @returns false when it has begun to change data, or has ended */
export function cancelJob(
  db: Writer,
  { id, uid }: Pick<JobRow, "id" | "uid">,
  problem: Problem,
  now: number,
  cause?: Cause,
): boolean {
  const { changes } = db.run(
    `UPDATE job SET status = 'CANCELLED', problem = ?, finished_at = ?, result_file = NULL, result_bytes = NULL,
       progress_phase = NULL, progress_done = NULL, progress_total = NULL
     WHERE id = ? AND finished_at IS NULL AND apply_begun = 0`,
    JSON.stringify(problem.document),
    now,
    id,
  );
  if (changes) tellCancelled(db, uid, problem, cause);
  return changes === 1;
}

/** Writes the event of a job that was cancelled. */
export function tellCancelled(db: Writer, uid: string, { code }: Problem, cause = causedByService(uid)): void {
  const job = findJob(db, uid)!;
  pendEvent(db, job.workspace_uid, { ...cause, jobUid: uid }, eventOfCancellation(job, code));
}
