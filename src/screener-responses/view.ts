// How a response (the answer to one question) is shown.

import * as v from "valibot";
import { responseVariants } from "../question-types/registry.ts";
import { uuid } from "../schemas.ts";
import { objectSql, plainSql, valueSql } from "../sql-json.ts";

/** A response's JSON, from `responseFrom`. */
export const responseJson = objectSql({
  _type: `'"' || replace(q.type, 'Question', 'Response') || '"'`,
  questionType: plainSql("q.type"),
  screenerSessionId: plainSql("e.uid"),
  screenerPageId: plainSql("q.page_uid"),
  screenerQuestionId: plainSql("q.uid"),
  screenerId: plainSql("s.uid"),
  screenerPublicationId: plainSql("p.uid"),
  participantId: plainSql("r.uid"),
  externalParticipantUid: valueSql("r.external_uid"),
  screenerParticipantId: plainSql("e.screener_participant_uid"),
  screenerQuestionPrompt: valueSql("q.prompt"),
  answer: "t.answer",
});

export const responseFrom = `screener_response AS t
  JOIN screener AS s ON s.id = t.screener_id
  JOIN screener_publication AS p ON p.id = t.screener_publication_id
  JOIN screener_session AS e ON e.id = t.screener_session_id
  JOIN participant AS r ON r.id = e.participant_id
  JOIN publication_question AS q ON q.id = t.publication_question_id`;

/** A response as a line of a table. */
export const responseColumns = [
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
];

const common = {
  screenerSessionId: uuid,
  screenerPageId: uuid,
  screenerQuestionId: uuid,
  screenerId: uuid,
  screenerPublicationId: uuid,
  participantId: uuid,
  externalParticipantUid: v.string(),
  screenerParticipantId: uuid,
  screenerQuestionPrompt: v.string(),
};

export const ResponseView = v.pipe(
  v.variant(
    "_type",
    responseVariants.map(({ _type, questionType, answer }) => v.object({ _type, questionType, ...common, answer })),
  ),
  v.title("ScreenerResponse"),
);
