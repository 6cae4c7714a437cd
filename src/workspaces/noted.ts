// The control store's notes of the workspaces that may have something to send: webhooks, or mail. A note may be wrong only by being there
// too long.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";

type NoteTable = "webhook_workspace" | "mail_workspace";

const OF_WORKSPACE = "workspace_id = (SELECT id FROM workspace WHERE uid = ?)";

/** Call it before there is something to send: if that fails, the note does no harm. */
export function noteWorkspace(control: Writer, table: NoteTable, workspaceUid: string, now = Date.now()): void {
  control.run(
    `INSERT INTO ${table} (workspace_id, noted_at) SELECT id, ? FROM workspace WHERE uid = ?
     ON CONFLICT DO UPDATE SET noted_at = excluded.noted_at`,
    now,
    workspaceUid,
  );
}

/** The workspaces to look at. Those that are suspended or move wait. */
export function listNoted(control: Reader, table: NoteTable): string[] {
  return control.values(
    `SELECT w.uid FROM ${table} AS n JOIN workspace AS w ON w.id = n.workspace_id WHERE w.suspended_at IS NULL AND w.moving IS NULL ORDER BY w.id`,
  );
}

export function isNoted(control: Reader, table: NoteTable, workspaceUid: string): boolean {
  return control.value(`SELECT 1 FROM ${table} WHERE ${OF_WORKSPACE}`, workspaceUid) === 1;
}

/** Removes a note that is from before a time. */
export function dropNote(control: Writer, table: NoteTable, workspaceUid: string, before: number): void {
  control.run(`DELETE FROM ${table} WHERE ${OF_WORKSPACE} AND noted_at < ?`, workspaceUid, before);
}

/** Whether a workspace is in service: not suspended, and not moving. */
export function isInService(control: Reader, workspaceUid: string): boolean {
  return (
    control.value("SELECT suspended_at IS NULL AND moving IS NULL FROM workspace WHERE uid = ?", workspaceUid) === 1
  );
}
