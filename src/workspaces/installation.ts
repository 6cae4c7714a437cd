// The installation: this data directory, as others that share a Redis with it must be told apart.

import type { Reader, Writer } from "../../db/connection.ts";

/** The installation's id. */
export function installationId(db: Reader): string {
  return db.value<string>("SELECT uid FROM installation")!;
}

/** Inside a transaction: writes one row, which shows whether the store takes it. @throws SqliteError when it does not */
export function touchInstallation(db: Writer): void {
  db.run("UPDATE installation SET checked_at = ?", Date.now());
}
