// Request headers that choose how a write is answered: Prefer (RFC 7240) and Idempotency-Key.

import type { IncomingHttpHeaders } from "node:http";
import { invalidRequest } from "../problems.ts";
import { isCleanText } from "../text.ts";

export interface Preference {
  /** How long to wait for the job, in seconds; 0: not at all. */
  waitSeconds: number;
  /** What Preference-Applied says; undefined when nothing was asked for. */
  applied: string | undefined;
}

export const MAX_WAIT_SECONDS = 300;

/** Reads `Prefer`. What it doesn't know, or can't read, is ignored, as the RFC wants. */
export function readPreference(headers: IncomingHttpHeaders, defaultSeconds: number): Preference {
  const header = String(headers.prefer ?? "");
  if (!header) return { waitSeconds: defaultSeconds, applied: undefined };
  const wait = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(header)?.[1];
  // With both, the wait bounds how long the caller is ready to be kept before the 202 (RFC 7240, 4.3).
  if (wait !== undefined) {
    const waitSeconds = Math.min(Number(wait), MAX_WAIT_SECONDS);
    return { waitSeconds, applied: `wait=${waitSeconds}` };
  }
  if (/(?:^|[,;])\s*respond-async\s*(?=$|[,;])/i.test(header)) return { waitSeconds: 0, applied: "respond-async" };
  return { waitSeconds: defaultSeconds, applied: undefined };
}

/** Reads `Idempotency-Key`. @throws Problem 400 unless it has 1 to 255 characters */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers["idempotency-key"];
  if (header === undefined) return undefined;
  // Node gives headers as latin1; what was meant is UTF-8 or ASCII, and only equality counts.
  const key = String(header).trim();
  if (key.length < 1 || key.length > 255 || !isCleanText(key)) {
    throw invalidRequest([{ pointer: "Idempotency-Key", message: "must have 1 to 255 characters" }]);
  }
  return key;
}
