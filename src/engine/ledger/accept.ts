// Accepts a job: adds one row to the ledger. From then on neither Redis nor a crash can lose it.

import { rmSync } from "node:fs";
import type { Control } from "../../../db/control.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { isSyncFailure } from "../../../db/sqlite/doubt.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { IDEMPOTENCY_MS, type IdempotencyClaim } from "../../base/idempotency.ts";
import { Problem } from "../../base/problems.ts";
import { uidOrNull } from "../../base/schemas.ts";
import { trustedTime } from "../../workspaces/clock.ts";
import type { Principal } from "../../workspaces/credentials.ts";
import { requireHere } from "../../workspaces/moving.ts";
import { keepBody, spoolPath } from "../files/bodies.ts";
import type { JobCause } from "./events.ts";
import { findJobByIdempotencyKey, releaseIdempotencyKey } from "./idempotency.ts";
import { countUnfinishedJobs, findJob, insertJob, type JobRow } from "./queries.ts";

/**
 * The job of a request. `isReplay`: an earlier request with the same Idempotency-Key made it. `supersededBy`: a later job has
 * changed, or will change, what that job did.
 */
export type AcceptedJob = JobRow & { isReplay: boolean; supersededBy?: string | undefined };

// Limits a workspace that submits jobs faster than they are done.
const MAX_UNFINISHED_JOBS = 1000;

/**
 * Accepts a job, or finds the earlier one with the same Idempotency-Key.
 * @throws Problem 422 when the key belongs to another request; 429 when there are too many unfinished jobs
 * @throws StoreBusyError after `waitMs`
 */
export async function acceptJob(
  db: Writer,
  waitMs: number,
  job: {
    uid: string;
    kind: string;
    payload: object;
    /** What the request names as its screener. It is not checked yet. */
    screenerId: unknown;
    principal: Principal;
    idempotency: IdempotencyClaim | undefined;
    requestId: string;
    traceId: string | null;
    note: string | null;
    /** The cause of the run, if that is not the principal. */
    cause?: JobCause;
    /** The length of its body, if it has one. */
    spooledBytes?: number | undefined;
    /** Its body, if that is not in the spool. */
    body?: Uint8Array | undefined;
  },
): Promise<AcceptedJob> {
  const { principal, idempotency } = job;
  return whenFree(db, waitMs, () => {
    const now = Date.now();
    requireHere(db, principal);
    if (idempotency) {
      const earlier = findJobByIdempotencyKey(
        db,
        principal.workspaceId,
        idempotency.key,
        trustedTime(db, now) - IDEMPOTENCY_MS,
      );
      if (earlier) {
        if (earlier.fingerprint !== idempotency.fingerprint) throw new Problem("idempotency_key_reused");
        return { ...earlier, isReplay: true };
      }
      releaseIdempotencyKey(db, principal.workspaceId, idempotency.key);
    }
    if (countUnfinishedJobs(db, principal.workspaceId) >= MAX_UNFINISHED_JOBS) {
      throw new Problem("too_many_requests", {
        detail: `This workspace has ${MAX_UNFINISHED_JOBS} unfinished jobs; no more are accepted until some have ended.`,
        headers: {
          "Retry-After": "5",
          "RateLimit-Policy": `"open-jobs";q=${MAX_UNFINISHED_JOBS}`,
          RateLimit: `"open-jobs";r=0;t=5`,
        },
      });
    }
    insertJob(db, {
      uid: job.uid,
      workspaceId: principal.workspaceId,
      kind: job.kind,
      payload: JSON.stringify(job.payload),
      actor: principal.actor,
      idempotencyKey: idempotency?.key ?? null,
      fingerprint: idempotency?.fingerprint ?? null,
      screenerUid: uidOrNull(job.screenerId),
      requestId: job.requestId,
      traceId: job.traceId,
      note: job.note,
      cause: job.cause ? JSON.stringify(job.cause) : null,
      spooledBytes: job.spooledBytes ?? null,
      now,
    });
    if (job.body) keepBody(db, job.uid, job.body);
    return { ...findJob(db, job.uid)!, isReplay: false };
  });
}

/**
 * Removes the body of a job that was not accepted because of `error`. But when the ledger's sync has failed, the job may still
 * have been written. Then it runs, so its body stays.
 */
export function dropUnaccepted(dataDir: string, { reader }: Control, uid: string, error: unknown): void {
  // After a power failure such a job may be there again. Upkeep removes bodies without a job.
  if (isSyncFailure(error) || findJob(reader, uid)) return;
  rmSync(spoolPath(dataDir, uid), { force: true });
}
