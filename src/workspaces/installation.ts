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

/** A page of the workspaces that are here, by name. */
export function pageOfWorkspaces(db: Reader, limit: number, offset: number): { total: number; rows: WorkspaceRow[] } {
  const here = "FROM workspace WHERE moving IS NOT 'MOVED'";
  return {
    total: db.value<number>(`SELECT count(*) ${here}`)!,
    rows: db.all(`SELECT * ${here} ORDER BY name COLLATE NOCASE, id LIMIT ? OFFSET ?`, limit, offset),
  };
}
