// The settings of an import: as members of a payload in JSON, and as parameters beside a file.

import * as v from "valibot";
import { DATE_ORDERS, DECIMALS } from "../../attribute-types/values.ts";
import { closedObject, id } from "../../base/schemas.ts";
import { ImportParticipant, WRITTEN, type Written } from "../participants/resource.ts";

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

const CSV_ONLY = "CSV and workbooks only.";

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
  dates: parameter(
    v.picklist(DATE_ORDERS, `must be ${DATE_ORDERS.join(" or ")}`),
    `How the file writes days, for attributes whose type is DATE: \`1990-02-28\` (YMD), \`28.02.1990\` (DMY) or \`02/28/1990\` (MDY). Default: YMD, which can be read in any case. ${CSV_ONLY}`,
  ),
  sheet: parameter(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(255, "must have at most 255 characters")),
    "The name of the sheet. Default: the first one. Workbooks only.",
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
  dates: v.optional(v.picklist(DATE_ORDERS)),
  /** Of a workbook, which is kept as the CSV of this sheet. */
  sheet: v.optional(v.string()),
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
