// Keeps the note that a workspace may have webhooks to send in line with its store.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { dropNote, isNoted, noteWorkspace } from "../workspaces/noted.ts";

const HOUR_MS = 3_600_000;

export const WEBHOOK_NOTES = "webhook_workspace";

function isNeeded(store: Reader): boolean {
  return store.value("SELECT 1 FROM webhook_endpoint WHERE status = 'ENABLED'") === 1;
}

/** Whether the note of a workspace is in line with its store. */
export function isNoteRight(control: Reader, workspaceUid: string, store: Reader): boolean {
  return isNoted(control, WEBHOOK_NOTES, workspaceUid) === isNeeded(store);
}

/** Brings the note of a workspace in line with its store. What was noted a moment ago may not have been written yet. */
export function correctNote(control: Writer, workspaceUid: string, store: Reader, now = Date.now()): void {
  const [noted, needed] = [isNoted(control, WEBHOOK_NOTES, workspaceUid), isNeeded(store)];
  if (needed && !noted) noteWorkspace(control, WEBHOOK_NOTES, workspaceUid, now);
  if (noted && !needed) dropNote(control, WEBHOOK_NOTES, workspaceUid, now - HOUR_MS);
}
