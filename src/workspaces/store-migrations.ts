// The stores of workspaces that are being migrated, and how far that is. It is kept in the control store, so that every process sees it.

import type { MigrationStep } from "../../db/migrate.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";

interface MigrationRow {
  workspace_uid: string;
  from_version: number;
  to_version: number;
  at_version: number;
  started_at: number;
}

/** What the log says when the migration of a store begins, after each step, and when it has ended. */
export interface MigrationLine {
  msg: "store migrating" | "store migration step" | "store migrated";
  workspace: string;
  /** Schema versions. */
  from: number;
  to: number;
  /** The version that a step has reached. */
  at?: number;
  /** How large the store is; and at the end, what it took and how large it was. */
  bytes: number;
  ms?: number;
  bytesBefore?: number;
}

/** The migrations that are under way. The versions are the lowest of all; undefined: none is. */
interface MigrationProgress {
  stores: number;
  reached: number | undefined;
  target: number | undefined;
}

export function migrationProgress(db: Reader, now: number): MigrationProgress {
  const found = listMigrations(db, now);
  const lowest = (versions: number[]) => (versions.length ? Math.min(...versions) : undefined);
  return {
    stores: found.length,
    reached: lowest(found.map(({ at_version }) => at_version)),
    target: lowest(found.map(({ to_version }) => to_version)),
  };
}

/** No step takes that long: its process was killed, and another one begins again. */
const ABANDONED_MS = 10 * 60_000;

export function listMigrations(db: Reader, now: number): MigrationRow[] {
  return db.all(
    `SELECT workspace_uid, from_version, to_version, at_version, started_at FROM store_migration
     WHERE seen_at > ? ORDER BY started_at`,
    now - ABANDONED_MS,
  );
}

export function recordStep(
  db: Writer,
  workspaceUid: string,
  { from, at, to, state }: MigrationStep,
  now: number,
): void {
  if (state !== "UNDER_WAY") {
    db.run("DELETE FROM store_migration WHERE workspace_uid = ?", workspaceUid);
    return;
  }
  db.run(
    `INSERT INTO store_migration (workspace_uid, from_version, to_version, at_version, started_at, seen_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET at_version = excluded.at_version, seen_at = excluded.seen_at,
       started_at = iif(excluded.at_version = excluded.from_version, excluded.started_at, started_at)`,
    workspaceUid,
    from,
    to,
    at,
    now,
    now,
  );
}
