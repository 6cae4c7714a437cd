// Idempotency keys: a repeated request with the same key and body gets the first reply again.

import { hash } from "node:crypto";

/** A key and the request that it stands for. The same key with another fingerprint is an error. */
export interface IdempotencyClaim {
  key: string;
  fingerprint: string;
}

/** The hash of method, path, query, format, body and If-Match. `bodyFormat` is json where the body is no file. */
export function fingerprintOf(request: {
  method: string;
  path: string;
  querystring: string;
  bodyFormat: string;
  bodyHash: string;
  headers?: { "if-match"?: string | undefined };
}): string {
  const { method, path, querystring, bodyFormat, bodyHash, headers } = request;
  // The same parameters in another order are the same request.
  const query = new URLSearchParams(querystring);
  query.sort();
  const more = querystring || bodyFormat !== "json" ? `?${query} ${bodyFormat}` : "";
  const ifMatch = headers?.["if-match"];
  const condition = ifMatch === undefined ? "" : `\n${ifMatch}`;
  return hash("sha256", `${method} ${path}${more}\n${bodyHash}${condition}`);
}

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;

/** The header of a reply that an earlier request with the same key got first. */
export const REPLAYED = { "Idempotency-Replayed": "true" } as const;

/** The same, of a job's reply. @param by the id of a later job that has changed, or will change, what the first one did */
export function replayed(by: string | undefined): Record<string, string> {
  return { ...REPLAYED, ...(by !== undefined && { "Idempotency-Superseded-By": by }) };
}
