// Step 2, check: checks each row by itself, and the envelope around the rows.

import * as v from "valibot";
import { type AttributeChanges, plainAttributes } from "../../attributes.ts";
import { detailOf, requireObject } from "../../check-body.ts";
import { ImportParticipant, isPlain, participant, WRITTEN, type Written } from "../../participants/resource.ts";
import type { ProblemDetail } from "../../problems.ts";
import { uidOrNull, unknownMember } from "../../schemas.ts";
import { isCleanText } from "../../text.ts";
import { ImportEnvelope, type ImportMode, importSettings } from "../resource.ts";
import { type GivenAttributes, stagedAttributes } from "./attributes.ts";
import { NOTES } from "./csv-headings.ts";
import { type RowError, type RowErrors, type RowName, rowError } from "./row-errors.ts";
import { type Slice, UNREADABLE } from "./slice.ts";

const members = Object.keys(WRITTEN) as Written[];

/** The members that a row may have without a warning: a client may send back what it has read, or what was rejected. */
const KNOWN = new Set(["_type", ...Object.keys(participant.members), ...NOTES]);

const MAX_UNKNOWN_MEMBERS = 100;

/**
 * A row's values in the order of WRITTEN; then its line, if it has one or attributes; and if it has attributes, those that it
 * sets, as text, and the keys that it removes. Missing and wrong values are null. The other values of a wrong row stay, to
 * be checked against other rows.
 */
export type CheckedRow = (number | string | null)[];

/** Members of rows that are ignored, and in how many rows they are. */
export type UnknownMembers = Map<string, number>;

/** Where the check of rows puts what it finds: what is wrong, what is ignored, and the keys of attributes. */
export interface Found {
  errors: RowErrors;
  unknown: UnknownMembers;
  attributes: GivenAttributes;
}

/** Checks the rows slice by slice. */
export function* checkRows(slices: Iterable<Slice>, { errors, unknown, attributes }: Found): Generator<CheckedRow[]> {
  for (const { first, rows, badText, lines } of slices) {
    const found: RowError[] = badText.map((error) => ({ position: Number(error.pointer.split("/")[2]), error }));
    const hasBadText = new Set(found.map(({ position }) => position));
    const checked = rows.map((row, index) => {
      const position = first + index;
      const line = lines?.[index];
      countUnknown(row, unknown);
      const plain = hasBadText.has(position) ? undefined : plainRow(row, line, attributes);
      return plain ?? checkRow(row, { position, line }, attributes, (error) => found.push(error));
    });
    found.sort((a, b) => a.position - b.position);
    errors.add(found);
    yield checked;
  }
}

/** What a payload is about, even if something else in it is wrong. */
export function subjectOf(envelope: unknown): { screenerUid: string | null; importMode: ImportMode | null } {
  const { screenerId, importMode } = Object(envelope) as Record<string, unknown>;
  const mode = v.safeParse(importSettings.importMode, importMode);
  return { screenerUid: uidOrNull(screenerId), importMode: mode.success ? (mode.output ?? "UPDATES_ONLY") : null };
}

/** The settings of an import, as they are used. */
export type ImportSettings = ReturnType<typeof checkEnvelope>["settings"];

/** The import's settings; or what is wrong with them. */
export function checkEnvelope(envelope: unknown) {
  requireObject(envelope);
  const { success, output, issues = [] } = v.safeParse(ImportEnvelope, envelope);
  if (!success) return { settings: undefined, errors: issues.map((issue): ProblemDetail => detailOf(issue)) };
  const { screenerId, importMode, dryRun, maxRemovals, onRowError } = output;
  return {
    settings: {
      screenerId,
      importMode: importMode ?? "UPDATES_ONLY",
      isDryRun: dryRun ?? false,
      maxRemovals: maxRemovals ?? undefined,
      skipsErrors: onRowError === "SKIP",
    },
    errors: [],
  };
}

/** The warnings of a job whose file has columns that are not imported, or whose rows have unknown members. */
export function warningsOf(unknown: UnknownMembers, columns: readonly string[]): object[] {
  const ignored = {
    code: "columns_ignored",
    message: `These columns were not imported: ${columns.map((heading) => JSON.stringify(heading)).join(", ")}.`,
    columns,
  };
  return [...(columns.length ? [ignored] : []), ...unknownMembers(unknown)];
}

function unknownMembers(unknown: UnknownMembers): object[] {
  return [...unknown].map(([member, rows]) => ({
    code: "unknown_member",
    message: `${member} ${unknownMember(member, members).replace(/[^?]$/, "$&.")} It was ignored in ${rows} ${rows === 1 ? "row" : "rows"}.`,
    member,
    rows,
  }));
}

function countUnknown(row: unknown, unknown: UnknownMembers): void {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return;
  for (const member in row) {
    if (KNOWN.has(member)) continue;
    const rows = unknown.get(member);
    if (rows !== undefined || unknown.size < MAX_UNKNOWN_MEMBERS) unknown.set(member, (rows ?? 0) + 1);
  }
}

/** The row, if quick checks accept it, as they do nearly all. Else the schema decides. */
function plainRow(row: unknown, line: number | undefined, given: GivenAttributes): CheckedRow | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  const checked: CheckedRow = [];
  for (const member of members) {
    const value = (row as { [member in Written]?: unknown })[member];
    if (typeof value === "string" && isPlain[member](value)) checked.push(value);
    else if ((value === undefined || value === null) && member !== "externalUid") checked.push(null);
    else return undefined;
  }
  const { attributes } = row as { attributes?: unknown };
  const hasAttributes = attributes !== undefined && attributes !== null;
  if (line !== undefined || hasAttributes) checked.push(line ?? null);
  if (!hasAttributes) return checked;
  const text = plainAttributes(attributes);
  if (text === undefined) return undefined;
  given.add(Object.keys(attributes));
  checked.push(text);
  return checked;
}

function checkRow(
  row: unknown,
  { position, line }: RowName,
  given: GivenAttributes,
  fail: (error: RowError) => void,
): CheckedRow {
  if (row === UNREADABLE) return [...members.map(() => null), line ?? null];
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    fail(rowError({ position, line }, "", "must be an object", row));
    return [...members.map(() => null), line ?? null];
  }
  const { issues = [], output } = v.safeParse(ImportParticipant, row);
  const { externalUid } = row as { externalUid?: unknown };
  for (const issue of issues) {
    const { pointer, message } = detailOf(issue);
    fail(rowError({ position, line, externalUid }, pointer.slice(1), message, issue.input));
  }
  const wrong = new Set(issues.map(({ path }) => path?.[0]?.key));
  const values = output as { [member in Written]?: unknown };
  const { attributes } = output as { attributes?: AttributeChanges | null };
  const isGiven = attributes && !wrong.has("attributes");
  if (isGiven) given.add([...attributes].flatMap(([key, value]) => (value === null ? [] : [key])));
  return [
    ...members.map((member) => {
      const value = values[member];
      return typeof value === "string" && !wrong.has(member) && isCleanText(value) ? value : null;
    }),
    line ?? null,
    ...(isGiven ? stagedAttributes(attributes) : []),
  ];
}
