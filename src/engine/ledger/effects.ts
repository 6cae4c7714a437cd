// Statements on what jobs did to a workspace, which is kept to undo them, and removed once it is too late for that.

import type { Expiry, Times } from "../../../db/expiry.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";
import { UNDO_MS } from "./plans.ts";

/** What one job did that can be undone. The participants that an import created have rowids after `participants_after`, up to `participants_to`. */
export interface EffectRow {
  id: number;
  job_uid: string;
  screener_id: number;
  screener_uid: string;
  /** Of an import: `updated_at` of the participants that it changed. */
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

/** @throws Problem 409 when it is undone already, 410 when what is needed is no longer kept */
export function requireUndoable(effect: EffectRow | undefined): EffectRow {
  if (!effect || effect.decided_at < Date.now() - UNDO_MS) throw new Problem("undo_gone");
  if (effect.undone_by !== null) {
    throw new Problem("job_not_undoable", { detail: `The job ${effect.undone_by} has undone it already.` });
  }
  return effect;
}

/** Records that `jobUid` has undone what a job did. */
export function markUndone(db: Writer, { id }: EffectRow, jobUid: string): void {
  db.run("UPDATE w.effect SET undone_by = ? WHERE id = ?", jobUid, id);
}

/** Now; but later than what any job has written so far that can be undone, because the rows of imports are found by this time. */
export function nextStamp(db: Reader): Date {
  // Without those of jobs that are not applied yet (kept-ahead.ts).
  const last = db.value<string>("SELECT stamp FROM w.effect WHERE stamp <> '' ORDER BY id DESC LIMIT 1");
  return new Date(Math.max(Date.now(), last === undefined ? 0 : Date.parse(last) + 1));
}

interface NewEffect {
  jobUid: string;
  screenerId: number;
  now: Date;
  /** By default it has created none. */
  participants?: [after: number, to: number];
  /** Its rowid, if a part of it is kept already. */
  keptFor?: bigint | undefined;
}

/** Records that a job has an effect. @returns its rowid. Its parts are added by the statements that make them */
export function insertEffect(
  db: Writer,
  { jobUid, screenerId, now, participants = [0, 0], keptFor }: NewEffect,
): bigint {
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

/** The tables with the parts of an effect, and the key of each after `effect_id`. */
export type EffectParts = Readonly<Record<string, string>>;

/** How many rows are removed in one transaction. */
const MAX_ROWS = 5000;

/** What jobs did, once it is too late to undo it. @param parts those of all kinds of jobs */
export function oldEffects(parts: EffectParts): Expiry {
  const find = (db: Reader, { now }: Times) =>
    db.value<number>("SELECT id FROM effect WHERE decided_at < ? ORDER BY decided_at LIMIT 1", now - UNDO_MS);
  return {
    isDue: (db, times) => find(db, times) !== undefined,
    remove(db, times) {
      const oldest = find(db, times);
      if (oldest !== undefined) deleteEffect(db, oldest, parts);
      return oldest !== undefined;
    },
  };
}

/** Removes some of an effect; and the effect itself, when nothing else of it is left. @param parts it may have no others */
export function deleteEffect(db: Writer, id: number, parts: EffectParts): void {
  // If it was kept ahead (imports/kept-ahead.ts), the attempt that has kept it no longer finds it.
  db.run("UPDATE effect SET job_uid = substr(job_uid, 1, 36) || ' -' || id WHERE id = ? AND stamp = ''", id);
  for (const [part, key] of Object.entries(parts)) {
    const { changes } = db.run(
      `DELETE FROM ${part} WHERE effect_id = ? AND ${key} IN (SELECT ${key} FROM ${part} WHERE effect_id = ? LIMIT ${MAX_ROWS})`,
      id,
      id,
    );
    if (changes === MAX_ROWS) return;
  }
  db.run("DELETE FROM effect WHERE id = ?", id);
}
