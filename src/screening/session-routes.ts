// What opens, answers, explains and removes a session.

import * as v from "valibot";
import { exampleIds } from "../base/examples.ts";
import { NOBODY_UID } from "../events/actors.ts";
import { type AnyEndpoint, created, defineEndpoint, found, ok } from "../http/endpoint.ts";
import { NewResponses } from "../nouns/responses/resource.ts";
import { NewSession } from "../nouns/sessions/bodies.ts";
import { findSession, getSession } from "../nouns/sessions/queries.ts";
import { appUrlOf, markOfRequest, session } from "../nouns/sessions/resource.ts";
import { replyWithJob, submitJob } from "../writes/submit-job.ts";
import { writeOnce } from "../writes/write-once.ts";
import { checkAll, type Submitted } from "./checked.ts";
import { explain, explainLong, isLong } from "./explain.ts";
import { Explanation, explanationExample } from "./explanation.ts";
import { openSession, openTestSession, removeSession } from "./lifecycle.ts";
import { openingJob } from "./open-all-job.ts";
import { readAnswered, submit } from "./submit.ts";

const tag = "Sessions";

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
    "participants; an empty array if all have a session.\n\n" +
    "With `isTest` it opens one test session, each time another one: for a screener participant, whose attributes then count; or, with " +
    "`screenerId`, for nobody. What is answered in it counts nowhere. It opens and takes answers whenever there is an active publication.",
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
    test: {
      summary: "Open a test session for nobody",
      body: { screenerId: exampleIds.screener, isTest: true },
      status: 201,
      reply: { ...session.example, screenerParticipantId: NOBODY_UID, isTest: true },
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
    "link_expired",
    "screener_not_published",
    "quota_reached",
    "test_session_limit",
  ],
  async handle(request) {
    const { screenerId, screenerParticipantId, isTest } = request.body;
    const url = appUrlOf(request);
    const mark = markOfRequest(request);
    const tested = screenerId ? { screenerId } : { screenerParticipantId: screenerParticipantId! };
    if (isTest)
      return writeOnce(request, (db, record) => {
        const uid = openTestSession(db, tested, mark, record);
        return created(session.find(db, uid, url)!, `/screener-sessions/${uid}`);
      });
    if (screenerId !== undefined && screenerId !== null) {
      const job = await submitJob(request, openingJob, { screenerId, appUrl: url, mark });
      return replyWithJob(request, job, (sessions) => ({ status: 200, body: sessions }));
    }
    return writeOnce(request, (db, record) => {
      const { uid, isNew } = openSession(db, screenerParticipantId!, mark, record);
      const json = session.find(db, uid, url)!;
      return isNew ? created(json, `/screener-sessions/${uid}`) : ok(json);
    });
  },
});

const answer = defineEndpoint({
  method: "post",
  path: "/screener-sessions/:id/responses",
  operationId: "submitScreenerResponses",
  scopes: ["respond"],
  tag,
  summary: "Answer questions of a session",
  description:
    "Makes the same checks as the participant's page. All answers are saved, or none. A new answer replaces an older one. With " +
    "`complete` the session ends, and all required answers must be there. A session also ends when a page's condition disqualifies " +
    "and the page is over: all its questions were answered or skipped (null), or a later page has an answer.",
  body: NewResponses,
  together: ({ context, principal, params }, _, __, { responses = [] }) =>
    context.workspaces.read(principal.workspaceUid, (db) =>
      db.snapshot(() => {
        const row = findSession(db, params.id!);
        if (!row) return [];
        const { questions, before, content } = readAnswered(db, context.published, row);
        return checkAll(questions, submittedIn(responses), before, content).errors;
      }),
    ),
  replies: { 200: { description: "The session as it is now", schema: session.schema } },
  examples: {
    end: {
      body: {
        responses: [
          { screenerQuestionId: exampleIds.ageQuestion, answer: 36 },
          { screenerQuestionId: exampleIds.drinkQuestion, answer: [{ text: "Tea" }] },
          { screenerQuestionId: exampleIds.sleepQuestion, answer: 4 },
          { screenerQuestionId: exampleIds.bornQuestion, answer: "1990-02" },
          { screenerQuestionId: exampleIds.consentQuestion, answer: { isGiven: true } },
          { screenerQuestionId: exampleIds.pauseQuestion, answer: [{ text: "A nap" }, { text: "A walk" }] },
          {
            screenerQuestionId: exampleIds.habitQuestion,
            answer: {
              rows: [
                { rowId: exampleIds.atHome, choices: [{ columnId: exampleIds.daily }] },
                { text: "At work", choices: [{ text: "Rarely" }] },
              ],
            },
          },
        ],
        complete: true,
      },
      reply: {
        ...session.example,
        state: "COMPLETED",
        startedAt: "2026-01-31T12:02:00.000Z",
        lastActiveAt: "2026-01-31T12:02:00.000Z",
        completedAt: "2026-01-31T12:02:00.000Z",
      },
    },
  },
  problems: [
    "screener_session_not_found",
    "session_closed",
    "session_completed",
    "screener_closed",
    "link_expired",
    "quota_reached",
  ],
  handle(request) {
    const { context, params, body } = request;
    const url = appUrlOf(request);
    return writeOnce(request, (db, record) => {
      const submission = { answers: submittedIn(body.responses), complete: body.complete ?? false };
      const row = getSession(db, params.id!);
      submit(db, readAnswered(db, context.published, row), row, submission, record);
      return ok(session.find(db, params.id!, url)!);
    });
  },
});

/** The answers of a body, but for those whose question is wrong by itself. */
function submittedIn(
  responses: readonly ({ screenerQuestionId?: string; answer?: unknown } | undefined)[],
): Submitted[] {
  return responses.flatMap(({ screenerQuestionId: questionId, answer: raw = null } = {}, index) => {
    if (questionId === undefined) return [];
    const pointers = { question: `/responses/${index}/screenerQuestionId`, answer: `/responses/${index}/answer` };
    return { questionId, answer: { raw }, pointers };
  });
}

const explanation = defineEndpoint({
  method: "get",
  path: "/screener-sessions/:id/explanation",
  operationId: "explainScreenerSession",
  scopes: ["read"],
  tag,
  summary: "Explain a session's outcome, rule by rule",
  description:
    "Which rules of the publication were looked at, in which order, which held, and by which answers and attributes. It is worked out " +
    "now, by what is kept: `basis` says whether that is what was judged.",
  replies: { 200: { description: "The explanation", schema: Explanation } },
  examples: { explained: { reply: explanationExample } },
  problems: ["screener_session_not_found"],
  async handle({ context, principal, params }) {
    const { workspaceUid } = principal;
    const short = context.workspaces.read(workspaceUid, (db) =>
      db.snapshot(() => {
        const session = getSession(db, params.id!);
        return isLong(db, session) ? undefined : JSON.stringify(explain(db, context.published, session));
      }),
    );
    const long = async () => context.pool.ask(explainLong, { workspaceUid, sessionUid: params.id! });
    return ok(found(short ?? (await long()), "screener_session_not_found"));
  },
});

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

export const sessionActions: AnyEndpoint[] = [open, answer, explanation, remove];
