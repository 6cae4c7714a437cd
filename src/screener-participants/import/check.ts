// Step 2, check: checks each row by itself, and the envelope around the rows. Errors are collected by the row's position.

import * as v from "valibot";
import { detailOf, requireObject } from "../../check-body.ts";
import { ImportParticipant, isPlain, WRITTEN, type Written } from "../../participants/resource.ts";
import { invalidRequest, MAX_ERRORS, type Problem, type ProblemDetail } from "../../problems.ts";
import { ImportEnvelope, type ImportMode } from "../resource.ts";
import { type Slice, UNREADABLE } from "./slice.ts";

const members = Object.keys(WRITTEN) as Written[];

/**
 * A row's position, then its values in the order of WRITTEN. Missing and wrong values are null. The other values of a
 * wrong row stay, to be checked against other rows.
 */
export type CheckedRow = (number | string | null)[];

/** The errors of an import: the first MAX_ERRORS in the order of the rows, and how many there are in all. */
export class ImportErrors {
  readonly #listed: { position: number; detail: ProblemDetail }[] = [];
  count = 0;

  add(position: number, detail: ProblemDetail): void {
    this.count++;
    if (this.#listed.length < MAX_ERRORS) this.#listed.push({ position, detail });
  }

  /** Adds errors that may belong before those added earlier. @param count how many there are; `found` has the first */
  addAll(found: readonly { position: number; detail: ProblemDetail }[], count: number): void {
    this.#listed.push(...found);
    this.#listed.sort((a, b) => a.position - b.position).splice(MAX_ERRORS);
    this.count += count;
  }

  /** 400 with these errors. */
  problem(): Problem {
    return invalidRequest(
      this.#listed.map(({ detail }) => detail),
      this.count,
    );
  }
}

/** Checks the rows slice by slice, and adds what is wrong to `errors`. */
export function* checkRows(slices: Iterable<Slice>, errors: ImportErrors): Generator<CheckedRow[]> {
  for (const { first, rows, badText, lines } of slices) {
    const found = badText.map((detail) => ({ position: Number(detail.pointer.split("/")[2]), detail }));
    const checked = rows.map((row, index) => {
      const position = first + index;
      const fail = ({ pointer, message }: ProblemDetail) => {
        const place = lines ? ` (line ${lines[index]})` : "";
        found.push({ position, detail: { pointer, message: message + place } });
      };
      return plainRow(row, position) ?? checkRow(row, position, fail);
    });
    found.sort((a, b) => a.position - b.position);
    for (const { position, detail } of found) errors.add(position, detail);
    yield checked;
  }
}

/** @throws Problem 400 with the envelope's errors and all earlier `errors` */
export function checkEnvelope(envelope: unknown, errors: ImportErrors): { screenerId: string; importMode: ImportMode } {
  requireObject(envelope);
  const { success, output, issues } = v.safeParse(ImportEnvelope, envelope);
  if (!success) {
    errors.addAll(
      issues.map((issue) => ({ position: -1, detail: detailOf(issue) })),
      issues.length,
    );
    throw errors.problem();
  }
  if (errors.count) throw errors.problem();
  return { screenerId: output.screenerId, importMode: output.importMode ?? "UPDATES_ONLY" };
}

/** The row, if quick checks accept it, as they do nearly all. Else the schema decides. */
function plainRow(row: unknown, position: number): CheckedRow | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  const checked: CheckedRow = [position];
  for (const member of members) {
    const value = (row as { [member in Written]?: unknown })[member];
    if (typeof value === "string" && isPlain[member](value)) checked.push(value);
    else if ((value === undefined || value === null) && member !== "externalUid") checked.push(null);
    else return undefined;
  }
  return checked;
}

function checkRow(row: unknown, position: number, fail: (detail: ProblemDetail) => void): CheckedRow {
  const pointer = `/participants/${position}`;
  if (row === UNREADABLE) return [position, ...members.map(() => null)];
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    fail({ pointer, message: "must be an object" });
    return [position, ...members.map(() => null)];
  }
  const { issues = [], output } = v.safeParse(ImportParticipant, row);
  for (const issue of issues) fail(detailOf(issue, pointer));
  const wrong = new Set(issues.map(({ path }) => path?.[0]?.key));
  const values = output as { [member in Written]?: unknown };
  return [
    position,
    ...members.map((member) => {
      const value = values[member];
      return typeof value === "string" && !wrong.has(member) ? value : null;
    }),
  ];
}
