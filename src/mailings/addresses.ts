// Addresses as they are compared and written to.

import { createHash } from "node:crypto";
import { domainToASCII } from "node:url";
import { normalized } from "../nouns/question-types/values/text-formats.ts";

/** An address that mail can go to. Undefined: it is none, or it would be several. */
export function addressOf(email: string | null): string | undefined {
  return email === null ? undefined : normalized("EMAIL", email.trim());
}

/** The mailbox that an address leads to, whatever its case and however its domain is written. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${address.slice(0, at).normalize("NFKC").toLowerCase()}@${domainToASCII(domain) || domain.toLowerCase()}`;
}

/** Says whether two messages of a mailing went to the same mailbox, and nothing else. */
export function hashOfMailbox(mailingUid: string, address: string): string {
  return createHash("sha256")
    .update(`${mailingUid} ${mailboxOf(address)}`)
    .digest("base64url");
}
