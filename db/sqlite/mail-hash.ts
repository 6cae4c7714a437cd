// Compares addresses of mail with those that are kept only as a keyed hash.

import { createHmac } from "node:crypto";
import type { Database } from "better-sqlite3";

/** As emails are compared everywhere: ASCII letters without regard to case. */
function folded(address: string): string {
  return address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const [A, Z, TO_LOWER] = [0x41, 0x5a, 0x20];

/** A number that few addresses share. FNV-1a (32 bits), which begins with the key; of the folded address. */
export function mailMark(address: string, key: Uint8Array): number {
  let mark = 0x811c9dc5;
  for (const byte of key) mark = Math.imul(mark ^ byte, 0x01000193);
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at);
    mark = Math.imul(mark ^ (code >= A && code <= Z ? code + TO_LOWER : code), 0x01000193);
  }
  return mark >>> 0;
}

/**
 * Gives a connection the SQL functions `mail_hash(address, key)`, an HMAC-SHA256, and `mail_mark(address, key)`, a number that few addresses
 * share. A hash takes as long as a hundred marks, so a long list compares marks first. Without an address they make null.
 */
export function addMailHash(sqlite: Database): void {
  const options = { deterministic: true };
  sqlite.function("mail_hash", options, (address: unknown, key: unknown) =>
    typeof address === "string" && key instanceof Uint8Array
      ? createHmac("sha256", key)
          .update(`mail:${folded(address)}`)
          .digest()
      : null,
  );
  sqlite.function("mail_mark", options, (address: unknown, key: unknown) =>
    typeof address === "string" && key instanceof Uint8Array ? mailMark(address, key) : null,
  );
}
