// Applies a staged import in one transaction: a few set statements over the stage and the workspace. The difference is
// worked out inside the transaction, so that nothing can change between looking and writing.
//
// The connection's own store is the scratch, with the workspace attached as `w` (jobs/apply-with-scratch.ts). The plan
// that is worked out there is the job's answer, too.

import type { Writer } from "../../../db/connection.ts";
import { countRows } from "../../../db/list.ts";
import { uuid7Sql, uuid7Time } from "../../ids.ts";
import { countedParticipants } from "../../participants/queries.ts";
import { invalidRequest, MAX_ERRORS, Problem } from "../../problems.ts";
import { countedSessions } from "../../screener-sessions/queries.ts";
import { getScreener } from "../../screeners/queries.ts";
import { plainSql } from "../../sql-json.ts";
import { actorRow } from "../../workspaces/actors.ts";
import type { Actor } from "../../workspaces/credentials.ts";
import { countedAssignments } from "../queries.ts";
import { assignmentJsonSql } from "../view.ts";
import type { Staged } from "./stage.ts";

export interface ImportSummary {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  assigned: number;
  removed: number;
}

/** How many rows one statement writes at most: between them it is told how far the import is. */
const SLICE = 50_000;

/** The tables of the scratch that the answer is read from, empty; `stage` is there already. */
export function createPlan(scratch: Writer, screenerId: string): void {
  scratch.exec(`
    CREATE TABLE IF NOT EXISTS plan (
      position INTEGER PRIMARY KEY,
      participant_id INTEGER NOT NULL,
      participant_uid TEXT NOT NULL,
      is_new INTEGER NOT NULL,
      is_changed INTEGER NOT NULL,
      -- What stays as it was, because the row leaves it out.
      kept_email TEXT,
      kept_name TEXT,
      assignment_uid TEXT NOT NULL,
      is_assigned INTEGER NOT NULL,
      status TEXT NOT NULL,
      session_uid TEXT
    ) STRICT;
    CREATE TABLE IF NOT EXISTS fresh (rank INTEGER PRIMARY KEY, position INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS removed (id INTEGER PRIMARY KEY, uid TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS archived (id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE IF NOT EXISTS target (screener_uid TEXT NOT NULL) STRICT;
    DELETE FROM plan; DELETE FROM fresh; DELETE FROM removed; DELETE FROM archived; DELETE FROM target;
    CREATE VIEW IF NOT EXISTS answer AS SELECT q.position, ${assignmentJsonSql({
      uid: "q.assignment_uid",
      screenerUid: plainSql("g.screener_uid"),
      participantUid: "q.participant_uid",
      externalUid: "r.external_uid",
      sessionUid: "q.session_uid",
      name: "coalesce(r.name, q.kept_name)",
      email: "coalesce(r.email, q.kept_email)",
      status: plainSql("q.status"),
    })} AS json FROM plan AS q JOIN stage AS r USING (position) CROSS JOIN target AS g;
  `);
  scratch.run("INSERT INTO target VALUES (?)", screenerId);
}

/**
 * Inside a transaction. @throws Problem 404 for an unknown screener, 400 for rows that would make a participant
 * without a name or email, 409 for emails that others have
 */
export function applyImport(
  db: Writer,
  staged: Staged,
  by: Actor,
  told: (phase: string, done: number) => void,
): ImportSummary {
  const screener = getScreener(db, staged.screenerId, "w");
  const now = new Date();
  const actor = BigInt(actorRow(db, by, "w"));
  const write = { at: now.toISOString(), actor };
  const baseParticipant = maxId(db, "participant");
  const baseAssignment = maxId(db, "screener_participant");

  told("COMPARING", 0);
  planKnown(db, screener.id, now);
  planFresh(db, baseParticipant, now);
  checkFresh(db);
  told("APPLYING", 0);
  const updated = updateChanged(db, write);
  const created = insertFresh(db, write, (done) => told("APPLYING", done));
  const assigned = insertAssignments(db, screener.id, (done) => told("APPLYING", done));
  const removed = staged.importMode === "FULL_SYNC" ? removeAbsent(db, screener.id, baseAssignment) : 0;
  countRows(db, countedParticipants, "w", "t.id > ?", [baseParticipant], 1);
  countRows(db, countedAssignments, "w", "t.id > ?", [baseAssignment], 1);
  return { rows: staged.rows, created, updated, unchanged: staged.rows - created - updated, assigned, removed };
}

/** Plans the rows whose participant exists. */
function planKnown(db: Writer, screenerId: number, now: Date): void {
  db.run(
    `INSERT INTO plan
     SELECT r.position, p.id, p.uid, 0,
       (r.email IS NOT NULL AND r.email IS NOT p.email COLLATE BINARY) OR (r.name IS NOT NULL AND r.name IS NOT p.name),
       p.email, p.name, coalesce(a.uid, ${uuid7Sql("r.position")}), a.id IS NOT NULL, coalesce(a.status, 'NOT_STARTED'), e.uid
     FROM stage AS r
     JOIN w.participant AS p ON p.external_uid = r.external_uid
     LEFT JOIN w.screener_participant AS a ON a.participant_id = p.id AND a.screener_id = ?
     LEFT JOIN w.screener_session AS e ON e.id = a.current_session_id
     ORDER BY r.position`,
    uuid7Time(now),
    screenerId,
  );
}

/** Plans the rows that make a participant. Their rowids follow on without a gap, in the payload's order. */
function planFresh(db: Writer, base: number, now: Date): void {
  db.run(
    "INSERT INTO fresh (position) SELECT r.position FROM stage AS r WHERE NOT EXISTS (SELECT 1 FROM plan AS q WHERE q.position = r.position) ORDER BY r.position",
  );
  db.run(
    `INSERT INTO plan
     SELECT f.position, ? + f.rank, ${uuid7Sql("f.position")}, 1, 0, NULL, NULL, ${uuid7Sql("f.position")}, 0, 'NOT_STARTED', NULL
     FROM fresh AS f ORDER BY f.rank`,
    BigInt(base),
    uuid7Time(now),
    uuid7Time(now),
  );
}

/** Checks what only shows against the workspace. */
function checkFresh(db: Writer): void {
  const lacking = "FROM fresh AS f JOIN stage AS r USING (position) WHERE r.email IS NULL OR r.name IS NULL";
  const found = db.all<{ position: number; email: string | null; name: string | null }>(
    `SELECT r.position, r.email, r.name ${lacking} ORDER BY r.position LIMIT ${MAX_ERRORS}`,
  );
  if (found.length) {
    const count = db.value<number>(`SELECT sum((r.email IS NULL) + (r.name IS NULL)) ${lacking}`)!;
    const message = "is required, because there is no participant with this externalUid yet";
    const errors = found.flatMap(({ position, email, name }) => [
      ...(email === null ? [{ pointer: `/participants/${position}/email`, message }] : []),
      ...(name === null ? [{ pointer: `/participants/${position}/name`, message }] : []),
    ]);
    throw invalidRequest(errors, count);
  }
  // Held by someone who is not about to let go of it: outside the payload, or inside without a new email.
  const taken = `FROM plan AS q JOIN stage AS r USING (position) JOIN w.participant AS p ON p.email = r.email
    WHERE (q.is_new OR q.is_changed) AND p.id <> q.participant_id AND p.id NOT IN (
      SELECT q2.participant_id FROM plan AS q2 JOIN stage AS r2 USING (position)
      WHERE q2.is_changed AND r2.email IS NOT NULL AND r2.email <> q2.kept_email COLLATE NOCASE)`;
  if (db.value(`SELECT 1 ${taken} LIMIT 1`) === undefined) return;
  const count = db.value<number>(`SELECT count(*) ${taken}`)!;
  const positions = db.values<number>(`SELECT q.position ${taken} ORDER BY q.position LIMIT ${MAX_ERRORS}`);
  throw new Problem("email_taken", {
    detail: count === 1 ? "An email belongs to another participant." : `${count} emails belong to other participants.`,
    errors: positions.map((position) => ({
      pointer: `/participants/${position}/email`,
      message: "is taken by another participant",
    })),
    errorCount: count,
  });
}

interface Write {
  at: string;
  actor: bigint;
}

function updateChanged(db: Writer, { at, actor }: Write): number {
  // Two participants may swap emails: whoever gives one up lets go of it before anyone takes it.
  db.run(
    `UPDATE w.participant SET email = NULL WHERE id IN (
       SELECT p.id FROM plan AS q JOIN stage AS r USING (position) JOIN w.participant AS p ON p.email = r.email
       WHERE (q.is_new OR q.is_changed) AND p.id <> q.participant_id)`,
  );
  return db.run(
    `UPDATE w.participant SET email = q.email, name = q.name, updated_by = ?, updated_at = ?
     FROM (SELECT participant_id, coalesce(r.email, kept_email) AS email, coalesce(r.name, kept_name) AS name
           FROM plan JOIN stage AS r USING (position) WHERE is_changed) AS q
     WHERE q.participant_id = w.participant.id`,
    actor,
    at,
  ).changes;
}

function insertFresh(db: Writer, { at, actor }: Write, told: (done: number) => void): number {
  const total = maxId(db, "fresh", "main", "rank");
  for (let from = 1; from <= total; from += SLICE) {
    db.run(
      `INSERT INTO w.participant (id, uid, external_uid, email, name, created_by, created_at, updated_by, updated_at)
       SELECT q.participant_id, q.participant_uid, r.external_uid, r.email, r.name, ?, ?, ?, ?
       FROM fresh AS f JOIN plan AS q USING (position) JOIN stage AS r USING (position)
       WHERE f.rank >= ? AND f.rank < ? ORDER BY f.rank`,
      actor,
      at,
      actor,
      at,
      from,
      from + SLICE,
    );
    told(Math.min(from + SLICE - 1, total));
  }
  return total;
}

function insertAssignments(db: Writer, screenerId: number, told: (done: number) => void): number {
  const total = (db.value<number>("SELECT max(position) FROM plan") ?? -1) + 1;
  let assigned = 0;
  for (let from = 0; from < total; from += SLICE) {
    assigned += db.run(
      `INSERT INTO w.screener_participant (uid, screener_id, participant_id)
       SELECT assignment_uid, ?, participant_id FROM plan
       WHERE NOT is_assigned AND position >= ? AND position < ? ORDER BY position`,
      screenerId,
      from,
      from + SLICE,
    ).changes;
    told(Math.min(from + SLICE, total));
  }
  return assigned;
}

/** Removes the screener's assignments that are not in the plan. Their sessions take no more responses. */
function removeAbsent(db: Writer, screenerId: number, baseAssignment: number): number {
  const { changes } = db.run(
    `INSERT INTO removed SELECT id, uid FROM w.screener_participant
     WHERE screener_id = ? AND id <= ? AND participant_id NOT IN (SELECT participant_id FROM plan WHERE NOT is_new)`,
    screenerId,
    baseAssignment,
  );
  if (!changes) return 0;
  const archived = `t.status = 'ACTIVE' AND t.screener_participant_uid IN (SELECT uid FROM removed)`;
  countRows(db, countedSessions, "w", archived, [], -1);
  db.run(`INSERT INTO archived SELECT t.id FROM w.screener_session AS t WHERE ${archived}`);
  db.run("UPDATE w.screener_session SET status = 'ARCHIVED' WHERE id IN (SELECT id FROM archived)");
  countRows(db, countedSessions, "w", "t.id IN (SELECT id FROM archived)", [], 1);
  countRows(db, countedAssignments, "w", "t.id IN (SELECT id FROM removed)", [], -1);
  db.run("DELETE FROM w.screener_participant WHERE id IN (SELECT id FROM removed)");
  return changes;
}

function maxId(db: Writer, table: string, schema = "w", column = "id"): number {
  return db.value<number>(`SELECT coalesce(max(${column}), 0) FROM ${schema}.${table}`) ?? 0;
}
