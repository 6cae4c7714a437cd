// The changes of events as the API describes them: of each field, which values it has had and has.

import * as v from "valibot";
import { EXTENSIBLE } from "../base/members.ts";
import type { Members } from "../base/resource.ts";
import { count, timestamp, uuid } from "../base/schemas.ts";
import { EventChange } from "../events/resource.ts";
import { link } from "../nouns/links/resource.ts";
import { participant } from "../nouns/participants/resource.ts";
import { publication } from "../nouns/publications/resource.ts";
import { screener } from "../nouns/screeners/resource.ts";
import { session } from "../nouns/sessions/resource.ts";
import { webhookEndpoint } from "../webhooks/resource.ts";

/** The members of resources whose changes may name each of them, by `_type`. */
const MEMBERS: Record<string, Members> = Object.fromEntries(
  [screener, publication, link, participant, session, webhookEndpoint].map(({ type, members }) => [type, members]),
);

/** Members that never change, or follow from the event itself. */
const UNCHANGED = new Set(["id", "createdBy", "createdAt", "updatedBy", "updatedAt"]);

const [text, flag, any] = [v.string(), v.boolean(), v.unknown()];
const words = v.array(text);
const attribute = v.union([text, v.number(), flag]);

/** What is no member of a resource in MEMBERS, or has other values than it, by `_type`. */
const VALUES: Record<string, Record<string, v.GenericSchema>> = {
  Screener: { "content.revision": any, "words.*": text },
  Participant: { "attributes.*": attribute },
  ScreenerLink: { "attributes.*": attribute },
  ScreenerSession: {
    createdAt: timestamp,
    outcome: text,
    reason: text,
    "screenerParticipant.currentSessionId": uuid,
    "screenerParticipant.status": text,
  },
  ScreenerQuota: { limit: count, paused: flag },
  Workspace: {
    ...{ name: text, isSandbox: flag, suspendedAt: timestamp, cell: text, requiresTwoFactor: flag },
    ...{ maxRemovals: v.union([count, text]), answersMonths: count, unassignedDays: count },
    ...{ accentColor: text, accentColorLight: text, accentColorDark: text, privacyUrl: text, contactUrl: text },
    logo: v.object({ url: text, width: count, height: count }),
    frameAncestors: words,
    contactCap: v.object({ messages: count, days: count }),
    signingKey: timestamp,
    // The keys, where only their order is another one.
    attributes: words,
    "attributes.*": v.object({ label: v.nullable(text), type: text, values: v.optional(words) }),
    "words.*": text,
  },
  User: { name: text, role: text, twoFactor: flag, oidcIssuer: text, disabledAt: timestamp, isOperator: flag },
  ApiKey: {
    ...{ name: text, scopes: words, revokedAt: timestamp },
    secrets: v.array(v.object({ createdAt: timestamp, expiresAt: v.nullable(timestamp) })),
  },
  AccessToken: { userId: uuid, scopes: words, expiresAt: timestamp, revokedAt: timestamp },
};

/** What is in the place of `*`. */
function allFields(about: string): string[] {
  return Object.keys(MEMBERS[about]!)
    .filter((member) => !UNCHANGED.has(member))
    .map((member) => (member === "attributes" ? "attributes.*" : member));
}

/** What a field has: null, too, where there is nothing. */
function valuesOf(about: string, field: string): v.GenericSchema {
  const schema = VALUES[about]?.[field] ?? MEMBERS[about]?.[field]?.schema;
  if (!schema) throw new Error(`src/api/event-fields.ts does not say what ${field} of ${about} has`);
  const bare = schema.type === "optional" ? (schema as v.OptionalSchema<v.GenericSchema, undefined>).wrapped : schema;
  return bare === any || bare.type === "nullable" ? bare : v.nullable(bare);
}

/** "Screener", "words.*" → "ScreenerWordChange". */
const nameOf = (about: string, field: string) =>
  `${about}${field.replace(/s\.\*$/, "").replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Change`;

const made = new Map<string, v.GenericSchema>();

/** A change of a field. All events that have it have the same one. */
function changeOf(about: string, field: string): v.GenericSchema {
  const key = `${about} ${field}`;
  const value = valuesOf(about, field);
  const name = field.endsWith(".*")
    ? v.pipe(v.string(), v.regex(new RegExp(`^${field.slice(0, -2)}\\.`)))
    : v.literal(field);
  const change =
    made.get(key) ?? v.pipe(v.object({ field: name, from: value, to: value }), v.title(nameOf(about, field)));
  made.set(key, change);
  return change;
}

/** The changes that an event may have. @param fields as its declaration names them */
export function changesOf(about: string, fields: readonly string[] | undefined): v.GenericSchema {
  if (!fields) return v.pipe(v.array(EventChange), v.description("Empty"));
  const all = new Set(fields.flatMap((field) => (field === "*" ? allFields(about) : [field])));
  const changes = [...all].map((field) => changeOf(about, field));
  if (changes.length === 1) return v.array(changes[0]!);
  return v.array(
    v.pipe(
      v.union(changes),
      v.description("`field` says which it is. Further fields may come: what all have is EventChange"),
      v.metadata(EXTENSIBLE),
    ),
  );
}
