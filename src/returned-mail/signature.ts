// The signature of what is brought to us: whoever has not the secret of the installation brings nothing.

import { createHmac, timingSafeEqual } from "node:crypto";

export const TIMESTAMP = "X-Mail-Timestamp";
export const SIGNATURE = "X-Mail-Signature";

/** How far the clock of the other machine may differ, and how long it may take. */
const MAX_AGE_SECONDS = 300;

/** What is signed. */
interface Brought {
  /** In seconds since 1970. */
  timestamp: string;
  /** As it stands in the query, decoded. */
  recipient: string;
  mail: Uint8Array;
}

function signatureOf(secret: string, { timestamp, recipient, mail }: Brought): string {
  return createHmac("sha256", secret).update(`${timestamp}.${recipient}.`).update(mail).digest("hex");
}

/** @param signature as its header has it */
export function isSigned(secret: string, brought: Brought, signature: string, now = Date.now()): boolean {
  if (!/^\d{1,12}$/.test(brought.timestamp)) return false;
  if (Math.abs(now / 1000 - Number(brought.timestamp)) > MAX_AGE_SECONDS) return false;
  const right = Buffer.from(signatureOf(secret, brought));
  const given = Buffer.from(signature.trim().toLowerCase());
  return given.length === right.length && timingSafeEqual(given, right);
}
