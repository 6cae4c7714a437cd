// The member of sessions that says what a person has decided of them, and what callers send to decide or to set an outcome.

import * as v from "valibot";
import { type Cell, type FilterRule, json, type Member, optional } from "../../base/members.ts";
import { ActorView, maxCharacters, requiredText, timestamp } from "../../base/schemas.ts";
import { ShownSignals } from "../../signals/resource.ts";

/** What a person has decided of a session that would take places. */
const REVIEW_STATES = ["PENDING", "ACCEPTED", "REJECTED"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

const Review = v.pipe(
  v.object({
    state: v.picklist(REVIEW_STATES),
    by: v.pipe(v.nullable(ActorView), v.description("Who has decided. Null while it is PENDING")),
    at: v.nullable(timestamp),
    reason: v.nullable(v.string()),
    signals: v.optional(
      v.pipe(ShownSignals, v.description("Only where a reviewer reads a single session, or decides of it")),
    ),
  }),
  v.title("ScreenerSessionReview"),
  v.description(
    "What a person has decided of a session. Of a screener participant: of the current session, only where it is reviewed",
  ),
);

type ShownReview = v.InferOutput<typeof Review> | null;

/** As it is shown. @param review JSON of a Decision */
export function shownReview(state: ReviewState | null, review: string | null): ShownReview {
  const undecided = { by: null, at: null, reason: null };
  return state && { state, ...(review === null ? undecided : JSON.parse(review)) };
}

/** A member of what a person has decided, as a cell. */
const cellOfReview = (show: (review: NonNullable<ShownReview>) => Cell) => (review: unknown) =>
  review ? show(review as NonNullable<ShownReview>) : null;

/** Few sessions of many are reviewed, and those of a screener have an index. */
export const reviewFilter: FilterRule = {
  operators: ["eq", "in"],
  values: REVIEW_STATES,
  by: { column: "review_state", scan: { value: "t.review_state", index: "" } },
};

/** SQL of the member, of a session with this alias. @param none of one that is not reviewed */
const reviewSql = (session: string, none: "'null'" | "NULL") =>
  `iif(${session}.review_state IS NULL, ${none}, json_object('state', ${session}.review_state, 'by', ${session}.review -> '$.by',
    'at', ${session}.review ->> '$.at', 'reason', ${session}.review ->> '$.reason'))`;

const cells = {
  "": cellOfReview(({ state }) => state),
  ".by": cellOfReview(({ by }) => by?.name),
  ".at": cellOfReview(({ at }) => at),
  ".reason": cellOfReview(({ reason }) => reason),
};

export const reviewMember = {
  ...json(reviewSql("t", "'null'"), v.pipe(v.nullable(Review), v.description("Null: it is not reviewed")), cells),
  filter: reviewFilter,
};

/** Worked out where a single session is read. */
export const signalsMember: Member = optional(
  json("NULL", ShownSignals),
  "What speaks against the answers, of a session without a review: only where a reviewer reads a single session",
);

/** The review of an assignment, whose current session has the alias `e`; JSON lacks it where that is not reviewed. */
export const currentReviewMember: Member = {
  ...json(reviewSql("e", "NULL"), v.optional(Review), cells),
  isOptional: true,
};

/** The filter of assignments by it. Many may have it, so they are compared one by one. */
export const currentReviewFilter: FilterRule = {
  ...reviewFilter,
  by: {
    column: "current_session_id",
    scan: { value: "(SELECT c.review_state FROM screener_session AS c WHERE c.id = t.current_session_id)", index: "" },
  },
};

/** Why somebody decides so. */
export const reason = v.optional(
  v.nullable(
    v.pipe(
      maxCharacters(2000),
      v.transform((text) => text.trim() || null),
    ),
  ),
);

export const NewReview = v.pipe(
  v.object({
    decision: v.pipe(
      v.picklist(REVIEW_STATES, "must be ACCEPTED, REJECTED or PENDING"),
      v.description("`PENDING`: what was decided is taken back"),
    ),
    reason,
  }),
  v.title("NewReview"),
);

export const NewOverride = v.pipe(
  v.object({
    outcome: v.pipe(
      v.picklist(["QUALIFIED", "DISQUALIFIED", "BY_RULES"], "must be QUALIFIED, DISQUALIFIED or BY_RULES"),
      v.description("`BY_RULES`: what the rules had come to"),
    ),
    reason: requiredText(2000),
  }),
  v.title("NewOverride"),
);
