// Days that are so far from today: `-P18Y` is the day 18 years ago. ISO 8601, with a sign.

import { daysIn, dayText, numbersOf } from "./days.ts";

const DURATION_PATTERN = /^[+-]?P(?=\d)(?:\d{1,4}Y)?(?:\d{1,5}M)?(?:\d{1,5}W)?(?:\d{1,6}D)?$/;

/** So that no day is outside of the years with four digits. */
export const MAX_YEARS = 200;

interface Duration {
  sign: 1 | -1;
  months: number;
  days: number;
}

/** Undefined: it is no duration, or longer than MAX_YEARS. */
export function readDuration(text: string): Duration | undefined {
  if (!DURATION_PATTERN.test(text)) return undefined;
  const amount = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0);
  const [months, days] = [12 * amount("Y") + amount("M"), 7 * amount("W") + amount("D")];
  if (months / 12 + days / 365 > MAX_YEARS) return undefined;
  return { sign: text.startsWith("-") ? -1 : 1, months, days };
}

/** The day that is so far from another one. First by years and months: where the month is too short, it is the last day of the month; then by days. */
export function dayFrom(day: string, duration: string): string {
  const read = readDuration(duration);
  if (!read) return day;
  const { sign, months, days } = read;
  const [year, month, date] = numbersOf(day);
  const count = 12 * year + (month - 1) + sign * months;
  const [toYear, toMonth] = [Math.floor(count / 12), (count % 12) + 1];
  const at = new Date(Date.UTC(toYear, toMonth - 1, Math.min(date, daysIn(toYear, toMonth)) + sign * days));
  return dayText(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate());
}
