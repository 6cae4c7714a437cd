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
import { claimPlaces, quotasWithoutRoom, releaseAll } from "../nouns/quotas/claim.ts";
import { listPlacesOfSession, type ReleaseReason, releaseHeld } from "../nouns/quotas/place-queries.ts";
import type { SessionProgress } from "../nouns/sessions/progress.ts";
import { listCounting, quotaIdsOf, type SessionRow } from "../nouns/sessions/queries.ts";
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
  const { session, judgement, armless, holdMinutes, at, record } = settling;
  if (session.is_test) return { ...judgement, ...NO_QUOTAS };
  const by = claimantOf(session);
  const isFirst = session.state === "NOT_STARTED";
  return settle(given, judgement, {
    claim: (quotas, state) => claimPlaces(db, { quotas, by, state, isFirst, holdMinutes, at }, record),
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
  const heirs = new Map<string, number>();
  if (places.some(({ state }) => state === "TAKEN"))
    for (const other of listCounting(db, session.screener_id, session.participant_id, session.id))
      for (const id of quotaIdsOf(other.quota_ids)) heirs.set(id, other.id);
  releaseAll(db, places, { reason, heirs, at }, record);
}

/** Inside a transaction: takes the places of a completed session that counts from now on, also beyond the limits. */
export function takePlaces(db: Writer, session: SessionRow, at: Date, record: RecordEvent): void {
  const quotas = quotaIdsOf(session.quota_ids).map((id) => ({ id, mode: "COUNT" as const }));
  if (!quotas.length) return;
  const by = claimantOf(session);
  claimPlaces(db, { quotas, by, state: "TAKEN", holdMinutes: 0, isFirst: false, at }, record);
}
