// Composes messages: headers, both forms of the text, and the signature. That takes the processor for a while, and can be done in a thread.

import type { MailConfig } from "../../base/settings/mail.ts";

/** What a message says, in both forms. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
  /** Where its recipient stops such mail: a page, which also takes the POST of a mail program (RFC 8058). Missing: somebody has asked for it. */
  unsubscribe?: string;
}

/** A message as it leaves. */
export interface Outgoing extends Letter {
  /** The recipient's address. */
  to: string;
  /** The same for each attempt: what comes twice can be told. */
  messageId: string;
  returning?: Returning | undefined;
}

/** Addresses of ours that belong to one message. */
export interface Returning {
  /** Where it comes back to, if it can't be delivered. */
  returnPath: string;
  /** Where its recipient writes to get no more mail. */
  unsubscribe: string;
}

/** RFC 8058. */
function unsubscribing({ unsubscribe, returning }: Outgoing): Record<string, string> {
  if (unsubscribe === undefined) return {};
  const byMail = returning && `<mailto:${returning.unsubscribe}?subject=unsubscribe>`;
  const ways = [`<${unsubscribe}>`, ...(byMail ? [byMail] : [])];
  return { "List-Unsubscribe": ways.join(", "), "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** The headers that a signature covers (RFC 6376, section 5.4.1): also those by which a mail program unsubscribes, as RFC 8058 asks for. */
const SIGNED = [
  ...["From", "Reply-To", "Subject", "Date", "To", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"],
  ...["Content-Transfer-Encoding", "List-Unsubscribe", "List-Unsubscribe-Post"],
].join(":");

/** What composing needs to know. */
export type Composing = Pick<MailConfig, "from" | "replyTo" | "dkim">;

/** @returns the message as it leaves */
export async function compose({ from, replyTo, dkim }: Composing, message: Outgoing): Promise<Uint8Array> {
  // An installation without mail starts without it.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    ...{ streamTransport: true, buffer: true, newline: "windows" },
    ...(dkim && {
      dkim: {
        ...{ domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey },
        headerFieldNames: SIGNED,
      },
    }),
  });
  const { message: composed } = await transport.sendMail({
    from,
    ...(replyTo && { replyTo }),
    to: { name: "", address: message.to },
    messageId: message.messageId,
    subject: message.subject,
    text: message.text,
    html: message.html,
    // Programs that answer mail do not answer this (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...unsubscribing(message) },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composed as Uint8Array;
}
