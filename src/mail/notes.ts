// Which workspaces may have mail to send, and how many messages may leave now: both are in the control store, for all processes.

import type { Control } from "../../db/control.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { immediate } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { isNoted, noteWorkspace } from "../workspaces/noted.ts";
import { findBacklog } from "./outbox.ts";

export const MAIL_NOTES = "mail_workspace" as const;

/** How long what sends waits for a store. */
export const LOCK_WAIT_MS = 5000;

/** From now on the workspace is looked at. Call it before a message is written. @throws StoreBusyError */
export async function noteMail({ writer }: Control, workspaceUid: string, waitMs: number): Promise<void> {
  await whenFree(writer, waitMs, () => noteWorkspace(writer, MAIL_NOTES, workspaceUid));
}

/** Notes a workspace with mail that is not noted: a restored backup, or another cell, has brought it. */
export function mendMailNote({ reader, writer }: Control, workspaces: Workspaces, workspaceUid: string): void {
  if (isNoted(reader, MAIL_NOTES, workspaceUid)) return;
  const { waiting, sending } = workspaces.read(workspaceUid, findBacklog);
  if (waiting || sending) immediate(writer, () => noteWorkspace(writer, MAIL_NOTES, workspaceUid));
}

const MINUTE_MS = 60_000;

/** What may leave at once after a pause: as much as in so many ms. */
const BURST_MS = 10_000;

interface Counted {
  left: number;
  counted_at: number;
}

/** What may leave now of what may leave in a minute. @param known what was left when it was counted last */
export function refill(known: Counted | undefined, perMinute: number, now: number): number {
  const most = Math.max(1, (perMinute * BURST_MS) / MINUTE_MS);
  // A clock that was set back adds nothing.
  const passed = known ? Math.max(0, now - known.counted_at) : MINUTE_MS;
  return Math.min(most, (known?.left ?? 0) + (passed * perMinute) / MINUTE_MS);
}

/** Inside a transaction: takes messages out of what may leave in a minute, of all processes together. @returns how many may be sent */
export function takeFromBudget(control: Writer, wanted: number, perMinute: number, now: number): number {
  const known = control.get<Counted>("SELECT left, counted_at FROM mail_budget");
  const left = refill(known, perMinute, now);
  const taken = Math.min(wanted, Math.floor(left));
  setBudget(control, left - taken, now);
  return taken;
}

/** When the next message may leave. */
export function budgetOpensAt(control: Reader, perMinute: number, now: number): number {
  const left = refill(control.get<Counted>("SELECT left, counted_at FROM mail_budget"), perMinute, now);
  return now + Math.max(0, Math.ceil(((1 - left) * MINUTE_MS) / perMinute));
}

/** Inside a transaction: gives back what was not needed. */
export function giveToBudget(control: Writer, count: number): void {
  control.run("UPDATE mail_budget SET left = left + ?", count);
}

function setBudget(control: Writer, left: number, now: number): void {
  control.run(
    `INSERT INTO mail_budget (id, left, counted_at) VALUES (1, ?, ?)
     ON CONFLICT DO UPDATE SET left = excluded.left, counted_at = excluded.counted_at`,
    left,
    now,
  );
}
