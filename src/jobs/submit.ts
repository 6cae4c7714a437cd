// Hands a request's work in as a job, and has it on its way before the answer is.

import type { ApiRequest } from "../http/endpoint.ts";
import { isKeyOfWrite } from "../http/once.ts";
import { newId } from "../ids.ts";
import { Problem } from "../problems.ts";
import { acceptJob } from "./accept.ts";
import type { JobRow } from "./queries.ts";

/**
 * Accepts a job of this kind; or finds the one that the same Idempotency-Key has brought before.
 * @param uid for a job whose payload is spooled under its id already
 * @throws Problem 422, 429 or 503
 */
export async function submitJob(request: ApiRequest, kind: string, payload: object, uid = newId()): Promise<JobRow> {
  const { context, principal, idempotency } = request;
  if (idempotency && isKeyOfWrite(request, idempotency.key)) throw new Problem("idempotency_key_reused");
  const { job, isNew } = await acceptJob(context.control.writer, context.config.writeWaitMs, {
    uid,
    kind,
    payload,
    principal,
    idempotency,
  });
  if (isNew) context.dispatcher.kick(principal.workspaceId);
  return job;
}
