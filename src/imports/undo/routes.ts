// /jobs/{id}/undo

import { exampleJob } from "../../base/examples.ts";
import { Problem } from "../../base/problems.ts";
import { JobReference } from "../../base/schemas.ts";
import { type AnyEndpoint, defineEndpoint } from "../../http/endpoint.ts";
import { Undo } from "../../nouns/screener-participants/resource.ts";
import { replyWithJobItself } from "../../writes/job-reply.ts";
import { submitJob } from "../../writes/submit-job.ts";
import { jobOf } from "../../writes/submit-plan.ts";
import { UNDOABLE } from "../effects.ts";
import { undoJob } from "./job.ts";

const undo = defineEndpoint({
  method: "post",
  path: "/jobs/:id/undo",
  operationId: "undoJob",
  scopes: ["import"],
  tag: "Jobs",
  summary: "Undo an import",
  description:
    "Takes back what an import did, or what an undo did: removed assignments come back with their ids, statuses, sessions and " +
    "links, changed participants get their former values, and what was created goes. What was touched since stays: its rows " +
    "are `KEPT`, with the reason. Possible for 30 days. It is a job of its own, which can be a dry run, and can be undone.",
  isJob: true,
  body: Undo,
  bodyIsOptional: true,
  replies: {
    200: {
      description: "The job that undid the other one, or its plan",
      schema: JobReference,
      headers: { Location: "The path of the job" },
    },
  },
  examples: {
    undo: {
      body: { dryRun: false },
      reply: {
        ...exampleJob,
        kind: undoJob.kind,
        status: "SUCCEEDED",
        summary: { reverted: 1, kept: 0 },
        finishedAt: "2026-01-31T12:00:00.300Z",
      },
    },
    preview: {
      summary: "Show what undoing would do",
      body: { dryRun: true },
      reply: {
        ...exampleJob,
        kind: undoJob.kind,
        status: "PLANNED",
        plan: { reason: "DRY_RUN", expiresAt: "2026-02-01T12:00:00.000Z" },
      },
    },
  },
  problems: ["job_not_found", "job_not_undoable", "undo_gone"],
  async handle(request) {
    const job = jobOf(request, request.params.id!);
    if (job.status !== "SUCCEEDED" || !UNDOABLE.includes(job.kind)) throw new Problem("job_not_undoable");
    const { uid: jobId, screener_uid: screenerId } = job;
    const submitted = await submitJob(request, undoJob, { jobId, screenerId, dryRun: request.body.dryRun ?? false });
    return replyWithJobItself(request, submitted);
  },
});

export const undoRoutes: AnyEndpoint[] = [undo];
