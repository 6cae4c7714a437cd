// /jobs

import * as v from "valibot";
import { whenFree } from "../../db/write.ts";
import { type AnyEndpoint, defineEndpoint, found, ok } from "../http/endpoint.ts";
import { ANY_OPERATOR } from "../http/list-query.ts";
import { type Listing, paginated, replyWithList } from "../http/lists.ts";
import { Problem } from "../problems.ts";
import { findJobJson, listJobs, sliceJobs } from "./list.ts";
import { findOutcome } from "./outcome.ts";
import { cancelJob, findJobOf } from "./queries.ts";
import { resultOf } from "./reply.ts";
import { removeSpooled } from "./spool.ts";
import { JOB_KINDS, JOB_STATUSES, JobView, jobColumns } from "./view.ts";

const tag = "Jobs";

const list = defineEndpoint({
  method: "get",
  path: "/jobs",
  operationId: "listJobs",
  tag,
  summary: "List jobs",
  filters: {
    status: { operators: ANY_OPERATOR, values: JOB_STATUSES },
    kind: { operators: ANY_OPERATOR, values: JOB_KINDS },
  },
  replies: {
    200: { description: "One page, in the order in which they were accepted", schema: paginated("Job", JobView) },
  },
  problems: [],
  handle(request) {
    const { context, principal } = request;
    const listing: Listing = {
      kind: "Job",
      name: "jobs",
      page: (db, { filters, page }) => listJobs(db, principal.workspaceId, filters, page),
      slices: (db, { filters }) => sliceJobs(db, principal.workspaceId, filters),
      columns: jobColumns,
    };
    return replyWithList(request, listing, (read) => read(context.control.reader));
  },
});

const read = defineEndpoint({
  method: "get",
  path: "/jobs/:id",
  operationId: "getJob",
  tag,
  summary: "Get a job",
  replies: { 200: { description: "The job", schema: JobView } },
  problems: ["job_not_found"],
  handle({ context, principal, params }) {
    return ok(found(findJobJson(context.control.reader, principal.workspaceId, params.id!), "job_not_found"));
  },
});

const result = defineEndpoint({
  method: "get",
  path: "/jobs/:id/result",
  operationId: "getJobResult",
  tag,
  summary: "Get what a job has made",
  description: "The body that the request would have been answered with, had it waited. Kept for a week.",
  replies: { 200: { description: "The job's result", schema: v.unknown() } },
  problems: ["job_not_found", "job_not_finished", "job_not_succeeded", "job_result_gone"],
  handle({ context, principal, params }) {
    const job = found(findJobOf(context.control.reader, principal.workspaceId, params.id!), "job_not_found");
    if (job.finished_at === null) throw new Problem("job_not_finished", { headers: { "Retry-After": "1" } });
    if (job.status !== "SUCCEEDED") throw new Problem("job_not_succeeded");
    return { status: 200, body: resultOf(context, job) };
  },
});

const cancel = defineEndpoint({
  method: "delete",
  path: "/jobs/:id",
  operationId: "cancelJob",
  tag,
  summary: "Cancel a job",
  description: "As long as it has not begun to change data.",
  replies: { 200: { description: "The job, as cancelled", schema: JobView } },
  problems: ["job_not_found", "job_not_cancellable"],
  async handle({ context, principal, params }) {
    const { config, control, dispatcher, workspaces } = context;
    const job = found(findJobOf(control.reader, principal.workspaceId, params.id!), "job_not_found");
    // After a crash the ledger may not know yet what the workspace does: that the job is done.
    const decided = workspaces.read(principal.workspaceUid, (db) => findOutcome(db, job.uid));
    const problem = JSON.stringify(new Problem("job_cancelled").document);
    const { writer } = control;
    const cancelled =
      !decided && (await whenFree(writer, config.writeWaitMs, () => cancelJob(writer, job.id, problem, Date.now())));
    if (!cancelled) throw new Problem("job_not_cancellable");
    // One that is under way lets go of its body itself.
    if (job.status === "QUEUED") removeSpooled(config.dataDir, job.uid);
    dispatcher.kick(principal.workspaceId);
    return ok(findJobJson(control.reader, principal.workspaceId, job.uid)!);
  },
});

export const jobRoutes: AnyEndpoint[] = [list, read, result, cancel];
