// The members of a draft with what is set aside, as they are read and sent.

import * as v from "valibot";
import { closedObject, sentBack, shortArray } from "../../../base/schemas.ts";
import { PIECE } from "./pieces.ts";

const WHOLE_PIECE = new RegExp(PIECE.source.replace("(?=\\/|$)", "$"));

/** What is set aside of a draft. Missing where all is complete. */
export const incompleteView = {
  allowIncomplete: v.optional(
    v.pipe(v.literal(true), v.description("Only beside `incomplete`, so that both can be sent back")),
  ),
  incomplete: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.object({
            pointer: v.pipe(
              v.string(),
              v.description("Where it stands in the draft"),
              v.examples(["/pages/0/questions/2"]),
            ),
            value: v.pipe(v.unknown(), v.description("As it was sent, with the ids that it has")),
            errors: v.array(v.pipe(v.object({ pointer: v.string(), message: v.string() }), v.title("IncompleteError"))),
          }),
          v.title("IncompletePiece"),
        ),
      ),
      v.description("What is missing or wrong keeps it out of the rest. Missing where all is complete"),
    ),
  ),
};

/** In one draft. */
const MAX_INCOMPLETE = 1000;

export const incompleteInput = {
  allowIncomplete: v.optional(
    v.pipe(
      v.nullable(v.boolean("must be true, false or null")),
      v.description("Whether what is missing or wrong is set aside. Without it, the draft is refused"),
    ),
  ),
  incomplete: v.optional(
    v.pipe(
      v.nullable(
        shortArray(
          v.pipe(
            closedObject({
              pointer: v.pipe(
                v.string("must be a pointer"),
                v.regex(WHOLE_PIECE, "must be a pointer to a piece of the draft"),
              ),
              value: v.unknown(),
              ...sentBack("errors"),
            }),
            v.title("IncompletePieceInput"),
          ),
          MAX_INCOMPLETE,
        ),
      ),
      v.description("What was set aside before, as it was read: it is put where it stands, and looked at again"),
    ),
  ),
};
