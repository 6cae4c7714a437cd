// Reads mail that has come: whether it is a report on a message that could not be delivered (RFC 3464), or one of which its recipient complains
// (RFC 5965), and what that says.

import type { Email } from "postal-mime";
import { isUnknownAddress, plainReply } from "../mail/relay/outcome.ts";

/** A report stands at the beginning. What follows is the message that comes back. */
const MAX_READ_BYTES = 256 * 1024;
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 128 * 1024, maxRfc822NestingDepth: 0 } as const;
/** A message of ours has one recipient. */
const MAX_RECIPIENTS = 20;

/** What a report says of a recipient. */
export interface Report {
  /** Whether it was given up. Else it is only late, or has arrived. */
  hasFailed: boolean;
  /** Whether nobody has the address. */
  isHard: boolean;
  /** What the receiver says, without the addresses. */
  words: string;
  /** The addresses that it names: of whom the message was for, and where it was to go in the end. */
  addresses: string[];
}

/** A recipient has told their provider that a message of ours is not wanted: "this is spam". */
export interface Complaint {
  /** Of whom it may be. Many providers leave them out. */
  addresses: string[];
  /** Addresses of ours that it names: they say which message it is about. */
  ours: string[];
}

export interface ReturnedMail {
  /** Undefined: it is none. */
  complaint: Complaint | undefined;
  /** Undefined: it is none. */
  report: Report | undefined;
  /** Whether a program has answered by itself (RFC 3834). */
  isAutomatic: boolean;
}

/** @returns undefined: it can't be read */
export async function readMail(bytes: Uint8Array): Promise<ReturnedMail | undefined> {
  // An installation to which no mail comes back starts without it.
  const { default: PostalMime } = await import("postal-mime");
  let mail: Email;
  try {
    mail = await PostalMime.parse(bytes.subarray(0, MAX_READ_BYTES), { ...LIMITS, forceRfc822Attachments: true });
  } catch {
    return undefined;
  }
  const automatic = mail.headers.find(({ key }) => key === "auto-submitted")?.value ?? "no";
  return {
    ...{ report: reportIn(mail), complaint: complaintIn(mail) },
    isAutomatic: /^\s*auto-replied\b/i.test(automatic),
  };
}

function partOf({ attachments }: Email, type: RegExp): string | undefined {
  const part = attachments.find(({ mimeType }) => type.test(mimeType));
  if (!part) return undefined;
  return typeof part.content === "string" ? part.content : Buffer.from(part.content as Uint8Array).toString();
}

/** Types of feedback that say that mail is not wanted. Others are about viruses, or signatures, or say that it was wanted after all. */
const COMPLAINTS = ["abuse", "fraud", "opt-out"];
const ADDRESS = /[^\s<>"',;:]+@[^\s<>"',;:?]+/g;

function complaintIn(mail: Email): Complaint | undefined {
  const feedback = partOf(mail, /^message\/feedback-report$/);
  const fields = fieldsOf(feedback?.trim() ?? "");
  if (!COMPLAINTS.includes(fields.get("feedback-type")?.toLowerCase() ?? "")) return undefined;
  // The message itself, or its headers alone.
  const [head = ""] = (partOf(mail, /^(?:message\/(?:rfc822|global)|text\/rfc822-headers)$/) ?? "").split(
    /(?:\r?\n){2}/,
  );
  const original = fieldsOf(head);
  const addresses = (...texts: (string | undefined)[]) => texts.flatMap((text) => text?.match(ADDRESS) ?? []);
  return {
    addresses: addresses(fields.get("original-rcpt-to"), original.get("to")).slice(0, MAX_RECIPIENTS),
    ours: addresses(
      ...[fields.get("original-mail-from"), original.get("return-path"), original.get("list-unsubscribe")],
    ).slice(0, MAX_RECIPIENTS),
  };
}

function reportIn(mail: Email): Report | undefined {
  // RFC 6533 has another name for those with addresses in Unicode.
  const text = partOf(mail, /^message\/(?:global-)?delivery-status$/);
  if (text === undefined) return undefined;
  const [, ...recipients] = text
    .trim()
    .split(/(?:\r?\n){2,}/)
    .slice(0, MAX_RECIPIENTS + 1)
    .map(fieldsOf);
  const reports = recipients.map(reportOf);
  return reports.find(({ hasFailed }) => hasFailed) ?? reports[0];
}

/** The fields of a group, by their names in small letters. */
function fieldsOf(group: string): Map<string, string> {
  const lines = group.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
}

function reportOf(fields: ReadonlyMap<string, string>): Report {
  const typed = (name: string) => fields.get(name)?.replace(/^[\w-]+\s*;\s*/, "");
  const status = /^\d\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? "";
  const addresses = ["original-recipient", "final-recipient"].flatMap((name) => typed(name) ?? []);
  const diagnostic = addresses.reduce(
    (text, address) => plainReply(text, address),
    plainReply(typed("diagnostic-code") ?? "", ""),
  );
  // "5.0.0" says nothing: then the words count.
  const isUnclear = status.endsWith(".0.0");
  const hasFailed = fields.get("action")?.toLowerCase() === "failed";
  return {
    hasFailed,
    isHard:
      hasFailed && status.startsWith("5.") && isUnknownAddress(isUnclear ? diagnostic : `${status} ${diagnostic}`),
    words: [status, diagnostic.replace(new RegExp(`^(\\d{3}[ -])?${RegExp.escape(status)}\\s*`), "$1")]
      .filter((part) => part !== "")
      .join(" "),
    addresses,
  };
}
