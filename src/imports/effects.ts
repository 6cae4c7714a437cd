// Statements on what jobs did to a workspace, which is kept to undo it.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";

/** The kinds of jobs that change who is in a screener, and can be undone. */
export const IMPORT = "SCREENER_PARTICIPANTS_IMPORT";
export const IMPORT_UNDO = "SCREENER_PARTICIPANTS_IMPORT_UNDO";
export const UNDOABLE: readonly string[] = [IMPORT, IMPORT_UNDO];

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

/** What a job did. `schema` is the name under which the workspace is attached. */
export function findEffect(db: Reader, jobUid: string, schema = "main"): EffectRow | undefined {
  return db.get(
    `SELECT f.*, s.uid AS screener_uid FROM ${schema}.effect AS f JOIN ${schema}.screener AS s ON s.id = f.screener_id
     WHERE f.job_uid = ?`,
    jobUid,
  );
}

/** Now; but later than what any import or undo has written so far, because their rows are found by this time. */
export function nextStamp(db: Reader): Date {
  // Without those of jobs that are not applied yet (kept-ahead.ts).
  const last = db.value<string>("SELECT stamp FROM w.effect WHERE stamp <> '' ORDER BY id DESC LIMIT 1");
  return new Date(Math.max(Date.now(), last === undefined ? 0 : Date.parse(last) + 1));
}

interface NewEffect {
  jobUid: string;
  screenerId: number;
  now: Date;
  participants: [after: number, to: number];
  /** Its rowid, if a part of it is kept already. */
  keptFor?: bigint | undefined;
}

/** Records that a job has an effect. @returns its rowid. Its parts are added by the statements that make them */
export function insertEffect(db: Writer, { jobUid, screenerId, now, participants, keptFor }: NewEffect): bigint {
  if (keptFor !== undefined) db.run("DELETE FROM w.effect WHERE id = ?", keptFor);
  return BigInt(
    db.run(
      `INSERT INTO w.effect (id, job_uid, screener_id, stamp, decided_at, participants_after, participants_to)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      keptFor ?? null,
      jobUid,
      screenerId,
      now.toISOString(),
      Date.now(),
      ...participants,
    ).lastInsertRowid,
  );
}
