// Statements on sessions.

import { countRow, countRows, recountRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";
import { referenceSql } from "../../base/references.ts";
import { countedSessions } from "./resource.ts";

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
  outcome_reason: "SCREENED_OUT" | "OVER_QUOTA" | null;
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

/** The newest session of an assignment that was not removed. The assignment's status follows from it. */
export function findLatestSession(db: Reader, assignmentUid: string): SessionRow | undefined {
  return db.get(
    `SELECT * FROM screener_session WHERE screener_participant_uid = ? AND status <> 'REMOVED' AND is_test = 0
     ORDER BY id DESC LIMIT 1`,
    assignmentUid,
  );
}

/** The newest session of an assignment, if it is active: after a removed one, there is none until another is opened. */
export function findCurrentSessionId(db: Reader, assignmentUid: string): number | undefined {
  return db.value(
    `SELECT id FROM (SELECT id, status FROM screener_session WHERE screener_participant_uid = ? AND is_test = 0
       ORDER BY id DESC LIMIT 1)
     WHERE status = 'ACTIVE'`,
    assignmentUid,
  );
}

/** The session of an assignment that still takes answers. */
export function findOpenSession(db: Reader, assignmentUid: string): SessionRow | undefined {
  return db.get(
    `SELECT * FROM screener_session WHERE screener_participant_uid = ? AND status = 'ACTIVE' AND state <> 'COMPLETED'
       AND is_test = 0 ORDER BY id DESC LIMIT 1`,
    assignmentUid,
  );
}

export function insertSession(
  db: Writer,
  session: {
    uid: string;
    slug: string;
    screenerId: number;
    assignmentUid: string;
    participantId: number;
    publicationId: number;
    tagSetId: number;
    now: string;
    isTest?: boolean;
  },
): void {
  const { isTest = false } = session;
  const { lastInsertRowid } = db.run(
    `INSERT INTO screener_session (uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id,
       tag_set_id, created_at, is_test, reference) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${referenceSql("?")})`,
    session.uid,
    session.slug,
    session.screenerId,
    session.assignmentUid,
    session.participantId,
    session.publicationId,
    session.tagSetId,
    session.now,
    isTest ? 1 : 0,
    session.uid,
  );
  const facets = { screener_id: session.screenerId, status: "ACTIVE", state: "NOT_STARTED" };
  if (!isTest) countRow(db, countedSessions, Number(lastInsertRowid), facets, 1);
}

/** How many test sessions a screener has. */
export function countTestSessions(db: Reader, screenerId: number): number {
  return db.value("SELECT count(*) FROM screener_session WHERE screener_id = ? AND is_test = 1", screenerId)!;
}

/** How far a session is after a submission. */
export interface SessionProgress {
  state: "IN_PROGRESS" | "COMPLETED";
  outcome: SessionRow["outcome"];
  outcomeReason: SessionRow["outcome_reason"];
  /** The ids of the quotas in which there was no place. */
  outcomeQuotaIds: readonly string[];
  /** The ids of the quotas that it is in, if it is completed. */
  quotaIds: readonly string[];
  /** As the column has it. Undefined: it was given none now. */
  arms?: string | undefined;
  /** Null: it is not known. */
  language: string | null;
  now: string;
}

/** How long a page was open before it was sent, by its index in the publication. */
interface PageTime {
  index: number;
  ms: number;
}

/** Writes a session's progress. The first submission also starts the session. */
export function updateProgress(db: Writer, session: SessionRow, progress: SessionProgress, time?: PageTime): void {
  const { state, outcome, outcomeReason, outcomeQuotaIds, quotaIds, arms, language, now } = progress;
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
       completed_at = ?, language = ?${isDecided ? ", outcome = ?" : ""}${isTurnedAway ? ", outcome_quota_ids = ?" : ""}${isInQuotas ? ", quota_ids = ?" : ""}${arms === undefined ? "" : ", arms = ?"}${time ? addsTime : ""}${wasOffered ? ", offered_until = NULL, offer = NULL" : ""} WHERE id = ?`,
    ...[state, outcomeReason, now, now, state === "COMPLETED" ? now : null, language],
    ...(isDecided ? [outcome] : []),
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

/** Marks a session as removed, and clears its progress. */
export function markRemoved(db: Writer, session: SessionRow): void {
  if (!session.is_test)
    recountRow(db, countedSessions, session.id, session, { status: "REMOVED", state: "NOT_STARTED" });
  db.run(
    `UPDATE screener_session SET status = 'REMOVED', state = 'NOT_STARTED', started_at = NULL, last_active_at = NULL,
       completed_at = NULL, outcome = NULL, outcome_reason = NULL, outcome_quota_ids = NULL, quota_ids = NULL, override = NULL,
       page_times = NULL, offered_until = NULL, offer = NULL, language = NULL
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
    "UPDATE screener_session SET status = 'ARCHIVED' WHERE id IN (SELECT value FROM json_each(?))",
    ids,
  );
  countRows(db, countedSessions, "main", where, [ids], 1);
  return changes;
}

/** The completed sessions of a participant for a screener that count in quotas, but for one; the latest last. */
export function listCounting(db: Reader, screenerId: number, participantId: number, exceptFor: number): SessionRow[] {
  return db.all(
    // Not by the screener, which may have a million.
    `SELECT * FROM screener_session INDEXED BY screener_session_participant WHERE participant_id = ? AND screener_id = ? AND id <> ? AND status <> 'REMOVED'
       AND is_test = 0 AND outcome IN ('QUALIFIED', 'UNKNOWN') ORDER BY id`,
    participantId,
    screenerId,
    exceptFor,
  );
}

function idsJson(ids: readonly string[]): string | null {
  return ids.length ? JSON.stringify(ids) : null;
}

/** Ids of quotas, as a session has them. */
export function quotaIdsOf(json: string | null): string[] {
  return json === null ? [] : JSON.parse(json);
}
