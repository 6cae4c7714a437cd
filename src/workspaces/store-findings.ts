// What is wrong with the stores of workspaces. It is kept in the control store, so that every process can tell.

import type { Reader, Writer } from "../../db/connection.ts";

/** OPENING: found when the store was opened or read. CHECK: found by the check of all its pages. */
export type FindingSource = "OPENING" | "CHECK";

export interface FindingRow {
  workspace_uid: string;
  source: FindingSource;
  message: string;
  found_at: number;
}

export function listFindings(db: Reader): FindingRow[] {
  return db.all("SELECT workspace_uid, source, message, found_at FROM store_finding ORDER BY found_at");
}

/** What was found last; null when nothing is wrong. */
export function findFinding(db: Reader, workspaceUid: string, source: FindingSource): string | null {
  return (
    db.value("SELECT message FROM store_finding WHERE workspace_uid = ? AND source = ?", workspaceUid, source) ?? null
  );
}

/** Records what was found. @param message null when nothing is wrong (any more) */
export function recordFinding(
  db: Writer,
  workspaceUid: string,
  source: FindingSource,
  message: string | null,
  now = Date.now(),
): void {
  if (message === null) {
    db.run("DELETE FROM store_finding WHERE workspace_uid = ? AND source = ?", workspaceUid, source);
    return;
  }
  db.run(
    `INSERT INTO store_finding (workspace_uid, source, message, found_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET message = excluded.message, found_at = excluded.found_at`,
    workspaceUid,
    source,
    message,
    now,
  );
}
