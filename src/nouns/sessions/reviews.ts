// The member of sessions that says what a person has decided of them, and what callers send to decide or to set an outcome.

import * as v from "valibot";
import { type Cell, type FilterRule, json } from "../../base/members.ts";
import { ActorView, maxCharacters, requiredText, timestamp } from "../../base/schemas.ts";

/** What a person has decided of a session that would take places. */
const REVIEW_STATES = ["PENDING", "ACCEPTED", "REJECTED"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

const Review = v.pipe(
  v.nullable(
    v.object({
      state: v.picklist(REVIEW_STATES),
      by: v.pipe(v.nullable(ActorView), v.description("Who has decided. Null while it is PENDING")),
      at: v.nullable(timestamp),
      reason: v.nullable(v.string()),
    }),
  ),
  v.title("ScreenerSessionReview"),
  v.description("Null: it is not reviewed"),
);

type ShownReview = v.InferOutput<typeof Review>;

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

export const reviewMember = {
  ...json(
    `iif(t.review_state IS NULL, 'null', json_object('state', t.review_state, 'by', t.review -> '$.by', 'at', t.review ->> '$.at', 'reason', t.review ->> '$.reason'))`,
    Review,
    {
      "": cellOfReview(({ state }) => state),
      ".by": cellOfReview(({ by }) => by?.name),
      ".at": cellOfReview(({ at }) => at),
      ".reason": cellOfReview(({ reason }) => reason),
    },
  ),
  filter: reviewFilter,
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
