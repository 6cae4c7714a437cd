// Replies to a request whose work is a job: with the job's result if it ends in time, otherwise with the job.

import { replayed } from "../base/idempotency.ts";
import { Problem } from "../base/problems.ts";
import type { AcceptedJob } from "../engine/ledger/accept.ts";
import type { JobRow } from "../engine/ledger/queries.ts";
import { findJobJson } from "../engine/ledger/resource.ts";
import { resultOf } from "../engine/ledger/result.ts";
import { type ApiRequest, KeptReply, ok, type Reply } from "../http/endpoint.ts";
import { readPreference } from "../http/wire/preferences.ts";

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
