// /screener-participants, and their import.

import * as v from "valibot";
import { exampleIds, exampleJob } from "../examples.ts";
import { type AnyEndpoint, type ApiRequest, defineEndpoint, ok } from "../http/endpoint.ts";
import { defineList } from "../http/lists.ts";
import { defineRead } from "../http/reads.ts";
import { invalidRequest, Problem } from "../problems.ts";
import { JobReference } from "../schemas.ts";
import { replyWithJob, replyWithJobItself } from "../writes/job-reply.ts";
import { submitJob, submitSpooledJob } from "../writes/submit-job.ts";
import { jobOf } from "../writes/submit-plan.ts";
import { writeOnce } from "../writes/write-once.ts";
import { importJob } from "./job.ts";
import { removeAssignment } from "./remove.ts";
import {
  assignment,
  assignmentList,
  FILE_FORMATS,
  FileParameters,
  type ImportPayload,
  ParticipantImport,
  removedAssignment,
  Undo,
} from "./resource.ts";
import { undoJob } from "./undo/job.ts";

const tag = "Screener participants";

/** What can be undone. */
const UNDOABLE = [importJob.kind, undoJob.kind];

const list = defineList(assignmentList, {
  path: "/screener-participants",
  operationId: "listScreenerParticipants",
  tag,
  summary: "List screener participants",
});

const read = defineRead(assignment, {
  path: "/screener-participants/:id",
  operationId: "getScreenerParticipant",
  tag,
  summary: "Get a screener participant",
  reply: "The screener participant",
  unknown: "screener_participant_not_found",
});

const remove = defineEndpoint({
  method: "delete",
  path: "/screener-participants/:id",
  operationId: "removeScreenerParticipant",
  scopes: ["import"],
  tag,
  summary: "Remove a screener participant",
  description:
    "Removes the assignment of a participant to a screener and archives its sessions. The participant stays, and can be imported again.",
  replies: { 200: { description: "The removed screener participant", schema: removedAssignment.schema } },
  examples: { removed: { reply: removedAssignment.example } },
  problems: ["screener_participant_not_found"],
  handle(request) {
    return writeOnce(request, (db, record) => ok(removeAssignment(db, request.params.id!, record)));
  },
});

const importParticipants = defineEndpoint({
  method: "post",
  path: "/screener-participants-import",
  operationId: "importScreenerParticipants",
  scopes: ["import"],
  tag,
  summary: "Import participants into a screener",
  description:
    "Creates and changes participants, and assigns them to the screener. If one row is wrong, nothing is imported. Rows are " +
    "matched by `externalUid`. For a participant who exists, `email` and `name` may be null or left out, and then do not " +
    "change. `FULL_SYNC` also removes the screener's participants that are not in the payload; if those are more than " +
    "`maxRemovals`, nothing is changed, and the job ends as a plan. With `dryRun` it ends as a plan in any case.",
  isJob: true,
  streamsBody: true,
  body: ParticipantImport,
  parameters: FileParameters,
  bodyFormats: ["json", ...FILE_FORMATS],
  replies: {
    200: {
      description: "One screener participant per row, in the same order",
      schema: v.union([v.array(assignment.schema), JobReference]),
      headers: { Location: "The path of the job" },
    },
  },
  examples: {
    roster: {
      body: {
        screenerId: exampleIds.screener,
        importMode: "UPDATES_ONLY",
        participants: [{ externalUid: "P-17", email: "ada@example.org", name: "Ada Lovelace" }],
      },
      reply: [assignment.example],
    },
    later: {
      summary: "Import without waiting",
      headers: { Prefer: "respond-async" },
      body: {
        screenerId: exampleIds.screener,
        participants: [{ externalUid: "P-18", email: "grace@example.org", name: "Grace Hopper" }],
      },
      status: 202,
      reply: exampleJob,
    },
  },
  problems: ["screener_not_found", "email_taken", "removal_limit_exceeded", "import_budget_exceeded"],
  async handle(request) {
    const job = await submitSpooledJob(request, importJob, fileOf(request));
    return replyWithJob(request, job, (body) => ({ status: 200, body }));
  },
});

/** The format and the settings of a file; empty for JSON. @throws Problem 400 for parameters that are only for CSV */
function fileOf({
  bodyFormat: format,
  parameters,
}: ApiRequest<unknown, v.InferOutput<typeof FileParameters>>): ImportPayload {
  if (format === "json" || !parameters) return {};
  const { columns = {}, attributes } = parameters;
  const forCsv = [
    ...Object.keys(columns).map((heading) => `columns[${heading}]`),
    ...(attributes ? ["attributes"] : []),
  ];
  if (format !== "csv" && forCsv.length)
    throw invalidRequest(forCsv.map((pointer) => ({ pointer, message: "is only for text/csv" })));
  return { format, ...parameters };
}

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

export const assignmentRoutes: AnyEndpoint[] = [list, read, remove, importParticipants, undo];
