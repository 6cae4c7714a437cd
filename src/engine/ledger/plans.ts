// Plans: jobs that have ended without a change, and may still be applied.

import { rmSync } from "node:fs";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { IDEMPOTENCY_MS, type IdempotencyClaim } from "../../base/idempotency.ts";
import { Problem } from "../../base/problems.ts";
import type { Cause } from "../../events/record.ts";
import { trustedTime } from "../../workspaces/clock.ts";
import { removeSpooled } from "../files/bodies.ts";
import { resultPath } from "../files/result-file.ts";
import { cancelJob, recordCancellation } from "./cancel.ts";
import { findJobByIdempotencyKey, releaseIdempotencyKey } from "./idempotency.ts";
import type { JobRow } from "./queries.ts";
import { markPlanEnded } from "./states.ts";

/** How long a plan may be applied. */
export const PLAN_MS = 7 * 24 * 3_600_000;

/** How long what a job did can be undone. */
export const UNDO_MS = 30 * 24 * 3_600_000;

/** Keeps the Idempotency-Key of a request to apply a plan. @returns whether the key came before. @throws Problem 422 */
export function claimPlan(db: Writer, job: JobRow, { key, fingerprint }: IdempotencyClaim): boolean {
  const holder = findJobByIdempotencyKey(db, job.workspace_id, key, trustedTime(db) - IDEMPOTENCY_MS);
  if (holder?.uid === job.uid && holder.apply_key === key && holder.apply_fingerprint === fingerprint) return true;
  if (holder) throw new Problem("idempotency_key_reused");
  releaseIdempotencyKey(db, job.workspace_id, key);
  // The first key stays: its request had the plan applied.
  db.run(
    "UPDATE job SET apply_key = ?, apply_fingerprint = ? WHERE uid = ? AND apply_key IS NULL",
    key,
    fingerprint,
    job.uid,
  );
  return false;
}

/** Ends a plan for good. The caller removes its files. @param cause by default the service. @returns false when it is no plan (any more) */
export function endPlan(db: Writer, uid: string, problem: Problem, now: number, cause?: Cause): boolean {
  const isEnded = markPlanEnded(db, uid, JSON.stringify(problem.document), now);
  if (isEnded) recordCancellation(db, uid, problem, cause);
  return isEnded;
}

/** Cancels a job, or discards a plan. The caller removes its files, unless it runs. @returns false when it is too late */
export function withdraw(db: Writer, job: JobRow, now: number, cause: Cause): boolean {
  const problem = new Problem("job_cancelled");
  return job.status === "PLANNED" ? endPlan(db, job.uid, problem, now, cause) : cancelJob(db, job, problem, now, cause);
}

export type PlanFiles = Pick<JobRow, "uid" | "result_file">;

/** Ends the other plans of these kinds for the screener of a job that was applied. @returns them; the caller removes their files */
export function endPlans(
  db: Writer,
  { uid, workspace_id }: Pick<JobRow, "uid" | "workspace_id">,
  kinds: readonly string[],
): PlanFiles[] {
  const superseded = kinds.length ? findPlans(db, workspace_id, uid, kinds) : [];
  if (!superseded.length) return [];
  const problem = new Problem("plan_superseded", {
    detail: `A later job has changed the same rows: the job ${uid}. Plan again.`,
  });
  return superseded.filter((plan) => endPlan(db, plan.uid, problem, Date.now()));
}

function findPlans(db: Reader, workspaceId: number, byJob: string, kinds: readonly string[]): PlanFiles[] {
  return db.all(
    `SELECT uid, result_file FROM job WHERE status = 'PLANNED' AND workspace_id = ? AND uid <> ?
       AND kind IN (SELECT value FROM json_each(?)) AND screener_uid = (SELECT screener_uid FROM job WHERE uid = ? AND finished_at IS NOT NULL)`,
    workspaceId,
    byJob,
    JSON.stringify(kinds),
    byJob,
  );
}

/** Removes what was kept of a job to apply its plan. `keeps` is the result file of its outcome. `body_until`: the body stays. */
export function removeFiles(
  dataDir: string,
  { uid, result_file, body_until, keeps }: PlanFiles & { body_until?: number | null; keeps?: string | null },
): void {
  if (!body_until) removeSpooled(dataDir, uid);
  if (result_file !== null && result_file !== keeps) rmSync(resultPath(dataDir, result_file), { force: true });
}
