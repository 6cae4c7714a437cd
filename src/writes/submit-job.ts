// Submits a request's work as a job, and starts to deliver it before the reply. The reply has the job's result if it ends in time,
// otherwise the job.

import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncPath } from "../../db/sqlite/folders.ts";
import { replayed } from "../base/idempotency.ts";
import { newId } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { MAX_SHORT_BYTES, receiveBody, spoolPath } from "../engine/files/bodies.ts";
import { type AcceptedJob, acceptJob, dropUnaccepted } from "../engine/ledger/accept.ts";
import { findLater } from "../engine/ledger/idempotency.ts";
import { resultOf } from "../engine/ledger/outcome.ts";
import type { JobRow } from "../engine/ledger/queries.ts";
import { findJobJson } from "../engine/ledger/resource.ts";
import type { JobKind } from "../engine/run/define-job.ts";
import { type ApiRequest, claimOf, KeptReply, ok, type Reply } from "../http/endpoint.ts";
import { piecesOf } from "../http/wire/body.ts";
import { readPreference } from "../http/wire/request-headers.ts";
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

/** What was made of a body: its length, and what the job keeps beside it. */
interface Made<Payload> {
  bytes: number;
  payload: Payload;
}

type Convert<Payload> = (from: string, to: string) => Promise<Made<Payload>>;

/**
 * Like submitJob, but first takes in the request's body. @param superseding kinds of jobs that change what such a job did
 * @param convert makes the job's body of what has come in: a new file, synced; and what the job keeps beside it
 * @throws also Problem 400, 401, 408, 413
 */
export async function submitSpooledJob<Payload>(
  request: ApiRequest,
  kind: JobKind<Payload>,
  payload: Payload,
  superseding: readonly string[],
  convert?: Convert<Payload>,
): Promise<AcceptedJob> {
  const { config, control, spoolBudget } = request.context;
  const uid = newId();
  const path = spoolPath(config.dataDir, uid);
  const upload = spoolBudget.begin(request.principal.workspaceId, uid);
  try {
    const body = piecesOf(request.incoming, config.importMaxBytes, request.confirm, request.bodyFormat);
    const { hash, short } = await receiveBody(upload.count(body), path, convert ? 0 : MAX_SHORT_BYTES);
    let job: AcceptedJob;
    try {
      const made = convert ? await converted(path, convert) : { bytes: upload.bytes, payload };
      const { bytes } = made;
      job = await submitJob({ ...request, bodyHash: hash }, kind, made.payload, { uid, bytes, body: short });
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

/** Puts what is made of a body in its place. */
async function converted<Payload>(path: string, convert: Convert<Payload>): Promise<Made<Payload>> {
  const to = `${path}.made`;
  try {
    const made = await convert(path, to);
    await rename(to, path);
    await syncPath(dirname(path));
    return made;
  } finally {
    await rm(to, { force: true });
  }
}

/** Waits for `job` as long as the caller prefers. `success` makes the reply from the result. @throws Problem the job's */
export async function replyWithJob(
  request: ApiRequest,
  job: AcceptedJob,
  success: (body: Reply["body"]) => Reply,
): Promise<KeptReply> {
  return replyWhenEnded(request, job, (ended) => {
    if (ended.status === "PLANNED" && ended.problem === null) return ok(jsonOf(request, job));
    return success(resultOf(request.context.config.dataDir, ended));
  });
}

/** Waits for `job` as long as the caller prefers, and replies with the job. @throws Problem the job's */
export async function replyWithJobItself(request: ApiRequest, job: AcceptedJob): Promise<KeptReply> {
  return replyWhenEnded(request, job, ({ problem }) => {
    if (problem !== null) throw Problem.fromDocument({ ...JSON.parse(problem), jobId: job.uid });
    return ok(jsonOf(request, job));
  });
}

async function replyWhenEnded(
  { context, headers, ...request }: ApiRequest,
  job: AcceptedJob,
  replyOf: (ended: JobRow) => Reply,
): Promise<KeptReply> {
  const { config, waiter } = context;
  const { waitSeconds, applied } = readPreference(headers, config.syncWaitSeconds);
  const all = { ...(applied && { "Preference-Applied": applied }), ...(job.isReplay && replayed(job.supersededBy)) };
  const isEnded = job.finished_at !== null;
  const ended = waitSeconds === 0 ? undefined : isEnded ? job : await waiter.wait(job.uid, waitSeconds);
  const path = `/jobs/${job.uid}`;
  const link = { Link: `<${path}>; rel="monitor"` };
  if (!ended) {
    return new KeptReply({
      status: 202,
      body: jsonOf({ context, ...request }, job),
      headers: { Location: path, "Retry-After": "1", ...all },
    });
  }
  const warned = warnedOf(ended, link);
  try {
    const reply = replyOf(ended);
    // `Location` of a 201 is the new resource.
    const named = reply.status === 201 ? link : { Location: path };
    return new KeptReply({ ...reply, headers: { ...named, ...reply.headers, ...warned, ...all } });
  } catch (error) {
    throw error instanceof Problem ? error.withHeaders({ ...warned, ...all }) : error;
  }
}

/** The headers that say that the job has warnings, and where: a reply with the result does not show them. */
function warnedOf({ warnings }: JobRow, link: { Link: string }): Record<string, string> {
  return warnings === null ? {} : { "Job-Warnings": String(JSON.parse(warnings).length), ...link };
}

function jsonOf({ context, principal }: Pick<ApiRequest, "context" | "principal">, job: JobRow): string {
  return findJobJson(context.control.reader, principal.workspaceId, job.uid)!;
}
