// Dates and distances from today in words, and as people type them in the builder.

import type { DateLimit } from "./date-limits.ts";
import { numbersOf, precisionOf } from "./days.ts";
import { readDuration } from "./durations.ts";

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** `28 February 1990`, `February 1990`, `1990`. */
export function dateInWords(date: string): string {
  const [year, month, day] = numbersOf(date);
  if (Number.isNaN(month)) return String(year);
  const monthAndYear = `${MONTHS[month - 1]} ${year}`;
  return Number.isNaN(day) ? monthAndYear : `${day} ${monthAndYear}`;
}

const UNITS = { Y: "year", M: "month", W: "week", D: "day" } as const;

/** `today`, `18 years ago`, `in 2 weeks and 1 day`. What is no limit yet, because somebody types it, is shown as it is. */
export function limitInWords(limit: unknown): string {
  if (typeof limit === "string") return precisionOf(limit) ? dateInWords(limit) : limit;
  if (!isLimit(limit)) return "…";
  const parts = [...limit.today.matchAll(/(\d+)([YMWD])/g)]
    .map(([, count, unit]) => [Number(count), UNITS[unit as keyof typeof UNITS]] as const)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  if (!parts.length) return "today";
  const words = [parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and ");
  return limit.today.startsWith("-") ? `${words} ago` : `in ${words}`;
}

/** How limits are typed in the builder: a date, or words such as `18 years ago`. */
export const typedLimit = {
  hint: "A date such as 1990-02-28, 1990-02 or 1990; or “today”, “18 years ago”, “in 3 months”.",
  read(text: string): DateLimit | null {
    const typed = text.trim().toLowerCase().replace(/\s+/g, " ");
    if (typed === "") return null;
    if (typed === "today") return { today: "P0D" };
    if (readDuration(typed.toUpperCase())) return { today: typed.toUpperCase() };
    const past = /^(.+) ago$/.exec(typed)?.[1];
    const amounts = past ?? /^in (.+)$/.exec(typed)?.[1] ?? "";
    const found = amounts.split(/, ?| and /).map((part) => /^(\d{1,6}) (year|month|week|day)s?$/.exec(part));
    const of = (unit: string) => found.find((one) => one?.[2] === UNITS[unit as keyof typeof UNITS])?.[1];
    const duration = Object.keys(UNITS)
      .map((unit) => (of(unit) === undefined ? "" : `${of(unit)}${unit}`))
      .join("");
    const isUnderstood = found.every(Boolean) && new Set(found.map((one) => one?.[2])).size === found.length;
    return isUnderstood ? { today: `${past ? "-" : ""}P${duration}` } : text.trim();
  },
  show(value: unknown): string {
    if (value === null || value === undefined) return "";
    // A date stays as it is typed.
    if (typeof value === "string") return value;
    return limitInWords(value);
  },
};

function isLimit(value: unknown): value is { today: string } {
  return typeof value === "object" && value !== null && "today" in value && typeof value.today === "string";
}
