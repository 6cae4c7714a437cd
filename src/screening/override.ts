// Sets the outcome of a completed session by hand, with a reason; or takes that back.

import type { Writer } from "../../db/sqlite/connection.ts";
import { CHANGED_NOW } from "../base/members.ts";
import { Problem } from "../base/problems.ts";
import { type Actor, asDecider, type Decider } from "../events/actors.ts";
import type { Change, NewEvent, RecordEvent } from "../events/record.ts";
import type { OutcomeReason } from "../nouns/content/content.ts";
import { watchTarget } from "../nouns/publications/target.ts";
import { deriveAssignment } from "../nouns/screener-participants/derived.ts";
import { getAcceptance } from "../nouns/screeners/queries.ts";
import { keptReason, outcomeReasonOf } from "../nouns/sessions/outcome-reasons.ts";
import { getSession, type SessionRow, setReview } from "../nouns/sessions/queries.ts";
import { shownReview } from "../nouns/sessions/reviews.ts";
import { hasSignals } from "../signals/queries.ts";
import { countArms } from "./arms.ts";
import { sessionEvent } from "./lifecycle.ts";
import { givePlacesBack, takePlaces } from "./places.ts";

/** An override: a person has set the outcome of a session. */
interface Override {
  /** What the rules had come to. */
  judged: { outcome: SessionRow["outcome"]; outcomeReason: OutcomeReason | null };
  reason: string;
  createdBy: Decider;
  /** ISO-8601, UTC, milliseconds. */
  createdAt: string;
}

export function overrideOf({ override, refused_uid }: Pick<SessionRow, "override" | "refused_uid">): Override | null {
  if (override === null) return null;
  const { judged, ...others } = JSON.parse(override);
  const outcomeReason = outcomeReasonOf({ outcome_reason: judged.outcomeReason, refused_uid });
  return { ...others, judged: { ...judged, outcomeReason } };
}

/** The outcome to set. */
interface Wish {
  outcome: "QUALIFIED" | "DISQUALIFIED" | "BY_RULES";
  reason: string;
}

/**
 * Inside a transaction. Counts, places and the target follow. Writes an event if anything changes.
 * @throws Problem screener_session_not_found, session_not_completed
 */
export function overrideOutcome(
  db: Writer,
  uid: string,
  { outcome, reason }: Wish,
  by: Actor,
  record: RecordEvent,
): void {
  const session = getSession(db, uid);
  if (session.state !== "COMPLETED") throw new Problem("session_not_completed");
  const before = overrideOf(session);
  const isByRules = outcome === "BY_RULES";
  if (isByRules && !before) return;
  const judged = before?.judged ?? { outcome: session.outcome, outcomeReason: outcomeReasonOf(session) };
  const at = new Date();
  const after: Override | null = isByRules
    ? null
    : { judged, reason, createdBy: asDecider(by), createdAt: at.toISOString() };
  const set = isByRules ? judged : { outcome, outcomeReason: null };
  const changes: Change[] = [
    { field: "outcome", from: session.outcome, to: set.outcome },
    { field: "outcomeReason", from: outcomeReasonOf(session), to: set.outcomeReason },
    { field: "reason", from: before?.reason ?? null, to: reason },
  ].filter(({ from, to }) => from !== to);
  // Taking back may leave the outcome and the reason as they were.
  if (!changes.length && !isByRules) return;
  const change = () => {
    updateOutcome(db, session.id, set, after);
    const counted = { ...session, review_state: reviewAfter(db, session, set.outcome, after !== null) };
    if (counted.review_state !== session.review_state) {
      setReview(db, session.id, counted.review_state, null);
      const from = shownReview(session.review_state, session.review);
      changes.push({ field: "review", from, to: shownReview(counted.review_state, null) });
    }
    const turned: NewEvent[] = [];
    const recordAfter = (event: NewEvent) => turned.push(event);
    if (set.outcome === "DISQUALIFIED") givePlacesBack(db, session, "OVERRIDDEN", at, recordAfter);
    else if (session.withdrawn_at === null) takePlaces(db, counted, at, recordAfter);
    if (session.withdrawn_at === null) countArms(db, session, set.outcome, 0);
    if (!session.is_test) changes.push(...deriveAssignment(db, session.screener_participant_uid));
    record({ ...sessionEvent("overridden", session), changes, at });
    for (const event of turned) record(event);
  };
  if (set.outcome === "QUALIFIED" && !session.is_test) watchTarget(db, session.screener_publication_id, record, change);
  else change();
}

/** Who has set an outcome has reviewed it. By the rules again, it waits for its review. */
function reviewAfter(
  db: Writer,
  { id, screener_id, is_test, review_state }: SessionRow,
  outcome: SessionRow["outcome"],
  isByHand: boolean,
): SessionRow["review_state"] {
  if (outcome === "DISQUALIFIED" || is_test) return null;
  if (isByHand) return review_state && "ACCEPTED";
  const { review } = getAcceptance(db, screener_id);
  const isReviewed = review === "ALL" || (review === "SIGNALS" && hasSignals(db, id));
  return review_state ?? (isReviewed ? "PENDING" : null);
}

/** As the release before can take it back. */
function asKept({ outcome, outcomeReason }: Override["judged"]) {
  return { outcome, outcomeReason: keptReason(outcomeReason) };
}

/** Writes an outcome that was set by hand, or by the rules again. */
function updateOutcome(
  db: Writer,
  id: number,
  { outcome, outcomeReason }: Override["judged"],
  override: Override | null,
): void {
  db.run(
    `UPDATE screener_session SET outcome = ?, outcome_reason = ?, override = ?, ${CHANGED_NOW} WHERE id = ?`,
    outcome,
    keptReason(outcomeReason),
    override && JSON.stringify({ ...override, judged: asKept(override.judged) }),
    id,
  );
}
