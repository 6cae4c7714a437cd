// Decides of a session that would take places: accepts it, rejects it, or takes that back.

import type { Writer } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import { type Actor, asDecider, type Decider } from "../events/actors.ts";
import type { Change, NewEvent, RecordEvent } from "../events/record.ts";
import { getSession, type SessionRow, setReview } from "../nouns/sessions/queries.ts";
import { type ReviewState, shownReview } from "../nouns/sessions/reviews.ts";
import { countArms } from "../screening/arms.ts";
import { sessionEvent } from "../screening/lifecycle.ts";
import { claimReviewed, givePlacesBack, holdTaken } from "../screening/places.ts";

/** Who has decided of a session, when and why. */
interface Decision {
  by: Decider;
  /** ISO-8601, UTC, milliseconds. */
  at: string;
  reason: string | null;
}

const EVENTS = { ACCEPTED: "accepted", REJECTED: "rejected", PENDING: "review-reopened" } as const;

/** What is written of a decision. */
export interface Decided {
  state: ReviewState;
  /** JSON of a Decision. Null: nobody has decided. */
  review: string | null;
}

/** What somebody has decided now, as it is written. */
export function decidedBy(by: Actor, { state, reason, at }: { state: ReviewState; reason: string | null; at: Date }) {
  const made: Decision = { by: asDecider(by), at: at.toISOString(), reason };
  return { state, review: state === "PENDING" ? null : JSON.stringify(made) } satisfies Decided;
}

/**
 * Inside a transaction. Places and counts follow, within the limits. Writes an event if anything changes.
 * @throws Problem screener_session_not_found, session_closed, session_not_reviewed, quota_reached
 */
export function reviewSession(
  db: Writer,
  uid: string,
  { decision, reason }: { decision: ReviewState; reason: string | null },
  by: Actor,
  record: RecordEvent,
): void {
  const session = getSession(db, uid);
  if (session.status !== "ACTIVE") throw new Problem("session_closed");
  const before = session.review_state;
  if (before === null) throw new Problem("session_not_reviewed");
  const isSame = decision === "PENDING" || reason === shownReview(before, session.review)!.reason;
  if (decision === before && isSame) return;
  const at = new Date();
  decide(db, session, decidedBy(by, { state: decision, reason, at }), at, record);
}

/** Inside a transaction: writes what was decided of a session that is reviewed. Places and counts follow. @throws Problem quota_reached */
export function decide(db: Writer, session: SessionRow, to: Decided, at: Date, record: RecordEvent): void {
  const before = session.review_state!;
  setReview(db, session.id, to.state, to.review);
  const turned: NewEvent[] = [];
  if (to.state !== before)
    settle(db, { ...session, review_state: to.state }, before, at, (event) => turned.push(event));
  const changes: Change[] = [
    { field: "review", from: shownReview(before, session.review), to: shownReview(to.state, to.review) },
  ];
  record({ ...sessionEvent(EVENTS[to.state], session), changes, at });
  for (const event of turned) record(event);
}

/** Places follow what was decided. @throws Problem quota_reached */
function settle(db: Writer, session: SessionRow, before: ReviewState, at: Date, record: RecordEvent): void {
  if (session.review_state === "REJECTED") {
    givePlacesBack(db, session, "REJECTED", at, record);
    countArms(db, session, "DISQUALIFIED", 0);
  } else if (before === "ACCEPTED") holdTaken(db, session, at, record);
  else if (claimReviewed(db, session, at, record).length)
    throw new Problem("quota_reached", {
      detail: "The places of the session were given back, and a quota has no room for it any more.",
    });
  else countArms(db, session, session.outcome, 0);
}
