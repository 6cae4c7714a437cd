// /screener-sessions

import * as v from "valibot";
import { type AnyEndpoint, created, defineEndpoint, found, ok } from "../http/endpoint.ts";
import { ANY_OPERATOR } from "../http/list-query.ts";
import { paginated, replyWithList } from "../http/lists.ts";
import { writeOnce } from "../http/once.ts";
import { replyWithJob } from "../jobs/reply.ts";
import { submitJob } from "../jobs/submit.ts";
import { JobView } from "../jobs/view.ts";
import { NewResponses, NewSession } from "./input.ts";
import { openingJob } from "./job.ts";
import { openSession, removeSession } from "./lifecycle.ts";
import { findSessionJson, getSession, listSessions, sliceRoster } from "./queries.ts";
import { submit } from "./submit.ts";
import { appUrl, rosterColumns, SESSION_STATES, SESSION_STATUSES, SessionView } from "./view.ts";

const tag = "Sessions";

const list = defineEndpoint({
  method: "get",
  path: "/screener-sessions",
  operationId: "listScreenerSessions",
  tag,
  summary: "List sessions",
  description:
    "As a whole, in CSV or NDJSON, it is the roster, which links are mailed from: each session with the participant's `name`, `email` and " +
    "`externalParticipantUid`, `screenerParticipantStatus` (`REMOVED` when the screener participant is no more), and the `shortLink`.",
  filters: {
    id: { operators: ANY_OPERATOR, values: "uuid" },
    screenerId: { operators: ANY_OPERATOR, values: "uuid" },
    screenerParticipantId: { operators: ANY_OPERATOR, values: "uuid" },
    status: { operators: ANY_OPERATOR, values: SESSION_STATUSES },
    state: { operators: ANY_OPERATOR, values: SESSION_STATES },
  },
  replies: { 200: { description: "One page, oldest first", schema: paginated("ScreenerSession", SessionView) } },
  problems: [],
  handle(request) {
    const url = appUrl(request.context.config.publicUrl, request.principal.workspaceUid);
    return replyWithList(request, {
      kind: "ScreenerSession",
      name: "screener-sessions",
      page: (db, { filters, page }) => listSessions(db, url, filters, page),
      slices: (db, { filters }) => sliceRoster(db, url, filters),
      columns: rosterColumns,
    });
  },
});

const open = defineEndpoint({
  method: "post",
  path: "/screener-sessions",
  operationId: "openScreenerSession",
  tag,
  summary: "Open a session for a screener participant, or for all of a screener who have none",
  description:
    "On the screener's active publication. With `screenerParticipantId`: that participant's. Where there is an open one already, that " +
    "one is given. With `screenerId` instead: one for every screener participant without a session (sessions that were removed don't " +
    "count), by a job, all or nothing. It is answered with the sessions that it has opened, in the order of the screener participants; " +
    "none, when all have one.",
  isJob: true,
  body: NewSession,
  replies: {
    200: {
      description: "The session that is open already; or the new sessions, for a screener",
      schema: v.union([SessionView, v.array(SessionView)]),
    },
    201: { description: "The new session", schema: SessionView, headers: { Location: "Where it is" } },
    202: { description: "The job, when it is not done in time", schema: JobView, headers: { Location: "The job" } },
  },
  problems: ["screener_not_found", "screener_participant_not_found", "screener_not_published", "quota_reached"],
  async handle(request) {
    const { context, principal, body } = request;
    const url = appUrl(context.config.publicUrl, principal.workspaceUid);
    const { screenerId, screenerParticipantId } = body;
    if (screenerId !== undefined && screenerId !== null) {
      const job = await submitJob(request, openingJob.kind, { screenerId, appUrl: url });
      return replyWithJob(request, job, (sessions) => ({ status: 200, body: sessions }));
    }
    return writeOnce(request, (db) => {
      const { uid, isNew } = openSession(db, screenerParticipantId!);
      const json = findSessionJson(db, url, uid)!;
      return isNew ? created(json, `/screener-sessions/${uid}`) : ok(json);
    });
  },
});

const read = defineEndpoint({
  method: "get",
  path: "/screener-sessions/:id",
  operationId: "getScreenerSession",
  tag,
  summary: "Get a session",
  replies: { 200: { description: "The session", schema: SessionView } },
  problems: ["screener_session_not_found"],
  handle({ context, principal, params }) {
    const url = appUrl(context.config.publicUrl, principal.workspaceUid);
    const json = context.workspaces.read(principal.workspaceUid, (db) => findSessionJson(db, url, params.id!));
    return ok(found(json, "screener_session_not_found"));
  },
});

const remove = defineEndpoint({
  method: "delete",
  path: "/screener-sessions/:id",
  operationId: "removeScreenerSession",
  tag,
  summary: "Remove a session",
  description: "Clears its progress. The record and its responses are kept, and stay readable.",
  replies: { 200: { description: "The session, as removed", schema: SessionView } },
  problems: ["screener_session_not_found"],
  handle(request) {
    const { context, principal, params } = request;
    const url = appUrl(context.config.publicUrl, principal.workspaceUid);
    return writeOnce(request, (db) => {
      removeSession(db, params.id!);
      return ok(findSessionJson(db, url, params.id!)!);
    });
  },
});

const answer = defineEndpoint({
  method: "post",
  path: "/screener-sessions/:id/responses",
  operationId: "submitScreenerResponses",
  tag,
  summary: "Answer questions of a session",
  description:
    "The same as the participant's page does: the same checks, all or nothing. Answering again replaces. With `complete` " +
    "the session ends, and everything that is required must be there. It may also end before: by the condition of a page that disqualifies, as " +
    "soon as the page is over, because all that it shows was answered or skipped (null), or a later page has an answer.",
  body: NewResponses,
  replies: { 200: { description: "The session as it is now", schema: SessionView } },
  problems: ["screener_session_not_found", "session_closed", "session_completed", "quota_reached"],
  handle(request) {
    const { context, principal, params, body } = request;
    const url = appUrl(context.config.publicUrl, principal.workspaceUid);
    return writeOnce(request, (db) => {
      submit(db, context.published, getSession(db, params.id!), {
        answers: body.responses.map(({ screenerQuestionId, answer: given = null }, index) => ({
          questionId: screenerQuestionId,
          answer: { raw: given },
          pointers: {
            question: `/responses/${index}/screenerQuestionId`,
            answer: `/responses/${index}/answer`,
          },
        })),
        complete: body.complete ?? false,
      });
      return ok(findSessionJson(db, url, params.id!)!);
    });
  },
});

export const sessionRoutes: AnyEndpoint[] = [list, open, read, remove, answer];
