// Keeps what an undo of many removals needs before the workspace is locked, in slices: to write it takes longer than to remove them.
//
// It belongs to an effect without a stamp, which nobody sees. That becomes the job's when the job is applied.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import { deleteEffect } from "../engine/ledger/effects.ts";
import { UNDO_MS } from "../engine/ledger/plans.ts";
import type { JobRun } from "../engine/run/job-run.ts";
import type { JobScratch } from "../engine/run/scratch.ts";
import { keepRemovals } from "./removals.ts";

/** So many are kept while the store is locked once. */
const SLICE_ROWS = 5000;

/** How long is kept what an attempt has left that was killed, if no other one follows. */
const UNDECIDED_MS = 24 * 3_600_000;

/** The effect for which is kept what an undo needs. By its name it belongs to an attempt, until its job is applied. */
export interface Kept {
  id: bigint;
  name: string;
}

/** Whether all is there that this attempt has kept. */
export function isKept(db: Reader, { id, name }: Kept): boolean {
  return db.value("SELECT 1 FROM w.effect WHERE id = ? AND job_uid = ?", id, name) !== undefined;
}

/** Removals that are planned: rows of the plan with ids above `after`. */
interface Removals {
  screenerId: number;
  after: number;
  removed: number;
}

/** Keeps what an undo of these removals needs. */
export function keepAhead(job: JobRun, scratch: JobScratch, { screenerId, after, removed }: Removals): Kept {
  const { db } = scratch;
  const name = `${job.uid} ${job.attempt}`;
  let kept: Kept | undefined;
  let done = 0;
  scratch.writeAhead(() => {
    kept ??= { id: beginEffect(db, name, screenerId), name };
    if (!isKept(db, kept)) throw new Error("Another attempt of the job has removed what this one has kept.");
    const first = after + 1 + done;
    keepRemovals(db, kept.id, "id >= ? AND id < ?", first, first + SLICE_ROWS);
    done += SLICE_ROWS;
    job.progress("COMPARING", 0, after);
    return done < removed;
  });
  return kept!;
}

/** @returns the rowid of an effect that nobody sees */
function beginEffect(db: Writer, name: string, screenerId: number): bigint {
  const begun = db.run(
    `INSERT INTO w.effect (job_uid, screener_id, stamp, decided_at, participants_after, participants_to)
     VALUES (?, ?, '', ?, 0, 0)`,
    name,
    screenerId,
    // It goes like those that were decided so long ago.
    Date.now() - UNDO_MS + UNDECIDED_MS,
  );
  return BigInt(begun.lastInsertRowid);
}

/** Removes what attempts of the job have kept that was not applied. When that fails, the next attempt does, or upkeep a day later. */
export function discardKept(scratch: JobScratch, jobUid: string): void {
  const { db } = scratch;
  const find = () =>
    db.value<number>("SELECT id FROM w.effect WHERE job_uid > ? AND job_uid < ? LIMIT 1", `${jobUid} `, `${jobUid}!`);
  try {
    if (scratch.withSnapshot(find) === undefined) return;
    scratch.writeAhead(() => {
      const id = find();
      if (id === undefined) return false;
      // From now on it is no attempt's.
      db.run("UPDATE w.effect SET job_uid = ? WHERE id = ?", `${jobUid} -${id}`, id);
      deleteEffect(db, id);
      return true;
    });
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}
