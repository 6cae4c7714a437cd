// How the service sends mail, as a workspace sees it, and what a test has come to.

import * as v from "valibot";
import type { Config } from "../base/config.ts";
import { closedObject, count } from "../base/schemas.ts";
import type { Mailbox } from "../base/settings/mail.ts";
import { normalized } from "../nouns/question-types/values/text-formats.ts";

const MAX_CAP = 1000;
const MAX_CAP_DAYS = 365;

const from1To = (max: number) =>
  v.pipe(
    v.number("must be a number"),
    v.integer("must be a whole number"),
    v.minValue(1, "must be at least 1"),
    v.maxValue(max, `must be at most ${max}`),
  );

const ContactCap = v.pipe(
  v.nullable(v.object({ messages: from1To(MAX_CAP), days: from1To(MAX_CAP_DAYS) }, "must be an object, or null")),
  v.title("ContactCap"),
  v.description(
    "How many messages of mailings a participant gets within some days, over all studies; null: as many as there are",
  ),
);

export const MailSettingsChange = v.pipe(
  closedObject({ contactCap: v.optional(ContactCap) }),
  v.title("MailSettingsChange"),
);

export const MailSettings = v.pipe(
  v.object({
    _type: v.literal("MailSettings"),
    isConfigured: v.pipe(v.boolean(), v.description("Whether the service can send mail: whether SMTP_URL is set")),
    relay: v.pipe(v.nullable(v.string()), v.description("Host and port of the relay")),
    from: v.nullable(v.string()),
    replyTo: v.nullable(v.string()),
    perMinute: v.pipe(v.nullable(count), v.description("Messages that leave in a minute, of all workspaces together")),
    dkimDomain: v.pipe(
      v.nullable(v.string()),
      v.description("The domain for which the service signs. null: it does not"),
    ),
    contactCap: ContactCap,
  }),
  v.title("MailSettings"),
);

type MailView = v.InferOutput<typeof MailSettings>;

export const mailExample: MailView = {
  _type: "MailSettings",
  isConfigured: true,
  relay: "mail.example.org:465",
  from: "Sleep lab <studies@example.org>",
  replyTo: null,
  perMinute: 600,
  dkimDomain: "example.org",
  contactCap: { messages: 3, days: 30 },
};

export function viewOf({ mail }: Config, contactCap: MailView["contactCap"]): MailView {
  const shown = ({ name, address }: Mailbox) => (name === "" ? address : `${name} <${address}>`);
  return {
    _type: "MailSettings",
    isConfigured: mail !== undefined,
    relay: mail ? `${mail.relay.host}:${mail.relay.port}` : null,
    from: mail ? shown(mail.from) : null,
    replyTo: mail?.replyTo ? shown(mail.replyTo) : null,
    perMinute: mail?.perMinute ?? null,
    dkimDomain: mail?.dkim?.domain ?? null,
    contactCap,
  };
}

const NO_ADDRESS = "must be an email address, as in: name@example.org";

/** An address that a message can go to, and nothing beside it. */
export const recipient = v.pipe(
  v.string(NO_ADDRESS),
  v.metadata({ format: "email", maxLength: 254 }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const address = normalized("EMAIL", value.trim());
    if (address !== undefined) return address;
    addIssue({ message: NO_ADDRESS });
    return NEVER;
  }),
);

export const NewMailTest = v.pipe(closedObject({ to: recipient }), v.title("NewMailTest"));

export const MailTest = v.pipe(
  v.object({
    _type: v.literal("MailTest"),
    status: v.pipe(
      v.picklist(["SENT", "DEFERRED", "FAILED", "UNCERTAIN"]),
      v.description(
        "SENT: the relay has taken it. DEFERRED: it could not be reached, or will not take it now. FAILED: it refuses it. " +
          "UNCERTAIN: the connection ended before its reply",
      ),
    ),
    reply: v.pipe(v.string(), v.description("The words of the relay, or why there are none")),
  }),
  v.title("MailTest"),
);

export const testExample: v.InferOutput<typeof MailTest> = {
  _type: "MailTest",
  status: "SENT",
  reply: "250 2.0.0 Ok: queued as 4D2A1C0F",
};
