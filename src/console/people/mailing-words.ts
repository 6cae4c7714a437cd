// What mailings and their messages are called.

import type { Mailing, MailingMessage } from "../../client/types.ts";
import type { SkipReason } from "../../mailings/reasons.ts";
import type { Known } from "../shell/known-words.ts";

export const KINDS: Record<Known<Mailing["kind"]>, string> = {
  INVITATION: "Invitation",
  REMINDER: "Reminder",
  MESSAGE: "Message",
};

/** What a status is called, and how it looks. */
export const STATUSES: Record<Mailing["status"], [word: string, look: string]> = {
  SCHEDULED: ["waits", "draft"],
  SENDING: ["is being sent", "live"],
  PAUSED: ["paused", "closed"],
  STOPPED: ["stopped", "failed"],
  SENT: ["sent", "closed"],
};

/** What has become of messages, in the order in which people look at it. */
export const STATES = [
  ["SENT", "Sent"],
  ["READY", "Waiting"],
  ["SENDING", "On the way"],
  ["DEFERRED", "Tried again later"],
  ["FAILED", "Refused"],
  ["DROPPED", "Not sent any more"],
  ["UNCERTAIN", "Uncertain: nobody knows whether it was sent"],
  ["BOUNCED", "Came back"],
] as const;

/** Why people are not written to. */
export const REASONS: Record<SkipReason, string> = {
  FINISHED: "Have finished",
  NO_EMAIL: "Have no email",
  UNSUBSCRIBED: "Have unsubscribed",
  BOUNCED: "Their address takes no mail",
  DO_NOT_CONTACT: "Are not to be contacted",
  CONTACTED_RECENTLY: "Were written to often lately",
  STUDY_CLOSED: "The study is closed",
  LINK_EXPIRED: "Their link does not work any more",
  QUOTA_FULL: "There is no place for them",
  NO_CONSENT: "Have withdrawn",
  DUPLICATE_EMAIL: "Share an address with somebody else",
  REMOVED: "Are not in the study any more",
};

/** Reasons that no plan has. */
const OTHER_REASONS: Record<string, string> = {
  STOPPED: "Was stopped",
  SANDBOX: "A sandbox sends no mail",
};

/** Why a message was not sent any more, or what the relay said of it. */
export function whyNot({ reason, reply }: Pick<MailingMessage, "reason" | "reply">): string | undefined {
  if (reason === null) return reply ?? undefined;
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as SkipReason] : (OTHER_REASONS[reason] ?? reason);
}
