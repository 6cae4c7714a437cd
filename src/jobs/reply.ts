// Answers a request whose work is a job: with what the job has made, when it ends in time, or with the job itself.

import type { Context } from "../context.ts";
import type { ApiRequest, Reply } from "../http/endpoint.ts";
import { readPreference } from "../http/preferences.ts";
import { Problem } from "../problems.ts";
import { findJobJson } from "./list.ts";
import type { JobRow } from "./queries.ts";
import { openResult } from "./result-file.ts";

/** Waits for `job` as long as the caller prefers, and answers. `success` is what a job that succeeded is answered with. */
export async function replyWithJob(
  request: ApiRequest,
  job: JobRow,
  success: (body: Reply["body"]) => Reply,
): Promise<Reply> {
  const { context, principal, headers } = request;
  const preference = readPreference(headers, context.config.syncWaitSeconds);
  const applied: Record<string, string> = preference.applied ? { "Preference-Applied": preference.applied } : {};
  const ended = preference.waitSeconds > 0 ? await endOf(context, job, preference.waitSeconds) : undefined;
  if (!ended) {
    return {
      status: 202,
      body: findJobJson(context.control.reader, principal.workspaceId, job.uid)!,
      headers: { Location: `/jobs/${job.uid}`, "Retry-After": "1", ...applied },
    };
  }
  const reply = success(resultOf(context, ended));
  return { ...reply, headers: { ...reply.headers, ...applied } };
}

/** What a job has made. @throws Problem the very one that the job carries, when it failed */
export function resultOf({ config }: Context, job: JobRow): Reply["body"] {
  if (job.problem !== null) throw Problem.fromDocument(JSON.parse(job.problem));
  if (job.result_file !== null) return openResult(config.dataDir, job.result_file);
  if (job.result !== null) return job.result;
  throw new Problem("job_result_gone");
}

async function endOf({ waiter }: Context, job: JobRow, seconds: number): Promise<JobRow | undefined> {
  return job.finished_at === null ? waiter.wait(job.uid, seconds) : job;
}
