// The outbox: messages of a workspace that leave by mail. A message is written in the transaction of what causes it. It is marked as SENDING before its
// first byte leaves, so it is tried again only where the relay has said, or nobody has asked it yet, that it has none.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import type { NoticeKind } from "../events/notices.ts";
import { mailHashSql } from "../nouns/mail-suppressions/hash.ts";
import type { Sent } from "./relay/outcome.ts";

/** What a single message says: src/mail/kinds.ts. */
export type MessageKind = "MY_LINK" | "CONFIRM_EMAIL" | NoticeKind;

/** The kind of messages that mailings send. */
export const OF_MAILING = "MAILING";

/**
 * READY and DEFERRED wait until they are due. SENDING: a process is giving it to the relay. DROPPED: what it was about is not so any more, or there
 * were too many. BOUNCED: it was sent, and came back. The others are those of `Sent`.
 */
export const MESSAGE_STATES = [
  "READY",
  "SENDING",
  "SENT",
  "DEFERRED",
  "FAILED",
  "DROPPED",
  "UNCERTAIN",
  "BOUNCED",
] as const;
type MessageState = (typeof MESSAGE_STATES)[number];

export interface MessageRow {
  id: number;
  uid: string;
  kind: MessageKind | typeof OF_MAILING;
  /** Of a mailing: which, to whom, and which of its messages: 0 is the first one, then come the reminders. */
  mailing_id: number | null;
  participant_id: number | null;
  step: number | null;
  screener_session_id: number | null;
  unconfirmed_join_id: number | null;
  address: string | null;
  /** Of a notice: which, and to which user. */
  notice_id: number | null;
  user_uid: string | null;
  language: string;
  state: MessageState;
  attempts: number;
  due_at: number | null;
  /** What the relay has said, or why it was not sent. */
  reply: string | null;
  created_at: number;
}

/** A message to write. */
interface NewMessage extends Pick<MessageRow, "language"> {
  kind: Exclude<MessageKind, NoticeKind>;
  address: string;
  sessionId?: number;
  participantId?: number;
  joinId?: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What an address gets in a day that somebody types. More is not sent, and nobody learns of it. */
const MAX_FOR_ADDRESS = 5;

/** Inside a transaction: writes a message, which leaves when that is committed. The workspace has to be noted before: `noteMail`. */
export function queueMessage(db: Writer, message: NewMessage, now = Date.now()): void {
  const { kind, language, address, sessionId = null, participantId = null, joinId = null } = message;
  const earlier = db.value<number>(
    "SELECT count(*) FROM message WHERE address = ? COLLATE NOCASE AND created_at > ?",
    address,
    now - DAY_MS,
  )!;
  const isTooMuch = earlier >= MAX_FOR_ADDRESS;
  db.run(
    `INSERT INTO message (uid, kind, participant_id, screener_session_id, unconfirmed_join_id, address, language, state, due_at, created_at, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[newId(), kind, participantId, sessionId, joinId, address, language],
    ...(isTooMuch ? ["DROPPED", null, now, now] : ["READY", now, now, null]),
  );
}

/** How many messages of a kind a session has had in the last hour. */
export function countOfSession(db: Reader, sessionId: number, kind: MessageKind, now = Date.now()): number {
  return db.value(
    "SELECT count(*) FROM message WHERE screener_session_id = ? AND kind = ? AND created_at > ?",
    sessionId,
    kind,
    now - HOUR_MS,
  )!;
}

/** What a workspace's outbox has to do. */
export interface Backlog {
  waiting: number;
  /** When the first is due. Infinity: none waits. */
  dueAt: number;
  /** Those that a process is sending, or was when it died. */
  sending: number;
}

/** Of several workspaces together. */
export function sumOf(backlogs: readonly Backlog[]): Backlog {
  const total = (member: "waiting" | "sending") => backlogs.reduce((sum, one) => sum + one[member], 0);
  return {
    waiting: total("waiting"),
    sending: total("sending"),
    dueAt: Math.min(...backlogs.map(({ dueAt }) => dueAt)),
  };
}

export function findBacklog(db: Reader): Backlog {
  const single = db.get<{ waiting: number; dueAt: number | null }>(
    "SELECT count(*) AS waiting, min(due_at) AS dueAt FROM message INDEXED BY message_due WHERE due_at IS NOT NULL AND mailing_id IS NULL",
  )!;
  // A paused mailing waits for a person, and not for us.
  const ofMailings = db.get<{ waiting: number; dueAt: number | null }>(
    `SELECT coalesce(sum((SELECT sum(n) FROM message_block AS b WHERE b.mailing_id = t.id AND b.state IN ('READY', 'DEFERRED'))), 0) AS waiting,
       min(next_at) AS dueAt FROM mailing AS t INDEXED BY mailing_next WHERE next_at IS NOT NULL`,
  )!;
  const sending = db.value<number>("SELECT count(*) FROM message INDEXED BY message_sending WHERE sender IS NOT NULL")!;
  const dueAt = Math.min(...[single, ofMailings].map((one) => one.dueAt ?? Number.POSITIVE_INFINITY));
  return { waiting: single.waiting + ofMailings.waiting, dueAt, sending };
}

/** Those that are due and belong to no mailing, the first ones first. */
export function listDue(db: Reader, max: number, now: number): (MessageRow & { kind: MessageKind })[] {
  return db.all(
    "SELECT * FROM message INDEXED BY message_due WHERE due_at <= ? AND mailing_id IS NULL ORDER BY due_at, id LIMIT ?",
    now,
    max,
  );
}

/** Inside a transaction: before the first byte leaves. From now on a message of a mailing counts for the contact cap, unless it is not sent. */
export function markSending(
  db: Writer,
  id: number,
  { to, sender, now }: { to: string; sender: string; now: number },
): void {
  db.run(
    `UPDATE message SET state = 'SENDING', due_at = NULL, sender = ?, attempts = attempts + 1, contacted_at = iif(mailing_id IS NULL, NULL, ?),
       to_hash = ${mailHashSql("?")} WHERE id = ?`,
    ...[sender, now, to, id],
  );
}

/** Inside a transaction: it will not be sent. */
export function drop(db: Writer, id: number, why: string, now: number): void {
  db.run("UPDATE message SET state = 'DROPPED', due_at = NULL, reply = ?, ended_at = ? WHERE id = ?", why, now, id);
}

const MINUTE_MS = 60_000;

/** The pauses after the first time that it was deferred, the second, and so on: two days together. */
export const PAUSES_MS = [1, 5, 15, 30, 60, 120, 240, 480, 720, 1200].map((minutes) => minutes * MINUTE_MS);

/** What has become of an attempt, and the hash of what was sent. Null: nothing was. */
export interface Attempt extends Sent {
  hash: string | null;
}

export const NOT_WRITTEN: Attempt = {
  ...{ state: "DEFERRED", reply: "The service could not write it.", isOfRelay: false },
  hash: null,
};

/**
 * Inside a transaction: what has become of an attempt. If it was forgotten meanwhile, nothing is.
 * @returns the message as it is now
 */
export function recordSent(
  db: Writer,
  id: number,
  sender: string,
  { state, reply, hash }: Attempt,
  now: number,
): MessageRow | undefined {
  const row = db.get<MessageRow>("SELECT * FROM message WHERE id = ? AND sender = ?", id, sender);
  if (!row) return undefined;
  const pause = state === "DEFERRED" ? PAUSES_MS[row.attempts - 1] : undefined;
  const isOver = pause === undefined;
  db.run(
    `UPDATE message SET state = ?, due_at = ?, sender = NULL, reply = ?, ended_at = ?, contacted_at = iif(? IN ('SENT', 'UNCERTAIN'), contacted_at, NULL),
       content_hash = iif(mailing_id IS NULL, NULL, coalesce(?, content_hash)) WHERE id = ?`,
    isOver && state === "DEFERRED" ? "FAILED" : state,
    isOver ? null : now + pause,
    reply,
    isOver ? now : null,
    state,
    hash,
    id,
  );
  return db.get("SELECT * FROM message WHERE id = ?", id);
}

/** What has left, or may have. */
const LEFT: readonly MessageState[] = ["SENDING", "SENT", "UNCERTAIN", "DEFERRED"];

/**
 * Inside a transaction: a message has come back. Where the relay's reply has not been recorded yet, it is not any more.
 * @param report what the receiver has said, and whether that is worse than what came before
 * @returns the message as it is now. Undefined: it had come back before, or has not left
 */
export function recordBounced(
  db: Writer,
  { id, state }: MessageRow,
  { words, isWorse }: { words: string; isWorse: boolean },
  now: number,
): MessageRow | undefined {
  if (!LEFT.includes(state) && !(isWorse && state === "BOUNCED")) return undefined;
  return db.get(
    `UPDATE message SET state = 'BOUNCED', due_at = NULL, sender = NULL, contacted_at = NULL, bounced_at = ?, bounce = ?,
       ended_at = coalesce(ended_at, ?) WHERE id = ? RETURNING *`,
    ...[now, words, now, id],
  );
}

type IsUnderWay = (id: number, sender: string) => boolean;

/** Messages that a process was sending when it died. */
function listLost(db: Reader, isUnderWay: IsUnderWay): { id: number }[] {
  return db
    .all<{ id: number; sender: string }>("SELECT id, sender FROM message WHERE sender IS NOT NULL")
    .filter(({ id, sender }) => !isUnderWay(id, sender));
}

export function isAnyLost(db: Reader, isUnderWay: IsUnderWay): boolean {
  return listLost(db, isUnderWay).length > 0;
}

/** Inside a transaction: nobody knows whether these were sent, because the process that sent them has died. @returns them as they are now */
export function giveUpLost(db: Writer, isUnderWay: IsUnderWay, now: number): MessageRow[] {
  return listLost(db, isUnderWay).map(
    ({ id }) =>
      db.get<MessageRow>(
        "UPDATE message SET state = 'UNCERTAIN', sender = NULL, reply = ?, ended_at = ? WHERE id = ? RETURNING *",
        "The process that sent it has ended.",
        now,
        id,
      )!,
  );
}
