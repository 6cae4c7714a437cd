// What the columns of a file are: a guess from their headings, and what is wrong with a choice.

import type { DateOrder } from "../../attribute-types/values.ts";
import { lettersOf, WRITINGS } from "../../imports/read/near-members.ts";
import { IMPORTED, type Imported, type MatchKey } from "../../nouns/screener-participants/import-settings.ts";

/** A guess for each column. @param columns their headings, and what they are for the API without a choice */
export function guessTargets(columns: readonly { heading: string; own: Imported | undefined }[]): (Imported | "")[] {
  const targets: (Imported | "")[] = columns.map(({ own }) => own ?? "");
  for (const [target, heading] of WRITINGS) {
    if (targets.includes(target)) continue;
    // A whole name says what its parts say.
    if (target.startsWith("name.") && targets.includes("name")) continue;
    if (target === "name" && targets.some((one) => one.startsWith("name."))) continue;
    const found = columns.findIndex(
      (column, at) => targets[at] === "attributes" && heading.test(lettersOf(column.heading)),
    );
    if (found >= 0) targets[found] = target;
  }
  return targets;
}

/** How the first rows write decimals, as far as it shows. */
export function guessDecimals({ rows }: { rows: readonly string[][] }): "POINT" | "COMMA" {
  const cells = rows.flat().map((cell) => cell.trim());
  const count = (form: RegExp) => cells.filter((cell) => form.test(cell)).length;
  return count(/^-?\d+,\d+$/) > count(/^-?\d+\.\d+$/) ? "COMMA" : "POINT";
}

/** In which order the first rows write days, as far as it shows: `3/4/2020` may be both. */
export function guessDates({ rows }: { rows: readonly string[][] }): DateOrder {
  const days = rows.flat().flatMap((cell) => {
    const [, first, sign, second] = /^\s*(\d{1,2})([./-])(\d{1,2})\2\d{4}\s*$/.exec(cell) ?? [];
    return first === undefined ? [] : [{ first: Number(first), second: Number(second), sign }];
  });
  if (!days.length) return "YMD";
  if (days.some(({ first }) => first > 12)) return "DMY";
  if (days.some(({ second }) => second > 12)) return "MDY";
  return days.some(({ sign }) => sign === "/") ? "MDY" : "DMY";
}

/** What was chosen, as far as it can be. */
export function readTargets(values: readonly string[]): (Imported | "")[] {
  return values.map((value) => IMPORTED.find((one) => one === value) ?? "");
}

const NAMES: Record<Exclude<Imported, "attributes" | "ignore">, string> = {
  externalUid: "id",
  email: "email",
  name: "name",
  "name.first": "first name",
  "name.last": "last name",
};

/** What people are matched by: without a column of ids by their emails. */
export function matchedBy(targets: readonly (Imported | "")[]): MatchKey {
  return targets.includes("externalUid") ? "externalUid" : "email";
}

const isKey = (target: Imported | "") => target === "externalUid" || target === "email";

/** Where the number of a column would be: how the file is read. */
export const READING = -2;

/** What is wrong with a choice, by the number of its column; -1: with all of it. */
export function faultsOfTargets(targets: readonly (Imported | "")[]): Map<number, string> {
  const faults = new Map<number, string>();
  for (const [at, target] of targets.entries()) {
    if (target === "" || target === "attributes" || target === "ignore") continue;
    if (targets.indexOf(target) < at) faults.set(at, `Another column is the ${NAMES[target]} already.`);
    else if (target === "name" && targets.some((one) => one.startsWith("name.")))
      faults.set(at, "Choose either the name, or first and last name.");
  }
  if (!targets.some(isKey))
    faults.set(-1, "Choose the column with the id that you use for people, or the one with their email.");
  return faults;
}
