// The days and hours at which a mailing is sent.

import * as v from "valibot";
import { closedObject, shortArray } from "../base/schemas.ts";
import { dayIn, instantIn, timeZoneOf } from "../nouns/screeners/time-zones.ts";

const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;

const DAY_MS = 24 * 3_600_000;

const NOT_A_TIME = "must be a time of the day, such as 09:00";
const time = v.pipe(v.string(NOT_A_TIME), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, NOT_A_TIME));

export const Hours = v.pipe(
  closedObject({
    days: v.pipe(
      shortArray(v.picklist(DAYS, `must be one of ${DAYS.join(", ")}`), DAYS.length, "must name a day"),
      v.check((days) => new Set(days).size === days.length, "must not name one twice"),
    ),
    from: time,
    to: time,
    timeZone: v.pipe(
      v.string("must be a string"),
      v.check((name) => timeZoneOf(name) !== undefined, "must be a time zone, such as Europe/Berlin"),
      v.transform((name) => timeZoneOf(name)!),
    ),
  }),
  v.forward(
    v.partialCheck([["from"], ["to"]], ({ from, to }) => from < to, "must be later than from"),
    ["to"],
  ),
  v.title("MailingWindow"),
);

export type Hours = v.InferOutput<typeof Hours>;

/** When a mailing may be sent: at that time, if it is within its hours; else when they begin next. Both in ms since 1970. */
export function openAt({ days, from, to, timeZone }: Hours, at: number): number {
  // In a week at the latest; a day more, because clocks change.
  for (let ahead = 0; ahead <= DAYS.length + 1; ahead++) {
    const day = dayIn(timeZone, at + ahead * DAY_MS);
    if (!days.includes(DAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]!)) continue;
    const [opens, closes] = [from, to].map((clock) => Date.parse(instantIn(timeZone, `${day}T${clock}`)!)) as [
      number,
      number,
    ];
    if (at < closes) return Math.max(at, opens);
  }
  throw new Error("No day of a week is named.");
}
