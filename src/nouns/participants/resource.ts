// The resource Participant: its JSON, what callers write, and its table.

import * as v from "valibot";
import { LATE_COLUMN, LATE_INDEX } from "../../../db/late-index.ts";
import type { CountedTable } from "../../../db/list/counts.ts";
import { searchBy } from "../../../db/people-search.ts";
import { changeAttributes, givenAttributes, NO_ATTRIBUTES } from "../../base/attributes.ts";
import { lengthOf } from "../../base/clean-text.ts";
import { exampleAudit, exampleIds } from "../../base/examples.ts";
import { audit, type FilterRule, INDEXED_TEXT, nullable, scannedTimes, text, uid } from "../../base/members.ts";
import { countedList, resource } from "../../base/resource.ts";
import { requiredText } from "../../base/schemas.ts";
import { NOBODY_UID } from "../../events/actors.ts";
import { attributeFilter, attributesMember } from "./attribute-members.ts";
import { doNotContactChange, doNotContactMember } from "./do-not-contact.ts";

/** The index may be missing for a moment. */
const filterOfNames: FilterRule = {
  operators: ["startsWith"],
  values: "text",
  by: { column: LATE_COLUMN, scan: { value: "t.name", index: LATE_INDEX } },
};

export const participant = resource({
  type: "Participant",
  from: "participant AS t JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by",
  members: {
    id: uid("t.uid"),
    externalUid: text("t.external_uid", INDEXED_TEXT),
    email: nullable(text("t.email", INDEXED_TEXT)),
    name: { ...nullable(text("t.name")), filter: filterOfNames },
    ...audit,
    createdAt: { ...audit.createdAt, filter: scannedTimes("created_at") },
    updatedAt: { ...audit.updatedAt, filter: scannedTimes("updated_at") },
    attributes: { ...attributesMember("t.attributes"), filter: attributeFilter("id", (sql) => `t.${sql}`) },
    doNotContact: doNotContactMember,
  },
  example: {
    id: exampleIds.participant,
    externalUid: "P-17",
    email: "ada@example.org",
    name: "Ada Lovelace",
    attributes: { country: "GB", visits: 3, member: true },
    ...exampleAudit,
    doNotContact: null,
  },
});

/**
 * The rowid of nobody, the owner of test sessions without a participant. No caller can name this row, because its id is empty,
 * and no list has it.
 */
export const NOBODY = 0;

/** SQL expression for a participant's id, as callers see it. @param column its id in the store */
export function participantUidSql(column: string): string {
  return `iif(${column} = '', '${NOBODY_UID}', ${column})`;
}

export const countedParticipants = {
  table: "participant",
  facets: [],
  parts: true,
  // The plus: a range of rowids would keep SQLite from the indexes that filters need.
  apart: { without: `+t.id <> ${NOBODY}`, alone: "FALSE" },
} as const satisfies CountedTable;

const found = (holds: string, column: string): FilterRule => ({
  operators: ["matches"],
  values: "search",
  by: { column, search: searchBy(holds) },
});

const search = found("search_finds(t.name, t.email, t.external_uid, ?)", "id");

export const participantList = countedList(
  "participants",
  countedParticipants,
  { ...participant, filters: { ...participant.filters, search } },
  participant,
  {
    createdAt: "t.id",
    updatedAt: "t.updated_at",
    externalUid: "t.external_uid",
    email: "t.email",
    name: "t.name COLLATE NOCASE",
  },
);

/** The same of a list that has participants: its column `participant_id` has the rowid. */
export const searchOfParticipants = found(
  "EXISTS (SELECT 1 FROM participant AS p WHERE p.id = t.participant_id AND search_finds(p.name, p.email, p.external_uid, ?))",
  "participant_id",
);

/** The members that callers write as a whole, and the columns that keep them. Attributes are written key by key. */
export const WRITTEN = { externalUid: "external_uid", email: "email", name: "name" } as const;

export type Written = keyof typeof WRITTEN;

/** A new participant must have these. Other values may be null. */
export const REQUIRED: readonly Written[] = ["externalUid", "email", "name"];

/** What ids begin with that the service makes for people who are added without one. */
export const ADDED = "added-";

const MAX_NAME_LENGTH = 500;
const MAX_EXTERNAL_UID_LENGTH = 255;
const MAX_EMAIL_LENGTH = 320;

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Whether `text` looks like an email: local@domain, no white space. Only sending a mail could prove more. */
const isEmail = (text: string) => EMAIL.test(text);

const externalUid = requiredText(MAX_EXTERNAL_UID_LENGTH);

export const email = v.pipe(
  requiredText(MAX_EMAIL_LENGTH, { format: "email" }),
  v.check(isEmail, "must be an email, local@domain"),
);

const NOT_A_NAME = "must be a string, or an object with first and last";

/** A name: a string, or first and last, joined by one space. White space alone becomes "". */
const nameText = v.pipe(
  v.union(
    [
      v.pipe(v.string(), v.metadata({ maxLength: MAX_NAME_LENGTH })),
      v.pipe(
        v.object({ first: v.optional(v.nullable(v.string())), last: v.optional(v.nullable(v.string())) }),
        v.metadata({ title: "ParticipantName", minProperties: 1 }),
        // Refuses arrays and other objects.
        v.check((name) => "first" in name || "last" in name, NOT_A_NAME),
      ),
    ],
    NOT_A_NAME,
  ),
  v.transform((name) =>
    typeof name === "string" ? name.trim() : `${name.first?.trim() ?? ""} ${name.last?.trim() ?? ""}`.trim(),
  ),
  v.check(
    (name) => name.length <= MAX_NAME_LENGTH || lengthOf(name) <= MAX_NAME_LENGTH,
    `must be at most ${MAX_NAME_LENGTH} characters`,
  ),
);

const name = v.pipe(
  nameText,
  v.check((text) => text !== "", "is required"),
);

const emailOrNone = v.pipe(
  v.string("must be a string or null"),
  v.metadata({ format: "email", maxLength: MAX_EMAIL_LENGTH }),
  v.transform((text) => text.trim()),
  v.check((text) => text.length <= MAX_EMAIL_LENGTH, `must be at most ${MAX_EMAIL_LENGTH} characters`),
  v.check((text) => text === "" || isEmail(text), "must be an email, local@domain"),
);

/** In an import, white space alone counts as missing. */
const orUnset = v.transform((text: string): string | undefined => text || undefined);

const externalUidOrNone = v.pipe(
  v.string("must be a string or null"),
  v.metadata({ maxLength: MAX_EXTERNAL_UID_LENGTH }),
  v.transform((text) => text.trim()),
  v.check((text) => lengthOf(text) <= MAX_EXTERNAL_UID_LENGTH, `must be at most ${MAX_EXTERNAL_UID_LENGTH} characters`),
  orUnset,
);

/** Attributes become the text to store. */
const newAttributes = v.optional(
  v.pipe(
    givenAttributes,
    v.transform((given) => changeAttributes(NO_ATTRIBUTES, given).text),
  ),
  null,
);

/** In a change, white space alone clears the member, as null does. */
const orNull = v.transform((text: string): string | null => text || null);

export const NewParticipant = v.pipe(
  v.object({
    ...({ externalUid, email, name } satisfies Record<Written, v.GenericSchema>),
    attributes: newAttributes,
  }),
  v.title("NewParticipant"),
);

/** Somebody of whom not all is known. */
export const OnePerson = v.object({
  ...({
    externalUid: v.optional(externalUid),
    email: v.optional(email),
    name: v.optional(name),
  } satisfies Record<Written, v.GenericSchema>),
  attributes: v.optional(
    v.pipe(
      givenAttributes,
      v.transform((given) => changeAttributes(NO_ATTRIBUTES, given).text),
    ),
  ),
});

export const ParticipantChange = v.pipe(
  v.object({
    ...({
      externalUid: v.optional(externalUid),
      email: v.optional(v.nullable(v.pipe(emailOrNone, orNull))),
      name: v.optional(v.nullable(v.pipe(nameText, orNull))),
    } satisfies Record<Written, v.GenericSchema>),
    attributes: v.optional(givenAttributes),
    doNotContact: doNotContactChange,
  }),
  v.title("ParticipantChange"),
);

/** A row of an import. Where the participant exists, missing values and null change nothing. */
export const ImportParticipant = v.pipe(
  v.object({
    ...({
      // Whether a row needs one depends on what rows are matched by: see imports/match.ts.
      externalUid: v.optional(v.nullable(externalUidOrNone)),
      email: v.optional(v.nullable(v.pipe(emailOrNone, orUnset))),
      name: v.optional(v.nullable(v.pipe(nameText, orUnset))),
    } satisfies Record<Written, v.GenericSchema>),
    attributes: v.optional(givenAttributes),
  }),
  v.title("ImportParticipant"),
);

/**
 * Quick checks, because an import may have millions of texts. They accept only texts that the schemas accept unchanged. The schemas
 * decide on the others.
 */
export const isPlain: Readonly<Record<Written, (text: string) => boolean>> = {
  externalUid: (text) => isTrimmed(text, MAX_EXTERNAL_UID_LENGTH),
  email: (text) => isTrimmed(text, MAX_EMAIL_LENGTH) && isEmail(text),
  name: (text) => isTrimmed(text, MAX_NAME_LENGTH),
};

function isTrimmed(text: string, max: number): boolean {
  return text.length > 0 && text.length <= max && text.trim().length === text.length;
}
