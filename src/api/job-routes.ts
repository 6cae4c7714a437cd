// The endpoints of /jobs.

import * as v from "valibot";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { exampleJob, exampleScreenerParticipant } from "../base/examples.ts";
import { Problem } from "../base/problems.ts";
import { findOutcome, resultOf } from "../engine/ledger/outcome.ts";
import { removeFiles, withdraw } from "../engine/ledger/plans.ts";
import { findJobOf, isUnfinished } from "../engine/ledger/queries.ts";
import { findJobJson, jobList, jobResource } from "../engine/ledger/resource.ts";
import type { DescribedKind } from "../engine/ledger/summaries.ts";
import { type AnyEndpoint, type ApiRequest, causeOf, defineEndpoint, found, ok, type Reply } from "../http/endpoint.ts";
import { defineList, turnsOf } from "../http/lists.ts";
import { readPreference } from "../http/wire/request-headers.ts";
import { requireHere } from "../workspaces/moving.ts";
import { ACTING, jobToChange } from "./job-scopes.ts";

const tag = "Jobs";

/** `kinds` are all kinds of jobs. */
export function jobRoutes(kinds: readonly DescribedKind[]): AnyEndpoint[] {
  const { schema, example } = jobResource(kinds);
  const list = defineList(
    jobList(kinds),
    {
      path: "/jobs",
      operationId: "listJobs",
      scopes: ["read", "import"],
      tag,
      summary: "List jobs",
      downloads: null,
      order: "in the order in which they were accepted",
      source: (request) => ({ read: (look) => look(request.context.control.reader), ...turnsOf(request) }),
    },
    (request) => request.principal.workspaceId,
  );
  const read = defineEndpoint({
    method: "get",
    path: "/jobs/:id",
    operationId: "getJob",
    scopes: ["read", "import", "respond", "review"],
    tag,
    summary: "Get a job",
    description:
      "For those who do not wait for a job: ask until `finishedAt` is set. Until then, `Retry-After` says when to ask again.",
    headers: { Prefer: "`wait=N`: answer when the job has ended, after N seconds at the latest (RFC 7240)" },
    replies: { 200: { description: "The job", schema } },
    examples: { done: { reply: example } },
    problems: ["job_not_found"],
    handle: readJob,
  });
  const cancel = defineEndpoint({
    method: "delete",
    path: "/jobs/:id",
    operationId: "cancelJob",
    scopes: ACTING,
    tag,
    summary: "Cancel a job",
    description: "Possible until the job begins to change data. A plan is discarded.",
    replies: { 200: { description: "The cancelled job", schema } },
    examples: {
      cancelled: {
        reply: {
          ...exampleJob,
          status: "CANCELLED",
          problem: new Problem("job_cancelled").document,
          finishedAt: "2026-01-31T12:00:00.300Z",
        },
      },
    },
    problems: ["job_not_found", "job_not_cancellable"],
    handle: cancelJobOf,
  });
  return [list, read, result, cancel];
}

const result = defineEndpoint({
  method: "get",
  path: "/jobs/:id/result",
  operationId: "getJobResult",
  scopes: ["read", "import"],
  tag,
  summary: "Get a job's result",
  description:
    "The body of the reply that the request would have got if it had waited. Kept for a week, unless the service is set otherwise or needs the space earlier.",
  replies: { 200: { description: "The job's result", schema: v.unknown() } },
  examples: { imported: { summary: "The result of an import", reply: [exampleScreenerParticipant] } },
  problems: ["job_not_found", "job_not_finished", "job_not_succeeded", "job_result_gone"],
  handle({ context, principal, params }) {
    const job = found(findJobOf(context.control.reader, principal.workspaceId, params.id!), "job_not_found");
    if (job.finished_at === null) throw new Problem("job_not_finished", { headers: { "Retry-After": "1" } });
    if (job.status !== "SUCCEEDED") throw new Problem("job_not_succeeded");
    return { status: 200, body: resultOf(context.config.dataDir, job) };
  },
});

async function readJob({ context, principal, params, headers }: ApiRequest): Promise<Reply> {
  const { control, waiter } = context;
  const id = params.id!;
  const isOpen = () => found(isUnfinished(control.reader, principal.workspaceId, id), "job_not_found") === 1;
  const { waitSeconds, applied } = readPreference(headers, 0);
  if (isOpen() && waitSeconds) await waiter.wait(id, waitSeconds);
  return control.reader.snapshot(() => ({
    ...ok(found(findJobJson(control.reader, principal.workspaceId, id), "job_not_found")),
    headers: {
      ...(isOpen() && { "Retry-After": "1" }),
      ...(applied?.startsWith("wait=") && { "Preference-Applied": applied }),
    },
  }));
}

async function cancelJobOf(request: ApiRequest): Promise<Reply> {
  const { context, principal } = request;
  const { config, control, dispatcher, workspaces } = context;
  const job = jobToChange(request);
  // After a crash the workspace store may have an outcome that the ledger does not have yet.
  const decided = workspaces.read(principal.workspaceUid, (db) => findOutcome(db, job.uid));
  const { writer } = control;
  const cancelled =
    !decided &&
    (await whenFree(writer, config.writeWaitMs, () => {
      requireHere(writer, principal);
      return withdraw(writer, job, Date.now(), causeOf(request));
    }));
  if (!cancelled) throw new Problem("job_not_cancellable");
  // The body of a running job is removed by its run.
  if (job.status !== "RUNNING") removeFiles(config.dataDir, job);
  dispatcher.kick(principal.workspaceId);
  return ok(findJobJson(control.reader, principal.workspaceId, job.uid)!);
}
