// How far a session is, as a submission leaves it.

import { recountRow } from "../../../db/list/counts.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import type { OutcomeReason } from "../content/content.ts";
import { keptReason } from "./outcome-reasons.ts";
import type { SessionRow } from "./queries.ts";
import { countedSessions } from "./resource.ts";

/** How far a session is after a submission. */
export interface SessionProgress {
  state: "IN_PROGRESS" | "COMPLETED";
  outcome: SessionRow["outcome"];
  outcomeReason: OutcomeReason | null;
  /** The id of the question without whose answer it ended. */
  refusedUid?: string | undefined;
  /** The ids of the quotas in which there was no place. */
  outcomeQuotaIds: readonly string[];
  /** The ids of the quotas that it is in, if it is completed. */
  quotaIds: readonly string[];
  /** As the column has it. Undefined: it was given none now. */
  arms?: string | undefined;
  /** Null: it is not known. */
  language: string | null;
  /** Whether it waits for a person who reviews it. */
  isPending: boolean;
  now: string;
}

/** How long a page was open before it was sent, by its index in the publication. */
interface PageTime {
  index: number;
  ms: number;
}

/** Writes a session's progress. The first submission also starts the session. */
export function updateProgress(db: Writer, session: SessionRow, progress: SessionProgress, time?: PageTime): void {
  const { state, outcome, outcomeReason, refusedUid, outcomeQuotaIds, quotaIds, arms, language, isPending, now } =
    progress;
  if (!session.is_test) recountRow(db, countedSessions, session.id, session, { state });
  const path = time && `$.p${time.index}`;
  const addsTime = ", page_times = json_set(coalesce(page_times, '{}'), ?, coalesce(page_times ->> ?, 0) + ?)";
  // The outcome has an index, which SQLite writes even if nothing changes.
  const isDecided = outcome !== session.outcome;
  // A session that was offered places still has those of the time when it was turned away.
  const wasOffered = session.offer !== null;
  const isTurnedAway = outcomeQuotaIds.length > 0 || wasOffered;
  const isInQuotas = quotaIds.length > 0 || wasOffered;
  db.run(
    `UPDATE screener_session SET state = ?, outcome_reason = ?, started_at = coalesce(started_at, ?), last_active_at = ?,
       completed_at = ?, language = ?${isDecided ? ", outcome = ?" : ""}${refusedUid === undefined ? "" : ", refused_uid = ?"}${isTurnedAway ? ", outcome_quota_ids = ?" : ""}${isInQuotas ? ", quota_ids = ?" : ""}${arms === undefined ? "" : ", arms = ?"}${isPending ? ", review_state = 'PENDING'" : ""}${time ? addsTime : ""}${wasOffered ? ", offered_until = NULL, offer = NULL" : ""} WHERE id = ?`,
    ...[state, keptReason(outcomeReason), now, now, state === "COMPLETED" ? now : null, language],
    ...(isDecided ? [outcome] : []),
    ...(refusedUid === undefined ? [] : [refusedUid]),
    ...(isTurnedAway ? [idsJson(outcomeQuotaIds)] : []),
    ...(isInQuotas ? [idsJson(quotaIds)] : []),
    ...(arms === undefined ? [] : [arms]),
    ...(time ? [path!, path!, time.ms] : []),
    session.id,
  );
}

/** The person has chosen a language. */
export function setLanguage(db: Writer, id: number, language: string): void {
  db.run("UPDATE screener_session SET language = ? WHERE id = ?", language, id);
}

function idsJson(ids: readonly string[]): string | null {
  return ids.length ? JSON.stringify(ids) : null;
}
