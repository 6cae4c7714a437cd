// Mail that comes back, as mail servers bring it.

import { createHmac } from "node:crypto";

export const INBOUND = "returned@mail.example.org";
export const INBOUND_SECRET = "a secret of more than thirty-two characters";

interface Said {
  action?: string;
  status?: string;
  diagnostic?: string;
  to: string;
}

/** A report as Postfix writes it (RFC 3464). */
export function reportOn({ action = "failed", status = "5.1.1", diagnostic, to }: Said): string {
  return [
    "Return-Path: <>",
    "From: MAILER-DAEMON@mx.example.org (Mail Delivery System)",
    "Subject: Undelivered Mail Returned to Sender",
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="4bX.1/mx"',
    "",
    "This is a MIME-encapsulated message.",
    "",
    "--4bX.1/mx",
    "Content-Type: text/plain; charset=us-ascii",
    "",
    "I'm sorry to have to inform you that your message could not be delivered.",
    "",
    "--4bX.1/mx",
    "Content-Description: Delivery report",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.org",
    "Arrival-Date: Sat, 31 Jan 2026 12:00:00 +0000 (UTC)",
    "",
    `Final-Recipient: rfc822; ${to}`,
    `Original-Recipient: rfc822;${to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    "Remote-MTA: dns; mx.example.com",
    `Diagnostic-Code: smtp; ${diagnostic ?? `550 ${status} <${to}>:`}`,
    "    Recipient address rejected",
    "",
    "--4bX.1/mx",
    "Content-Type: message/rfc822",
    "",
    `To: ${to}`,
    "Subject: For you",
    "",
    "Dear you",
    "",
    "--4bX.1/mx--",
    "",
  ].join("\r\n");
}

/** What a provider sends whose user has called a message spam (RFC 5965). @param about lines of its fields @param original headers of the message */
export function complaint(about: string[], original: string[], type = "abuse"): string {
  return [
    "From: <feedback@provider.example>",
    "Subject: FW: For you",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=feedback-report; boundary="fb-1"',
    "",
    "--fb-1",
    "Content-Type: text/plain; charset=us-ascii",
    "",
    "This is an email abuse report.",
    "",
    "--fb-1",
    "Content-Type: message/feedback-report",
    "",
    `Feedback-Type: ${type}`,
    "User-Agent: Provider/1.0",
    "Version: 1",
    ...about,
    "",
    "--fb-1",
    "Content-Type: message/rfc822",
    "Content-Disposition: inline",
    "",
    ...original,
    "Subject: For you",
    "",
    "Dear you",
    "",
    "--fb-1--",
    "",
  ].join("\r\n");
}

/** Brings mail to a service. @param at in seconds since 1970 */
export async function bring(
  url: string,
  recipient: string,
  mail: string,
  { secret = INBOUND_SECRET, at = Math.floor(Date.now() / 1000), signature = signed(secret, at, recipient, mail) } = {},
) {
  const answer = await fetch(`${url}/mail/inbound?recipient=${encodeURIComponent(recipient)}`, {
    method: "POST",
    headers: { "Content-Type": "message/rfc822", "X-Mail-Timestamp": String(at), "X-Mail-Signature": signature },
    body: mail,
  });
  return { status: answer.status, body: await answer.json() };
}

function signed(secret: string, at: number, recipient: string, mail: string): string {
  return createHmac("sha256", secret).update(`${at}.${recipient}.`).update(mail).digest("hex");
}
