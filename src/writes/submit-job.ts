// Submits a request's work as a job, and starts to deliver it before the reply.

import { rm } from "node:fs/promises";
import { newId } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { MAX_SHORT_BYTES } from "../engine/files/body.ts";
import { receiveBody, spoolPath } from "../engine/files/spool.ts";
import { type AcceptedJob, acceptJob, dropUnaccepted } from "../engine/ledger/accept.ts";
import { findLater } from "../engine/ledger/idempotency.ts";
import type { JobKind } from "../engine/run/define-job.ts";
import { type ApiRequest, claimOf } from "../http/endpoint.ts";
import { piecesOf } from "../http/wire/body.ts";
import { isKeyOfWrite } from "./write-once.ts";

/**
 * Accepts a job of this kind, or finds the earlier one with the same Idempotency-Key.
 * @param spooled the job's id and the length of its body, if that has come in already; and the body, if it is not in the spool
 * @throws Problem 422, 429 or 503
 */
export async function submitJob<Payload>(
  request: ApiRequest,
  kind: JobKind<Payload>,
  payload: Payload,
  { uid, bytes, body }: { uid: string; bytes?: number; body?: Uint8Array | undefined } = { uid: newId() },
): Promise<AcceptedJob> {
  const { context, principal } = request;
  // For a lost store no job is accepted, and no earlier job is shown: its rows are not there.
  context.workspaces.read(principal.workspaceUid, () => {});
  const idempotency = claimOf(request);
  if (idempotency && isKeyOfWrite(request, idempotency.key)) throw new Problem("idempotency_key_reused");
  const job = await acceptJob(context.control.writer, context.config.writeWaitMs, {
    uid,
    kind: kind.kind,
    payload: kind.check(payload),
    screenerId: kind.screenerOf(payload),
    principal,
    idempotency,
    requestId: request.requestId,
    traceId: request.traceId,
    note: request.note,
    spooledBytes: bytes,
    body,
  });
  if (!job.isReplay) context.dispatcher.kick(principal.workspaceId, job.uid);
  return job;
}

/**
 * Like submitJob, but first takes in the request's body. @param superseding kinds of jobs that change what such a job did
 * @throws also Problem 400, 401, 408, 413
 */
export async function submitSpooledJob<Payload>(
  request: ApiRequest,
  kind: JobKind<Payload>,
  payload: Payload,
  superseding: readonly string[],
): Promise<AcceptedJob> {
  const { config, control, spoolBudget } = request.context;
  const uid = newId();
  const path = spoolPath(config.dataDir, uid);
  const upload = spoolBudget.begin(request.principal.workspaceId, uid);
  try {
    const body = piecesOf(request.incoming, config.importMaxBytes, request.confirm, request.bodyFormat);
    const { hash, short } = await receiveBody(upload.count(body), path, MAX_SHORT_BYTES);
    let job: AcceptedJob;
    try {
      job = await submitJob({ ...request, bodyHash: hash }, kind, payload, { uid, bytes: upload.bytes, body: short });
    } catch (error) {
      dropUnaccepted(config.dataDir, request.context.control, uid, error);
      throw error;
    }
    // The body of a replayed request is not needed.
    if (job.uid !== uid && !short) await rm(path, { force: true });
    return job.isReplay ? { ...job, supersededBy: findLater(control.reader, job, superseding) } : job;
  } finally {
    upload.end();
  }
}
