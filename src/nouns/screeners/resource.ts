// The resource Screener: its JSON, what callers send, and its table.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { exampleAudit, exampleIds } from "../../base/examples.ts";
import { audit, json, nullable, number, text, timestamp, uid, word } from "../../base/members.ts";
import type { ProblemDetail } from "../../base/problems.ts";
import { countedList, resource } from "../../base/resource.ts";
import { changedText, instant, maxCharacters, requiredText } from "../../base/schemas.ts";
import { ALL_OFF, NewSignals, SignalsView } from "../../signals/settings.ts";
import { timeZoneOf } from "./time-zones.ts";

export const ACCEPTANCES = ["OPEN", "PAUSED", "CLOSED"] as const;

/** How long a quota holds a place for somebody, in minutes: the least, the most, and what a new screener has. */
const MIN_HOLD_MINUTES = 1;
const MAX_HOLD_MINUTES = 1440;
export const HOLD_MINUTES = 30;

const holdMinutes = v.pipe(
  v.number("must be a number"),
  v.integer("must be a whole number"),
  v.minValue(MIN_HOLD_MINUTES, `must be at least ${MIN_HOLD_MINUTES}`),
  v.maxValue(MAX_HOLD_MINUTES, `must be at most ${MAX_HOLD_MINUTES}`),
);

/** Which sessions a person reviews: none; all that would take places; or those of them that have signals. */
export const REVIEWS = ["NONE", "ALL", "SIGNALS"] as const;

export const screener = resource({
  type: "Screener",
  from: `screener AS t
    JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by
    LEFT JOIN screener_publication AS p ON p.id = t.active_publication_id`,
  members: {
    id: uid("t.uid"),
    title: nullable(text("t.title")),
    description: nullable(text("t.description")),
    activePublicationId: nullable(uid("p.uid")),
    ...audit,
    acceptance: word(ACCEPTANCES)("t.acceptance"),
    opensAt: nullable(timestamp("t.opens_at")),
    closesAt: nullable(timestamp("t.closes_at")),
    timeZone: text("t.time_zone"),
    linkExpiresAt: nullable(timestamp("t.link_expires_at")),
    quotaHoldMinutes: number("t.quota_hold_minutes", holdMinutes),
    review: word(REVIEWS)("t.review"),
    archived: json("iif(t.archived, 'true', 'false')", v.boolean(), { "": (archived) => archived as boolean }),
    signals: json(`coalesce(t.signals, '${JSON.stringify(ALL_OFF)}')`, SignalsView),
  },
  example: {
    id: exampleIds.screener,
    title: "Hot drinks",
    description: "Adults who drink tea or coffee",
    activePublicationId: exampleIds.publication,
    ...exampleAudit,
    acceptance: "OPEN",
    opensAt: null,
    closesAt: "2026-06-30T22:00:00.000Z",
    timeZone: "Europe/Berlin",
    linkExpiresAt: null,
    quotaHoldMinutes: HOLD_MINUTES,
    review: "NONE",
    archived: false,
    signals: ALL_OFF,
  },
});

export const countedScreeners = { table: "screener", facets: [] } as const satisfies CountedTable;

export const screenerList = countedList("screeners", countedScreeners, screener);

const description = v.optional(v.nullable(maxCharacters(10_000)));

const timeZone = v.pipe(
  v.string("must be a string"),
  v.metadata({ examples: ["Europe/Berlin"], description: "The IANA name of a time zone" }),
  v.check((name) => timeZoneOf(name.trim()) !== undefined, "must be the name of a time zone, such as Europe/Berlin"),
  v.transform((name) => timeZoneOf(name.trim())!),
);

/** What decides whether a screener takes answers and opens sessions; and further settings. */
const settings = {
  acceptance: v.optional(v.picklist(ACCEPTANCES, `must be one of ${ACCEPTANCES.join(", ")}`)),
  opensAt: v.optional(v.nullable(instant)),
  closesAt: v.optional(v.nullable(instant)),
  timeZone: v.optional(timeZone),
  linkExpiresAt: v.optional(v.nullable(instant)),
  quotaHoldMinutes: v.optional(holdMinutes),
  review: v.optional(v.picklist(REVIEWS, `must be one of ${REVIEWS.join(", ")}`)),
  signals: v.optional(NewSignals),
};

const archived = v.optional(v.boolean("must be true or false"));

export const AFTER_OPENING = "must be after opensAt";

type Time = string | null | undefined;

/** The ends that must be after the opening. */
const ENDS = ["closesAt", "linkExpiresAt"] as const;

/** Whether an end is after the opening, where both are set. They are ISO-8601, UTC, milliseconds. */
export function isAfterOpening(opensAt: Time, end: Time): boolean {
  return !opensAt || !end || opensAt < end;
}

interface Times {
  opensAt?: Time;
  closesAt?: Time;
  linkExpiresAt?: Time;
}

const CLOSING = [["opensAt"], ["closesAt"]] as const;
const closesLater = ({ opensAt, closesAt }: Times) => isAfterOpening(opensAt, closesAt);

const EXPIRING = [["opensAt"], ["linkExpiresAt"]] as const;
const expiresLater = ({ opensAt, linkExpiresAt }: Times) => isAfterOpening(opensAt, linkExpiresAt);

export const NewScreener = v.pipe(
  v.object({ title: requiredText(500), description, ...settings }),
  v.forward(v.partialCheck(CLOSING, closesLater, AFTER_OPENING), ["closesAt"]),
  v.forward(v.partialCheck(EXPIRING, expiresLater, AFTER_OPENING), ["linkExpiresAt"]),
  v.title("NewScreener"),
);

export const ScreenerChange = v.pipe(
  v.object({ title: changedText(500), description, archived, ...settings }),
  v.forward(v.partialCheck(CLOSING, closesLater, AFTER_OPENING), ["closesAt"]),
  v.forward(v.partialCheck(EXPIRING, expiresLater, AFTER_OPENING), ["linkExpiresAt"]),
  v.title("ScreenerChange"),
);

interface StoredTimes {
  opens_at: string | null;
  closes_at: string | null;
  link_expires_at: string | null;
}

/** What is wrong with the times of a change beside those that stay as they are stored. @param wrong members that are wrong by themselves */
export function faultsOfTimes(
  { opens_at, closes_at, link_expires_at }: StoredTimes,
  sent: Times,
  wrong: ReadonlySet<string> = new Set(),
): ProblemDetail[] {
  const { opensAt = opens_at, closesAt = closes_at, linkExpiresAt = link_expires_at } = sent;
  if (wrong.has("opensAt")) return [];
  const ends = { closesAt, linkExpiresAt };
  return ENDS.filter((end) => !wrong.has(end) && !isAfterOpening(opensAt, ends[end])).map((end) =>
    sent[end]
      ? { pointer: `/${end}`, message: AFTER_OPENING }
      : { pointer: "/opensAt", message: `must be before ${end}` },
  );
}
