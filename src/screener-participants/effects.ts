// Statements on what jobs did to a workspace, which is kept to undo it.

import type { Reader, SqlValue, Writer } from "../../db/connection.ts";
import { deleteEffect } from "../jobs/effects.ts";
import { UNDO_MS } from "../jobs/plans.ts";

/** What one import or undo did. The participants that an import created have rowids after the first number, up to the second. */
export interface EffectRow {
  id: number;
  job_uid: string;
  screener_id: number;
  screener_uid: string;
  /** `updated_at` of the participants that it changed. */
  stamp: string;
  decided_at: number;
  participants_after: number;
  participants_to: number;
  undone_by: string | null;
}

/** The stamp of an effect whose job is not decided. Parts of it are written already, and nobody sees it. */
const UNDECIDED = "";

/** What a job did. `schema` is the name under which the workspace is attached. */
export function findEffect(db: Reader, jobUid: string, schema = "main"): EffectRow | undefined {
  return db.get(
    `SELECT f.*, s.uid AS screener_uid FROM ${schema}.effect AS f JOIN ${schema}.screener AS s ON s.id = f.screener_id
     WHERE f.job_uid = ? AND f.stamp <> ?`,
    jobUid,
    UNDECIDED,
  );
}

/** Now; but later than what any import or undo has written so far, because the time tells their rows apart. */
export function nextStamp(db: Reader): Date {
  const last = db.value<string>("SELECT stamp FROM w.effect WHERE stamp <> ? ORDER BY id DESC LIMIT 1", UNDECIDED);
  return new Date(Math.max(Date.now(), last === undefined ? 0 : Date.parse(last) + 1));
}

export interface NewEffect {
  jobUid: string;
  screenerId: number;
  now: Date;
  participants: [after: number, to: number];
}

/** Records that a job has an effect. @returns its rowid. Its parts are added by the statements that make them */
export function insertEffect(db: Writer, { jobUid, screenerId, now, participants }: NewEffect): bigint {
  return BigInt(
    db.run(
      `INSERT INTO w.effect (job_uid, screener_id, stamp, decided_at, participants_after, participants_to)
       VALUES (?, ?, ?, ?, ?, ?)`,
      jobUid,
      screenerId,
      now.toISOString(),
      Date.now(),
      ...participants,
    ).lastInsertRowid,
  );
}

/** How long an effect is kept whose job was never decided: its process was killed. */
const UNDECIDED_MS = 24 * 3_600_000;

/** An attempt to run a job. */
export interface Attempt {
  jobUid: string;
  number: number;
}

/** By this an effect belongs to an attempt, until its job is decided. */
function nameOf({ jobUid, number }: Attempt): string {
  return `${jobUid} ${number}`;
}

/** Begins an effect whose job is not decided yet. @returns its rowid */
export function beginEffect(db: Writer, attempt: Attempt, screenerId: number): bigint {
  const begun = db.run(
    `INSERT INTO w.effect (job_uid, screener_id, stamp, decided_at, participants_after, participants_to)
     VALUES (?, ?, ?, ?, 0, 0)`,
    nameOf(attempt),
    screenerId,
    UNDECIDED,
    // It expires like those that were decided so long ago.
    Date.now() - UNDO_MS + UNDECIDED_MS,
  );
  return BigInt(begun.lastInsertRowid);
}

/** Whether all is there of an effect that this attempt has begun. */
export function isBegun(db: Reader, id: bigint, attempt: Attempt): boolean {
  const sql = "SELECT 1 FROM w.effect WHERE id = ? AND job_uid = ? AND stamp = ?";
  return db.value(sql, id, nameOf(attempt), UNDECIDED) !== undefined;
}

/** Makes an effect that was begun that of its job. */
export function decideEffect(db: Writer, id: bigint, { jobUid, now, participants }: NewEffect): bigint {
  db.run(
    `UPDATE w.effect SET job_uid = ?, stamp = ?, decided_at = ?, participants_after = ?, participants_to = ? WHERE id = ?`,
    jobUid,
    now.toISOString(),
    Date.now(),
    ...participants,
    id,
  );
  return id;
}

/** An effect that an attempt of the job has begun, and that was not decided. */
export function findUndecided(db: Reader, jobUid: string): number | undefined {
  return db.value("SELECT id FROM w.effect WHERE job_uid > ? AND job_uid < ? LIMIT 1", `${jobUid} `, `${jobUid}!`);
}

/** Removes some of an effect that was begun. From then on it is no attempt's. */
export function deleteUndecided(db: Writer, id: number, jobUid: string): void {
  db.run("UPDATE w.effect SET job_uid = ? WHERE id = ?", nameOf({ jobUid, number: -id }), id);
  deleteEffect(db, id);
}

/** Keeps what an undo needs of the assignments that go: of those whose rows `q` of the plan are meant. */
export function keepRemovals(db: Writer, effect: bigint, meant: string, ...values: SqlValue[]): void {
  db.run(
    `INSERT INTO w.effect_assignment (effect_id, assignment_id, kind, uid, participant_id, participant_uid, status, session_id)
     SELECT ?, a.id, 'REMOVED', a.uid, a.participant_id, q.participant_uid, a.status, a.current_session_id
     FROM plan AS q CROSS JOIN w.screener_participant AS a ON a.id = q.removed_id AND a.uid = q.assignment_uid
     WHERE q.outcome = 'REMOVED' AND ${meant} ORDER BY q.id`,
    effect,
    ...values,
  );
}
