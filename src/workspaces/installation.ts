// The installation: one data directory. Its id separates it from others on the same Redis.

import type { Reader, Writer } from "../../db/connection.ts";

export function installationId(db: Reader): string {
  return db.value<string>("SELECT uid FROM installation")!;
}

/** Writes one row, to see whether that is possible. */
export function touchInstallation(db: Writer, now: number): void {
  db.run("UPDATE installation SET checked_at = ?", now);
}
