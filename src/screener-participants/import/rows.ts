// Reads one row of an import.

import * as v from "valibot";
import { detailOf } from "../../check-body.ts";
import {
  ImportParticipant,
  isEmail,
  MAX_EMAIL_LENGTH,
  MAX_EXTERNAL_UID_LENGTH,
  MAX_NAME_LENGTH,
} from "../../participants/input.ts";
import type { ProblemDetail } from "../../problems.ts";

/** A row as it is staged; null where something is left out. */
export type StagedRow = [position: number, externalUid: string | null, email: string | null, name: string | null];

/** A row that can't be applied: what is wrong with it, and what of it is in order and may come twice. */
export interface BadRow {
  errors: ProblemDetail[];
  staged: StagedRow;
}

/** The row as it is staged, or what is wrong with it. */
export function readRow(row: unknown, position: number): StagedRow | BadRow {
  // Nearly every row is in order as it is. This only ever says yes where the schema would; the schema has the last word.
  if (isPlainRow(row)) return [position, row.externalUid, row.email, row.name];
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    const errors = [{ pointer: `/participants/${position}`, message: "must be an object" }];
    return { errors, staged: [position, null, null, null] };
  }
  const result = v.safeParse(ImportParticipant, row);
  if (result.success) {
    const { externalUid, email = null, name = null } = result.output;
    return [position, externalUid, email, name];
  }
  const errors = result.issues.map((issue) => detailOf(issue, `/participants/${position}`));
  const output = result.output as Record<string, unknown>;
  const inOrder = (field: string): string | null => {
    const value = output[field];
    return typeof value === "string" && !result.issues.some(({ path }) => path?.[0]?.key === field) ? value : null;
  };
  return { errors, staged: [position, inOrder("externalUid"), inOrder("email"), null] };
}

/** Whether `read` gave a row that can be applied. */
export function isRow(read: StagedRow | BadRow): read is StagedRow {
  return Array.isArray(read);
}

function isPlainRow(row: unknown): row is { externalUid: string; email: string; name: string } {
  if (typeof row !== "object" || row === null) return false;
  const { externalUid, email, name } = row as Record<string, unknown>;
  return (
    isPlainText(externalUid, MAX_EXTERNAL_UID_LENGTH) &&
    isPlainText(email, MAX_EMAIL_LENGTH) &&
    isPlainText(name, MAX_NAME_LENGTH) &&
    isEmail(email)
  );
}

function isPlainText(text: unknown, max: number): text is string {
  return typeof text === "string" && text.length > 0 && text.length <= max && text.trim().length === text.length;
}
