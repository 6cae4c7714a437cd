// Statements on sessions.

import { countRows, recountRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { CHANGED_NOW } from "../../base/members.ts";
import { Problem } from "../../base/problems.ts";
import { referenceSql } from "../../base/references.ts";
import { countedSessions } from "./resource.ts";
import type { ReviewState } from "./reviews.ts";

export interface SessionRow {
  id: number;
  uid: string;
  screener_id: number;
  screener_participant_uid: string;
  participant_id: number;
  screener_publication_id: number;
  status: "ACTIVE" | "ARCHIVED" | "REMOVED";
  state: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  outcome: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN" | null;
  /** Without NO_CONSENT, which the release before can't keep: `outcomeReasonOf`. */
  outcome_reason: "SCREENED_OUT" | "OVER_QUOTA" | null;
  /** The id of the question without whose answer it ended. */
  refused_uid: string | null;
  withdrawn_at: string | null;
  /** When the answers were erased, after the withdrawal. */
  answers_erased_at: string | null;
  started_at: string | null;
  last_active_at: string | null;
  completed_at: string | null;
  /** Null: the release before has opened it. Its reference is made when it is shown. */
  reference: string | null;
  /** JSON of an Override. */
  override: string | null;
  /** JSON: how long pages were open, by `p<index of the page>`, in ms. */
  page_times: string | null;
  /** A test counts nowhere. */
  is_test: 0 | 1;
  /** JSON: the ids of the quotas in which there was no place for it. Null: there was. */
  outcome_quota_ids: string | null;
  /** JSON: the ids of the quotas that it was in when it was completed. Null: none, or it is not completed. */
  quota_ids: string | null;
  /** Until when places are offered to it, in ms since 1970, and JSON of what it was. Null: they are not, or it was answered since. */
  offered_until: number | null;
  offer: string | null;
  /** JSON: the arms that it was given, by the ids of the assignments. Null: none. */
  arms: string | null;
  /** The public id of the session whose orders by chance it has, because it is a copy of that one. Null: its own. */
  order_of: string | null;
  /** In which it is answered. Null: it has not begun, or programs send its answers. */
  language: string | null;
  /** Whether a person has accepted what it came to. Null: it is not reviewed. */
  review_state: ReviewState | null;
  /** JSON of a Decision. */
  review: string | null;
  /** As it was typed at an open link. */
  claimed_email: string | null;
}

export function findSession(db: Reader, uid: string): SessionRow | undefined {
  return db.get("SELECT * FROM screener_session WHERE uid = ?", uid);
}

/** @throws Problem screener_session_not_found */
export function getSession(db: Reader, uid: string): SessionRow {
  const row = findSession(db, uid);
  if (!row) throw new Problem("screener_session_not_found");
  return row;
}

/** An existing session. */
export function getSessionById(db: Reader, id: number): SessionRow {
  return db.get("SELECT * FROM screener_session WHERE id = ?", id)!;
}

/** The public id of an existing session. */
export function getSessionUid(db: Reader, id: number): string {
  return db.value("SELECT uid FROM screener_session WHERE id = ?", id)!;
}

/** Whether answers may have been given in a session, by its events. Without events that is not known, and so it may be. */
export function hasGivenAnswers(db: Reader, uid: string): boolean {
  const answers = db.value<number | null>(
    `SELECT iif(max(type = 'screener-session.started'), total(summary ->> 'answers'), NULL) FROM event WHERE resource_uid = ?`,
    uid,
  );
  return answers !== 0;
}

/** The session of an assignment that still takes answers. */
export function findOpenSession(db: Reader, assignmentUid: string): SessionRow | undefined {
  return db.get(
    `SELECT * FROM screener_session WHERE screener_participant_uid = ? AND status = 'ACTIVE' AND state <> 'COMPLETED'
       AND is_test = 0 ORDER BY id DESC LIMIT 1`,
    assignmentUid,
  );
}

/** How many test sessions a screener has. */
export function countTestSessions(db: Reader, screenerId: number): number {
  return db.value("SELECT count(*) FROM screener_session WHERE screener_id = ? AND is_test = 1", screenerId)!;
}

/** Marks a session as removed, and clears its progress. */
export function markRemoved(db: Writer, session: SessionRow): void {
  if (!session.is_test)
    recountRow(db, countedSessions, session.id, session, { status: "REMOVED", state: "NOT_STARTED" });
  db.run(
    `UPDATE screener_session SET status = 'REMOVED', state = 'NOT_STARTED', started_at = NULL, last_active_at = NULL,
       completed_at = NULL, outcome = NULL, outcome_reason = NULL, outcome_quota_ids = NULL, quota_ids = NULL, override = NULL,
       page_times = NULL, offered_until = NULL, offer = NULL, language = NULL, ${CHANGED_NOW}
     WHERE id = ?`,
    session.id,
  );
}

/** Archives the active sessions of an assignment, but for tests. @returns how many */
export function archiveSessions(db: Writer, assignmentUid: string): number {
  const ids = JSON.stringify(
    db.values<number>(
      "SELECT id FROM screener_session WHERE screener_participant_uid = ? AND status = 'ACTIVE' AND is_test = 0",
      assignmentUid,
    ),
  );
  const where = "t.id IN (SELECT value FROM json_each(?))";
  countRows(db, countedSessions, "main", where, [ids], -1);
  const { changes } = db.run(
    `UPDATE screener_session SET status = 'ARCHIVED', ${CHANGED_NOW} WHERE id IN (SELECT value FROM json_each(?))`,
    ids,
  );
  countRows(db, countedSessions, "main", where, [ids], 1);
  return changes;
}

/** SQL: whether a completed session counts in quotas. @param t its alias */
export const countsSql = (t: string) =>
  `${t}.status <> 'REMOVED' AND ${t}.withdrawn_at IS NULL AND ${t}.is_test = 0 AND ${t}.outcome IN ('QUALIFIED', 'UNKNOWN') AND ${t}.review_state IS NOT 'REJECTED'`;

/** The completed sessions of a participant for a screener that count in quotas, but for one; the latest last. */
export function listCounting(db: Reader, screenerId: number, participantId: number, exceptFor: number): SessionRow[] {
  return db.all(
    // Not by the screener, which may have a million.
    `SELECT * FROM screener_session AS e INDEXED BY screener_session_participant
     WHERE participant_id = ? AND screener_id = ? AND id <> ? AND ${countsSql("e")} ORDER BY id`,
    participantId,
    screenerId,
    exceptFor,
  );
}

/** Writes what was decided of a session. @param review JSON of a Decision */
export function setReview(db: Writer, id: number, state: ReviewState | null, review: string | null): void {
  db.run(`UPDATE screener_session SET review_state = ?, review = ?, ${CHANGED_NOW} WHERE id = ?`, state, review, id);
}

/** How many sessions of a screener wait for a review. */
export function countPending(db: Reader, screenerUid: string): number {
  return db.value(`SELECT count(*) FROM screener_session AS e WHERE ${PENDING}`, screenerUid)!;
}

/** Sessions that wait for a review, the one that was completed first comes first. */
export function listPending(
  db: Reader,
  screenerUid: string,
  limit: number,
): { uid: string; externalUid: string; completedAt: string }[] {
  return db.all(
    `SELECT e.uid, e.completed_at AS completedAt, (SELECT external_uid FROM participant WHERE id = e.participant_id) AS externalUid
     FROM screener_session AS e WHERE ${PENDING} ORDER BY e.completed_at, e.id LIMIT ?`,
    screenerUid,
    limit,
  );
}

/** How a session is named to people: by its reference, and whose it is. */
export interface NamedSession {
  reference: string;
  externalUid: string;
}

/** Of sessions, by their ids. Those that are gone, or nobody's, are missing. */
export function listNamed(db: Reader, uids: readonly string[]): Map<string, NamedSession> {
  const rows = db.all<NamedSession & { uid: string }>(
    `SELECT e.uid, coalesce(e.reference, ${referenceSql("e.uid")}) AS reference, p.external_uid AS externalUid
     FROM json_each(?) AS j CROSS JOIN screener_session AS e ON e.uid = j.value JOIN participant AS p ON p.id = e.participant_id`,
    JSON.stringify(uids),
  );
  return new Map(rows.map(({ uid, ...named }) => [uid, named]));
}

/** When the session was completed that waits longest for a review, in all of the workspace. null: none waits. */
export function oldestPendingAt(db: Reader): string | null {
  return (
    db.value<string | null>(
      `SELECT min((SELECT e.completed_at FROM screener_session AS e
         WHERE e.screener_id = s.id AND e.review_state = 'PENDING' AND e.status = 'ACTIVE' ORDER BY e.completed_at LIMIT 1))
       FROM screener AS s`,
    ) ?? null
  );
}

/** As its index has it. Its parameter is the id of a screener. */
const PENDING = `e.screener_id = (SELECT id FROM screener WHERE uid = ?) AND e.review_state = 'PENDING' AND e.status = 'ACTIVE'`;

/** Ids of quotas, as a session has them. */
export function quotaIdsOf(json: string | null): string[] {
  return json === null ? [] : JSON.parse(json);
}
