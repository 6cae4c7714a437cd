// /screener-participants, and their import

import { rm } from "node:fs/promises";
import * as v from "valibot";
import { openBody, requireJson } from "../http/body.ts";
import { type AnyEndpoint, defineEndpoint, fingerprintOf, found, ok } from "../http/endpoint.ts";
import { ANY_OPERATOR } from "../http/list-query.ts";
import { paginated, replyWithList } from "../http/lists.ts";
import { writeOnce } from "../http/once.ts";
import { newId } from "../ids.ts";
import { replyWithJob } from "../jobs/reply.ts";
import { spoolPath } from "../jobs/spool.ts";
import { submitJob } from "../jobs/submit.ts";
import { JobView } from "../jobs/view.ts";
import { spoolBody } from "./import/upload.ts";
import { ParticipantImport } from "./input.ts";
import { importJob } from "./job.ts";
import { findAssignmentJson, listAssignments, sliceAssignments } from "./queries.ts";
import { removeAssignment } from "./remove.ts";
import { ASSIGNMENT_STATUSES, AssignmentView, assignmentColumns, RemovedAssignmentView } from "./view.ts";

const tag = "Screener participants";

const list = defineEndpoint({
  method: "get",
  path: "/screener-participants",
  operationId: "listScreenerParticipants",
  tag,
  summary: "List screener participants",
  filters: {
    screenerId: { operators: ANY_OPERATOR, values: "uuid" },
    participantId: { operators: ANY_OPERATOR, values: "uuid" },
    externalParticipantUid: { operators: ANY_OPERATOR, values: "text" },
    status: { operators: ANY_OPERATOR, values: ASSIGNMENT_STATUSES },
  },
  replies: {
    200: { description: "One page, oldest first", schema: paginated("ScreenerParticipant", AssignmentView) },
  },
  problems: [],
  handle(request) {
    return replyWithList(request, {
      kind: "ScreenerParticipant",
      name: "screener-participants",
      page: (db, { filters, page }) => listAssignments(db, filters, page),
      slices: (db, { filters }) => sliceAssignments(db, filters),
      columns: assignmentColumns,
    });
  },
});

const read = defineEndpoint({
  method: "get",
  path: "/screener-participants/:id",
  operationId: "getScreenerParticipant",
  tag,
  summary: "Get a screener participant",
  replies: { 200: { description: "The screener participant", schema: AssignmentView } },
  problems: ["screener_participant_not_found"],
  handle({ context, principal, params }) {
    const json = context.workspaces.read(principal.workspaceUid, (db) => findAssignmentJson(db, params.id!));
    return ok(found(json, "screener_participant_not_found"));
  },
});

const remove = defineEndpoint({
  method: "delete",
  path: "/screener-participants/:id",
  operationId: "removeScreenerParticipant",
  tag,
  summary: "Remove a screener participant",
  description:
    "Removes the link between screener and participant. The participant stays, and can be imported again. Its sessions are archived.",
  replies: { 200: { description: "The screener participant, as removed", schema: RemovedAssignmentView } },
  problems: ["screener_participant_not_found"],
  handle(request) {
    return writeOnce(request, (db) => ok(removeAssignment(db, request.params.id!)));
  },
});

const importParticipants = defineEndpoint({
  method: "post",
  path: "/screener-participants-import",
  operationId: "importScreenerParticipants",
  tag,
  summary: "Import participants into a screener",
  description:
    "All of it, or nothing. Rows are matched by `externalUid`; `email` and `name` may be left out (or null) where the participant " +
    "exists, and then stay as they are. `FULL_SYNC` also removes the screener's participants that are absent.",
  isJob: true,
  streamsBody: true,
  body: ParticipantImport,
  replies: {
    200: { description: "One screener participant a row, in the payload's order", schema: v.array(AssignmentView) },
    202: { description: "The job, when it is not done in time", schema: JobView, headers: { Location: "The job" } },
  },
  problems: ["screener_not_found", "email_taken"],
  async handle(request) {
    const { context, incoming, idempotencyKey, method, path } = request;
    const { dataDir, importMaxBytes } = context.config;
    requireJson(incoming);
    const uid = newId();
    const spooled = spoolPath(dataDir, uid);
    const bodyHash = await spoolBody(openBody(incoming, importMaxBytes), spooled);
    if (idempotencyKey !== undefined) {
      request.idempotency = { key: idempotencyKey, fingerprint: fingerprintOf(method, path, bodyHash) };
    }
    const job = await submitJob(request, importJob.kind, {}, uid).catch(async (error: unknown) => {
      await rm(spooled, { force: true });
      throw error;
    });
    // The same key and body came before: this body is not needed.
    if (job.uid !== uid) await rm(spooled, { force: true });
    return replyWithJob(request, job, (body) => ({ status: 200, body }));
  },
});

export const assignmentRoutes: AnyEndpoint[] = [list, read, remove, importParticipants];
