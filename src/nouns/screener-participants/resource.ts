// The resource ScreenerParticipant (in code: assignment): its JSON, what an import sends, and its table.

import * as v from "valibot";
import type { CountedTable } from "../../../db/list/counts.ts";
import { DECIMALS } from "../../attribute-types/values.ts";
import { exampleScreenerParticipant } from "../../base/examples.ts";
import { ANY_OPERATOR, nullable, refersTo, text, uid, word } from "../../base/members.ts";
import { countedList, type FilterRules, resource } from "../../base/resource.ts";
import { closedObject, id } from "../../base/schemas.ts";
import { attributeFilter, attributesMember } from "../participants/attribute-members.ts";
import { ImportParticipant, searchOfParticipants, WRITTEN, type Written } from "../participants/resource.ts";
import { currentReviewFilter, currentReviewMember } from "../sessions/reviews.ts";

const STATUSES = ["NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"] as const;

export type AssignmentStatus = (typeof STATUSES)[number];

const type = "ScreenerParticipant";

const filteredBy = (column: string, table: string, by: string) => ({
  operators: ANY_OPERATOR,
  by: refersTo(column, table, by),
});

const COLUMN_ORDER = [
  "id",
  "screenerId",
  "participantId",
  "externalParticipantUid",
  "name",
  "email",
  "status",
] as const;

export const assignment = resource({
  type,
  from: `screener_participant AS t
    JOIN screener AS s ON s.id = t.screener_id
    JOIN participant AS p ON p.id = t.participant_id
    LEFT JOIN screener_session AS e ON e.id = t.current_session_id`,
  members: {
    id: uid("t.uid"),
    screenerId: uid("s.uid", filteredBy("screener_id", "screener", "uid")),
    participantId: uid("p.uid", filteredBy("participant_id", "participant", "uid")),
    externalParticipantUid: text("p.external_uid", filteredBy("participant_id", "participant", "external_uid")),
    currentSessionId: nullable(uid("e.uid")),
    name: nullable(text("p.name")),
    email: nullable(text("p.email")),
    status: word(STATUSES)("t.status", ANY_OPERATOR),
    review: currentReviewMember,
  },
  example: exampleScreenerParticipant,
  columnOrder: COLUMN_ORDER,
});

/** The reply to its removal. */
export const removedAssignment = resource({
  ...assignment,
  type,
  title: "RemovedScreenerParticipant",
  example: { ...exampleScreenerParticipant, currentSessionId: null, status: "REMOVED" },
  members: { ...assignment.members, status: { ...word([])("'REMOVED'"), schema: v.literal("REMOVED") } },
});

export const countedAssignments = {
  table: "screener_participant",
  facets: ["screener_id", "status"],
  parts: true,
} as const satisfies CountedTable;

/** An assignment with what is known of its participant. */
const roster = resource({
  ...assignment,
  type,
  members: { ...assignment.members, attributes: attributesMember("p.attributes") },
  columnOrder: COLUMN_ORDER,
  example: { ...exampleScreenerParticipant, attributes: { country: "GB" } },
});

const ofParticipant = (sql: string) => `(SELECT ${sql} FROM participant WHERE id = t.participant_id)`;

/** The publication of the current session. Many may have it, so they are compared one by one. */
const ofPublication = {
  column: "current_session_id",
  scan: {
    value: `(SELECT v.uid FROM screener_session AS c JOIN screener_publication AS v ON v.id = c.screener_publication_id
      WHERE c.id = t.current_session_id)`,
    index: "",
  },
};

const moreFilters: FilterRules = {
  screenerPublicationId: { operators: ANY_OPERATOR, values: "uuid", by: ofPublication },
  review: currentReviewFilter,
  search: searchOfParticipants,
  attributes: attributeFilter("participant_id", ofParticipant),
};

/** List pages have assignments; the whole list is the roster. */
export const assignmentList = countedList(
  "screener-participants",
  countedAssignments,
  { ...assignment, filters: { ...assignment.filters, ...moreFilters } },
  roster,
  { createdAt: "t.id" },
);

const IMPORT_MODES = ["UPDATES_ONLY", "FULL_SYNC"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

const NOT_A_COUNT = "must be a whole number from 0 on";

const ExpectedRows = v.pipe(v.number(NOT_A_COUNT), v.safeInteger(NOT_A_COUNT), v.minValue(0, NOT_A_COUNT));

const ROW_ERROR_MODES = ["REJECT_ALL", "SKIP"] as const;

/** By what a row of an import finds its participant. */
export const MATCH_KEYS = ["externalUid", "email"] as const;
export type MatchKey = (typeof MATCH_KEYS)[number];

const NOT_A_LIMIT = 'must be a whole number from 0 on, or a percentage from 0% to 100% such as "20%"';

/** The limit for removals: a number, or a percentage of the screener's assignments. */
export const MaxRemovals = v.union(
  [
    v.pipe(v.number(), v.safeInteger(NOT_A_LIMIT), v.minValue(0, NOT_A_LIMIT)),
    v.pipe(v.string(), v.regex(/^(100|\d{1,2}(\.\d{1,3})?)%$/, NOT_A_LIMIT)),
  ],
  NOT_A_LIMIT,
);

export type MaxRemovals = v.InferOutput<typeof MaxRemovals>;

/**
 * What a column of a CSV may be: a member; a part of the name; an attribute, whatever its heading is; or nothing that is
 * imported.
 */
export const IMPORTED = [
  ...(Object.keys(WRITTEN) as Written[]),
  "name.first",
  "name.last",
  "attributes",
  "ignore",
] as const;

export type Imported = (typeof IMPORTED)[number];

/** The settings of an import: members of its JSON, query parameters beside a CSV or NDJSON file. */
export const importSettings = {
  screenerId: id,
  importMode: v.optional(v.nullable(v.picklist(IMPORT_MODES, "must be UPDATES_ONLY, FULL_SYNC or null"))),
  dryRun: v.optional(v.nullable(v.boolean("must be true, false or null"))),
  maxRemovals: v.optional(v.nullable(MaxRemovals)),
  onRowError: v.optional(v.nullable(v.picklist(ROW_ERROR_MODES, "must be REJECT_ALL, SKIP or null"))),
  expectedRows: v.optional(v.nullable(ExpectedRows)),
  includeJoined: v.optional(v.nullable(v.boolean("must be true, false or null"))),
  matchBy: v.optional(v.nullable(v.picklist(MATCH_KEYS, "must be externalUid, email or null"))),
};

const parameter = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(v.pipe(schema, v.description(description)));

const truth = v.pipe(
  v.picklist(["true", "false"], "must be true or false"),
  v.transform((text) => text === "true"),
);

const CSV_ONLY = "CSV only.";

/** The query parameters beside a file: the settings of the import, as texts, and what the columns of a CSV are. */
export const FileParameters = v.object({
  screenerId: id,
  importMode: parameter(v.picklist(IMPORT_MODES, `must be ${IMPORT_MODES.join(" or ")}`), "Default: UPDATES_ONLY"),
  dryRun: parameter(truth, "Default: false"),
  maxRemovals: parameter(
    v.pipe(
      v.string(),
      v.transform((text) => (/^\d+$/.test(text) ? Number(text) : text)),
      MaxRemovals,
    ),
    "A number, or a percentage such as `20%` (in a URL `20%25`)",
  ),
  onRowError: parameter(v.picklist(ROW_ERROR_MODES, `must be ${ROW_ERROR_MODES.join(" or ")}`), "Default: REJECT_ALL"),
  expectedRows: parameter(
    v.pipe(
      v.string(),
      v.transform((text) => (/^\d+$/.test(text) ? Number(text) : text)),
      ExpectedRows,
    ),
    "How many rows the file has. If it has another number, nothing is imported",
  ),
  includeJoined: parameter(
    truth,
    "Whether a FULL_SYNC removes those, too, who have joined by an open link. Default: false",
  ),
  matchBy: parameter(
    v.picklist(MATCH_KEYS, `must be ${MATCH_KEYS.join(" or ")}`),
    "By what rows find their participants. With `email` the file has no externalUid: new participants get one of the service. Default: externalUid",
  ),
  columns: parameter(
    v.record(v.string(), v.picklist(IMPORTED, `must be ${IMPORTED.slice(0, -1).join(", ")} or ${IMPORTED.at(-1)}`)),
    "What columns with other headings are: `columns[Person ID]=externalUid`. `name.first` and `name.last` make the name; " +
      `\`attributes\`: an attribute; \`ignore\`: not imported. ${CSV_ONLY}`,
  ),
  attributes: parameter(
    v.picklist(["ignore"], "must be ignore"),
    `\`ignore\`: do not import the columns that are no member of a participant. ${CSV_ONLY}`,
  ),
  decimals: parameter(
    v.picklist(DECIMALS, "must be POINT or COMMA"),
    `How the file writes decimals, for attributes whose type is NUMBER: \`72.5\` or \`72,5\`. Default: POINT. ${CSV_ONLY}`,
  ),
});

/** The formats of files. */
export const FILE_FORMATS = ["csv", "ndjson"] as const;

/** A file, as its job keeps it: the format, and the checked parameters. */
export const ImportFile = v.object({
  format: v.picklist(FILE_FORMATS),
  ...importSettings,
  columns: v.optional(v.record(v.string(), v.picklist(IMPORTED))),
  attributes: v.optional(v.literal("ignore")),
  decimals: v.optional(v.picklist(DECIMALS)),
});

export type ImportFile = v.InferOutput<typeof ImportFile>;

/** What an import's job keeps beside the body. For JSON it is empty: the settings are in the body. */
export const ImportPayload = v.partial(ImportFile);

export type ImportPayload = v.InferOutput<typeof ImportPayload>;

/** The whole payload, for the API description. */
export const ParticipantImport = v.pipe(
  closedObject({ ...importSettings, participants: v.array(ImportParticipant) }),
  v.title("ScreenerParticipantsImport"),
);

/** The payload's envelope, whose list is empty. The rows are checked one by one (imports/check.ts). */
export const ImportEnvelope = closedObject({
  ...importSettings,
  participants: v.pipe(v.array(v.unknown(), "must be an array"), v.length(0, "can't be read")),
});
