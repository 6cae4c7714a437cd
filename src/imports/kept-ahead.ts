// Keeps what an undo of many removals needs before the workspace is locked, in slices: to write it takes longer than to remove them.
//
// It belongs to an effect without a stamp, which nobody sees. That becomes the job's when the job is applied.

import { SchemaTooNewError } from "../../db/migrate.ts";
import type { Reader, SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { isTransient } from "../../db/sqlite/write.ts";
import { deleteEffect } from "../engine/ledger/effects.ts";
import { UNDO_MS } from "../engine/ledger/plans.ts";
import type { JobRun } from "../engine/run/job-run.ts";
import type { JobScratch } from "../engine/run/scratch.ts";
import { IMPORT_EFFECT } from "./kinds.ts";
import { keepRemovals } from "./removals.ts";

/** So many are kept while the store is locked once. */
const SLICE_ROWS = 5000;

/** How long is kept what an attempt has left that was killed, if no other one follows. One that goes on for longer plans all again. */
const UNDECIDED_MS = 3_600_000;

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
  const name = nameOf(job);
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

const nameOf = ({ uid, attempt }: JobRun) => `${uid} ${attempt}`;

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

/** Removes what earlier attempts of the job have left that were killed. */
export function discardLeft(scratch: JobScratch, { uid, attempt }: JobRun): void {
  const number = "CAST(substr(job_uid, instr(job_uid, ' ') + 1) AS INTEGER)";
  discard(scratch, `job_uid > ? AND job_uid < ? AND ${number} < ?`, `${uid} `, `${uid}!`, attempt);
}

/** Removes what this attempt has kept, if it was not applied. Another one may be keeping its own. */
export function discardKept(scratch: JobScratch, job: JobRun): void {
  discard(scratch, "job_uid = ?", nameOf(job));
}

/** Removes such effects. When that fails, the next attempt does, or upkeep an hour later. */
function discard(scratch: JobScratch, which: string, ...values: SqlValue[]): void {
  const { db } = scratch;
  const find = () => db.value<number>(`SELECT id FROM w.effect WHERE ${which} LIMIT 1`, ...values);
  const isThere = (id: number) => db.value("SELECT 1 FROM w.effect WHERE id = ?", id) !== undefined;
  try {
    for (let id = scratch.withSnapshot(find); id !== undefined; id = scratch.withSnapshot(find)) {
      const going = id;
      scratch.writeAhead(() => {
        deleteEffect(db, going, IMPORT_EFFECT);
        return isThere(going);
      });
    }
  } catch (error) {
    if (!isTransient(error) && !(error instanceof SchemaTooNewError)) throw error;
  }
}
