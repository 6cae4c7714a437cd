// Signatures of Standard Webhooks: what a receiver needs to know that an event is ours, and new.

import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret, as it is shown and kept. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * The headers of a message. @param at when it is sent: a receiver refuses what is older than some minutes
 * @param secrets each gives a signature. While a secret is replaced there are two
 */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
