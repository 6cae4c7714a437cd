// Accepts a job: one row in the ledger. From here on nothing is lost, not by Redis and not by a crash.

import type { Writer } from "../../db/connection.ts";
import { whenFree } from "../../db/write.ts";
import { IDEMPOTENCY_MS, type IdempotencyClaim } from "../idempotency.ts";
import { Problem } from "../problems.ts";
import type { Principal } from "../workspaces/credentials.ts";
import {
  countOpenJobs,
  findJob,
  findJobByIdempotencyKey,
  insertJob,
  type JobRow,
  releaseIdempotencyKey,
} from "./queries.ts";

// A workspace that hands in work faster than it is done must stop somewhere.
const MAX_UNFINISHED_JOBS = 1000;

/**
 * Accepts a job, or finds the one that the same Idempotency-Key has brought before.
 * @throws Problem 422 when the key came with something else; 429 when too many jobs are waiting
 * @throws StoreBusyError
 */
export async function acceptJob(
  db: Writer,
  waitMs: number,
  job: { uid: string; kind: string; payload: object; principal: Principal; idempotency: IdempotencyClaim | undefined },
): Promise<{ job: JobRow; isNew: boolean }> {
  const { principal, idempotency } = job;
  return whenFree(db, waitMs, () => {
    const now = Date.now();
    if (idempotency) {
      const earlier = findJobByIdempotencyKey(db, principal.workspaceId, idempotency.key, now - IDEMPOTENCY_MS);
      if (earlier) {
        if (earlier.fingerprint !== idempotency.fingerprint) throw new Problem("idempotency_key_reused");
        return { job: earlier, isNew: false };
      }
      releaseIdempotencyKey(db, principal.workspaceId, idempotency.key, now - IDEMPOTENCY_MS);
    }
    if (countOpenJobs(db, principal.workspaceId) >= MAX_UNFINISHED_JOBS) {
      throw new Problem("too_many_requests", {
        detail: `${MAX_UNFINISHED_JOBS} jobs of this workspace are waiting; no more are taken until some are done.`,
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
      now,
    });
    return { job: findJob(db, job.uid)!, isNew: true };
  });
}
