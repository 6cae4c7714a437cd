// Statements on sessions.

import type { Reader, Writer } from "../../db/connection.ts";
import {
  type CountedTable,
  countRow,
  countRows,
  type Filter,
  type ListDefinition,
  type ListResult,
  type Page,
  readPage,
} from "../../db/list.ts";
import { Problem } from "../problems.ts";
import { sessionFrom, sessionJson } from "./view.ts";

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

export const countedSessions: CountedTable = { table: "screener_session", facets: ["screener_id", "status", "state"] };

const sessions: ListDefinition = {
  ...countedSessions,
  from: sessionFrom,
  json: sessionJson,
  filters: {
    id: { column: "uid" },
    screenerId: { column: "screener_id", references: { table: "screener", by: "uid" } },
    screenerParticipantId: { column: "screener_participant_uid" },
    status: { column: "status" },
    state: { column: "state" },
  },
};

export function listSessions(db: Reader, appUrl: string, filters: readonly Filter[], page: Page): ListResult {
  return readPage(db, sessions, filters, page, [appUrl]);
}

/** A session as JSON, or undefined. */
export function findSessionJson(db: Reader, appUrl: string, uid: string): string | undefined {
  return db.value(`SELECT ${sessionJson} FROM ${sessionFrom} WHERE t.uid = ?`, appUrl, uid);
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
  countRow(db, countedSessions, id, [session.screenerId, "ACTIVE", "NOT_STARTED"], 1);
  return id;
}

/** Marks a session as removed, and clears its progress. */
export function markRemoved(db: Writer, session: SessionRow): void {
  countRow(db, countedSessions, session.id, [session.screener_id, session.status, session.state], -1);
  countRow(db, countedSessions, session.id, [session.screener_id, "REMOVED", "NOT_STARTED"], 1);
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

/** How many sessions of a publication have qualified. */
export function countQualified(db: Reader, publicationId: number): number {
  return (
    db.value<number>(
      "SELECT count(*) FROM screener_session WHERE screener_publication_id = ? AND outcome = 'QUALIFIED'",
      publicationId,
    ) ?? 0
  );
}
