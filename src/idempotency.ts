// Idempotency keys: the same key and body within a day gives the first answer again.

/** A key, and what came with it: the same key with another fingerprint is a mistake. */
export interface IdempotencyClaim {
  key: string;
  fingerprint: string;
}

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
