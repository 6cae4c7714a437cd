// What SQL asks about addresses of mail: compared with those that are kept only as a keyed hash, and whether they are odd.

import { createHmac, createSecretKey } from "node:crypto";
import type { Database } from "better-sqlite3";

/** As emails are compared everywhere: ASCII letters without regard to case. */
function folded(address: string): string {
  return address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const [A, Z, TO_LOWER] = [0x41, 0x5a, 0x20];

/** Marks many addresses. A mark is a number that few addresses share: FNV-1a (32 bits), which begins with the key; of the folded address. */
export function mailMarker(key: Uint8Array): (address: string) => number {
  let start = 0x811c9dc5;
  for (const byte of key) start = Math.imul(start ^ byte, 0x01000193);
  return (address) => {
    let mark = start;
    for (let at = 0; at < address.length; at++) {
      const code = address.charCodeAt(at);
      mark = Math.imul(mark ^ (code >= A && code <= Z ? code + TO_LOWER : code), 0x01000193);
    }
    return mark >>> 0;
  };
}

/** Hashes many addresses: an HMAC-SHA256 of each folded address. */
export function mailHasher(key: Uint8Array): (address: string) => Buffer {
  const secret = createSecretKey(key);
  return (address) =>
    createHmac("sha256", secret)
      .update(`mail:${folded(address)}`)
      .digest();
}

/** An address that may be another way to write a mailbox, or none at all. All others are unique as they are. */
const ODD = /[^-a-zA-Z0-9.@_+]|xn--|^(?!.+@.+\...)/i;

/**
 * Gives a connection the SQL functions `mail_hash(address, key)`, `mail_mark(address, key)` and `mail_is_odd(address)`. A hash takes as long as a
 * hundred marks, so a long list compares marks first. Without an address they make null.
 */
export function addMailFunctions(sqlite: Database): void {
  const options = { deterministic: true };
  sqlite.function("mail_hash", options, (address: unknown, key: unknown) =>
    typeof address === "string" && key instanceof Uint8Array ? mailHasher(key)(address) : null,
  );
  sqlite.function("mail_mark", options, (address: unknown, key: unknown) =>
    typeof address === "string" && key instanceof Uint8Array ? mailMarker(key)(address) : null,
  );
  // SQLite's GLOB takes three times as long.
  sqlite.function("mail_is_odd", options, (address: unknown) =>
    typeof address === "string" ? Number(ODD.test(address)) : null,
  );
}
