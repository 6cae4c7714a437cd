// What follows from what has become of a message of a mailing: its reminder, an event, and when the mailing goes on or has ended.

import { countRange } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import { BY_SERVICE, type NewEvent, recordEvent } from "../events/record.ts";
import { type MessageRow, OF_MAILING, PAUSES_MS } from "../mail/outbox.ts";
import { participant } from "../nouns/participants/resource.ts";
import { countMessages, getMailingById, type MailingRow, nextDueAt, setNextAt, setStatus } from "./queries.ts";
import { countedMessages, mailing as mailingResource } from "./resource.ts";
import type { Texts } from "./texts.ts";

const DAY_MS = 24 * 3_600_000;

export function record(db: Writer, event: NewEvent): void {
  recordEvent(db, BY_SERVICE, event);
}

/** Inside a transaction: what follows from what has become of a message. */
export function settle(db: Writer, row: MessageRow, now: number): void {
  if (row.mailing_id === null) return;
  const mailing = getMailingById(db, row.mailing_id);
  if (row.state === "UNCERTAIN" && mailing.resends_uncertain) waitAgain(db, row, now);
  if (row.state === "SENT" || row.state === "UNCERTAIN") queueReminder(db, mailing, row, now);
  if (row.state !== "DEFERRED") report(db, mailing, row);
  refresh(db, mailing.id, now);
}

/** Somebody may get it twice: the mailing says that this is better than not at all. */
function waitAgain(db: Writer, { id, attempts }: MessageRow, now: number): void {
  const pause = PAUSES_MS[attempts - 1];
  if (pause !== undefined) db.run("UPDATE message SET due_at = ?, ended_at = NULL WHERE id = ?", now + pause, id);
}

function queueReminder(db: Writer, mailing: MailingRow, { participant_id, step }: MessageRow, now: number): void {
  const next = (JSON.parse(mailing.texts) as Texts).steps[step! + 1];
  if (!next || mailing.status === "STOPPED") return;
  const { changes, lastInsertRowid } = db.run(
    `INSERT INTO message (uid, kind, mailing_id, step, participant_id, language, due_at, created_at) VALUES (?, ?, ?, ?, ?, '', ?, ?)
     ON CONFLICT DO NOTHING`,
    ...[newId(), OF_MAILING, mailing.id, step! + 1, participant_id, now + next.afterDays * DAY_MS, now],
  );
  if (!changes) return;
  // At once: a trigger that counts down in the same transaction has to find it.
  const counted = { mailing_id: mailing.id, state: "READY" };
  countRange(db, countedMessages, "main", counted, { after: Number(lastInsertRowid) - 1, n: 1 });
}

function report(db: Writer, mailing: MailingRow, { uid, participant_id, step, state, reply }: MessageRow): void {
  const person = db.value<string>("SELECT uid FROM participant WHERE id = ?", participant_id);
  if (person === undefined) return;
  record(db, {
    type: state === "SENT" ? "message.sent" : "message.failed",
    resource: { type: participant.type, uid: person },
    summary: { mailingId: mailing.uid, messageId: uid, step, state, ...(state !== "SENT" && { reply }) },
  });
}

/** Inside a transaction: what follows from a message that came back. No reminder follows one of which the relay's reply was not recorded yet. */
export function settleBounced(
  db: Writer,
  { mailing_id, participant_id, uid, step }: MessageRow,
  { isHard, words }: { isHard: boolean; words: string },
): void {
  if (mailing_id === null) return;
  const person = db.value<string>("SELECT uid FROM participant WHERE id = ?", participant_id)!;
  record(db, {
    type: "message.bounced",
    resource: { type: participant.type, uid: person },
    summary: { mailingId: getMailingById(db, mailing_id).uid, messageId: uid, step, isHard, reply: words },
  });
  refresh(db, mailing_id, Date.now());
}

/** Inside a transaction: when a mailing goes on, by what waits of it; or that it has ended. */
export function refresh(db: Writer, id: number, now: number): void {
  const { uid, status } = getMailingById(db, id);
  if (status !== "SCHEDULED" && status !== "SENDING") return;
  const nextAt = nextDueAt(db, id);
  setNextAt(db, id, nextAt);
  if (nextAt !== null || countMessages(db, id, "SENDING") > 0) return;
  setStatus(db, id, { status: "SENT", at: null, endedAt: now });
  const summary = countsOf(db, id);
  record(db, { type: "mailing.sent", resource: { type: mailingResource.type, uid }, summary });
}

function countsOf(db: Reader, id: number): object {
  const states = ["SENT", "FAILED", "DROPPED", "UNCERTAIN", "BOUNCED"] as const;
  return Object.fromEntries(states.map((state) => [state.toLowerCase(), countMessages(db, id, state)]));
}
