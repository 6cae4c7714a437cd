// Digests of what cells send each other.

import { hash } from "node:crypto";

/** The value of Content-Digest (RFC 9530). */
export function digestOf(bytes: Buffer): string {
  return `sha-256=:${hash("sha256", bytes, "base64")}:`;
}
