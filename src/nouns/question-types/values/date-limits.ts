// What dates are compared with: a date, or a day that is so far from today.

import { firstDay, lastDay, precisionOf } from "./days.ts";
import { dayFrom, MAX_YEARS, readDuration } from "./durations.ts";

export type DateLimit = string | { today: string };

/** What is wrong with a limit; undefined: it is one. `at` is where, from the limit on. */
export function faultOfLimit(raw: unknown): { at: string; message: string } | undefined {
  if (typeof raw === "string") {
    if (precisionOf(raw)) return undefined;
    return { at: "", message: 'must be a date such as 1990-02-28, 1990-02 or 1990, or { "today": "-P18Y" }' };
  }
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    return { at: "", message: 'must be a date such as 1990-02-28, or { "today": "-P18Y" }' };
  const { today, ...others } = raw as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) return { at: "", message: "must have today, and nothing else" };
  if (typeof today === "string" && readDuration(today)) return undefined;
  return {
    at: "/today",
    message: `must be a duration such as -P18Y, -P6M or P2W1D, of at most ${MAX_YEARS} years`,
  };
}

/** The days of a limit, the first and the last one. */
export function daysOf(limit: DateLimit, today: () => string): [first: string, last: string] {
  if (typeof limit === "string") return [firstDay(limit), lastDay(limit)];
  const day = dayFrom(today(), limit.today);
  return [day, day];
}

const date = {
  title: "ScreenerDate",
  description: "A day, a month or a year of the Gregorian calendar",
  type: "string",
  minLength: 4,
  maxLength: 10,
  examples: ["1990-02-28", "1990-02", "1990"],
};

/** For the API description. */
export const LIMIT_SCHEMA = {
  anyOf: [
    date,
    {
      title: "ScreenerDateFromToday",
      description:
        "The day that is so far from the day on which the session was started, in the time zone of the study",
      type: "object",
      properties: {
        today: {
          type: "string",
          description: `An ISO 8601 duration of years, months, weeks and days, with a sign, of at most ${MAX_YEARS} years. 29 February becomes 28 February in a year without it`,
          minLength: 3,
          maxLength: 30,
          examples: ["-P18Y", "P0D"],
        },
      },
      required: ["today"],
      additionalProperties: false,
    },
  ],
};
