// Statements on mailings and their messages.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import type { MessageRow } from "../mail/outbox.ts";
import type { MailingKind } from "./reasons.ts";
import type { MailingStatus } from "./resource.ts";

export interface MailingRow {
  id: number;
  uid: string;
  screener_id: number;
  name: string;
  kind: MailingKind;
  status: MailingStatus;
  /** JSON of Texts. */
  texts: string;
  /** JSON of Hours. Null: at any time. */
  hours: string | null;
  per_minute: number | null;
  pace_left: number | null;
  paced_at: number | null;
  resends_uncertain: 0 | 1;
  next_at: number | null;
  begun_at: number | null;
  ended_at: number | null;
}

/** @throws Problem mailing_not_found */
export function getMailing(db: Reader, uid: string): MailingRow {
  const row = db.get<MailingRow>("SELECT * FROM mailing WHERE uid = ?", uid);
  if (!row) throw new Problem("mailing_not_found");
  return row;
}

export function getMailingById(db: Reader, id: number): MailingRow {
  return db.get("SELECT * FROM mailing WHERE id = ?", id)!;
}

/** Those that may send something now, the one that has waited longest first. */
export function listDueMailings(db: Reader, now: number, max: number): MailingRow[] {
  return db.all(
    "SELECT * FROM mailing INDEXED BY mailing_next WHERE next_at <= ? ORDER BY next_at, id LIMIT ?",
    now,
    max,
  );
}

/** The messages of a mailing that are due, the first ones first. */
export function listDueMessages(db: Reader, mailingId: number, now: number, max: number): MessageRow[] {
  return db.all(
    "SELECT * FROM message INDEXED BY message_due_of_mailing WHERE mailing_id = ? AND due_at <= ? AND mailing_id IS NOT NULL ORDER BY due_at, id LIMIT ?",
    mailingId,
    now,
    max,
  );
}

/** When the first message of a mailing that waits is due. Null: none waits. */
export function nextDueAt(db: Reader, mailingId: number): number | null {
  return (
    db.value<number | null>(
      "SELECT min(due_at) FROM message INDEXED BY message_due_of_mailing WHERE mailing_id = ? AND due_at IS NOT NULL",
      mailingId,
    ) ?? null
  );
}

/** How many messages of a mailing are in a state. */
export function countMessages(db: Reader, mailingId: number, state: MessageRow["state"]): number {
  return db.value(
    "SELECT coalesce(sum(n), 0) FROM message_block WHERE mailing_id = ? AND state = ?",
    mailingId,
    state,
  )!;
}

export function setNextAt(db: Writer, id: number, at: number | null): void {
  db.run("UPDATE mailing SET next_at = ? WHERE id = ?", at, id);
}

/** Sets a status by which it sends nothing, or goes on. @param at when it may send the next message; null: never */
export function setStatus(
  db: Writer,
  id: number,
  {
    status,
    because = null,
    at,
    endedAt = null,
  }: { status: MailingStatus; because?: "PERSON" | null; at: number | null; endedAt?: number | null },
): void {
  db.run(
    "UPDATE mailing SET status = ?, paused_because = ?, next_at = ?, ended_at = ? WHERE id = ?",
    ...[status, because, at, endedAt, id],
  );
}

/** Makes messages of which nobody knows whether they were sent wait again, some of them. @returns how many */
export function reviveUncertain(
  db: Writer,
  mailingId: number,
  { dueAt, maxAttempts, max }: { dueAt: number; maxAttempts: number; max: number },
): number {
  return db.run(
    `UPDATE message SET due_at = ?, ended_at = NULL WHERE id IN (SELECT m.id FROM message_block AS b CROSS JOIN message AS m
       ON m.id >= b.block << 10 AND m.id < (b.block + 1) << 10
       WHERE b.mailing_id = ? AND b.state = 'UNCERTAIN' AND b.n > 0 AND m.mailing_id = b.mailing_id AND m.state = 'UNCERTAIN'
         AND m.ended_at IS NOT NULL AND m.attempts <= ? LIMIT ?)`,
    ...[dueAt, mailingId, maxAttempts, max],
  ).changes;
}
