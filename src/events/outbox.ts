// Events of changes in the control store. They are written there, in the transaction of the change, and are moved to the log of
// their workspace a moment later.

import type { Reader, Writer } from "../../db/connection.ts";
import { newId } from "../ids.ts";
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

/** Removes what callers have said in the pending events of a workspace, where `isNamed` finds the person in it. */
export function forgetInPending(control: Writer, workspaceUid: string, isNamed: (text: string) => boolean): void {
  const rows = control.all<{ id: number; json: string }>(
    "SELECT id, json FROM pending_event WHERE workspace_uid = ?",
    workspaceUid,
  );
  for (const { id, json } of rows) {
    const pending: Pending = JSON.parse(json);
    const cause = withoutTexts(pending.cause, isNamed);
    if (cause) control.run("UPDATE pending_event SET json = ? WHERE id = ?", JSON.stringify({ ...pending, cause }), id);
  }
}

/** The cause without what callers have said in it; undefined if `isNamed` finds nobody. */
export function withoutTexts<C extends Pick<Cause, "requestId" | "note"> & { traceId?: string | null }>(
  cause: C,
  isNamed: (text: string) => boolean,
): C | undefined {
  const texts = ["requestId", "note", "traceId"] as const;
  const named = texts.filter((text) => cause[text] && isNamed(cause[text]));
  return named.length ? { ...cause, ...Object.fromEntries(named.map((text) => [text, null])) } : undefined;
}

function hasPending(control: Reader, workspaceUid: string): boolean {
  return control.value("SELECT 1 FROM pending_event WHERE workspace_uid = ? LIMIT 1", workspaceUid) === 1;
}

/** So many events are moved at once. */
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
      for (const { json } of rows) {
        const { uid, cause, event, at }: Pending = JSON.parse(json);
        if (db.value("SELECT 1 FROM event WHERE uid = ?", uid) !== undefined) continue;
        recordEvent(db, cause, { ...event, at: new Date(at) }, "main", uid);
      }
    });
    if (last === undefined) return;
    control.run("DELETE FROM pending_event WHERE workspace_uid = ? AND id <= ?", workspaceUid, last);
  }
}
