// What exports and erases all about a participant, and erases the answers of a session that the participant has withdrawn.

import * as v from "valibot";
import { exampleIds, exampleJob } from "../base/examples.ts";
import { closedObject, id, JobReference, shortArray } from "../base/schemas.ts";
import { recordDownload } from "../http/downloads.ts";
import { type AnyEndpoint, defineEndpoint, found, ok } from "../http/endpoint.ts";
import { getParticipant } from "../nouns/participants/queries.ts";
import { participant } from "../nouns/participants/resource.ts";
import { getScreenerUid } from "../nouns/screeners/queries.ts";
import { appUrlOf } from "../nouns/sessions/resource.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { answersErasureJob, erasureJob, getWithdrawn } from "./erasure-job.ts";
import { erasureOfManyJob, MAX_ERASED } from "./erasure-of-many.ts";
import { exampleExport, exportParticipant, ParticipantExport } from "./person-export.ts";

const tag = "Participants";

const exportAll = defineEndpoint({
  method: "get",
  path: "/participants/:id/export",
  operationId: "exportParticipant",
  scopes: ["read"],
  tag,
  summary: "Export all about a participant",
  description:
    "Everything that is kept about one person: the participant, screener participants, sessions, answers with their questions, " +
    "and what imports did, as long as it is kept to undo them.",
  replies: { 200: { description: "Everything about the participant", schema: ParticipantExport } },
  examples: { all: { reply: exampleExport } },
  problems: ["participant_not_found"],
  async handle(request) {
    const { context, principal, params } = request;
    const input = { workspaceUid: principal.workspaceUid, participantUid: params.id!, appUrl: appUrlOf(request) };
    const exported = found(await context.pool.ask(exportParticipant, input), "participant_not_found");
    const resource = { type: participant.type, uid: params.id! };
    await recordDownload(request, { data: "PERSON", resource }, { rows: 1, isWhole: true });
    return ok(exported);
  },
});

const erase = defineEndpoint({
  method: "delete",
  path: "/participants/:id",
  operationId: "eraseParticipant",
  scopes: ["admin"],
  tag,
  summary: "Erase a participant",
  description:
    "Erases the person: name, email, `externalUid`, attributes, screener participants, sessions with their links, answers, and " +
    "what is kept of them elsewhere, such as in results of imports. Nothing brings the participant back. Places that were " +
    "taken in a quota stay taken. It waits behind the jobs that were accepted before.",
  isJob: true,
  replies: {
    200: { description: "The job, which is done", schema: JobReference, headers: { Location: "The path of the job" } },
  },
  examples: {
    erased: {
      reply: {
        ...exampleJob,
        kind: erasureJob.kind,
        status: "SUCCEEDED",
        summary: { participants: 1, screenerParticipants: 1, sessions: 1, responses: 4, jobs: 1 },
        finishedAt: "2026-01-31T12:00:00.300Z",
      },
    },
  },
  problems: ["participant_not_found"],
  async handle(request) {
    const { context, principal, params } = request;
    const { uid } = context.workspaces.read(principal.workspaceUid, (db) => getParticipant(db, params.id!));
    return replyWithJobItself(request, await submitJob(request, erasureJob, { participantId: uid }));
  },
});

const eraseMany = defineEndpoint({
  method: "post",
  path: "/participants-erasure",
  operationId: "eraseParticipants",
  scopes: ["admin"],
  tag,
  summary: "Erase many participants",
  description:
    "Erases those who are named, one after the other, each as by itself. They can’t be brought back. Who is not there, or no longer, is SKIPPED. " +
    "With `dryRun` it ends as a plan, which shows their `externalUid` and can be applied. It can't be undone, nor cancelled once it has begun.",
  isJob: true,
  body: v.pipe(
    closedObject({
      participantIds: shortArray(id, MAX_ERASED, "must name a participant"),
      dryRun: v.optional(v.nullable(v.boolean("must be true, false or null"))),
    }),
    v.title("ParticipantsErasure"),
  ),
  replies: {
    200: {
      description: "The job that erased them, or its plan",
      schema: JobReference,
      headers: { Location: "The path of the job" },
    },
  },
  examples: {
    preview: {
      summary: "Show who would be erased",
      body: { participantIds: [exampleIds.participant], dryRun: true },
      reply: {
        ...exampleJob,
        kind: erasureOfManyJob.kind,
        status: "PLANNED",
        summary: { rows: 1, erased: 1, skipped: 0 },
        plan: { reason: "DRY_RUN", expiresAt: "2026-02-07T12:00:00.000Z" },
      },
    },
  },
  problems: [],
  async handle(request) {
    const { participantIds, dryRun } = request.body;
    const payload = { participantIds: [...new Set(participantIds)], dryRun: dryRun ?? false };
    return replyWithJobItself(request, await submitJob(request, erasureOfManyJob, payload));
  },
});

const eraseAnswers = defineEndpoint({
  method: "delete",
  path: "/screener-sessions/:id/responses",
  operationId: "eraseScreenerResponses",
  scopes: ["admin"],
  tag: "Sessions",
  summary: "Erase the answers of a session that was withdrawn",
  description:
    "With the times that pages were open, and which quotas it was in. They can’t be brought back. The session stays, with `withdrawnAt`, " +
    "`answersErasedAt` and `withdrawnConsents`: what had been agreed to, as hash and time. The summary of the job says how many answers " +
    "there were.",
  isJob: true,
  replies: {
    200: { description: "The job, which is done", schema: JobReference, headers: { Location: "The path of the job" } },
  },
  examples: {
    erased: {
      reply: {
        ...exampleJob,
        kind: answersErasureJob.kind,
        status: "SUCCEEDED",
        screenerId: exampleIds.screener,
        summary: { responses: 1 },
        finishedAt: "2026-01-31T12:00:00.300Z",
      },
    },
  },
  problems: ["screener_session_not_found", "session_not_withdrawn"],
  async handle(request) {
    const { context, principal, params } = request;
    const payload = context.workspaces.read(principal.workspaceUid, (db) => {
      const { uid, screener_id } = getWithdrawn(db, params.id!);
      return { screenerId: getScreenerUid(db, screener_id), sessionId: uid };
    });
    return replyWithJobItself(request, await submitJob(request, answersErasureJob, payload));
  },
});

export const personActions: AnyEndpoint[] = [exportAll, erase, eraseMany, eraseAnswers];
