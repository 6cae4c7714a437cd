// Statements on the workspace's key for signatures of addresses.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";

export interface SigningKeyRow {
  secret: string;
  created_at: string;
  previous_secret: string | null;
  /** Milliseconds. */
  previous_expires_at: number | null;
}

export function findSigningKey(db: Reader): SigningKeyRow | undefined {
  return db.get("SELECT secret, created_at, previous_secret, previous_expires_at FROM signing_key WHERE id = 1");
}

/** The secret, and the one before while it still counts. None: the workspace has no key. */
export function listSecrets(db: Reader, now: Date): string[] {
  const row = findSigningKey(db);
  if (!row) return [];
  const { secret, previous_secret, previous_expires_at } = row;
  return previous_secret !== null && previous_expires_at! > now.getTime() ? [secret, previous_secret] : [secret];
}

/** @throws Problem signing_key_missing */
export function requireSigningKey(db: Reader): void {
  if (!findSigningKey(db)) throw new Problem("signing_key_missing");
}

/** @param previousUntil how long the former secret counts, too, in milliseconds. null: not any more */
export function setSigningKey(
  db: Writer,
  { secret, at, previousUntil }: { secret: string; at: string; previousUntil: number | null },
): void {
  db.run(
    `INSERT INTO signing_key (id, secret, created_at) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET previous_secret = iif(? IS NULL, NULL, secret), previous_expires_at = ?, secret = excluded.secret,
       created_at = excluded.created_at`,
    secret,
    at,
    previousUntil,
    previousUntil,
  );
}
