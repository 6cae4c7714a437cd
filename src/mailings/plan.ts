// Plans a mailing, and writes its messages to the outbox. The scratch store is main, the workspace is attached as `w`; the tables of the workspace
// are found there, because the scratch store has none of these names.

import * as v from "valibot";
import { countRange, countRows } from "../../db/list/counts.ts";
import type { Where } from "../../db/list/where.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { uuid7Sql, uuid7Time } from "../base/ids.ts";
import { Parsed } from "../base/parsed.ts";
import { count } from "../base/schemas.ts";
import { countedPlan, MAX_UNINDEXED_ROWS, ROW_NAME_INDEX } from "../engine/ledger/rows.ts";
import { counted } from "../engine/ledger/summaries.ts";
import { type Actor, actorRow } from "../events/actors.ts";
import { OF_MAILING } from "../mail/outbox.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { addressOf, mailboxOf } from "./addresses.ts";
import { type Fullness, NEVER_FULL } from "./fullness.ts";
import { hasLink } from "./placeholders.ts";
import {
  countedAs,
  type Purpose,
  reasonSql,
  reasonText,
  SKIP_REASONS,
  type SkipReason,
  standingOf,
} from "./reasons.ts";
import { recipientsSql } from "./recipients.ts";
import { countedMessages, type MailingPlan } from "./resource.ts";
import type { Step, Texts } from "./texts.ts";

/** How many rows are written before progress is reported. */
const BATCH = 10_000;

/** What a plan comes to, as its job declares it. A reason is counted where it is anybody's. */
export const PLAN_SUMMARY = {
  ...counted("send", "skip"),
  ...Object.fromEntries(SKIP_REASONS.map((reason) => [countedAs(reason), v.optional(count)])),
};

interface PlanSummary extends Record<string, number> {
  send: number;
  skip: number;
}

/** What the first message of a mailing is for. */
export function purposeOf(kind: MailingPlan["kind"], step: Step, index: number): Purpose {
  return { kind, hasLink: hasLink(step), opensLink: kind === "INVITATION" && index === 0 };
}

/** Why people get no first message: as SQL, and for whom there is no place. */
function firstReason(
  db: Reader,
  { screenerId: screenerUid, kind, ...words }: MailingPlan,
): { reason: Where; fullness: Fullness } {
  const screenerId = getScreener(db, screenerUid, "w").id;
  const standing = standingOf(db, new Parsed(), screenerId);
  const purpose = purposeOf(kind, { ...words, afterDays: 0 }, 0);
  const reason = reasonSql(db, purpose, { ...standing, screenerId, now: Date.now() });
  return { reason, fullness: kind === "MESSAGE" ? NEVER_FULL : standing.fullness };
}

/** Inside a transaction. Plans whom a mailing goes to. @param chosen rowids of assignments; undefined: any. @throws Problem screener_not_found */
export function planRecipients(db: Writer, mailing: MailingPlan, chosen: readonly number[] | undefined): PlanSummary {
  const { id } = getScreener(db, mailing.screenerId, "w");
  const { to } = mailing;
  for (let at = 0; chosen && at < chosen.length; at += BATCH)
    db.run("INSERT INTO chosen (id) SELECT value FROM json_each(?)", JSON.stringify(chosen.slice(at, at + BATCH)));
  const { reason, fullness } = firstReason(db, mailing);
  const where = recipientsSql(to);
  db.run(
    `INSERT INTO plan (outcome, reason, assignment_uid, participant_uid, external_uid, participant_id, is_odd)
     SELECT iif(reason IS NULL, 'SEND', 'SKIP'), reason, assignment_uid, participant_uid, external_uid, participant_id, is_odd
     FROM (SELECT a.id, a.uid AS assignment_uid, p.uid AS participant_uid, p.external_uid, p.id AS participant_id, ${reason.sql} AS reason,
         mail_is_odd(p.email) AS is_odd
       FROM screener_participant AS a INDEXED BY screener_participant_screener CROSS JOIN participant AS p ON p.id = a.participant_id
         ${to.review ? "LEFT JOIN screener_session AS e ON e.id = a.current_session_id" : ""}
       WHERE a.screener_id = ?${chosen ? " AND a.id IN (SELECT id FROM chosen)" : ""}${where.sql})
     ORDER BY ${to.order === "RANDOM" ? "random()" : "id"}`,
    ...[...reason.values, id, ...where.values],
  );
  skipFull(db, fullness);
  skipOdd(db);
  if (to.limit !== undefined) keepFirst(db, to.limit);
  indexNames(db);
  countRows(db, countedPlan, "main", "TRUE", [], 1);
  return summaryOf(db);
}

/** Rows are found by the ids of people. */
function indexNames(db: Writer): void {
  const rows = db.value<number>("SELECT count(*) FROM main.plan")!;
  if (rows > MAX_UNINDEXED_ROWS) db.run(`CREATE INDEX ${ROW_NAME_INDEX} ON plan (external_uid)`);
}

/** Takes over what was approved: those alone who were to be written to. */
export function takeApproved(db: Writer): void {
  db.run(
    `INSERT INTO plan (id, outcome, reason, assignment_uid, participant_uid, external_uid)
     SELECT id, json ->> 'outcome', json ->> 'reason', json ->> 'screenerParticipantId', json ->> 'participantId', json ->> 'externalUid'
     FROM approved_row ORDER BY id`,
  );
  indexNames(db);
  countRows(db, countedPlan, "main", "TRUE", [], 1);
}

/**
 * It is another one after each change that a plan looks at. All of them leave an event, but for one: a message is about to leave. So it also has
 * the counts of messages, and which ones are being sent: if another is deferred at the same time, the counts stay. Upkeep changes nothing of it,
 * nor what is done for the search, which goes on after a large import.
 */
export function lastChange(db: Reader): string {
  return db.value<string>(
    `SELECT json_array((SELECT max(id) FROM event),
       (SELECT json_group_object(state, n) FROM (SELECT state, sum(n) AS n FROM message_block GROUP BY state ORDER BY state)),
       (SELECT json_group_array(id ORDER BY id) FROM message WHERE sender IS NOT NULL AND mailing_id IS NOT NULL))`,
  )!;
}

/** Inside a transaction, when others have to wait: looks again at those who are to be written to. Nobody comes to them. */
export function dropChanged(db: Writer, mailing: MailingPlan): PlanSummary {
  const { reason, fullness } = firstReason(db, mailing);
  countRows(db, countedPlan, "main", "TRUE", [], -1);
  db.run(
    `UPDATE plan SET (reason, participant_id, is_odd) = (SELECT ${reason.sql}, p.id, mail_is_odd(p.email)
       FROM screener_participant AS a JOIN participant AS p ON p.id = a.participant_id WHERE a.uid = plan.assignment_uid)
     WHERE outcome = 'SEND'`,
    ...reason.values,
  );
  db.run(
    `UPDATE plan SET outcome = 'SKIP', reason = coalesce(reason, ${reasonText("REMOVED")})
     WHERE outcome = 'SEND' AND (reason IS NOT NULL OR participant_id IS NULL)`,
  );
  skipFull(db, fullness);
  skipOdd(db);
  countRows(db, countedPlan, "main", "TRUE", [], 1);
  return summaryOf(db);
}

/** Leaves out those who can't begin, because the quotas of people with their attributes have no room. */
function skipFull(db: Writer, fullness: Fullness): void {
  if (!fullness.isPersonal) return;
  for (let after = 0; ; ) {
    const slice = db.all<{ id: number; participant_id: number; attributes: string }>(
      `SELECT q.id, p.id AS participant_id, p.attributes FROM plan AS q JOIN screener_participant AS a ON a.uid = q.assignment_uid
         JOIN participant AS p ON p.id = a.participant_id
       WHERE q.outcome = 'SEND' AND q.id > ? AND a.status = 'NOT_STARTED' ORDER BY q.id LIMIT ${BATCH}`,
      after,
    );
    const full = slice.filter((one) => fullness.isFor(one.attributes, one.participant_id));
    if (full.length)
      db.run(
        `UPDATE plan SET outcome = 'SKIP', reason = ${reasonText("QUOTA_FULL")} WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(full.map(({ id }) => id)),
      );
    if (slice.length < BATCH) break;
    after = slice.at(-1)!.id;
  }
}

/** Nobody gets two messages because an address can be written in two ways, and what is no address gets none. */
function skipOdd(db: Writer): void {
  const odd = db.all<{ id: number; email: string }>(
    `SELECT q.id, p.email FROM plan AS q JOIN participant AS p ON p.id = q.participant_id WHERE q.outcome = 'SEND' AND q.is_odd = 1 ORDER BY q.id`,
  );
  const skip = (id: number, reason: SkipReason) =>
    db.run("UPDATE plan SET outcome = 'SKIP', reason = ? WHERE id = ?", reason, id);
  const seen = new Set<string>();
  for (const { id, email } of odd) {
    const address = addressOf(email);
    if (address === undefined) {
      skip(id, "NO_EMAIL");
      continue;
    }
    const mailbox = mailboxOf(address);
    // Those who come first keep theirs: an odd one is skipped for a plain one, or for an odd one before it.
    const isPlain = db.value(
      `SELECT 1 FROM participant AS p JOIN plan AS q ON q.participant_id = p.id WHERE p.email = ? AND q.outcome = 'SEND' AND q.is_odd = 0`,
      mailbox,
    );
    if (isPlain || seen.has(mailbox)) skip(id, "DUPLICATE_EMAIL");
    seen.add(mailbox);
  }
}

function keepFirst(db: Writer, limit: number): void {
  const last = db.value<number>("SELECT id FROM plan WHERE outcome = 'SEND' ORDER BY id LIMIT 1 OFFSET ?", limit - 1);
  if (last !== undefined) db.run("DELETE FROM plan WHERE id > ? AND outcome = 'SEND'", last);
}

function summaryOf(db: Reader): PlanSummary {
  const of = (outcome: string) =>
    db.value<number>("SELECT coalesce(sum(n), 0) FROM main.plan_block WHERE outcome = ?", outcome)!;
  const reasons = db.all<{ reason: string; n: number }>(
    "SELECT reason, count(*) AS n FROM main.plan WHERE outcome = 'SKIP' GROUP BY reason ORDER BY n DESC, reason",
  );
  return {
    ...{ send: of("SEND"), skip: of("SKIP") },
    ...Object.fromEntries(reasons.map(({ reason, n }) => [countedAs(reason), n])),
  };
}

interface Written {
  /** Of the job, and so of the mailing. */
  uid: string;
  actor: Actor;
  onProgress(done: number, total: number): void;
}

/** Inside a transaction: writes the mailing and its messages. @returns the time that it writes */
export function writeMailing(db: Writer, mailing: MailingPlan, { uid, actor, onProgress }: Written): Date {
  const now = new Date();
  const screener = getScreener(db, mailing.screenerId, "w");
  const publication = screener.active_publication_id
    ? findPublicationById(db, screener.active_publication_id)
    : undefined;
  const [language = "en"] = JSON.parse(publication?.languages ?? "[]") as string[];
  const { subject, body, translations, reminders } = mailing;
  const texts: Texts = { language, steps: [{ afterDays: 0, subject, body, translations }, ...reminders] };
  const at = mailing.at === null ? null : Date.parse(mailing.at);
  const dueAt = Math.max(at ?? 0, now.getTime());
  const by = actorRow(db, actor, "w");
  const { lastInsertRowid } = db.run(
    `INSERT INTO w.mailing (uid, screener_id, name, kind, status, texts, recipients, at, hours, per_minute, resends_uncertain, next_at,
       created_by, created_at, updated_by, updated_at) VALUES (?, ?, ?, ?, 'SCHEDULED', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[uid, screener.id, mailing.name, mailing.kind, JSON.stringify(texts), JSON.stringify(mailing.to), at],
    ...[mailing.window && JSON.stringify(mailing.window), mailing.perMinute, mailing.resendUncertain ? 1 : 0, dueAt],
    ...[by, now.toISOString(), by, now.toISOString()],
  );
  const mailingId = Number(lastInsertRowid);
  const total = db.value<number>("SELECT coalesce(max(id), 0) FROM main.plan")!;
  const after = db.value<number>("SELECT coalesce(max(id), 0) FROM w.message")!;
  let n = 0;
  for (let from = 1; from <= total; from += BATCH) {
    onProgress(from - 1, total);
    n += db.run(
      `INSERT INTO w.message (uid, kind, mailing_id, step, participant_id, language, due_at, created_at)
       SELECT ${uuid7Sql("id")}, '${OF_MAILING}', ?, 0, participant_id, '', ?, ? FROM main.plan
       WHERE outcome = 'SEND' AND id >= ? AND id < ? ORDER BY id`,
      ...[uuid7Time(now), mailingId, dueAt, now.getTime(), from, from + BATCH],
    ).changes;
  }
  countRange(db, countedMessages, "w", { mailing_id: mailingId, state: "READY" }, { after, n });
  onProgress(total, total);
  return now;
}
