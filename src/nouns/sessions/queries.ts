// Statements on sessions.

import { countRow, countRows, recountRow } from "../../../db/list/counts.ts";
import { openSlices, type Slices } from "../../../db/list/slices.ts";
import type { Filter } from "../../../db/list/where.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { AttributeValue } from "../../base/attributes.ts";
import { Problem } from "../../base/problems.ts";
import { referenceSql } from "../../base/references.ts";
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
}

/** A session that was started, for a row of the export. */
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
  /** If a person has set the outcome: what the rules had come to, who has set it, why and when. */
  judged: string | null;
  overriddenBy: string | null;
  overrideReason: string | null;
  overriddenAt: string | null;
  /** The participant's. */
  attributes: Record<string, AttributeValue>;
}

const started = {
  ...countedSessions,
  from: `screener_session AS t JOIN participant AS r ON r.id = t.participant_id
    JOIN screener_publication AS p ON p.id = t.screener_publication_id`,
  json: `json_object('id', t.id, 'publicationId', p.id, 'uid', t.uid, 'participantUid', r.uid, 'externalUid', r.external_uid,
    'publicationUid', p.uid, 'version', p.version, 'status', t.status, 'state', t.state, 'outcome', t.outcome,
    'outcomeReason', t.outcome_reason, 'startedAt', t.started_at, 'lastActiveAt', t.last_active_at, 'completedAt', t.completed_at,
    'judged', t.override ->> '$.judged.outcome', 'overriddenBy', t.override ->> '$.createdBy.name',
    'overrideReason', t.override ->> '$.reason', 'overriddenAt', t.override ->> '$.createdAt', 'attributes', json(r.attributes))`,
};

/**
 * A screener's sessions that were started and that all filters let through, as StartedSession in JSON, `rows` at a time. Removed sessions are all
 * included, because they lose their progress: we can't know whether they were started.
 */
export function sliceStarted(db: Reader, screenerUid: string, filters: readonly Filter[], rows: number): Slices {
  const { by } = session.members.screenerId.filter;
  return openSlices(db, started, [{ by, operator: "eq", values: [screenerUid] }, ...filters], {
    only: "(t.state <> 'NOT_STARTED' OR t.status = 'REMOVED')",
    rows,
  });
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
    "SELECT * FROM screener_session WHERE screener_participant_uid = ? AND status <> 'REMOVED' ORDER BY id DESC LIMIT 1",
    assignmentUid,
  );
}

/** The newest session of an assignment, if it is active: after a removed one, there is none until another is opened. */
export function findCurrentSessionId(db: Reader, assignmentUid: string): number | undefined {
  return db.value(
    `SELECT id FROM (SELECT id, status FROM screener_session WHERE screener_participant_uid = ? ORDER BY id DESC LIMIT 1)
     WHERE status = 'ACTIVE'`,
    assignmentUid,
  );
}

/** The session of an assignment that still takes answers. */
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
): void {
  const { lastInsertRowid } = db.run(
    `INSERT INTO screener_session (uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id,
       tag_set_id, created_at, reference) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${referenceSql("?")})`,
    session.uid,
    session.slug,
    session.screenerId,
    session.assignmentUid,
    session.participantId,
    session.publicationId,
    session.tagSetId,
    session.now,
    session.uid,
  );
  const facets = { screener_id: session.screenerId, status: "ACTIVE", state: "NOT_STARTED" };
  countRow(db, countedSessions, Number(lastInsertRowid), facets, 1);
}

/** How far a session is after a submission. */
export interface SessionProgress {
  state: "IN_PROGRESS" | "COMPLETED";
  outcome: SessionRow["outcome"];
  outcomeReason: SessionRow["outcome_reason"];
  now: string;
}

/** How long a page was open before it was sent, by its index in the publication. */
interface PageTime {
  index: number;
  ms: number;
}

/** Writes a session's progress. The first submission also starts the session. */
export function updateProgress(db: Writer, session: SessionRow, progress: SessionProgress, time?: PageTime): void {
  const { state, outcome, outcomeReason, now } = progress;
  recountRow(db, countedSessions, session.id, session, { state });
  const path = time && `$.p${time.index}`;
  const addsTime = ", page_times = json_set(coalesce(page_times, '{}'), ?, coalesce(page_times ->> ?, 0) + ?)";
  // The outcome has an index, which SQLite writes even if nothing changes.
  const isDecided = outcome !== session.outcome;
  db.run(
    `UPDATE screener_session SET state = ?, outcome_reason = ?, started_at = coalesce(started_at, ?), last_active_at = ?,
       completed_at = ?${isDecided ? ", outcome = ?" : ""}${time ? addsTime : ""} WHERE id = ?`,
    ...[state, outcomeReason, now, now, state === "COMPLETED" ? now : null],
    ...(isDecided ? [outcome] : []),
    ...(time ? [path!, path!, time.ms] : []),
    session.id,
  );
}

/** Marks a session as removed, and clears its progress. */
export function markRemoved(db: Writer, session: SessionRow): void {
  recountRow(db, countedSessions, session.id, session, { status: "REMOVED", state: "NOT_STARTED" });
  db.run(
    `UPDATE screener_session SET status = 'REMOVED', state = 'NOT_STARTED', started_at = NULL, last_active_at = NULL,
       completed_at = NULL, outcome = NULL, outcome_reason = NULL, override = NULL, page_times = NULL WHERE id = ?`,
    session.id,
  );
}

/** Archives the active sessions of an assignment. @returns how many */
export function archiveSessions(db: Writer, assignmentUid: string): number {
  const ids = JSON.stringify(
    db.values<number>(
      "SELECT id FROM screener_session WHERE screener_participant_uid = ? AND status = 'ACTIVE'",
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
