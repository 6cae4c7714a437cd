// The upkeep of webhooks: it runs in a thread, at the start and once an hour.

import type { Control } from "../../db/control.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { immediate } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { correctNote, isNoteRight } from "./noted.ts";
import { MAX_PAUSE_MS } from "./schedule.ts";

/** Mends what a restored backup, or a clock that was set back, has left of a workspace. */
export function mendWebhooks(control: Control, workspaces: Workspaces, workspaceUid: string, now: number): void {
  const { reader, writer } = control;
  const read = <T>(look: (db: Reader) => T) => workspaces.read(workspaceUid, look);
  // Most workspaces have nothing to send, and a write would take longer than all of that.
  if (read((db) => waitsTooLong(db, now))) workspaces.write(workspaceUid, (db) => hasten(db, now));
  if (read((db) => isNoteRight(reader, workspaceUid, db))) return;
  immediate(writer, () => read((db) => correctNote(writer, workspaceUid, db)));
}

const TOO_LONG = `status = 'PENDING' AND next_attempt_at > ? AND webhook_endpoint_id IN (SELECT id FROM webhook_endpoint)`;

function waitsTooLong(db: Reader, now: number): boolean {
  return db.value(`SELECT 1 FROM webhook_delivery WHERE ${TOO_LONG} LIMIT 1`, now + MAX_PAUSE_MS) === 1;
}

/** A delivery that waits for longer than the longest pause does so because the clock was set back. */
function hasten(db: Writer, now: number): void {
  db.run(`UPDATE webhook_delivery SET next_attempt_at = ? WHERE ${TOO_LONG}`, now, now + MAX_PAUSE_MS);
}
