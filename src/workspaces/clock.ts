// The clock of the machine, and whether to go by it. What removes data because its time is over asks here what time it is: a
// clock that has jumped ahead would have all of it removed at once. Nothing is removed by such a clock for a day.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Finding } from "../base/findings.ts";

const DAY_MS = 24 * 3_600_000;

/** The clock is ahead of when a process last saw it, or was until a short time ago. Times are ms since 1970. */
interface ClockAhead {
  /** When it was seen last before. */
  before: number;
  /** When it was found ahead, by the same clock. */
  since: number;
  /** From when on it counts, if it goes on like that. */
  until: number;
}

interface ClockRow {
  checked_at: number;
  clock_before: number | null;
  clock_ahead_at: number | null;
}

/**
 * Whether the clock is more than a day ahead of when a process last saw it: it was set, or no process ran for so long. Once a
 * minute a process says that it has seen it (`noteClock`). undefined: it is not, or was set back, or went on for a day.
 */
export function clockAhead(db: Reader, now = Date.now()): ClockAhead | undefined {
  const { checked_at, clock_before, clock_ahead_at } = db.get<ClockRow>(
    "SELECT checked_at, clock_before, clock_ahead_at FROM installation",
  )!;
  // Of a new installation nothing is known.
  const hasJumped = checked_at !== 0 && now - checked_at > DAY_MS;
  const before = clock_before ?? (hasJumped ? checked_at : null);
  if (before === null || now - before <= DAY_MS) return undefined;
  const since = clock_ahead_at === null || hasJumped || now < clock_ahead_at ? now : clock_ahead_at;
  return now - since < DAY_MS ? { before, since, until: since + DAY_MS } : undefined;
}

/** What time it is for what removes data because its time is over: while the clock is ahead, when it was last seen before. */
export function trustedTime(db: Reader, now = Date.now()): number {
  return clockAhead(db, now)?.before ?? now;
}

/** Says that the clock was seen. It writes one row, also to see whether that is possible. */
export function noteClock(db: Writer, now: number): void {
  const { before = null, since = null } = clockAhead(db, now) ?? {};
  db.run("UPDATE installation SET checked_at = ?, clock_before = ?, clock_ahead_at = ?", now, before, since);
}

/** From now on the clock counts as it is. @returns what was waited for; undefined: nothing */
export function acceptClock(db: Writer, now = Date.now()): ClockAhead | undefined {
  const ahead = clockAhead(db, now);
  db.run("UPDATE installation SET checked_at = ?, clock_before = NULL, clock_ahead_at = NULL", now);
  return ahead;
}

/** What is wrong, in sentences; without advice. */
export function clockSentence({ before, until }: ClockAhead): string {
  return (
    `The clock is more than a day ahead of when the service last saw it (${date(before)}). It was set, or nothing of the service ran ` +
    `meanwhile, or the stores are of a backup. What is kept for a time is not removed before ${date(until)}.`
  );
}

/** What /readyz says while the clock is ahead. */
export function clockFinding(db: Reader): Finding | undefined {
  try {
    const ahead = clockAhead(db);
    if (!ahead) return undefined;
    const advice = "Is it right? Then nothing has to be done, or `clock accept` has it removed now. Else set it.";
    return { code: "clock_ahead", message: `${clockSentence(ahead)} ${advice}`, blocking: false };
  } catch {
    // A control store that can't be read is found elsewhere.
    return undefined;
  }
}

function date(ms: number): string {
  return new Date(ms).toISOString();
}
