// /screener-responses, and the submission of answers

import { exampleIds } from "../examples.ts";
import { type AnyEndpoint, defineEndpoint, ok } from "../http/endpoint.ts";
import { defineList } from "../http/lists.ts";
import { getSession } from "../screener-sessions/queries.ts";
import { appUrlOf, session } from "../screener-sessions/resource.ts";
import { writeOnce } from "../writes/write-once.ts";
import { NewResponses, responseList } from "./resource.ts";
import { readAnswered, submit } from "./submit.ts";

const list = defineList(responseList, {
  path: "/screener-responses",
  operationId: "listScreenerResponses",
  tag: "Responses",
  summary: "List responses",
});

const answer = defineEndpoint({
  method: "post",
  path: "/screener-sessions/:id/responses",
  operationId: "submitScreenerResponses",
  scopes: ["respond"],
  tag: "Sessions",
  summary: "Answer questions of a session",
  description:
    "Makes the same checks as the participant's page. All answers are saved, or none. A new answer replaces an older one. With " +
    "`complete` the session ends, and all required answers must be there. A session also ends when a page's condition disqualifies " +
    "and the page is over: all its questions were answered or skipped (null), or a later page has an answer.",
  body: NewResponses,
  replies: { 200: { description: "The session as it is now", schema: session.schema } },
  examples: {
    end: {
      body: {
        responses: [
          { screenerQuestionId: exampleIds.ageQuestion, answer: 36 },
          { screenerQuestionId: exampleIds.drinkQuestion, answer: [{ text: "Tea" }] },
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
  problems: ["screener_session_not_found", "session_closed", "session_completed", "screener_closed", "quota_reached"],
  handle(request) {
    const { context, params, body } = request;
    const url = appUrlOf(request);
    return writeOnce(request, (db, record) => {
      const answers = body.responses.map(({ screenerQuestionId, answer: given = null }, index) => ({
        questionId: screenerQuestionId,
        answer: { raw: given },
        pointers: {
          question: `/responses/${index}/screenerQuestionId`,
          answer: `/responses/${index}/answer`,
        },
      }));
      const submission = { answers, complete: body.complete ?? false };
      const row = getSession(db, params.id!);
      submit(db, readAnswered(db, context.published, row), row, submission, record);
      return ok(session.find(db, params.id!, url)!);
    });
  },
});

export const responseRoutes: AnyEndpoint[] = [list, answer];
