// Idempotency keys: a repeated request with the same key and body gets the first reply again.

/** A key and the request that it stands for. The same key with another fingerprint is an error. */
export interface IdempotencyClaim {
  key: string;
  fingerprint: string;
}

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;

/** The header of a reply that an earlier request with the same key got first. */
export const REPLAYED = { "Idempotency-Replayed": "true" } as const;
