// The installation: one data directory. Its id separates it from others on the same Redis.

import type { Reader, Writer } from "../../db/connection.ts";
import type { Control } from "../../db/control.ts";
import { immediate } from "../../db/write.ts";

const WAIT_MS = 10_000;

export function installationId(db: Reader): string {
  return db.value<string>("SELECT uid FROM installation")!;
}

/** The name of the cell that the installation is; null: it has none. */
export function cellOf(db: Reader): string | null {
  return db.value<string | null>("SELECT cell FROM installation") ?? null;
}

/**
 * The cell's name, which becomes `name` if that is given: what was made before goes without a name, or with the old one. Waits for
 * the lock: for a process that serves nobody yet.
 */
export function nameCell({ reader, writer }: Control, name: string | undefined): string | null {
  const known = cellOf(reader);
  if (name === undefined || name === known) return known;
  immediate(writer, () => writer.run("UPDATE installation SET cell = ?", name), WAIT_MS);
  return name;
}

/** Writes one row, to see whether that is possible. */
export function touchInstallation(db: Writer, now: number): void {
  db.run("UPDATE installation SET checked_at = ?", now);
}
