// /screener-sessions

import * as v from "valibot";
import { exampleIds } from "../examples.ts";
import { type AnyEndpoint, created, defineEndpoint, ok } from "../http/endpoint.ts";
import { defineList } from "../http/lists.ts";
import { defineRead } from "../http/reads.ts";
import { replyWithJob } from "../writes/job-reply.ts";
import { submitJob } from "../writes/submit-job.ts";
import { writeOnce } from "../writes/write-once.ts";
import { openingJob } from "./job.ts";
import { openSession, removeSession } from "./lifecycle.ts";
import { appUrlOf, NewSession, session, sessionList } from "./resource.ts";

const tag = "Sessions";

const list = defineList(
  sessionList,
  {
    path: "/screener-sessions",
    operationId: "listScreenerSessions",
    tag,
    summary: "List sessions",
    description:
      "The whole list, as CSV or NDJSON, is the roster, for mailing the links: each session with the participant's `name`, `email` and " +
      "`externalParticipantUid`, `screenerParticipantStatus` (`REMOVED` if the screener participant was removed), and the `shortLink`.",
  },
  appUrlOf,
);

const open = defineEndpoint({
  method: "post",
  path: "/screener-sessions",
  operationId: "openScreenerSession",
  scopes: ["respond"],
  tag,
  summary: "Open a session for one screener participant, or for all of a screener without one",
  description:
    "Sessions open on the screener's active publication. With `screenerParticipantId`, opens that screener participant's session, or " +
    "returns the one that is open already. With `screenerId` instead, opens one for every screener participant without a session " +
    "(removed sessions don't count), as a job, all or nothing. The result is the new sessions, in the order of the screener " +
    "participants; an empty array if all have a session.",
  isJob: true,
  body: NewSession,
  replies: {
    200: {
      description: "The session that was open already; or the new sessions of a screener",
      schema: v.union([session.schema, v.array(session.schema)]),
      headers: { "Location?": "The path of the job, where there is one" },
    },
    201: { description: "The new session", schema: session.schema, headers: { Location: "Where it is" } },
  },
  examples: {
    one: {
      summary: "Open the session of one screener participant",
      body: { screenerParticipantId: exampleIds.screenerParticipant },
      status: 201,
      reply: session.example,
    },
    all: {
      summary: "Open a session for everybody who has none",
      body: { screenerId: exampleIds.screener },
      status: 200,
      reply: [session.example],
    },
  },
  problems: [
    "screener_not_found",
    "screener_participant_not_found",
    "screener_closed",
    "screener_not_published",
    "quota_reached",
  ],
  async handle(request) {
    const { body } = request;
    const url = appUrlOf(request);
    const { screenerId, screenerParticipantId } = body;
    if (screenerId !== undefined && screenerId !== null) {
      const job = await submitJob(request, openingJob, { screenerId, appUrl: url });
      return replyWithJob(request, job, (sessions) => ({ status: 200, body: sessions }));
    }
    return writeOnce(request, (db, record) => {
      const { uid, isNew } = openSession(db, screenerParticipantId!, record);
      const json = session.find(db, uid, url)!;
      return isNew ? created(json, `/screener-sessions/${uid}`) : ok(json);
    });
  },
});

const read = defineRead(
  session,
  {
    path: "/screener-sessions/:id",
    operationId: "getScreenerSession",
    scopes: ["read", "respond"],
    tag,
    summary: "Get a session",
    reply: "The session",
    unknown: "screener_session_not_found",
  },
  appUrlOf,
);

const remove = defineEndpoint({
  method: "delete",
  path: "/screener-sessions/:id",
  operationId: "removeScreenerSession",
  scopes: ["admin"],
  tag,
  summary: "Remove a session",
  description: "Clears its progress. The record and its responses are kept, and stay readable.",
  replies: { 200: { description: "The session, as removed", schema: session.schema } },
  examples: { removed: { reply: { ...session.example, status: "REMOVED" } } },
  problems: ["screener_session_not_found"],
  handle(request) {
    const { params } = request;
    const url = appUrlOf(request);
    return writeOnce(request, (db, record) => {
      removeSession(db, params.id!, record);
      return ok(session.find(db, params.id!, url)!);
    });
  },
});

export const sessionRoutes: AnyEndpoint[] = [list, open, read, remove];
