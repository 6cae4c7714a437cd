// Events of changes in the control store. They are written there, in the transaction of the change, and are moved to the log of
// their workspace a moment later.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import type { Mentions } from "../erasure/mentions.ts";
import type { Rule } from "../erasure/names.ts";
import { type Cause, type NewEvent, recordEvent } from "./record.ts";

interface Pending {
  uid: string;
  cause: Cause;
  event: Omit<NewEvent, "at">;
  /** ms since 1970. */
  at: number;
}

/** Keeps an event for the log of a workspace. Call it in the transaction that makes the change. */
export function pendEvent(control: Writer, workspaceUid: string, cause: Cause, event: NewEvent): void {
  const { at = new Date(), ...rest } = event;
  const pending: Pending = { uid: newId(), cause, event: rest, at: at.getTime() };
  control.run("INSERT INTO pending_event (workspace_uid, json) VALUES (?, ?)", workspaceUid, JSON.stringify(pending));
}

/** The workspaces whose log lacks events. */
export function workspacesWithPending(control: Reader): string[] {
  return control.values("SELECT DISTINCT workspace_uid FROM pending_event");
}

/** Removes what pending events of a workspace say of a person. */
export function forgetInPending(control: Writer, workspaceUid: string, mentions: Mentions): void {
  const rows = control.all<{ id: number; json: string }>(
    "SELECT id, json FROM pending_event WHERE workspace_uid = ?",
    workspaceUid,
  );
  for (const { id, json } of rows) {
    const { cause, event, ...rest }: Pending = JSON.parse(json);
    const kept = (text: string | null, rule: Rule) => (text !== null && mentions.isIn(text, rule) ? null : text);
    const changes = mentions.withoutChanges(JSON.stringify(event.changes ?? []), false) ?? "[]";
    const pending = JSON.stringify({
      ...rest,
      cause: { ...cause, requestId: kept(cause.requestId, "KEY"), note: kept(cause.note, "SAID") },
      event: { ...event, ...(event.changes && { changes: JSON.parse(changes) }) },
    });
    if (pending !== json) control.run("UPDATE pending_event SET json = ? WHERE id = ?", pending, id);
  }
}

function hasPending(control: Reader, workspaceUid: string): boolean {
  return control.value("SELECT 1 FROM pending_event WHERE workspace_uid = ? LIMIT 1", workspaceUid) === 1;
}

function isMoved(db: Reader, uid: string): boolean {
  const found =
    "SELECT EXISTS (SELECT 1 FROM event WHERE uid = ?) OR EXISTS (SELECT 1 FROM moved_event WHERE pending_uid = ?)";
  return db.value(found, uid, uid) === 1;
}

/** How many events are moved at once. */
const SLICE = 500;

/**
 * Moves the pending events of a workspace to its log. If a process dies in between, they are moved again, and found to be there.
 * @param write runs its argument in a transaction on the workspace's store
 */
export function movePending(control: Writer, workspaceUid: string, write: (work: (db: Writer) => void) => void): void {
  while (hasPending(control, workspaceUid)) {
    let last: number | undefined;
    write((db) => {
      // Under the lock: an erasure, which removes texts here first and then there, is not overtaken.
      const rows = control.all<{ id: number; json: string }>(
        `SELECT id, json FROM pending_event WHERE workspace_uid = ? ORDER BY id LIMIT ${SLICE}`,
        workspaceUid,
      );
      last = rows.at(-1)?.id;
      const moved: string[] = [];
      // Those that are pending no more need not be known. What was moved comes first in what is pending.
      const uids = rows.map(({ json }) => (JSON.parse(json) as Pending).uid);
      db.run("DELETE FROM moved_event WHERE pending_uid NOT IN (SELECT value FROM json_each(?))", JSON.stringify(uids));
      for (const { json } of rows) {
        const { uid, cause, event, at }: Pending = JSON.parse(json);
        if (isMoved(db, uid)) continue;
        const recorded = recordEvent(db, cause, { ...event, at: new Date(at) }, "main", uid);
        if (recorded !== uid) moved.push(uid);
      }
      for (const uid of moved) db.run("INSERT INTO moved_event (pending_uid) VALUES (?)", uid);
    });
    if (last === undefined) return;
    control.run("DELETE FROM pending_event WHERE workspace_uid = ? AND id <= ?", workspaceUid, last);
  }
}
