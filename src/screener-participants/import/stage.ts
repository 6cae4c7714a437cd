// Puts an import's rows into a scratch file of their own, checked one by one and against each other. The workspace's
// store is not touched, so this may take its time.

import type * as v from "valibot";
import type { Writer } from "../../../db/connection.ts";
import { deferred } from "../../../db/write.ts";
import { checkBody } from "../../check-body.ts";
import { invalidRequest, MAX_ERRORS, Problem, type ProblemDetail } from "../../problems.ts";
import { ImportEnvelope, type ImportMode } from "../input.ts";
import { readPayload, type Slice } from "./payload.ts";
import { isRow, readRow, type StagedRow } from "./rows.ts";

export interface Staged {
  screenerId: string;
  importMode: ImportMode;
  rows: number;
}

/** Errors by position: the first hundred, and how many there are. */
class Errors {
  readonly #listed: { position: number; detail: ProblemDetail }[] = [];
  count = 0;

  add(position: number, detail: ProblemDetail): void {
    this.count++;
    if (this.#listed.length < MAX_ERRORS) this.#listed.push({ position, detail });
  }

  /** Adds errors that are found later than others, but may stand before them. */
  addAll(found: readonly { position: number; detail: ProblemDetail }[], count: number): void {
    this.#listed.push(...found);
    this.#listed.sort((one, other) => one.position - other.position).splice(MAX_ERRORS);
    this.count += count;
  }

  throwIfAny(): void {
    if (this.count)
      throw invalidRequest(
        this.#listed.map(({ detail }) => detail),
        this.count,
      );
  }
}

/**
 * Fills `scratch` with a table `stage (position, external_uid, email, name)`.
 * @param told is told how many rows are staged so far
 * @throws Problem 400 with the position of everything that is wrong, whatever the workspace holds
 */
export function stage(scratch: Writer, path: string, told: (rows: number) => void): Staged {
  scratch.exec(`
    CREATE TABLE IF NOT EXISTS stage (position INTEGER PRIMARY KEY, external_uid TEXT, email TEXT, name TEXT) STRICT;
    DELETE FROM stage;
  `);
  return deferred(scratch, () => {
    const errors = new Errors();
    let rows = 0;
    const slices = readPayload(path);
    let next = slices.next();
    try {
      for (; !next.done; next = slices.next()) {
        stageSlice(scratch, next.value, errors);
        rows = next.value.first + next.value.rows.length;
        told(rows);
      }
    } finally {
      // Whoever stops half-way closes the file, too.
      if (!next.done) slices.return?.(undefined as never);
    }
    findDuplicates(scratch, "external_uid", "externalUid", errors);
    findDuplicates(scratch, "email", "email", errors);
    const envelope = checkEnvelope(next.value, errors);
    errors.throwIfAny();
    return { screenerId: envelope.screenerId, importMode: envelope.importMode ?? "UPDATES_ONLY", rows };
  });
}

function stageSlice(scratch: Writer, { first, rows, badText }: Slice, errors: Errors): void {
  const found = badText.map((detail) => ({ position: Number(detail.pointer.split("/")[2]), detail }));
  const staged: StagedRow[] = [];
  rows.forEach((row, index) => {
    const read = readRow(row, first + index);
    staged.push(isRow(read) ? read : read.staged);
    if (!isRow(read)) for (const detail of read.errors) found.push({ position: first + index, detail });
  });
  found.sort((one, other) => one.position - other.position);
  for (const { position, detail } of found) errors.add(position, detail);
  scratch.run(
    "INSERT INTO stage SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM jsonb_each(?)",
    JSON.stringify(staged),
  );
}

function checkEnvelope(around: unknown, errors: Errors): v.InferOutput<typeof ImportEnvelope> {
  try {
    return checkBody(ImportEnvelope, around);
  } catch (error) {
    if (error instanceof Problem) {
      const found = error.document.errors ?? [];
      errors.addAll(
        found.map((detail) => ({ position: -1, detail })),
        found.length,
      );
      errors.throwIfAny();
    }
    throw error;
  }
}

/** Every position of what may be in a payload only once. */
function findDuplicates(scratch: Writer, column: string, field: string, errors: Errors): void {
  const collation = column === "email" ? "COLLATE NOCASE" : "";
  const twice = `SELECT ${column} FROM stage WHERE ${column} IS NOT NULL GROUP BY ${column} ${collation} HAVING count(*) > 1`;
  if (scratch.value(`${twice} LIMIT 1`) === undefined) return;
  const where = `${column} ${collation} IN (${twice})`;
  const count = scratch.value<number>(`SELECT count(*) FROM stage WHERE ${where}`)!;
  const positions = scratch.values<number>(
    `SELECT position FROM stage WHERE ${where} ORDER BY position LIMIT ${MAX_ERRORS}`,
  );
  errors.addAll(
    positions.map((position) => ({
      position,
      detail: { pointer: `/participants/${position}/${field}`, message: "is in the payload more than once" },
    })),
    count,
  );
}
