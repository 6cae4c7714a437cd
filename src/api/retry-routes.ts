// The endpoint that has a failed job run again.

import { whenFree } from "../../db/sqlite/when-free.ts";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { IDEMPOTENCY_MS } from "../base/idempotency.ts";
import { Problem } from "../base/problems.ts";
import { findJobByIdempotencyKey } from "../engine/ledger/idempotency.ts";
import { findJobOf } from "../engine/ledger/queries.ts";
import { findJobJson, jobResource } from "../engine/ledger/resource.ts";
import { forgetEnd, getRetryable, NoRetry, requeue, retryBlocked } from "../engine/ledger/retry.ts";
import type { DescribedKind } from "../engine/ledger/summaries.ts";
import { type AnyEndpoint, type ApiRequest, causeOf, defineEndpoint, type KeptReply, ok } from "../http/endpoint.ts";
import { trustedTime } from "../workspaces/clock.ts";
import { requireHere } from "../workspaces/moving.ts";
import { isKeyOfWrite, writeOnce } from "../writes/write-once.ts";
import { ACTING, jobToChange } from "./job-scopes.ts";

/** `kinds` are all kinds of jobs, `wiping` those that remove the bodies of others. */
export function retryRoutes(kinds: readonly DescribedKind[], wiping: readonly string[]): AnyEndpoint[] {
  return [
    defineEndpoint({
      method: "post",
      path: "/jobs/:id/retry",
      operationId: "retryJob",
      scopes: ACTING,
      tag: "Jobs",
      summary: "Have a failed job run again",
      description:
        "A job that failed for a reason of the service's own (its problem is a 5xx) and whose body is still kept is queued again, " +
        "under its id, behind the workspace's other jobs. The reply does not wait for its end. A job that was retried before, and " +
        "has not failed since, is the reply: a second request has no effect. One that is set aside (`blocked`) is tried at once, in its position.",
      replies: { 200: { description: "The job", schema: jobResource(kinds).schema } },
      examples: { again: { reply: { ...exampleJob, id: exampleIds.job } } },
      problems: ["job_not_found", "job_not_retryable"],
      handle: (request) => retry(request, wiping),
    }),
  ];
}

async function retry(request: ApiRequest, wiping: readonly string[]): Promise<KeptReply> {
  const { context, principal, idempotencyKey: key } = request;
  const { reader } = context.control;
  const { uid } = jobToChange(request);
  const isKnown =
    key !== undefined &&
    (isKeyOfWrite(request, key) ||
      findJobByIdempotencyKey(reader, principal.workspaceId, key, trustedTime(reader) - IDEMPOTENCY_MS) !== undefined);
  // A key that is known decides by itself what the reply is.
  const refusal = isKnown ? undefined : await runAgain(request, uid, wiping);
  return writeOnce(request, () => {
    if (refusal) throw refusal;
    return ok(findJobJson(reader, principal.workspaceId, uid)!);
  });
}

/** @returns why the job does not run again */
async function runAgain(request: ApiRequest, uid: string, wiping: readonly string[]): Promise<Problem | undefined> {
  const { context, principal } = request;
  const { config, control, dispatcher, workspaces } = context;
  const { writer } = control;
  const retryable = () => {
    const { retried_at, status } = findJobOf(writer, principal.workspaceId, uid)!;
    return retried_at !== null && status !== "FAILED" ? undefined : getRetryable(writer, config.dataDir, uid, wiping);
  };
  try {
    const { blocked_since, status } = findJobOf(writer, principal.workspaceId, uid)!;
    if (blocked_since !== null && status === "QUEUED") {
      await whenFree(writer, config.writeWaitMs, () => {
        requireHere(writer, principal);
        retryBlocked(writer, uid, causeOf(request));
      });
      dispatcher.kick(principal.workspaceId, uid);
      return undefined;
    }
    if (!retryable()) return undefined;
    await workspaces.writeWhenFree(principal.workspaceUid, config.writeWaitMs, (db) => forgetEnd(db, uid));
    await whenFree(writer, config.writeWaitMs, () => {
      requireHere(writer, principal);
      const job = retryable();
      if (job) requeue(writer, job, causeOf(request));
    });
  } catch (error) {
    if (!(error instanceof NoRetry)) throw error;
    return new Problem("job_not_retryable", { detail: error.message });
  }
  dispatcher.kick(principal.workspaceId, uid);
  return undefined;
}
