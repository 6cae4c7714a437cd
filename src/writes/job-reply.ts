// Replies to a request whose work is a job: with the job's result if it ends in time, otherwise with the job.

import { type ApiRequest, KeptReply, type Reply } from "../http/endpoint.ts";
import { readPreference } from "../http/preferences.ts";
import { REPLAYED } from "../idempotency.ts";
import type { AcceptedJob } from "../jobs/accept.ts";
import { findJobJson } from "../jobs/resource.ts";
import { resultOf } from "../jobs/result.ts";
import { Problem } from "../problems.ts";

/** Waits for `job` as long as the caller prefers. `success` makes the reply from the result. @throws Problem the job's */
export async function replyWithJob(
  { context, principal, headers }: ApiRequest,
  job: AcceptedJob,
  success: (body: Reply["body"]) => Reply,
): Promise<KeptReply> {
  const { config, control, waiter } = context;
  const { waitSeconds, applied } = readPreference(headers, config.syncWaitSeconds);
  const all = { ...(applied && { "Preference-Applied": applied }), ...(job.isReplay && REPLAYED) };
  const isEnded = job.finished_at !== null;
  const ended = waitSeconds === 0 ? undefined : isEnded ? job : await waiter.wait(job.uid, waitSeconds);
  const path = `/jobs/${job.uid}`;
  if (!ended) {
    return new KeptReply({
      status: 202,
      body: findJobJson(control.reader, principal.workspaceId, job.uid)!,
      headers: { Location: path, "Retry-After": "1", ...all },
    });
  }
  try {
    const reply = success(resultOf(config.dataDir, ended));
    // Of a 201, `Location` is the new resource.
    const named = reply.status === 201 ? { Link: `<${path}>; rel="monitor"` } : { Location: path };
    return new KeptReply({ ...reply, headers: { ...named, ...reply.headers, ...all } });
  } catch (error) {
    throw error instanceof Problem ? error.withHeaders(all) : error;
  }
}
