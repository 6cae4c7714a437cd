// Statements on what jobs did to a workspace, which is kept to undo it.

import type { Reader, Writer } from "../../db/connection.ts";

/** How long what a job did can be undone. */
export const UNDO_MS = 30 * 24 * 3_600_000;

/** What one import or undo did. What it added lies in ranges of rowids: after the first number, up to the second. */
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
  assignments_after: number;
  assignments_to: number;
  undone_by: string | null;
}

/** What a job did. `schema` is the name under which the workspace is attached. */
export function findEffect(db: Reader, jobUid: string, schema = "main"): EffectRow | undefined {
  return db.get(
    `SELECT f.*, s.uid AS screener_uid FROM ${schema}.effect AS f JOIN ${schema}.screener AS s ON s.id = f.screener_id
     WHERE f.job_uid = ?`,
    jobUid,
  );
}

/** Now; but later than what any import or undo has written so far, because the time tells their rows apart. */
export function nextStamp(db: Reader): Date {
  const last = db.value<string>("SELECT stamp FROM w.effect ORDER BY id DESC LIMIT 1");
  return new Date(Math.max(Date.now(), last === undefined ? 0 : Date.parse(last) + 1));
}

/** Records that a job has an effect. @returns its rowid. Its parts are added by the statements that make them */
export function insertEffect(
  db: Writer,
  effect: {
    jobUid: string;
    screenerId: number;
    now: Date;
    participants: [after: number, to: number];
    assignments: [after: number, to: number];
  },
): bigint {
  const { jobUid, screenerId, now, participants, assignments } = effect;
  return BigInt(
    db.run(
      `INSERT INTO w.effect (job_uid, screener_id, stamp, decided_at, participants_after, participants_to,
         assignments_after, assignments_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      jobUid,
      screenerId,
      now.toISOString(),
      Date.now(),
      ...participants,
      ...assignments,
    ).lastInsertRowid,
  );
}
