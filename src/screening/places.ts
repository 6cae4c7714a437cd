// The places of a session in quotas: claimed with its answers, taken when it is completed, given back when it does not count.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { RecordEvent } from "../events/record.ts";
import type { Answers } from "../nouns/content/answers.ts";
import { isArmlessAtStart } from "../nouns/content/arms.ts";
import type { PersonalContent, Quota } from "../nouns/content/content.ts";
import { Facts } from "../nouns/content/holds.ts";
import type { Judgement } from "../nouns/content/judge.ts";
import { quotasBeforeAnswers, quotasOf } from "../nouns/content/quotas.ts";
import { isTargetReached } from "../nouns/publications/target.ts";
import { claimPlaces, quotasWithoutRoom, recordIfTurned, releaseAll } from "../nouns/quotas/claim.ts";
import { listPlacesOfSession, type ReleaseReason, releaseHeld, updatePlaces } from "../nouns/quotas/place-queries.ts";
import { getQuota, getQuotaById } from "../nouns/quotas/queries.ts";
import type { SessionProgress } from "../nouns/sessions/progress.ts";
import { listCounting, quotaIdsOf, type SessionRow } from "../nouns/sessions/queries.ts";
import type { ReviewState } from "../nouns/sessions/reviews.ts";
import type { Answering } from "./answering.ts";

/** The answers of a session, and those of them that count. */
interface GivenAnswers {
  content: PersonalContent;
  answers: Answers;
  counting: Facts;
}

/** What a submission comes to. Without an outcome the session goes on. */
type Judged = Omit<Judgement, "outcome"> & { outcome: Judgement["outcome"] | null };

/** The same, with the quotas: those without room, and those that a session which ends is in. */
type Settled = Judged & Pick<SessionProgress, "outcomeQuotaIds" | "quotaIds">;

interface Settling {
  session: SessionRow;
  /** The quotas because of which there is no arm for the session. */
  armless: readonly string[];
  /** By the rules and the target. */
  judgement: Judged;
  holdMinutes: number;
  /** Whether a person decides of it once it has ended: until then its places are held. */
  isReviewed: boolean;
  at: Date;
  record: RecordEvent;
}

/** Where a session claims its places: in a store, or in a forecast. */
export interface Places {
  /** All that are missing, or none. @returns the ids of the quotas without room. Empty: the session has all places */
  claim(quotas: readonly Quota[], state: "HELD" | "TAKEN"): string[];
  /** Gives back what the session holds. */
  release(reason: ReleaseReason): void;
  /** The ids of the quotas because of which there is no arm for the session, in their order. */
  armless: readonly string[];
}

/** Inside a transaction: claims, takes or gives back the places of a session. Where there is no room, it ends. */
export function settlePlaces(db: Writer, given: GivenAnswers, settling: Settling): Settled {
  const { session, judgement, armless, isReviewed, at, record } = settling;
  if (session.is_test) return { ...judgement, ...NO_QUOTAS };
  const by = claimantOf(session);
  const isFirst = session.state === "NOT_STARTED";
  const awaitsReview = isReviewed && judgement.outcome !== null;
  const holdMinutes = awaitsReview ? null : settling.holdMinutes;
  return settle(given, judgement, {
    claim: (quotas, state) =>
      claimPlaces(db, { quotas, by, state: awaitsReview ? "HELD" : state, isFirst, holdMinutes, at }, record),
    release: (reason) => releaseHeld(db, session.id, reason),
    armless,
  });
}

/** What a submission comes to with the places that there are. */
export function settle(given: GivenAnswers, judgement: Judged, places: Places): Settled {
  const { content, answers, counting } = given;
  if (!content.quotas) return { ...judgement, ...NO_QUOTAS };
  const { outcome, outcomeReason } = judgement;
  const hasEnded = outcome !== null;
  const quotas = quotasOf(content, answers, counting, hasEnded);
  const ended = { ...judgement, ...NO_QUOTAS, quotaIds: hasEnded ? idsOf(quotas) : [] };
  if (outcome === "DISQUALIFIED") {
    places.release(outcomeReason ?? "SCREENED_OUT");
    return ended;
  }
  const ends = (full: readonly string[]) =>
    full.length > 0 && (hasEnded || content.quotas!.some(({ id, ending }) => ending.at === "NOW" && full.includes(id)));
  const full = ends(places.armless) ? places.armless : places.claim(quotas, hasEnded ? "TAKEN" : "HELD");
  if (!ends(full)) return ended;
  places.release("OVER_QUOTA");
  const quotaIds = hasEnded ? ended.quotaIds : idsOf(quotasOf(content, answers, counting, true));
  return { outcome: "DISQUALIFIED", outcomeReason: "OVER_QUOTA", outcomeQuotaIds: full, quotaIds };
}

export const NO_QUOTAS = { outcomeQuotaIds: [], quotaIds: [] };

const idsOf = (quotas: readonly Quota[]) => quotas.map(({ id }) => id);

function claimantOf({ id, participant_id }: SessionRow) {
  return { sessionId: id, participantId: participant_id };
}

/** A session that is about to be started: also one of somebody who is not known yet (participant NOBODY). */
type Starting = Pick<SessionRow, "state" | "participant_id">;

/** Whether a session can't be started, because the target is reached, a quota of everybody or of attributes has no room, or no arm is open. */
export function isFullAtStart(db: Reader, { publication, content }: Answering, session: Starting): boolean {
  if (session.state !== "NOT_STARTED") return false;
  if (isTargetReached(db, publication)) return true;
  if (!content.quotas) return false;
  const withoutRoom = (quotas: readonly Quota[]) => quotasWithoutRoom(db, quotas, session.participant_id);
  return (
    withoutRoom(quotasBeforeAnswers(content, new Facts(content))).length > 0 || isArmlessAtStart(content, withoutRoom)
  );
}

/** Inside a transaction: gives back all places of a session that does not count any more. Another one of the participant that does gets them. */
export function givePlacesBack(
  db: Writer,
  session: SessionRow,
  reason: ReleaseReason,
  at: Date,
  record: RecordEvent,
): void {
  const places = listPlacesOfSession(db, session.id);
  if (!places.length) return;
  const heirs = new Map<string, { sessionId: number; state: "HELD" | "TAKEN" }>();
  if (places.some(({ expires_at }) => expires_at === null))
    for (const other of listCounting(db, session.screener_id, session.participant_id, session.id)) {
      const heir = { sessionId: other.id, state: stateFor(other.review_state) };
      for (const id of quotaIdsOf(other.quota_ids)) heirs.set(id, heir);
    }
  releaseAll(db, places, { reason, heirs, at }, record);
}

/** How a completed session has its places. */
const stateFor = (review: ReviewState | null): "HELD" | "TAKEN" => (review === "PENDING" ? "HELD" : "TAKEN");

/** Inside a transaction: gives a completed session that counts from now on its places, also beyond the limits. */
export function takePlaces(db: Writer, session: SessionRow, at: Date, record: RecordEvent): void {
  claimAgain(db, session, () => "COUNT", { at, record });
}

/** The same within the limits. @returns the ids of the quotas without room. Empty: it has all places */
export function claimReviewed(db: Writer, session: SessionRow, at: Date, record: RecordEvent): string[] {
  return claimAgain(db, session, (id) => getQuota(db, id).mode, { at, record });
}

function claimAgain(
  db: Writer,
  session: SessionRow,
  modeOf: (id: string) => Quota["mode"],
  { at, record }: Pick<Settling, "at" | "record">,
): string[] {
  const quotas = quotaIdsOf(session.quota_ids).map((id) => ({ id, mode: modeOf(id) }));
  if (!quotas.length) return [];
  const state = stateFor(session.review_state);
  return claimPlaces(db, { quotas, by: claimantOf(session), state, holdMinutes: null, isFirst: false, at }, record);
}

/** Inside a transaction: a session that has taken places holds them until it is reviewed again. */
export function holdTaken(db: Writer, { id }: SessionRow, at: Date, record: RecordEvent): void {
  for (const place of listPlacesOfSession(db, id)) {
    const quota = getQuotaById(db, place.quota_id);
    updatePlaces(db, [place.id], { state: "HELD", sessionId: id, expiresAt: null });
    recordIfTurned(db, quota, record, at);
  }
}
