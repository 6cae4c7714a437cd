// What callers send of sessions.

import * as v from "valibot";
import { id } from "../../base/schemas.ts";

const isGiven = (uid: string | null | undefined) => (uid ?? null) !== null;

/** Opens a session for one assignment, or sessions for all assignments of a screener without one; or a test session. */
export const NewSession = v.pipe(
  v.object({
    screenerParticipantId: v.optional(v.nullable(id)),
    screenerId: v.optional(v.nullable(id)),
    isTest: v.pipe(
      v.optional(v.nullable(v.boolean("must be true or false"))),
      v.description("Opens a test session, with `screenerId` one without a participant"),
    ),
  }),
  v.forward(
    v.partialCheck(
      [["screenerParticipantId"], ["screenerId"]],
      ({ screenerParticipantId, screenerId }) => isGiven(screenerParticipantId) !== isGiven(screenerId),
      ({ input }) =>
        isGiven(input.screenerId) ? "does not go with screenerId" : "is required, unless screenerId is given",
    ),
    ["screenerParticipantId"],
  ),
  v.title("NewScreenerSession"),
);
