// The installation: one data directory. Its id separates it from others on the same Redis.

import type { Control } from "../../db/control.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { immediate } from "../../db/sqlite/write.ts";
import type { WorkspaceRow } from "./queries.ts";

const WAIT_MS = 10_000;

export function installationId(db: Reader): string {
  return db.value<string>("SELECT uid FROM installation")!;
}

/** The name of the cell that the installation is; null: it has none. */
export function cellOf(db: Reader): string | null {
  return db.value<string | null>("SELECT cell FROM installation") ?? null;
}

/** The name of the cell, and those that it had before: the one first that it has now. */
export function namesOf(db: Reader): string[] {
  const row = db.get<{ cell: string | null; former_cells: string | null }>(
    "SELECT cell, former_cells FROM installation",
  );
  return [...new Set([row?.cell ?? [], row?.former_cells?.split(",") ?? []].flat())].filter((name) => name !== "");
}

/**
 * The cell's name, which becomes `name` if that is given: what was made before goes without a name, or with the old one. Waits for
 * the lock: for a process that serves nobody yet.
 */
export function nameCell({ reader, writer }: Control, name: string | undefined): string | null {
  const known = cellOf(reader);
  if (name === undefined || name === known) return known;
  immediate(
    writer,
    () => writer.run("UPDATE installation SET former_cells = concat_ws(',', former_cells, cell), cell = ?", name),
    WAIT_MS,
  );
  return name;
}

export interface LastBackup {
  /** When it was complete, in ms since 1970. */
  at: number;
  /** How many workspaces are not in it, because they could not be copied. */
  failed: number;
}

/** The last backup that our command has taken; undefined: none, as far as is known. */
export function lastBackup(db: Reader): LastBackup | undefined {
  return db.get("SELECT backup_at AS at, backup_failed AS failed FROM installation WHERE backup_at IS NOT NULL");
}

/** Keeps when a backup was taken. */
export function noteBackup(db: Writer, { at, failed }: LastBackup): void {
  db.run("UPDATE installation SET backup_at = ?, backup_failed = ?", at, failed);
}

/** A process that takes a backup by schedule, and fails, is followed by another try after this time. */
const AGAIN_MS = 15 * 60_000;

/** For which time of the schedule a backup was taken last, in ms since 1970; null: for none. */
export function backupTakenFor(db: Reader): number | null {
  return db.value<number | null>("SELECT backup_for FROM installation") ?? null;
}

/** When the backup was begun that a process takes now, in ms since 1970; undefined: none is taken. */
export function backupBegunAt(db: Reader): number | undefined {
  return db.value("SELECT backup_begun_at FROM installation WHERE backup_runner IS NOT NULL");
}

/** A process has started that takes backups into this directory. Into another one than before, one is due. Call it inside a transaction. */
export function useBackupDir(db: Writer, dir: string): void {
  db.run(
    `UPDATE installation SET backup_for = NULL, backup_begun_at = iif(backup_runner IS NULL, NULL, backup_begun_at)
     WHERE backup_dir IS NOT NULL AND backup_dir <> ?`,
    dir,
  );
  db.run("UPDATE installation SET backup_dir = ? WHERE backup_dir IS NOT ?", dir, dir);
}

/** Whether no process with another directory has started since. */
export function isBackupDir(db: Reader, dir: string): boolean {
  return db.value("SELECT backup_dir FROM installation") === dir;
}

/**
 * Has a process take the backup for a time of the schedule, unless it was taken, or another one takes it. Call it inside a transaction.
 * @param isAlive whether a process is there
 */
export function claimBackup(
  db: Writer,
  due: number,
  { runner, now, isAlive }: { runner: string; now: number; isAlive(name: string): boolean },
): boolean {
  const row = db.get<{ backup_for: number | null; backup_runner: string | null; backup_begun_at: number | null }>(
    "SELECT backup_for, backup_runner, backup_begun_at FROM installation",
  )!;
  if (row.backup_for !== null && row.backup_for >= due) return false;
  if (row.backup_runner !== null && isAlive(row.backup_runner)) return false;
  // One that was killed is followed at once. A clock that was set back keeps nobody waiting.
  const since = now - (row.backup_begun_at ?? 0);
  if (row.backup_runner === null && since >= 0 && since < AGAIN_MS) return false;
  db.run("UPDATE installation SET backup_runner = ?, backup_begun_at = ?", runner, now);
  return true;
}

/** The process takes no backup any more. @param takenFor the time of the schedule; undefined: it has failed */
export function endBackup(db: Writer, runner: string, takenFor: number | undefined): void {
  db.run(
    `UPDATE installation SET backup_runner = NULL, backup_for = coalesce(?, backup_for),
       backup_begun_at = iif(? IS NULL, backup_begun_at, NULL) WHERE backup_runner = ?`,
    takenFor ?? null,
    takenFor ?? null,
    runner,
  );
}

/** When the oldest of the workspaces was made, in ms since 1970; null: there is none. */
export function firstMadeAt(db: Reader): number | null {
  return db.value<number | null>("SELECT min(created_at) FROM workspace") ?? null;
}

/** A page of the workspaces that are here, by name. */
export function pageOfWorkspaces(db: Reader, limit: number, offset: number): { total: number; rows: WorkspaceRow[] } {
  const here = "FROM workspace WHERE moving IS NOT 'MOVED'";
  return {
    total: db.value<number>(`SELECT count(*) ${here}`)!,
    rows: db.all(`SELECT * ${here} ORDER BY name COLLATE NOCASE, id LIMIT ? OFFSET ?`, limit, offset),
  };
}
