// Times of a schedule, as cron has them: five fields, in UTC.

import { Cron } from "croner";

/** Whether a text is a schedule whose time comes. */
export function isSchedule(text: string): boolean {
  try {
    return lastTime(text, Date.now()) !== undefined;
  } catch {
    return false;
  }
}

/** The last time of a schedule that is not after `now`; both in ms since 1970. */
export function lastTime(schedule: string, now: number): number | undefined {
  // The library has whole seconds, and those before one.
  const after = new Date(Math.floor(now / 1000) * 1000 + 1000);
  const [last] = new Cron(schedule, { timezone: "UTC", mode: "5-part" }).previousRuns(1, after);
  return last?.getTime();
}
