// The resource ScreenerFeasibility: its JSON, and what callers send for it.

import * as v from "valibot";
import { exampleIds } from "../base/examples.ts";
import { closedObject, count, shortArray, uuid } from "../base/schemas.ts";
import type { NoContact } from "../contacts/no-contact.ts";
import { MAX_QUOTAS } from "../nouns/content/content.ts";
import { QuotaInput } from "../nouns/content/resource.ts";

/** As the API description shows it. */
export const FeasibilityInput = v.pipe(
  closedObject({
    quotas: v.pipe(
      v.optional(v.nullable(shortArray(QuotaInput, MAX_QUOTAS))),
      v.description("As in the content: they replace those of the draft. Default: the draft's"),
    ),
  }),
  v.title("ScreenerFeasibilityInput"),
);

/** What is checked of it by itself. The quotas are checked with the draft. */
export const FeasibilityShell = closedObject({ quotas: v.optional(v.unknown()) });

/** Why people are not written to, as the members of the answer. */
export const NO_CONTACT_MEMBERS = {
  NO_EMAIL: "noEmail",
  DO_NOT_CONTACT: "doNotContact",
  UNSUBSCRIBED: "unsubscribed",
  BOUNCED: "bounced",
  CONTACTED_RECENTLY: "contactedRecently",
} as const satisfies Record<NoContact, string>;

const said = (description: string) => v.pipe(count, v.description(description));

const counts = {
  fit: said("How many people no rule screens out by their attributes alone"),
  finished: said("How many of them have finished this screener already"),
  noContact: v.pipe(
    v.object({
      noEmail: count,
      doNotContact: count,
      unsubscribed: said("From this screener's mail, or from all"),
      bounced: said("Their addresses take no mail"),
      contactedRecently: said("They have had as many messages as `contactCap` of the workspace allows"),
    }),
    v.title("ScreenerFeasibilityNoContact"),
    v.description("How many of the others are not to be written to, each by the first reason of these"),
  ),
  remaining: said("How many remain"),
};

const Cell = v.pipe(
  v.object({
    id: v.pipe(v.nullable(uuid), v.description("null: it is not in the draft")),
    name: v.string(),
    mode: v.picklist(["LIMIT", "COUNT"]),
    limit: v.nullable(count),
    placesLeft: v.pipe(
      v.nullable(count),
      v.description("How many places are not taken or held. null: it has no limit"),
    ),
    ...counts,
    fit: said("How many of those who fit are in it, or may be"),
    dependsOnAnswers: said("How many of them may be in it: their answers decide"),
  }),
  v.title("ScreenerFeasibilityCell"),
);

export const Feasibility = v.pipe(
  v.object({
    _type: v.literal("ScreenerFeasibility"),
    screenerId: uuid,
    people: said("How many people the roster has"),
    counted: said(
      "How many were looked at: the first million, or fewer where the quotas have more than 75 comparisons together",
    ),
    ...counts,
    quotas: v.pipe(v.array(Cell), v.description("In the order of the content")),
  }),
  v.title("ScreenerFeasibility"),
);

export type Feasibility = v.InferOutput<typeof Feasibility>;

const noContact = { noEmail: 4, doNotContact: 1, unsubscribed: 3, bounced: 2, contactedRecently: 40 };

export const feasibilityExample: Feasibility = {
  _type: "ScreenerFeasibility",
  screenerId: exampleIds.screener,
  people: 800,
  counted: 800,
  fit: 520,
  finished: 30,
  noContact,
  remaining: 440,
  quotas: [
    {
      id: null,
      name: "Leeds",
      mode: "LIMIT",
      limit: 40,
      placesLeft: 28,
      fit: 90,
      finished: 12,
      noContact: { ...noContact, contactedRecently: 8 },
      remaining: 60,
      dependsOnAnswers: 0,
    },
  ],
};
