// When an event is sent again, and when an endpoint has failed for so long that it is disabled.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The pauses after the first failure, the second, and so on: the schedule of Standard Webhooks, 10 attempts in 75.6 hours. */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Deliveries that have failed together must not be sent again together. */
const JITTER = 0.1;

/** The longest that a receiver's Retry-After counts for. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** The longest pause. */
export const MAX_PAUSE_MS = DAY_MS * (1 + JITTER);

/** An endpoint that has failed for this time is disabled. */
const MAX_FAILING_MS = 5 * DAY_MS;

/** After this time without an attempt, nothing is known of an endpoint. */
const FORGET_FAILURE_MS = 2 * DAY_MS;

/**
 * The pause before the next attempt, in ms. undefined: there is none. @param failures the attempts that have failed, the last
 * one included. @param retryAfterMs how long the receiver wants to be left alone. @param random from 0 up to 1
 */
export function pauseAfter(
  failures: number,
  retryAfterMs: number | undefined,
  random = Math.random(),
): number | undefined {
  const pause = PAUSES_MS[failures - 1];
  if (pause === undefined) return undefined;
  const jittered = pause * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}

/** The value of Retry-After, seconds or a date, in ms. undefined: there is none that can be understood. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  // Only an HTTP date has letters; Date would take much else for a date.
  const at = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Since when all attempts of an endpoint have failed. ms since 1970. */
export interface Failing {
  failing_since: number | null;
  failed_at: number | null;
}

/** Since when an endpoint fails that has failed now. */
export function failingSince({ failing_since, failed_at }: Failing, now: number): number {
  const isForgotten = failed_at === null || now - failed_at > FORGET_FAILURE_MS;
  return isForgotten ? now : (failing_since ?? now);
}

/** Whether an endpoint that has failed since then is disabled. */
export function isGivenUp(since: number, now: number): boolean {
  return now - since >= MAX_FAILING_MS;
}
