// /jobs/{id}/undo

import * as v from "valibot";
import { exampleJob } from "../base/examples.ts";
import { Problem } from "../base/problems.ts";
import { closedObject, JobReference } from "../base/schemas.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { undoJob } from "../imports/undo/job.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { undoOf } from "./job-kinds.ts";
import { ACTING, jobToChange } from "./job-scopes.ts";

const Undo = v.pipe(
  closedObject({ dryRun: v.optional(v.nullable(v.boolean("must be true, false or null"))) }),
  v.title("JobUndo"),
);

const undo = defineEndpoint({
  method: "post",
  path: "/jobs/:id/undo",
  operationId: "undoJob",
  scopes: ACTING,
  tag: "Jobs",
  summary: "Undo an import, or a move of links",
  description:
    "Takes back what an import did: removed assignments come back with their ids, statuses, sessions and links, changed " +
    "participants get their former values, and what was created goes. Or what a move of links did: links that nobody has " +
    "opened go back to their publication. What was touched since stays: its rows are `KEPT`, with the reason. Possible for 30 " +
    "days. It is a job of its own, which can be a dry run, and can be undone. It takes the scope that the job took.",
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
        summary: { rows: 1, reverted: 1, kept: 0, leaving: 1, returning: 0, changedBack: 0 },
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
    const job = jobToChange(request);
    const kind = undoOf(job.kind);
    if (job.status !== "SUCCEEDED" || !kind) throw new Problem("job_not_undoable");
    const { uid: jobId, screener_uid: screenerId } = job;
    const submitted = await submitJob(request, kind, { jobId, screenerId, dryRun: request.body.dryRun ?? false });
    return replyWithJobItself(request, submitted);
  },
});

export const undoRoutes: AnyEndpoint[] = [undo];
