// /screener-responses, the export of a screener's responses, and the submission of answers

import * as v from "valibot";
import { attributeKeys } from "../attributes.ts";
import { exampleIds } from "../examples.ts";
import { type AnyEndpoint, defineEndpoint, ok } from "../http/endpoint.ts";
import { streamed, tableOf, takeAll } from "../http/list-stream.ts";
import { defineList, workspaceSource } from "../http/lists.ts";
import { getSession } from "../screener-sessions/queries.ts";
import { appUrlOf, session } from "../screener-sessions/resource.ts";
import { getScreener } from "../screeners/queries.ts";
import { writeOnce } from "../writes/write-once.ts";
import { exportHeadings, exportRows, QuestionColumns } from "./export.ts";
import { NewResponses, responseList } from "./resource.ts";
import { submit } from "./submit.ts";

const list = defineList(responseList, {
  path: "/screener-responses",
  operationId: "listScreenerResponses",
  tag: "Responses",
  summary: "List responses",
});

const table = defineEndpoint({
  method: "get",
  path: "/screeners/:id/export",
  operationId: "exportScreenerResponses",
  scopes: ["read"],
  tag: "Responses",
  summary: "Export a screener's responses as one table",
  description:
    "One row for each session that was started, in the order in which they were opened. Sessions that were archived or removed " +
    "later are included; see `session.status`. The first columns are `session.id`, `participant.externalUid`, `participant.id`, " +
    "`publication.version`, `publication.id`, `session.status`, `session.state`, `session.outcome`, `session.outcomeReason`, " +
    "`session.startedAt`, `session.lastActiveAt` and `session.completedAt`. Then there is a column for each question: those of the " +
    "newest publication in their order, then those that only older ones have. Its heading is the question's key, or its id if it has " +
    "no key. Questions of several publications share a column if they have the same id or the same key; its heading is the newest " +
    "key. The last columns are `attributes.<key>`, one for each key that the workspace's participants have. A cell is empty if the question was skipped, not shown, or not asked. Chosen options are joined by `; `, and ` (write-in)` " +
    "follows what the participant wrote.",
  formats: ["csv"],
  replies: { 200: { description: "The table, as a file", schema: v.string() } },
  examples: {
    table: {
      reply:
        "\uFEFFsession.id,participant.externalUid,participant.id,publication.version,publication.id,session.status," +
        "session.state,session.outcome,session.outcomeReason,session.startedAt,session.lastActiveAt,session.completedAt," +
        `age,drink\r\n${exampleIds.session},P-17,${exampleIds.participant},1,${exampleIds.publication},ACTIVE,` +
        "COMPLETED,QUALIFIED,,2026-01-31T12:00:00.000Z,2026-01-31T12:02:00.000Z,2026-01-31T12:02:00.000Z,36,Tea\r\n",
    },
  },
  problems: ["screener_not_found"],
  async handle(request) {
    const source = workspaceSource(request);
    const { screener, columns } = source.read((db) => {
      const found = getScreener(db, request.params.id!);
      return { screener: found, columns: new QuestionColumns(db, found.id) };
    });
    for await (const _ of takeAll(columns, source));
    const { keys, rows } = source.read((db) => {
      const keys = attributeKeys(db);
      return { keys, rows: exportRows(db, screener.uid, columns, keys) };
    });
    const name = `${fileName(screener.title ?? "") || screener.uid}-responses`;
    return streamed(tableOf(exportHeadings(columns, keys), rows, source), "csv", name);
  },
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
      submit(db, context.published, getSession(db, params.id!), submission, record);
      return ok(session.find(db, params.id!, url)!);
    });
  },
});

export const responseRoutes: AnyEndpoint[] = [list, table, answer];

/** A title without characters that file systems don't allow. */
function fileName(title: string): string {
  return title
    .replace(/[\p{C}\\/:*?"<>|%\s]+/gu, " ")
    .trim()
    .slice(0, 80)
    .toWellFormed()
    .trim();
}
