// Replies to a request whose work is a job: with the job's result if it ends in time, otherwise with the job.

import { type ApiRequest, KeptReply, type Reply } from "../http/endpoint.ts";
import { readPreference } from "../http/preferences.ts";
import type { JobRow } from "../jobs/queries.ts";
import { findJobJson } from "../jobs/resource.ts";
import { resultOf } from "../jobs/result.ts";

/** Waits for `job` as long as the caller prefers. `success` makes the reply from the result. @throws Problem the job's */
export async function replyWithJob(
  { context, principal, headers }: ApiRequest,
  job: JobRow,
  success: (body: Reply["body"]) => Reply,
): Promise<KeptReply> {
  const { config, control, waiter } = context;
  const { waitSeconds, applied } = readPreference(headers, config.syncWaitSeconds);
  const preference: Record<string, string> = applied ? { "Preference-Applied": applied } : {};
  const isEnded = job.finished_at !== null;
  const ended = waitSeconds === 0 ? undefined : isEnded ? job : await waiter.wait(job.uid, waitSeconds);
  if (!ended) {
    return new KeptReply({
      status: 202,
      body: findJobJson(control.reader, principal.workspaceId, job.uid)!,
      headers: { Location: `/jobs/${job.uid}`, "Retry-After": "1", ...preference },
    });
  }
  const reply = success(resultOf(config.dataDir, ended));
  return new KeptReply({ ...reply, headers: { ...reply.headers, ...preference } });
}
