// Puts a plan in the queue, to be applied.

import type { Writer } from "../../db/sqlite/connection.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import type { IdempotencyClaim } from "../base/idempotency.ts";
import { Problem } from "../base/problems.ts";
import type { AcceptedJob } from "../engine/ledger/accept.ts";
import type { PlanNote } from "../engine/ledger/outcome.ts";
import { claimPlan } from "../engine/ledger/plans.ts";
import { findJobOf, type JobRow } from "../engine/ledger/queries.ts";
import { queuePlan } from "../engine/ledger/states.ts";
import { type ApiRequest, causeOf, claimOf, found } from "../http/endpoint.ts";
import { requireHere } from "../workspaces/moving.ts";
import { isKeyOfWrite } from "./write-once.ts";

/** A job of the caller's workspace. @throws Problem job_not_found */
export function jobOf({ context, principal }: ApiRequest, uid: string): JobRow {
  return found(findJobOf(context.control.reader, principal.workspaceId, uid), "job_not_found");
}

/**
 * Has the plan of a job applied. For a plan that was applied before, or is being applied, it returns that job: a second request
 * has no effect. @throws Problem 404, 409 job_not_planned or plan_expired, 422
 */
export async function submitPlan(request: ApiRequest, uid: string): Promise<AcceptedJob> {
  const { context, principal } = request;
  const { config, control, dispatcher } = context;
  const claim = claimOf(request);
  if (claim && isKeyOfWrite(request, claim.key)) throw new Problem("idempotency_key_reused");
  const { writer } = control;
  const job = await whenFree(writer, config.writeWaitMs, () => submit(writer, request, uid, claim));
  dispatcher.kick(principal.workspaceId, job.uid);
  return job;
}

function submit(db: Writer, request: ApiRequest, uid: string, claim: IdempotencyClaim | undefined): AcceptedJob {
  const { workspaceId } = request.principal;
  requireHere(db, request.principal);
  const job = found(findJobOf(db, workspaceId, uid), "job_not_found");
  if (job.plan === null) throw new Problem("job_not_planned");
  const { expiresAt }: PlanNote = JSON.parse(job.plan);
  // The upkeep ends it within the hour.
  if (job.status === "PLANNED" && Date.parse(expiresAt) <= Date.now()) throw new Problem("plan_expired");
  const isReplay = claim !== undefined && claimPlan(db, job, claim);
  const { actor, requestId, note } = causeOf(request);
  queuePlan(db, uid, { actor, requestId, traceId: request.traceId, note });
  return { ...findJobOf(db, workspaceId, uid)!, isReplay };
}
