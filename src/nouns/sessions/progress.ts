// How far a session is, as a submission leaves it.

import { recountRow } from "../../../db/list/counts.ts";
import type { SqlValue, Writer } from "../../../db/sqlite/connection.ts";
import { CHANGED_NOW } from "../../base/members.ts";
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
export interface PageTime {
  index: number;
  ms: number;
}

/** By which key a session has it. */
export const pageTimeKey = ({ index }: PageTime) => `p${index}`;

/** Writes a session's progress. The first submission also starts the session. */
export function updateProgress(db: Writer, session: SessionRow, progress: SessionProgress, time?: PageTime): void {
  const { state, outcome, outcomeReason, refusedUid, outcomeQuotaIds, quotaIds, arms, language, isPending, now } =
    progress;
  if (!session.is_test) recountRow(db, countedSessions, session.id, session, { state });
  const changed: [set: string, ...values: SqlValue[]][] = [];
  // Only what changes: SQLite writes the indexes of all columns that are named, and looks at their triggers.
  const set = (column: string, value: string | null, former: string | null | undefined) => {
    if (value !== former) changed.push([`${column} = ?`, value]);
  };
  set("last_active_at", now, session.last_active_at);
  set("state", state, session.state);
  set("outcome", outcome, session.outcome);
  set("outcome_reason", keptReason(outcomeReason), session.outcome_reason);
  set("started_at", session.started_at ?? now, session.started_at);
  set("completed_at", state === "COMPLETED" ? now : null, session.completed_at);
  set("language", language, session.language);
  if (refusedUid !== undefined) changed.push(["refused_uid = ?", refusedUid]);
  // A session that was offered places still has those of the time when it was turned away.
  const wasOffered = session.offer !== null;
  if (outcomeQuotaIds.length || wasOffered) changed.push(["outcome_quota_ids = ?", idsJson(outcomeQuotaIds)]);
  if (quotaIds.length || wasOffered) changed.push(["quota_ids = ?", idsJson(quotaIds)]);
  if (arms !== undefined) changed.push(["arms = ?", arms]);
  if (isPending) changed.push(["review_state = 'PENDING'"]);
  if (time) {
    const path = `$.${pageTimeKey(time)}`;
    const adds = "page_times = json_set(coalesce(page_times, '{}'), ?, coalesce(page_times ->> ?, 0) + ?)";
    changed.push([adds, path, path, time.ms]);
  }
  if (wasOffered) changed.push(["offered_until = NULL, offer = NULL"]);
  if (!changed.length) return;
  const sets = changed.map(([sql]) => sql).join(", ");
  db.run(`UPDATE screener_session SET ${sets} WHERE id = ?`, ...changed.flatMap(([, ...values]) => values), session.id);
}

/** The person has chosen a language. */
export function setLanguage(db: Writer, id: number, language: string): void {
  db.run(`UPDATE screener_session SET language = ?, ${CHANGED_NOW} WHERE id = ?`, language, id);
}

function idsJson(ids: readonly string[]): string | null {
  return ids.length ? JSON.stringify(ids) : null;
}
