// The places of a session in quotas: claimed with its answers, taken when it is completed, given back when it does not count.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { Parsed } from "../base/parsed.ts";
import type { RecordEvent } from "../events/record.ts";
import { type Answers, shown } from "../nouns/content/answers.ts";
import type { PersonalContent, Quota } from "../nouns/content/content.ts";
import { Facts } from "../nouns/content/holds.ts";
import type { Judgement } from "../nouns/content/judge.ts";
import { quotasBeforeAnswers, quotasOf } from "../nouns/content/quotas.ts";
import { isFull } from "../nouns/publications/quota.ts";
import { claimPlaces, quotasWithoutRoom, releaseAllPlaces, releaseHeldPlaces } from "../nouns/quotas/claim.ts";
import { listPlacesOfSession, type ReleaseReason } from "../nouns/quotas/queries.ts";
import { findAnswers } from "../nouns/responses/queries.ts";
import { listCounting, type SessionRow } from "../nouns/sessions/queries.ts";
import { type Answering, answeringOf } from "./answering.ts";

/** The answers of a session, and those of them that count. */
interface GivenAnswers {
  content: PersonalContent;
  answers: Answers;
  counting: Facts;
}

/** What a submission comes to. Without an outcome the session goes on. */
type Settled = Omit<Judgement, "outcome"> & { outcome: Judgement["outcome"] | null; outcomeQuotaIds?: string[] };

interface Settling {
  session: SessionRow;
  /** By the rules and the target. */
  judgement: Settled;
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
}

/** Inside a transaction: claims, takes or gives back the places of a session. Where there is no room, it ends. */
export function settlePlaces(db: Writer, given: GivenAnswers, settling: Settling): Settled {
  const { session, judgement, holdMinutes, at, record } = settling;
  const by = claimantOf(session);
  const isFirst = session.state === "NOT_STARTED";
  return settle(given, judgement, {
    claim: (quotas, state) => claimPlaces(db, { quotas, by, state, isFirst, holdMinutes, at }, record),
    release: (reason) => releaseHeldPlaces(db, session.id, reason),
  });
}

/** What a submission comes to with the places that there are. */
export function settle(given: GivenAnswers, judgement: Settled, places: Places): Settled {
  const { quotas: all } = given.content;
  if (!all) return judgement;
  const { outcome, outcomeReason } = judgement;
  if (outcome === "DISQUALIFIED") {
    places.release(outcomeReason ?? "SCREENED_OUT");
    return judgement;
  }
  const hasEnded = outcome !== null;
  const quotas = quotasOf(given.content, given.answers, given.counting, hasEnded);
  const full = places.claim(quotas, hasEnded ? "TAKEN" : "HELD");
  const endsNow = hasEnded || all.some(({ id, ending }) => ending.at === "NOW" && full.includes(id));
  if (!full.length || !endsNow) return judgement;
  places.release("OVER_QUOTA");
  return { outcome: "DISQUALIFIED", outcomeReason: "OVER_QUOTA", outcomeQuotaIds: full };
}

function claimantOf({ id, participant_id }: SessionRow) {
  return { sessionId: id, participantId: participant_id };
}

/** Whether a session can't be started, because the target is reached or a quota of everybody or of attributes has no room. */
export function isFullAtStart(db: Reader, { publication, content }: Answering, session: SessionRow): boolean {
  if (session.state !== "NOT_STARTED") return false;
  if (isFull(db, publication)) return true;
  if (!content.quotas) return false;
  const quotas = quotasBeforeAnswers(content, new Facts(content.attributes));
  return quotasWithoutRoom(db, quotas, session.participant_id).length > 0;
}

/** Inside a transaction: gives back all places of a session that does not count any more. Another one of the participant that does gets them. */
export function givePlacesBack(db: Writer, session: SessionRow, reason: ReleaseReason, record: RecordEvent): void {
  const places = listPlacesOfSession(db, session.id);
  if (!places.length) return;
  const heirs = new Map<string, number>();
  if (places.some(({ state }) => state === "TAKEN"))
    for (const other of listCounting(db, session.screener_id, session.participant_id, session.id))
      for (const { id } of quotasOfCompleted(db, other)) heirs.set(id, other.id);
  releaseAllPlaces(db, session.id, reason, heirs, record);
}

/** Inside a transaction: takes the places of a completed session that counts from now on, also beyond the limits. */
export function takePlaces(db: Writer, session: SessionRow, at: Date, record: RecordEvent): void {
  const quotas = quotasOfCompleted(db, session);
  if (!quotas.length) return;
  const by = claimantOf(session);
  claimPlaces(db, { quotas, by, state: "TAKEN", holdMinutes: 0, mayExceed: true, isFirst: false, at }, record);
}

/** The quotas that a completed session is in, by the answers that are kept. */
function quotasOfCompleted(db: Reader, session: SessionRow): Quota[] {
  const { content, questions } = answeringOf(db, new Parsed(), session);
  if (!content.quotas) return [];
  const answers = findAnswers(db, session.id, questions);
  return quotasOf(content, answers, shown(content, answers).counting, true);
}
