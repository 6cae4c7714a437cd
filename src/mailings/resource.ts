// The resources Mailing, what people of a study are written and when, and MailingMessage, one message of it. What callers send, and their lists.

import * as v from "valibot";
import type { CountedTable } from "../../db/list/counts.ts";
import type { Filter } from "../../db/list/where.ts";
import { exampleAudit, exampleIds } from "../base/examples.ts";
import {
  ANY_OPERATOR,
  audit,
  json,
  millisecondsAsTimestamp,
  nullable,
  number,
  refersTo,
  text,
  uid,
  word,
} from "../base/members.ts";
import { countedList, type List, resource } from "../base/resource.ts";
import { closedObject, count, id, instant, requiredText, shortArray } from "../base/schemas.ts";
import { MESSAGE_STATES } from "../mail/outbox.ts";
import { Hours } from "./hours.ts";
import { MAILING_KINDS } from "./reasons.ts";
import { limit, Recipients } from "./recipients.ts";
import { MAX_REMINDERS, Reminder, wordMembers } from "./texts.ts";

const MAILING_STATUSES = ["SCHEDULED", "SENDING", "PAUSED", "STOPPED", "SENT"] as const;
export type MailingStatus = (typeof MAILING_STATUSES)[number];

/** Why a mailing is paused: a person wants it, or its workspace was restored from a backup. */
const PAUSED_BECAUSE = ["PERSON", "RESTORED"] as const;

const MAX_PER_MINUTE = 100_000;
const NOT_A_RATE = `must be a whole number from 1 to ${MAX_PER_MINUTE}`;

const perMinute = v.pipe(
  v.number(NOT_A_RATE),
  v.safeInteger(NOT_A_RATE),
  v.minValue(1, NOT_A_RATE),
  v.maxValue(MAX_PER_MINUTE, NOT_A_RATE),
);

const truth = v.boolean("must be true or false");

const kind = v.picklist(MAILING_KINDS, `must be one of ${MAILING_KINDS.join(", ")}`);

const described = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(v.pipe(v.nullable(schema), v.description(description)), null);

const members = {
  screenerId: id,
  name: requiredText(200),
  kind,
  ...wordMembers,
  to: v.optional(Recipients, {}),
  at: described(instant, "When it begins. Default: as soon as it was planned"),
  window: described(Hours, "The days and hours at which it is sent. Default: at any time"),
  perMinute: described(perMinute, "At most so many of it leave in a minute"),
  reminders: v.optional(shortArray(Reminder, MAX_REMINDERS), []),
  resendUncertain: v.pipe(
    v.optional(truth, false),
    v.description(
      "Whether a message is sent again of which nobody knows whether it left. Then somebody may get it twice",
    ),
  ),
  maxRecipients: described(limit, "It fails if it would go to more people. A plan is shown all the same"),
};

export const NewMailing = v.pipe(
  closedObject({ ...members, dryRun: v.optional(v.nullable(v.boolean("must be true, false or null"))) }),
  v.title("NewMailing"),
);

/** A mailing as its job keeps it. */
export const MailingPlan = v.object(members);

export type MailingPlan = v.InferOutput<typeof MailingPlan>;

/** How many messages are in a state. */
const counted = (state: string) => `coalesce(sum(b.n) FILTER (WHERE b.state = '${state}'), 0)`;

const MessageCounts = v.pipe(
  v.object(Object.fromEntries(MESSAGE_STATES.map((state) => [state, count]))),
  v.title("MailingMessageCounts"),
  v.description("How many messages, reminders among them, are in each state"),
);

const COUNTS = `(SELECT json_object(${MESSAGE_STATES.map((state) => `'${state}', ${counted(state)}`).join(", ")}) FROM message_block AS b WHERE b.mailing_id = t.id)`;

const Anything = v.record(v.string(), v.unknown());

const exampleWords = {
  subject: "Your invitation, {{name|friend}}",
  body: "Dear {{name|friend}},\n\nwe would like to ask you a few questions about sleep.\n\n{{link}}\n\nThank you!",
  translations: [],
};

export const mailing = resource({
  type: "Mailing",
  from: `mailing AS t JOIN screener AS s ON s.id = t.screener_id JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by`,
  members: {
    id: uid("t.uid"),
    screenerId: uid("s.uid", { operators: ANY_OPERATOR, by: refersTo("screener_id", "screener", "uid") }),
    name: text("t.name"),
    kind: word(MAILING_KINDS)("t.kind"),
    status: word(MAILING_STATUSES)("t.status", ANY_OPERATOR),
    pausedBecause: nullable(word(PAUSED_BECAUSE)("t.paused_because")),
    language: text("t.texts ->> '$.language'"),
    subject: text("t.texts ->> '$.steps[0].subject'"),
    body: text("t.texts ->> '$.steps[0].body'"),
    translations: json("t.texts -> '$.steps[0].translations'", v.array(Anything)),
    to: json("t.recipients", Anything),
    at: nullable(millisecondsAsTimestamp("t.at")),
    window: nullable(json("t.hours", Anything)),
    perMinute: nullable(number("t.per_minute", count)),
    reminders: json("json_remove(t.texts -> '$.steps', '$[0]')", v.array(Anything)),
    resendUncertain: json("iif(t.resends_uncertain, 'true', 'false')", v.boolean(), {
      "": (resends) => resends as boolean,
    }),
    messages: json(COUNTS, MessageCounts, {
      ...Object.fromEntries(
        MESSAGE_STATES.map((state) => [`.${state}`, (counts) => (counts as Record<string, number>)[state]]),
      ),
    }),
    nextAt: nullable(millisecondsAsTimestamp("t.next_at")),
    begunAt: nullable(millisecondsAsTimestamp("t.begun_at")),
    endedAt: nullable(millisecondsAsTimestamp("t.ended_at")),
    ...audit,
  },
  example: {
    id: exampleIds.mailing,
    screenerId: exampleIds.screener,
    name: "First invitation",
    kind: "INVITATION",
    status: "SENDING",
    pausedBecause: null,
    language: "en",
    ...exampleWords,
    to: { status: ["NOT_STARTED"] },
    at: null,
    window: { days: ["MON", "TUE", "WED", "THU", "FRI"], from: "09:00", to: "18:00", timeZone: "Europe/Berlin" },
    perMinute: 60,
    reminders: [],
    resendUncertain: false,
    messages: { READY: 12, SENDING: 0, SENT: 30, DEFERRED: 1, FAILED: 0, DROPPED: 2, UNCERTAIN: 0, BOUNCED: 0 },
    nextAt: "2026-01-31T12:00:30.000Z",
    begunAt: "2026-01-31T12:00:00.000Z",
    endedAt: null,
    ...exampleAudit,
  },
});

/** Counted by triggers. */
export const countedMailings = { table: "mailing", facets: ["screener_id", "status"] } as const satisfies CountedTable;

export const mailingList = countedList("mailings", countedMailings, mailing);

const message = resource({
  type: "MailingMessage",
  from: `message AS t JOIN mailing AS l ON l.id = t.mailing_id JOIN participant AS p ON p.id = t.participant_id`,
  members: {
    id: uid("t.uid"),
    mailingId: uid("l.uid"),
    participantId: uid("p.uid", { operators: ANY_OPERATOR, by: refersTo("participant_id", "participant", "uid") }),
    externalParticipantUid: text("p.external_uid"),
    step: { ...number("t.step", v.pipe(count, v.description("0: the first message. Then come the reminders"))) },
    state: word(MESSAGE_STATES)("t.state", ANY_OPERATOR),
    reason: nullable(text("iif(t.state = 'DROPPED', t.reply, NULL)")),
    reply: nullable(text("iif(t.state = 'DROPPED', NULL, t.reply)")),
    attempts: number("t.attempts", count),
    dueAt: nullable(millisecondsAsTimestamp("t.due_at")),
    endedAt: nullable(millisecondsAsTimestamp("t.ended_at")),
    language: nullable(text("nullif(t.language, '')")),
    template: nullable(text("t.template")),
    contentHash: nullable(text("t.content_hash")),
    bouncedAt: nullable(millisecondsAsTimestamp("t.bounced_at")),
    bounce: nullable(text("t.bounce")),
  },
  example: {
    id: exampleIds.mailingMessage,
    mailingId: exampleIds.mailing,
    participantId: exampleIds.participant,
    externalParticipantUid: "P-17",
    step: 0,
    state: "SENT",
    reason: null,
    reply: "250 2.0.0 Ok: queued as 4D2A1C0F",
    attempts: 1,
    dueAt: null,
    endedAt: "2026-01-31T12:00:01.000Z",
    language: "en",
    template: "uHk1mX2r0cQ",
    contentHash: "b3JpZ2luYWw",
    bouncedAt: null,
    bounce: null,
  },
});

/** Code counts those that it adds; triggers count the others. Those without a mailing are not counted. */
export const countedMessages = {
  table: "message",
  facets: ["mailing_id", "state"],
  apart: { without: "t.mailing_id IS NOT NULL", alone: "t.mailing_id IS NULL" },
} as const satisfies CountedTable;

const everyMessage = countedList("mailing-messages", countedMessages, message);

const ofMailing = (mailingUid: string): Filter => ({
  by: refersTo("mailing_id", "mailing", "uid"),
  operator: "eq",
  values: [mailingUid],
});

/** The messages of one mailing, by its id. */
export const messageList: List<string> = {
  ...everyMessage,
  page: (db, filters, page, of) => everyMessage.page(db, [...filters, ofMailing(of)], page),
  longRead: (db, filters, page, of) => everyMessage.longRead?.(db, [...filters, ofMailing(of)], page),
  slices: (db, filters, of) => everyMessage.slices(db, [...filters, ofMailing(of)]),
};
