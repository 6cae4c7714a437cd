// The resource ScreenerQuotaForecast: its JSON, and what callers send for it.

import * as v from "valibot";
import { exampleIds } from "../base/examples.ts";
import { closedObject, count, shortArray, uuid } from "../base/schemas.ts";
import { MAX_QUOTAS } from "../nouns/content/content.ts";
import { QuotaInput } from "../nouns/content/resource.ts";

const BASES = ["ANSWERS", "ROSTER"] as const;

const basis = v.pipe(
  v.optional(v.nullable(v.picklist(BASES, "must be ANSWERS or ROSTER"))),
  v.description("Default: ANSWERS, where somebody has answered; else ROSTER"),
);

/** As the API description shows it. */
export const ForecastInput = v.pipe(
  closedObject({
    quotas: v.pipe(
      v.optional(v.nullable(shortArray(QuotaInput, MAX_QUOTAS))),
      v.description(
        "As in the content: they replace those of the draft. Default: the draft's, with the limits that count now",
      ),
    ),
    basis,
  }),
  v.title("ScreenerQuotaForecastInput"),
);

/** What is checked of it by itself. The quotas are checked with the draft. */
export const ForecastShell = closedObject({ quotas: v.optional(v.unknown()), basis });

const id = v.pipe(v.nullable(uuid), v.description("null: it is not in the draft"));

const Cell = v.pipe(
  v.object({
    id,
    name: v.string(),
    mode: v.picklist(["LIMIT", "COUNT"]),
    limit: v.nullable(count),
    taken: v.pipe(count, v.description("How many would have taken a place")),
    turnedAway: v.pipe(
      count,
      v.description(
        "How many are in it and would have been turned away, because this quota or another one had no room",
      ),
    ),
    turnedAwayBy: v.pipe(
      v.array(v.pipe(v.object({ id, name: v.string(), count }), v.title("QuotaForecastTurnedAway"))),
      v.description("How many of them by which quota first, the most first"),
    ),
    unknown: v.pipe(
      count,
      v.description("How many are or may be in it, of whom it is not known what would have come of them"),
    ),
    people: v.pipe(
      count,
      v.description("How many could be in it: those three, and those assigned who have not answered and may be in it"),
    ),
    canFill: v.pipe(v.nullable(v.boolean()), v.description("Whether it can become full. null: it has no limit")),
    cannotFillBecause: v.pipe(
      v.nullable(v.picklist(["CONTRADICTION", "TOO_FEW_PEOPLE"])),
      v.description("CONTRADICTION: nobody who qualifies can be in it. TOO_FEW_PEOPLE: `people` is less than `limit`"),
    ),
    invitationsNeeded: v.pipe(
      v.nullable(v.pipe(v.object({ estimate: count, low: count, high: count }), v.title("QuotaForecastInvitations"))),
      v.description(
        "How many invitations the places that are left need, at the rate at which people with a link have taken places; with the interval of 95 %. " +
          "null: no rate is known",
      ),
    ),
  }),
  v.title("QuotaForecastCell"),
);

export const Forecast = v.pipe(
  v.object({
    _type: v.literal("ScreenerQuotaForecast"),
    screenerId: uuid,
    basis: v.picklist(BASES),
    roster: v.pipe(
      v.nullable(v.picklist(["ASSIGNED", "WORKSPACE"])),
      v.description(
        "Who was replayed by attributes: those assigned, or all of the workspace, because nobody is assigned. null: answers were replayed",
      ),
    ),
    total: v.pipe(count, v.description("How many sessions, or people, there are to replay")),
    replayed: v.pipe(
      count,
      v.description(
        "How many were replayed: the first 250,000, or fewer where the quotas have more than 300 comparisons together",
      ),
    ),
    screenedOut: v.pipe(count, v.description("How many of them a rule of the draft screens out")),
    quotas: v.pipe(v.array(Cell), v.description("In the order of the content")),
  }),
  v.title("ScreenerQuotaForecast"),
);

export type Forecast = v.InferOutput<typeof Forecast>;

export const forecastExample: Forecast = {
  _type: "ScreenerQuotaForecast",
  screenerId: exampleIds.screener,
  basis: "ANSWERS",
  roster: null,
  total: 90,
  replayed: 90,
  screenedOut: 14,
  quotas: [
    {
      id: null,
      name: "Adults",
      mode: "LIMIT",
      limit: 40,
      taken: 31,
      turnedAway: 0,
      turnedAwayBy: [],
      unknown: 4,
      people: 155,
      canFill: true,
      cannotFillBecause: null,
      invitationsNeeded: { estimate: 45, low: 33, high: 61 },
    },
    {
      id: null,
      name: "Under 30",
      mode: "LIMIT",
      limit: 10,
      taken: 10,
      turnedAway: 5,
      turnedAwayBy: [{ id: null, name: "Under 30", count: 5 }],
      unknown: 0,
      people: 125,
      canFill: true,
      cannotFillBecause: null,
      invitationsNeeded: { estimate: 0, low: 0, high: 0 },
    },
  ],
};
