// What callers send about sessions.

import * as v from "valibot";
import { id, shortArray } from "../schemas.ts";
import { MAX_QUESTIONS } from "../screener-content/content.ts";

/** Answers of one session, from an interface of the integrator's own. */
export const NewResponses = v.object({
  responses: shortArray(
    v.object(
      {
        screenerQuestionId: id,
        answer: v.pipe(
          v.optional(v.unknown()),
          v.description(
            "A string, a number, an array of options (`{ text, isWriteIn }`), or null where the question was skipped",
          ),
        ),
      },
      "must be an object",
    ),
    MAX_QUESTIONS,
  ),
  complete: v.optional(v.nullable(v.boolean("must be true or false"))),
});

/** Whose session to open: one participant's, or those of all of a screener who have none. */
export const NewSession = v.pipe(
  v.object({ screenerParticipantId: v.optional(v.nullable(id)), screenerId: v.optional(v.nullable(id)) }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { screenerParticipantId, screenerId } = dataset.value;
    const has = (given: string | null | undefined) => given !== undefined && given !== null;
    if (has(screenerParticipantId) !== has(screenerId)) return;
    const message = has(screenerId) ? "does not go with screenerId" : "is required, or screenerId is";
    addIssue({
      message,
      path: [
        {
          type: "object",
          origin: "value",
          input: dataset.value,
          key: "screenerParticipantId",
          value: screenerParticipantId,
        },
      ],
    });
  }),
);
