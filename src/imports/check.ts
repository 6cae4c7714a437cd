// Step 2, check: checks each row by itself, and the envelope around the rows; and warns of what may be meant otherwise.

import * as v from "valibot";
import { type AttributeChanges, plainAttributes } from "../base/attributes.ts";
import { detailOf, requireObject } from "../base/check-body.ts";
import { isCleanText } from "../base/clean-text.ts";
import { Problem, type ProblemDetail } from "../base/problems.ts";
import { uidOrNull, unknownMember } from "../base/schemas.ts";
import { ImportParticipant, isPlain, participant, WRITTEN, type Written } from "../nouns/participants/resource.ts";
import {
  ImportEnvelope,
  type ImportMode,
  importSettings,
  type MatchKey,
  type MaxRemovals,
} from "../nouns/screener-participants/import-settings.ts";
import { stagedAttributes } from "./attributes.ts";
import { type Columns, NOTES } from "./read/csv-headings.ts";
import { nearMember } from "./read/near-members.ts";
import type { Payload } from "./read/read.ts";
import { type Slice, UNREADABLE } from "./read/slice.ts";
import { type RowError, type RowName, rowError } from "./row-errors.ts";
import type { ReadTyped } from "./typed-rows.ts";

const members = Object.keys(WRITTEN) as Written[];

/** The members that a row may have without a warning: a client may send back what it has read, or what was rejected. */
const KNOWN = new Set(["_type", ...Object.keys(participant.members), ...NOTES]);

/**
 * A row's values in the order of WRITTEN; then its line, if it has one or attributes; and if it has attributes, those that it
 * sets, as text, and the keys that it removes. Missing and wrong values are null. The other values of a wrong row stay, to
 * be checked against other rows.
 */
type CheckedRow = (number | string | null)[];

/** Members of rows that are ignored, and in how many rows they are. */
export type UnknownMembers = Map<string, number>;

/** A slice of rows, and what was found in it. */
export interface CheckedSlice {
  rows: CheckedRow[];
  /** In the rows' order. */
  errors: RowError[];
  unknown: UnknownMembers;
  /** The keys of attributes; undefined where no row has attributes. */
  attributes: Set<string> | undefined;
}

/** Checks each row of a slice. @param readTyped where the workspace has said what attributes are */
export function checkSlice({ first, rows, badText, lines, letters }: Slice, readTyped?: ReadTyped): CheckedSlice {
  const errors: RowError[] = badText.map((error) => ({ position: Number(error.pointer.split("/")[2]), error }));
  const unknown: UnknownMembers = new Map();
  let attributes: Set<string> | undefined;
  const give = (keys: readonly string[]) => {
    attributes ??= new Set();
    for (const key of keys) attributes.add(key);
  };
  const hasBadText = new Set(errors.map(({ position }) => position));
  const checked = rows.map((sent, index) => {
    const position = first + index;
    const line = lines?.[index];
    const name = { position, line, letters };
    const row = readTyped ? readTyped(sent, name, (error) => errors.push(error)) : sent;
    countUnknown(row, unknown);
    const plain = hasBadText.has(position) ? undefined : plainRow(row, line, give);
    return plain ?? checkRow(row, name, give, (error) => errors.push(error));
  });
  errors.sort((a, b) => a.position - b.position);
  return { rows: checked, errors, unknown, attributes };
}

/** The screener of a payload, even if something else in it is wrong. */
export function subjectOf(envelope: unknown): { screenerUid: string | null; importMode: ImportMode | null } {
  const { screenerId, importMode } = Object(envelope) as Record<string, unknown>;
  const mode = v.safeParse(importSettings.importMode, importMode);
  return { screenerUid: uidOrNull(screenerId), importMode: mode.success ? (mode.output ?? "UPDATES_ONLY") : null };
}

/** What rows are matched by, even if something else in the payload is wrong. */
export function matchKeyOf(envelope: unknown): MatchKey {
  return Object(envelope).matchBy === "email" ? "email" : "externalUid";
}

/** The settings of an import, with their defaults. */
export interface ImportSettings {
  /** The screener's id. */
  screenerId: string;
  importMode: ImportMode;
  isDryRun: boolean;
  maxRemovals: MaxRemovals | undefined;
  /** Whether wrong rows are skipped; otherwise one wrong row refuses the import. */
  skipsErrors: boolean;
  expectedRows: number | undefined;
  /** Whether a FULL_SYNC removes those, too, who have joined by an open link. */
  includesJoined: boolean;
  matchBy: MatchKey;
}

/** The import's settings; or what is wrong with them. */
export function checkEnvelope(envelope: unknown): { settings?: ImportSettings; errors: ProblemDetail[] } {
  requireObject(envelope);
  const { success, output, issues = [] } = v.safeParse(ImportEnvelope, envelope);
  if (!success) return { errors: issues.map((issue) => detailOf(issue)) };
  const { screenerId, importMode, dryRun, maxRemovals, onRowError, expectedRows, includeJoined, matchBy } = output;
  return {
    settings: {
      screenerId,
      importMode: importMode ?? "UPDATES_ONLY",
      isDryRun: dryRun ?? false,
      maxRemovals: maxRemovals ?? undefined,
      skipsErrors: onRowError === "SKIP",
      expectedRows: expectedRows ?? undefined,
      includesJoined: includeJoined ?? false,
      matchBy: matchBy ?? "externalUid",
    },
    errors: [],
  };
}

/** The problem if the number of rows is not the one that the client says. */
export function unexpectedRows(rows: number, { expectedRows }: ImportSettings): Problem | undefined {
  if (expectedRows === undefined || rows === expectedRows) return undefined;
  return new Problem("row_count_differs", {
    detail: `The payload has ${rows} ${rows === 1 ? "row" : "rows"}, and expectedRows is ${expectedRows}. Nothing was changed.`,
    members: { rows, expectedRows },
  });
}

function countUnknown(row: unknown, unknown: UnknownMembers): void {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return;
  for (const member in row) {
    if (KNOWN.has(member)) continue;
    unknown.set(member, (unknown.get(member) ?? 0) + 1);
  }
}

/** The row, if quick checks accept it, as they do nearly all. Else the schema decides. */
function plainRow(row: unknown, line: number | undefined, give: (keys: string[]) => void): CheckedRow | undefined {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return undefined;
  const checked: CheckedRow = [];
  for (const member of members) {
    const value = (row as { [member in Written]?: unknown })[member];
    if (typeof value === "string" && isPlain[member](value)) checked.push(value);
    else if (value === undefined || value === null) checked.push(null);
    else return undefined;
  }
  const { attributes } = row as { attributes?: unknown };
  const hasAttributes = attributes !== undefined && attributes !== null;
  if (line !== undefined || hasAttributes) checked.push(line ?? null);
  if (!hasAttributes) return checked;
  const text = plainAttributes(attributes);
  if (text === undefined) return undefined;
  give(Object.keys(attributes));
  checked.push(text);
  return checked;
}

function checkRow(
  row: unknown,
  { position, line, letters }: RowName,
  give: (keys: string[]) => void,
  fail: (error: RowError) => void,
): CheckedRow {
  if (row === UNREADABLE) return [...members.map(() => null), line ?? null];
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    fail(rowError({ position, line, letters }, "", "must be an object", row));
    return [...members.map(() => null), line ?? null];
  }
  const { issues = [], output } = v.safeParse(ImportParticipant, row);
  const { externalUid } = row as { externalUid?: unknown };
  for (const issue of issues) {
    const { pointer, message } = detailOf(issue);
    fail(rowError({ position, line, letters, externalUid }, pointer.slice(1), message, issue.input));
  }
  const wrong = new Set(issues.map(({ path }) => path?.[0]?.key));
  const values = output as { [member in Written]?: unknown };
  const { attributes } = output as { attributes?: AttributeChanges | null };
  const isGiven = attributes && !wrong.has("attributes");
  if (isGiven) give([...attributes].flatMap(([key, value]) => (value === null ? [] : [key])));
  return [
    ...members.map((member) => {
      const value = values[member];
      return typeof value === "string" && !wrong.has(member) && isCleanText(value) ? value : null;
    }),
    line ?? null,
    ...(isGiven ? stagedAttributes(attributes) : []),
  ];
}

/** With these warnings, a person should look at the plan before it is applied. */
export const STOPPING = ["unknown_column_near", "column_missing"] as const;

/** The warnings of a payload that was read to its end. @param unknown members of rows that are ignored */
export function warningsOf(unknown: UnknownMembers, { columns, isEnded }: Payload): object[] {
  const notEnded = {
    code: "last_line_not_ended",
    message: "The last line of the file has no line end. Some of the file may be missing.",
  };
  return [...(columns ? ofColumns(columns) : []), ...unknownMembers(unknown), ...(isEnded ? [] : [notEnded])];
}

function ofColumns({ ignored, near }: Columns): object[] {
  const unused = {
    code: "columns_ignored",
    message: `These columns were not imported: ${ignored.map((heading) => JSON.stringify(heading)).join(", ")}.`,
    columns: ignored,
  };
  const meant = near.map(({ heading, member }) => ({
    code: "unknown_column_near",
    message:
      `No column is ${member}. Is ${JSON.stringify(heading)} meant? If it is, send columns[${heading}]=${member}; ` +
      `if it is not, columns[${heading}]=attributes.`,
    column: heading,
    member,
  }));
  return [...(ignored.length ? [unused] : []), ...meant];
}

function unknownMembers(unknown: UnknownMembers): object[] {
  return [...unknown].map(([member, rows]) => {
    const near = nearMember(member, members);
    const known = near ? `is not known; did you mean ${near}?` : unknownMember(member, members);
    return {
      code: "unknown_member",
      message: `${member} ${known.replace(/[^?]$/, "$&.")} It was ignored in ${rows} ${rows === 1 ? "row" : "rows"}.`,
      member,
      rows,
    };
  });
}
