// Fences a store off: nobody writes to it any more, not even a process that has it open and however long it has waited for the lock. Its version
// becomes one that every release refuses, and every write looks at the version first.

import { statSync } from "node:fs";
import { currentVersion, FENCED } from "./migrate.ts";
import type { Writer } from "./sqlite/connection.ts";
import { openWriter } from "./sqlite/open.ts";
import { immediate } from "./sqlite/write.ts";

const PATIENT = { busyTimeoutMs: 250, checkpoints: false } as const;

/** Fences the store of a workspace off. Waits for the lock. On the disk when this returns. @throws SqliteError SQLITE_BUSY */
export function raiseFence(path: string, waitMs: number): void {
  changeVersion(path, waitMs, (db, version) => {
    if (version >= FENCED) return;
    if (version !== currentVersion("workspace"))
      throw new Error(`${path} has schema version ${version}, and not the present one.`);
    db.exec(`PRAGMA user_version = ${FENCED + version}`);
  });
}

/** Lets writes in again, if they were fenced off. */
export function lowerFence(path: string, waitMs: number): void {
  if (!statSync(path, { throwIfNoEntry: false })) return;
  changeVersion(path, waitMs, (db, version) => {
    if (version >= FENCED) db.exec(`PRAGMA user_version = ${version - FENCED || currentVersion("workspace")}`);
  });
}

function changeVersion(path: string, waitMs: number, change: (db: Writer, version: number) => void): void {
  const db = openWriter(path, PATIENT, true);
  try {
    immediate(db, () => change(db, db.value<number>("PRAGMA user_version")!), waitMs);
  } finally {
    db.close();
  }
}
