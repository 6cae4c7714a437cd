// The upkeep of webhooks: it runs in a thread, at the start and once an hour.

import type { Writer } from "../../db/connection.ts";
import type { Control } from "../../db/control.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { immediate } from "../../db/write.ts";
import { correctNote } from "./noted.ts";
import { MAX_PAUSE_MS } from "./schedule.ts";

/** Mends what a restored backup, or a clock that was set back, has left of a workspace. */
export function mendWebhooks(control: Control, workspaces: Workspaces, workspaceUid: string, now: number): void {
  workspaces.write(workspaceUid, (db) => hasten(db, now));
  const { writer } = control;
  immediate(writer, () => workspaces.read(workspaceUid, (db) => correctNote(writer, workspaceUid, db)));
}

/** A delivery that waits for longer than the longest pause does so because the clock was set back. */
function hasten(db: Writer, now: number): void {
  db.run(
    `UPDATE webhook_delivery SET next_attempt_at = ? WHERE status = 'PENDING' AND next_attempt_at > ?
       AND webhook_endpoint_id IN (SELECT id FROM webhook_endpoint)`,
    now,
    now + MAX_PAUSE_MS,
  );
}
