// The installation: this data directory, as others that share a Redis with it must be told apart.

import { randomUUID } from "node:crypto";
import type { Writer } from "../../db/connection.ts";
import type { Control } from "../../db/control.ts";
import { immediate } from "../../db/write.ts";

/** The installation's id, made when there is none yet. */
export function ensureInstallation({ reader, writer }: Control): string {
  const find = () => reader.value<string>("SELECT uid FROM installation");
  const known = find();
  if (known) return known;
  immediate(writer, () =>
    writer.run("INSERT OR IGNORE INTO installation (id, uid, checked_at) VALUES (1, ?, ?)", randomUUID(), Date.now()),
  );
  return find()!;
}

/** Inside a transaction: writes one row, which shows whether the store takes it. @throws SqliteError when it does not */
export function touchInstallation(db: Writer): void {
  db.run("UPDATE installation SET checked_at = ?", Date.now());
}
