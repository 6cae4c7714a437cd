// Public ids.

import * as crypto from "node:crypto";

/** A UUIDv7: what is made later sorts later, which keeps inserts into indexes local. */
export function newId(): string {
  return crypto.randomUUIDv7();
}

/** A UUIDv4 for what an id must not let anyone guess: a session's id opens a page. */
export function newUnguessableId(): string {
  return crypto.randomUUID();
}

/** A short name that can't be guessed, for links: 128 random bits. */
export function newSlug(): string {
  return crypto.randomBytes(16).toString("base64url");
}

/**
 * SQL expression for a UUIDv7 (RFC 9562) that grows with `counter`: the 26 bits after the time are a counter, so that a
 * million ids of one moment still go into their index in order, and 48 bits are random. Its parameter is uuid7Time().
 */
export function uuid7Sql(counter: string): string {
  return `printf('%s-7%03x-%04x-%012x', ?, (${counter} >> 14) & 4095, 32768 | (${counter} & 16383), random() & 281474976710655)`;
}

/** What the ids of one moment begin with. */
export function uuid7Time(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
