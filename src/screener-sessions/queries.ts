// Statements on sessions.

import type { Reader, Writer } from "../../db/connection.ts";
import { countRow, countRows, recountRow } from "../../db/list.ts";
import { openSlices, type Slices } from "../../db/list-slices.ts";
import { Problem } from "../problems.ts";
import { countedSessions, session } from "./resource.ts";

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
}

/** A session that was started, as it stands in a table of answers. */
export interface StartedSession {
  id: number;
  publicationId: number;
  uid: string;
  participantUid: string;
  externalUid: string;
  publicationUid: string;
  version: number;
  status: SessionRow["status"];
  state: SessionRow["state"];
  outcome: SessionRow["outcome"];
  outcomeReason: SessionProgress["outcomeReason"];
  startedAt: string | null;
  lastActiveAt: string | null;
  completedAt: string | null;
}

const started = {
  ...countedSessions,
  from: `screener_session AS t JOIN participant AS r ON r.id = t.participant_id
    JOIN screener_publication AS p ON p.id = t.screener_publication_id`,
  json: `json_object('id', t.id, 'publicationId', p.id, 'uid', t.uid, 'participantUid', r.uid, 'externalUid', r.external_uid,
    'publicationUid', p.uid, 'version', p.version, 'status', t.status, 'state', t.state, 'outcome', t.outcome,
    'outcomeReason', t.outcome_reason, 'startedAt', t.started_at, 'lastActiveAt', t.last_active_at, 'completedAt', t.completed_at)`,
};

/**
 * A screener's sessions that were started, as StartedSession in JSON; and those that were removed, of which that can't
 * be told any more. `rows` at a time.
 */
export function sliceStarted(db: Reader, screenerUid: string, rows: number): Slices {
  const { by } = session.members.screenerId.filter;
  return openSlices(db, started, [{ by, operator: "eq", values: [screenerUid] }], {
    only: "(t.state <> 'NOT_STARTED' OR t.status = 'REMOVED')",
    rows,
  });
}

/** @throws Problem screener_session_not_found */
export function getSession(db: Reader, uid: string): SessionRow {
  const row = db.get<SessionRow>("SELECT * FROM screener_session WHERE uid = ?", uid);
  if (!row) throw new Problem("screener_session_not_found");
  return row;
}

/** The newest session of an assignment that was not removed: what its status is derived from. */
export function findLatestSession(db: Reader, assignmentUid: string): SessionRow | undefined {
  return db.get(
    "SELECT * FROM screener_session WHERE screener_participant_uid = ? AND status <> 'REMOVED' ORDER BY id DESC LIMIT 1",
    assignmentUid,
  );
}

/** The newest session of an assignment, unless it was removed: then there is none until another is opened. */
export function findCurrentSessionId(db: Reader, assignmentUid: string): number | undefined {
  return db.value(
    `SELECT id FROM (SELECT id, status FROM screener_session WHERE screener_participant_uid = ? ORDER BY id DESC LIMIT 1)
     WHERE status = 'ACTIVE'`,
    assignmentUid,
  );
}

/** The session of an assignment that takes responses, if there is one. */
export function findOpenSession(db: Reader, assignmentUid: string): SessionRow | undefined {
  return db.get(
    `SELECT * FROM screener_session WHERE screener_participant_uid = ? AND status = 'ACTIVE' AND state <> 'COMPLETED'
     ORDER BY id DESC LIMIT 1`,
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
  },
): number {
  const { lastInsertRowid } = db.run(
    `INSERT INTO screener_session (uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id,
       tag_set_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    session.uid,
    session.slug,
    session.screenerId,
    session.assignmentUid,
    session.participantId,
    session.publicationId,
    session.tagSetId,
    session.now,
  );
  const id = Number(lastInsertRowid);
  countRow(db, countedSessions, id, { screener_id: session.screenerId, status: "ACTIVE", state: "NOT_STARTED" }, 1);
  return id;
}

/** How far a session is after a submission. */
export interface SessionProgress {
  state: "IN_PROGRESS" | "COMPLETED";
  outcome: SessionRow["outcome"];
  outcomeReason: "SCREENED_OUT" | "OVER_QUOTA" | null;
  now: string;
}

/** Writes down a submission: the first one starts the session, the last one completes it. */
export function updateProgress(db: Writer, session: SessionRow, progress: SessionProgress): void {
  const { state, outcome, outcomeReason, now } = progress;
  recountRow(db, countedSessions, session.id, session, { state });
  db.run(
    `UPDATE screener_session SET state = ?, outcome = ?, outcome_reason = ?, started_at = coalesce(started_at, ?),
       last_active_at = ?, completed_at = ? WHERE id = ?`,
    state,
    outcome,
    outcomeReason,
    now,
    now,
    state === "COMPLETED" ? now : null,
    session.id,
  );
}

/** Marks a session as removed, and clears its progress. */
export function markRemoved(db: Writer, session: SessionRow): void {
  recountRow(db, countedSessions, session.id, session, { status: "REMOVED", state: "NOT_STARTED" });
  db.run(
    `UPDATE screener_session SET status = 'REMOVED', state = 'NOT_STARTED', started_at = NULL, last_active_at = NULL,
       completed_at = NULL, outcome = NULL, outcome_reason = NULL WHERE id = ?`,
    session.id,
  );
}

/** Archives the sessions of an assignment that are active. */
export function archiveSessions(db: Writer, assignmentUid: string): void {
  const ids = JSON.stringify(
    db.values<number>(
      "SELECT id FROM screener_session WHERE screener_participant_uid = ? AND status = 'ACTIVE'",
      assignmentUid,
    ),
  );
  const where = "t.id IN (SELECT value FROM json_each(?))";
  countRows(db, countedSessions, "main", where, [ids], -1);
  db.run("UPDATE screener_session SET status = 'ARCHIVED' WHERE id IN (SELECT value FROM json_each(?))", ids);
  countRows(db, countedSessions, "main", where, [ids], 1);
}

/** Whether at least `target` participants, `besides` one, have qualified by a publication: people, however often each. */
export function hasQualified(db: Reader, publicationId: number, target: number, besides = 0): boolean {
  const counted = db.value<number>(
    `SELECT count(*) FROM (SELECT DISTINCT participant_id FROM screener_session
       WHERE screener_publication_id = ? AND outcome = 'QUALIFIED' AND participant_id <> ? LIMIT ?)`,
    publicationId,
    besides,
    target,
  );
  return counted! >= target;
}
