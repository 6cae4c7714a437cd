// The resource ScreenerLink: a link that is open to everybody. Its JSON, its list, and what callers send.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { changeAttributes, givenAttributes, isAttributeKey, NO_ATTRIBUTES } from "../../base/attributes.ts";
import { exampleAudit, exampleIds } from "../../base/examples.ts";
import {
  ANY_OPERATOR,
  audit,
  json,
  nullable,
  number,
  refersTo,
  text,
  timestamp,
  uid,
  word,
} from "../../base/members.ts";
import { countedList, resource } from "../../base/resource.ts";
import { count, id, instant, requiredText, shortArray } from "../../base/schemas.ts";
import { attributesMember } from "../participants/attribute-members.ts";
import { SIGNATURE } from "../signing-keys/parameter.ts";

/** What a link may ask beside the questions. */
const ASKED = ["EMAIL", "NAME"] as const;
export type Asked = (typeof ASKED)[number];

/** How often somebody may join: once with a browser, once with an email that is confirmed, or as often as they like. */
const ONE_EACH = ["NONE", "BROWSER", "EMAIL"] as const;
export type OneEach = (typeof ONE_EACH)[number];

const STATUSES = ["OPEN", "NOT_YET_OPEN", "CLOSED", "FULL", "REVOKED"] as const;
export type LinkStatus = (typeof STATUSES)[number];

/** A revoked link stays for the log. Of the others it is told by times and numbers. */
const STATUS = `CASE WHEN t.status = 'REVOKED' THEN 'REVOKED' WHEN t.closes_at <= n.now THEN 'CLOSED' WHEN t.joined >= t.max_joins THEN 'FULL'
  WHEN t.opens_at > n.now THEN 'NOT_YET_OPEN' ELSE 'OPEN' END`;

const listed = { "": (list: unknown) => (list as string[]).join("; ") };

export const link = resource({
  type: "ScreenerLink",
  from: `screener_link AS t JOIN screener AS s ON s.id = t.screener_id JOIN (SELECT ? AS app_url, ? AS now) AS n
    JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by`,
  members: {
    id: uid("t.uid"),
    screenerId: uid("s.uid", { operators: ANY_OPERATOR, by: refersTo("screener_id", "screener", "uid") }),
    name: text("t.name"),
    link: { ...text("n.app_url || '/o/' || t.token"), schema: v.pipe(v.string(), v.url()) },
    status: word(STATUSES)(STATUS),
    ask: json("t.ask", v.array(v.picklist(ASKED)), listed),
    required: json("iif(t.is_required, 'true', 'false')", v.boolean(), { "": (required) => required as boolean }),
    limit: nullable(number("t.max_joins", count)),
    opensAt: nullable(timestamp("t.opens_at")),
    closesAt: nullable(timestamp("t.closes_at")),
    attributes: attributesMember("t.attributes"),
    accept: json("t.accept", v.array(v.string()), listed),
    oneEach: word(ONE_EACH)("t.one_each"),
    requireSignature: json("iif(t.requires_signature, 'true', 'false')", v.boolean(), {
      "": (required) => required as boolean,
    }),
    confirmEmail: json("iif(t.confirms_email, 'true', 'false')", v.boolean(), { "": (confirm) => confirm as boolean }),
    joined: number("t.joined", count),
    started: number("t.started", count),
    completed: number("t.completed", count),
    ...audit,
  },
  example: {
    id: exampleIds.link,
    screenerId: exampleIds.screener,
    name: "Poster in the hall",
    link: "https://study.example.org/w/acme/o/h4km9wz2tqx7ncpr",
    status: "OPEN",
    ask: ["NAME"],
    required: false,
    limit: 200,
    opensAt: null,
    closesAt: "2026-03-01T00:00:00.000Z",
    attributes: { source: "poster" },
    accept: ["pid"],
    oneEach: "BROWSER",
    requireSignature: false,
    confirmEmail: false,
    joined: 12,
    started: 12,
    completed: 9,
    ...exampleAudit,
  },
  parameters: (appUrl: string) => [appUrl, new Date().toISOString()],
});

export const countedLinks = { table: "screener_link", facets: ["screener_id"] } as const satisfies CountedTable;

export const linkList = countedList("screener-links", countedLinks, link);

/** Links of a screener, revoked ones among them. */
export const MAX_LINKS = 500;
const MAX_ACCEPTED = 20;
const MAX_LIMIT = 1_000_000_000;
const NOT_A_LIMIT = `must be a whole number from 1 to ${MAX_LIMIT}, or null`;
/** What the page's own address has. */
const TAKEN = new Set(["lang", "page", "done", "confirm", SIGNATURE]);

const truth = v.boolean("must be true or false");

const acceptedKey = v.pipe(
  v.string("must be a string"),
  v.transform((key) => key.trim()),
  v.check((key) => isAttributeKey(key), "must have 1 to 100 characters"),
  v.check((key) => !TAKEN.has(key), `must not be one of ${[...TAKEN].join(", ")}: the page has these itself`),
);

const unique = <Item>(items: Item[]) => new Set(items).size === items.length;

const settings = {
  ask: v.optional(
    v.pipe(
      shortArray(v.picklist(ASKED, `must be ${ASKED.join(" or ")}`), ASKED.length),
      v.check(unique, "must not name one twice"),
    ),
  ),
  required: v.optional(truth),
  limit: v.optional(
    v.nullable(
      v.pipe(
        v.number(NOT_A_LIMIT),
        v.safeInteger(NOT_A_LIMIT),
        v.minValue(1, NOT_A_LIMIT),
        v.maxValue(MAX_LIMIT, NOT_A_LIMIT),
      ),
    ),
  ),
  opensAt: v.optional(v.nullable(instant)),
  closesAt: v.optional(v.nullable(instant)),
  attributes: v.optional(
    v.pipe(
      givenAttributes,
      v.transform((given) => changeAttributes(NO_ATTRIBUTES, given).text),
    ),
  ),
  accept: v.optional(v.pipe(shortArray(acceptedKey, MAX_ACCEPTED), v.check(unique, "must not name one twice"))),
  oneEach: v.optional(v.picklist(ONE_EACH, `must be one of ${ONE_EACH.join(", ")}`)),
  requireSignature: v.optional(truth),
  confirmEmail: v.optional(truth),
};

const name = requiredText(200);

export const NewLink = v.pipe(v.object({ screenerId: id, name, ...settings }), v.title("NewScreenerLink"));

export const LinkChange = v.pipe(v.object({ name: v.optional(name), ...settings }), v.title("ScreenerLinkChange"));

/** What a link is set to. */
export type LinkSettings = v.InferOutput<typeof LinkChange>;
