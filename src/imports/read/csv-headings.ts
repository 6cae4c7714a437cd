// The headings of a CSV: which column is which member of a row, and which are attributes.

import { escapePointer } from "../../base/clean-text.ts";
import { withoutApostrophes } from "../../base/csv.ts";
import { invalidRequest, type ProblemDetail } from "../../base/problems.ts";
import { participant, WRITTEN, type Written } from "../../nouns/participants/resource.ts";
import type { Imported, MatchKey } from "../../nouns/screener-participants/import-settings.ts";
import { nearMember } from "./near-members.ts";
import { type Letters, lettersOf, placeOf } from "./slice.ts";

/** What the columns of a CSV are. Columns are counted from 0. */
export interface Columns {
  count: number;
  members: { column: number; member: Written }[];
  /** The columns that make the name together, if there are any. */
  nameParts: { column: number; part: "first" | "last" }[];
  attributes: { column: number; heading: string }[];
  /** Columns whose heading is empty. */
  unnamed: number[];
  /** The headings of columns that are not imported, the first ones. */
  ignored: string[];
  /** The headings of columns that are no member, and the members that are near and have no column. */
  near: { heading: string; member: Written }[];
}

const members = Object.keys(WRITTEN) as Written[];

/** Headings of our own lists, other than those of the members that callers write. */
const EXPORTED = Object.entries(participant.members)
  .flatMap(([member, { cells }]) => Object.keys(cells).map((suffix) => member + suffix))
  .filter((heading) => !(heading in WRITTEN));

/** The columns that a file of rejected rows has beside those of the imported one. They are not imported. */
export const NOTES = ["#line", "#errors"] as const;

/** The prefix of attributes in our own lists. */
const OWN_PREFIX = /^attributes\./;

/** Messages show the beginning of the headings. */
const MAX_SHOWN_HEADINGS = 20;
const MAX_SHOWN_LENGTH = 50;

/** How many columns a warning names. */
const MAX_NAMED = 100;

/** Whether one of the headings is that of a member. */
export function haveMember(headings: readonly string[], mapped: Record<string, Imported>, member: MatchKey): boolean {
  const members = byHeading(mapped);
  return headings.some((heading) => memberOf(heading, members) === member);
}

/** How a CSV is read. */
export interface CsvSettings {
  /** The members of headings that have another name. */
  columns: Record<string, Imported>;
  ignoresAttributes: boolean;
  matchBy: MatchKey;
  /** Whether it comes from a sheet of a workbook. */
  isSheet: boolean;
}

/**
 * @param cells the headings as they are in the file
 * @throws Problem 400 with everything that is wrong
 */
export function readHeadings(
  cells: readonly string[],
  line: number,
  { columns: mapped, ignoresAttributes, matchBy, isSheet }: CsvSettings,
): Columns {
  const headings = cells.map((cell) => withoutApostrophes(cell).trim());
  requireText(headings, line);
  const place = (column?: number) => placeOf(line, column === undefined ? undefined : column + 1, isSheet);
  const members = byHeading(mapped);
  const errors: ProblemDetail[] = [];
  const complain = (column: number, message: string) =>
    errors.push({ pointer: "", message: `${place(column)}: ${message}` });
  const columns: Columns = {
    count: cells.length,
    members: [],
    nameParts: [],
    attributes: [],
    unnamed: [],
    ignored: [],
    near: [],
  };
  const ignore = (heading: string) => {
    if (columns.ignored.length < MAX_NAMED) columns.ignored.push(short(heading));
  };
  const seen = new Map<string, number>();
  const skipped = skippedOf(headings);
  const unknown: string[] = [];
  for (const [column, heading] of headings.entries()) {
    if (heading === "") {
      columns.unnamed.push(column);
      continue;
    }
    const target = memberOf(heading, members);
    if (target === "ignore") continue;
    const member = target === "attributes" ? undefined : target;
    // Columns `country` and `attributes.country` are one attribute.
    const name = member ?? `attributes.${keyOf(heading.replace(OWN_PREFIX, ""))}`;
    const other = seen.get(name);
    if (other !== undefined) complain(column, `${shown(heading)} is the same as column ${other + 1}`);
    seen.set(name, column);
    if (member === "name.first" || member === "name.last")
      columns.nameParts.push({ column, part: member === "name.first" ? "first" : "last" });
    else if (member) columns.members.push({ column, member });
    else if (target === undefined && skipped.has(heading)) continue;
    else if (target === undefined && ignoresAttributes) ignore(heading);
    else columns.attributes.push({ column, heading: heading.replace(OWN_PREFIX, "") });
    if (target === undefined && !OWN_PREFIX.test(heading)) unknown.push(heading);
  }
  const found = new Set(headings.map(keyOf));
  const list = `its columns are ${headings.slice(0, MAX_SHOWN_HEADINGS).map(shown).join(", ")}`;
  const more = headings.length > MAX_SHOWN_HEADINGS ? ` and ${headings.length - MAX_SHOWN_HEADINGS} more` : "";
  for (const heading of Object.keys(mapped)) {
    if (found.has(keyOf(heading))) continue;
    errors.push({ pointer: `columns[${heading}]`, message: `is not a column of the file; ${list}${more}` });
  }
  const whole = seen.get("name");
  const [part] = columns.nameParts;
  if (whole !== undefined && part) complain(part.column, `is a part of the name, and column ${whole + 1} is the name`);
  const uid = seen.get("externalUid");
  if (matchBy === "email" && uid !== undefined) {
    const heading = short(headings[uid]!);
    complain(uid, `is the externalUid, and rows are matched by email; send columns[${heading}]=attributes, or =ignore`);
  }
  if (!seen.has(matchBy)) {
    const meant = unknown.find((heading) => nearMember(heading, [matchBy]));
    const hint = meant === undefined ? "" : `; if ${shown(meant)} is it, send columns[${short(meant)}]=${matchBy}`;
    const other =
      matchBy === "externalUid" && meant === undefined && seen.has("email")
        ? "; matchBy=email matches rows by their emails"
        : "";
    errors.push({
      pointer: "",
      message: `${place()}: the file has no column ${matchBy}; ${list}${more}${hint}${other}`,
    });
  }
  if (errors.length) throw invalidRequest(errors);
  columns.near = nearOf(unknown, columns);
  return columns;
}

/** The columns that are probably meant as a member that no column has: an import would not change that member. */
function nearOf(unknown: readonly string[], { members: given, nameParts }: Columns): Columns["near"] {
  const has = (member: Written) =>
    given.some((one) => one.member === member) || (member === "name" && nameParts.length);
  const lacking = members.filter((member) => !has(member));
  const near = unknown.flatMap((heading) => {
    const member = nearMember(heading, lacking);
    return member ? [{ heading: short(heading), member }] : [];
  });
  return near.slice(0, MAX_NAMED);
}

/** What the columns are that are imported, sorted. */
export function namesOf({ members, nameParts, attributes }: Columns): string[] {
  return [
    ...members.map(({ member }) => member),
    ...nameParts.map(({ part }) => `name.${part}`),
    ...attributes.map(({ heading }) => `attributes.${heading}`),
  ].sort();
}

/** The letters of the columns, by the ends of pointers to what is in them. */
export function lettersOfColumns({ members, nameParts, attributes }: Columns): Letters {
  return new Map([
    ...members.map(({ member, column }): [string, string] => [member, lettersOf(column + 1)]),
    ...nameParts.map(({ part, column }): [string, string] => [`name/${part}`, lettersOf(column + 1)]),
    ...attributes.map(({ heading, column }): [string, string] => [
      `attributes/${escapePointer(heading)}`,
      lettersOf(column + 1),
    ]),
  ]);
}

/** What each column is without a mapping; undefined: its heading is empty. @param cells the headings as they are in the file */
export function ownTargets(cells: readonly string[]): (Imported | undefined)[] {
  const headings = cells.map((cell) => withoutApostrophes(cell).trim());
  const skipped = skippedOf(headings);
  return headings.map((heading) => {
    if (heading === "") return undefined;
    return memberOf(heading, new Map()) ?? (skipped.has(heading) ? "ignore" : "attributes");
  });
}

/** The headings that are never imported without a mapping. */
function skippedOf(headings: readonly string[]): Set<string> {
  return new Set<string>([...NOTES, ...(EXPORTED.every((one) => headings.includes(one)) ? EXPORTED : [])]);
}

/** @throws Problem 400 when the headings show that the whole file is read wrongly */
function requireText(headings: readonly string[], line: number): void {
  const fail = (message: string) => invalidRequest([{ pointer: "", message: `line ${line}: ${message}` }]);
  if (headings.some((heading) => heading.includes("\0")))
    throw fail("the headings hold U+0000; is this UTF-16 without a byte order mark?");
  if (headings.some((heading) => heading.includes("\r")))
    throw fail("the headings hold CR alone; lines must end with CRLF or LF");
}

function byHeading(mapped: Record<string, Imported>): Map<string, Imported> {
  return new Map(Object.entries(mapped).map(([heading, member]) => [keyOf(heading), member]));
}

function memberOf(heading: string, mapped: ReadonlyMap<string, Imported>): Imported | undefined {
  const plain = heading.toLowerCase().replace(/[\s_-]+/g, "");
  return mapped.get(keyOf(heading)) ?? members.find((member) => member.toLowerCase() === plain);
}

/** Headings in upper and lower case are the same. */
function keyOf(heading: string): string {
  return heading.trim().toLowerCase();
}

function shown(heading: string): string {
  return JSON.stringify(heading.length > MAX_SHOWN_LENGTH ? `${short(heading)}…` : heading);
}

function short(heading: string): string {
  return heading.slice(0, MAX_SHOWN_LENGTH).toWellFormed();
}
