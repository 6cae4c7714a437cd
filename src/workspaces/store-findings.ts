// What is wrong with the stores of workspaces. It is kept in the control store, so that every process sees it.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";

/**
 * OPENING: found when the store was opened or read. ACCESS: likewise, and it is sound, but the service may not read or write it.
 * CHECK: found by the check of all its pages. FILES: found by the check of the workspace's other files. ERASED: people who were erased
 * are in it.
 */
type FindingSource = "OPENING" | "ACCESS" | "CHECK" | "FILES" | "ERASED";

export interface FindingRow {
  workspace_uid: string;
  source: FindingSource;
  message: string;
  found_at: number;
}

/** Of a workspace that has moved, what was found does not matter any more. */
export function listFindings(db: Reader): FindingRow[] {
  return db.all(
    `SELECT workspace_uid, source, message, found_at FROM store_finding
     WHERE workspace_uid NOT IN (SELECT workspace_uid FROM moved_workspace) ORDER BY found_at`,
  );
}

/** What was found when it was opened or read last; null when nothing is wrong. */
export function findOpening(db: Reader, workspaceUid: string): string | null {
  return (
    db.value(
      "SELECT message FROM store_finding WHERE workspace_uid = ? AND source IN ('OPENING', 'ACCESS')",
      workspaceUid,
    ) ?? null
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

/** What was found is forgotten, and the store is due for its check: another file may be there. */
export function forgetCheck(db: Writer, workspaceUid: string): void {
  recordFinding(db, workspaceUid, "CHECK", null);
  makeCheckDue(db, workspaceUid);
}

/** The store is checked soon. */
export function makeCheckDue(db: Writer, workspaceUid: string): void {
  db.run("DELETE FROM store_check WHERE workspace_uid = ?", workspaceUid);
}

/** What is wrong is checked again after this time, so that it is soon known when it is mended. */
const AGAIN_MS = 30_000;
const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;

/**
 * The store that waits longest for its check, if one is due: after a week, or soon where something was wrong: that goes first. If
 * the check is broken off, it is due again in a day, or soon.
 */
export function claimCheck(db: Writer, now: number): string | undefined {
  const due = db.get<{ uid: string; is_wrong: number }>(
    `SELECT s.uid, f.workspace_uid IS NOT NULL AS is_wrong
     FROM (SELECT 'control' AS uid UNION ALL SELECT uid FROM workspace) AS s
     LEFT JOIN store_check AS c ON c.workspace_uid = s.uid
     LEFT JOIN (SELECT DISTINCT workspace_uid FROM store_finding WHERE source IN ('CHECK', 'FILES', 'ERASED')) AS f ON f.workspace_uid = s.uid
     WHERE coalesce(c.checked_at, 0) < iif(f.workspace_uid IS NULL, ?, ?) ORDER BY f.workspace_uid IS NULL, coalesce(c.checked_at, 0) LIMIT 1`,
    now - WEEK_MS,
    now - AGAIN_MS,
  );
  if (due) noteCheck(db, due.uid, due.is_wrong ? now : now - WEEK_MS + DAY_MS);
  return due?.uid;
}

export function noteCheck(db: Writer, store: string, now: number): void {
  db.run(
    "INSERT INTO store_check (workspace_uid, checked_at) VALUES (?, ?) ON CONFLICT DO UPDATE SET checked_at = excluded.checked_at",
    store,
    now,
  );
}
