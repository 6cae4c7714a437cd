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
