// The control store's note of the workspaces that may have something to send. A note may be wrong only by being there too long.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";

const HOUR_MS = 3_600_000;

/** Call it before an endpoint is made or enabled: if that fails, the note does no harm. */
export function noteWorkspace(control: Writer, workspaceUid: string, now = Date.now()): void {
  control.run(
    `INSERT INTO webhook_workspace (workspace_id, noted_at) SELECT id, ? FROM workspace WHERE uid = ?
     ON CONFLICT DO UPDATE SET noted_at = excluded.noted_at`,
    now,
    workspaceUid,
  );
}

/** The workspaces to look at. Those that are suspended or move wait. */
export function listNoted(control: Reader): string[] {
  return control.values(
    "SELECT w.uid FROM webhook_workspace AS n JOIN workspace AS w ON w.id = n.workspace_id WHERE w.suspended_at IS NULL AND w.moving IS NULL ORDER BY w.id",
  );
}

/** Whether a workspace is in service: not suspended, and not moving. */
export function isInService(control: Reader, workspaceUid: string): boolean {
  return (
    control.value("SELECT suspended_at IS NULL AND moving IS NULL FROM workspace WHERE uid = ?", workspaceUid) === 1
  );
}

const OF_WORKSPACE = "workspace_id = (SELECT id FROM workspace WHERE uid = ?)";

function isNoted(control: Reader, workspaceUid: string): boolean {
  return control.value(`SELECT 1 FROM webhook_workspace WHERE ${OF_WORKSPACE}`, workspaceUid) === 1;
}

function isNeeded(store: Reader): boolean {
  return store.value("SELECT 1 FROM webhook_endpoint WHERE status = 'ENABLED'") === 1;
}

/** Whether the note of a workspace is in line with its store. */
export function isNoteRight(control: Reader, workspaceUid: string, store: Reader): boolean {
  return isNoted(control, workspaceUid) === isNeeded(store);
}

/** Brings the note of a workspace in line with its store. What was noted a moment ago may not have been written yet. */
export function correctNote(control: Writer, workspaceUid: string, store: Reader, now = Date.now()): void {
  const [noted, needed] = [isNoted(control, workspaceUid), isNeeded(store)];
  if (needed && !noted) noteWorkspace(control, workspaceUid, now);
  if (noted && !needed)
    control.run(`DELETE FROM webhook_workspace WHERE ${OF_WORKSPACE} AND noted_at < ?`, workspaceUid, now - HOUR_MS);
}
