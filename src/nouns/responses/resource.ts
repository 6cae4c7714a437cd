// The resource declaration of responses: how they are shown, what callers send, and their table.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import type { FilterColumn } from "../../../db/list/where.ts";
import { exampleIds } from "../../base/examples.ts";
import { type Cell, json, optional, refersTo, text, uid, word } from "../../base/members.ts";
import { countedList, resource } from "../../base/resource.ts";
import { id, shortArray } from "../../base/schemas.ts";
import { MAX_QUESTIONS } from "../content/content.ts";
import { participantUidSql } from "../participants/resource.ts";
import { TEST_SESSIONS } from "../publications/test-sessions.ts";
import { answerCell, type Question, responseVariants, typeNames } from "../question-types/registry.ts";
import { testFilter } from "../sessions/resource.ts";

const filteredBy = (by: FilterColumn) => ({ operators: ["eq"] as const, by });
const filteredBySeveral = (by: FilterColumn) => ({ operators: ["eq", "in"] as const, by });

export const response = resource({
  type: "ScreenerResponse",
  from: `screener_response AS t
    JOIN screener AS s ON s.id = t.screener_id
    JOIN screener_publication AS p ON p.id = t.screener_publication_id
    JOIN screener_session AS e ON e.id = t.screener_session_id
    JOIN participant AS r ON r.id = e.participant_id
    JOIN publication_question AS q ON q.id = t.publication_question_id`,
  members: {
    _type: { ...word([])("replace(q.type, 'Question', 'Response')"), cells: {} },
    questionType: word(typeNames)("q.type"),
    screenerSessionId: uid("e.uid", filteredBySeveral(refersTo("screener_session_id", "screener_session", "uid"))),
    screenerPageId: uid("q.page_uid"),
    screenerQuestionId: uid("q.uid"),
    screenerId: uid("s.uid", filteredBy(refersTo("screener_id", "screener", "uid"))),
    screenerPublicationId: uid("p.uid", filteredBy(refersTo("screener_publication_id", "screener_publication", "uid"))),
    participantId: uid(participantUidSql("r.uid")),
    externalParticipantUid: text("r.external_uid"),
    screenerParticipantId: uid(
      "e.screener_participant_uid",
      filteredBySeveral({
        column: "screener_session_id",
        references: { table: "screener_session", by: "screener_participant_uid", many: true },
      }),
    ),
    screenerQuestionPrompt: text("q.prompt"),
    answer: json("t.answer", v.unknown(), { "": cellOfAnswer }),
    normalizedAnswer: optional(
      text("t.normalized_answer"),
      "Of a text with a `format`: the answer in the form that programs can compare",
    ),
  },
  variants: responseVariants,
  example: {
    _type: "ScreenerNumericResponse",
    questionType: "ScreenerNumericQuestion",
    screenerSessionId: exampleIds.session,
    screenerPageId: exampleIds.page,
    screenerQuestionId: exampleIds.ageQuestion,
    screenerId: exampleIds.screener,
    screenerPublicationId: exampleIds.publication,
    participantId: exampleIds.participant,
    externalParticipantUid: "P-17",
    screenerParticipantId: exampleIds.screenerParticipant,
    screenerQuestionPrompt: "How old are you?",
    answer: 36,
    normalizedAnswer: undefined,
  },
  columnOrder: [
    "externalParticipantUid",
    "screenerQuestionPrompt",
    "answer",
    "questionType",
    "screenerSessionId",
    "screenerParticipantId",
    "participantId",
    "screenerId",
    "screenerPublicationId",
    "screenerPageId",
    "screenerQuestionId",
  ],
});

export const countedResponses = {
  table: "screener_response",
  facets: ["screener_id", "screener_publication_id"],
  // 256 sessions in a block: few blocks if sessions have few answers, few rows in a block if they have many.
  blockBits: 20,
  parts: true,
  clusteredBy: "screener_session_id",
  apart: {
    without: `t.screener_session_id NOT IN ${TEST_SESSIONS}`,
    alone: `t.screener_session_id IN ${TEST_SESSIONS}`,
  },
} as const satisfies CountedTable;

/** In session, page and question order. */
export const responseList = countedList("screener-responses", countedResponses, {
  ...response,
  filters: { ...response.filters, isTest: testFilter },
});

/** nouns/content/answers.ts checks the answer by its question. */
const SUBMITTED_ANSWER = {
  description:
    "A string (also for a date), a number, an array of choices, the rows of a matrix, a consent, or null where the question was skipped",
  anyOf: [
    { type: "string" },
    { type: "number" },
    {
      type: "array",
      items: {
        title: "SubmittedChoice",
        description: "An option by its text or its id; or a write-in: its text, and `isWriteIn`",
        type: "object",
        properties: {
          text: { type: "string" },
          optionId: { type: ["string", "null"] },
          isWriteIn: { type: ["boolean", "null"] },
        },
      },
    },
    {
      title: "SubmittedMatrixAnswer",
      description: "Of a matrix: its rows with their choices, rows and columns by their ids, their texts or both",
      type: "object",
      properties: {
        rows: {
          type: "array",
          items: {
            title: "SubmittedMatrixRow",
            type: "object",
            properties: {
              rowId: { type: "string" },
              text: { type: "string" },
              choices: {
                type: ["array", "null"],
                items: {
                  title: "SubmittedMatrixChoice",
                  type: "object",
                  properties: { columnId: { type: "string" }, text: { type: "string" } },
                },
              },
            },
          },
        },
      },
      required: ["rows"],
    },
    {
      title: "SubmittedConsent",
      description: "`isGiven: false` is the same as null. More members, as a response has them, are taken and ignored",
      type: "object",
      properties: { isGiven: { type: "boolean" } },
      required: ["isGiven"],
    },
    { type: "null" },
  ],
};

/** Answers of one session, from a caller with its own interface. */
export const NewResponses = v.pipe(
  v.object({
    responses: shortArray(
      v.pipe(
        v.object(
          {
            screenerQuestionId: id,
            answer: v.pipe(v.optional(v.unknown()), v.metadata(SUBMITTED_ANSWER)),
          },
          "must be an object",
        ),
        v.title("NewScreenerResponse"),
      ),
      MAX_QUESTIONS,
    ),
    complete: v.optional(v.nullable(v.boolean("must be true or false"))),
  }),
  v.title("NewScreenerResponses"),
);

function cellOfAnswer(answer: unknown, item: object): Cell {
  return answerCell((item as { questionType: Question["_type"] }).questionType, answer);
}
