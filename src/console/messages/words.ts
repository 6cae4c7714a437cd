// What mailings and their messages are called.

import type { Mailing } from "../../client/types.ts";

export const KINDS: Record<Mailing["kind"], string> = {
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

/** Why people are not written to, by the number of the plan's summary. */
export const REASONS: Record<string, string> = {
  finished: "Have finished",
  noEmail: "Have no email",
  unsubscribed: "Have unsubscribed",
  bounced: "Their address takes no mail",
  doNotContact: "Are not to be contacted",
  contactedRecently: "Were written to often lately",
  studyClosed: "The study is closed",
  linkExpired: "Their link does not work any more",
  quotaFull: "The study is full",
  noConsent: "Have withdrawn",
  duplicateEmail: "Share an address with somebody else",
  removed: "Are not in the study any more",
};
