// What callers send about sessions.

import * as v from "valibot";
import { id } from "../schemas.ts";

/** Answers of one session, from an interface of the integrator's own. */
export const NewResponses = v.object({
  responses: v.pipe(
    v.array(
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
      "must be an array",
    ),
    v.maxLength(2000, "must have at most 2000 responses"),
  ),
  complete: v.optional(v.nullable(v.boolean("must be true or false"))),
});

export const NewSession = v.object({ screenerParticipantId: id });
