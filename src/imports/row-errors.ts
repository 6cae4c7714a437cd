// The errors of rows. All of them are kept in the scratch store, so that none is lost however many there are. The problem
// of an import that is refused lists the first ones. Planned rows that can't be written are found here, too.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { clean } from "../base/clean-text.ts";
import { type ErrorsOf, invalidRequest, MAX_ERRORS, Problem, type ProblemDetail } from "../base/problems.ts";
import type { MatchKey } from "../nouns/screener-participants/import-settings.ts";
import type { Letters } from "./read/slice.ts";
import { changeable, each } from "./tables.ts";

/** What a message quotes of a value. */
const MAX_QUOTED_LENGTH = 100;

/** An error, and the row that has it. */
export interface RowError {
  position: number;
  error: ProblemDetail;
}

/** What identifies a row for a person. `line` is its first line in a file. */
export interface RowName {
  position: number;
  line?: number | undefined;
  externalUid?: unknown;
  /** Of a sheet of a workbook. */
  letters?: Letters | undefined;
}

/** An error of a row. `member` is empty when it is about the row as a whole. The message says what to look for. */
export function rowError(row: RowName, member: string, message: string, value?: unknown): RowError {
  const { position, externalUid, line } = row;
  const uid = typeof externalUid === "string" && externalUid !== "" ? quotedText(externalUid) : undefined;
  const shown = value === undefined || member === "externalUid" ? undefined : JSON.stringify(quoted(value));
  const names = [placeOfRow(row, member), ...(uid === undefined ? [] : [uid])];
  return {
    position,
    error: {
      pointer: `/participants/${position}${member && `/${member}`}`,
      message: `${message} (${names.join(", ")}${shown === undefined ? "" : `: ${shown}`})`,
      row: position + 1,
      ...(line !== undefined && { line }),
      ...(uid !== undefined && { externalUid: uid }),
      ...(value !== undefined && { value: quoted(value) }),
    },
  };
}

function placeOfRow({ position, line, letters }: RowName, member: string): string {
  if (line === undefined) return `row ${position + 1}`;
  return letters ? `${letters.get(member) ?? "row "}${line}` : `line ${line}`;
}

function quoted(value: unknown): string | number | boolean | null {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  // Objects are not shown: they may be nested so deep that they can't be written.
  if (typeof value !== "string") return Array.isArray(value) ? "[…]" : "{…}";
  return quotedText(value);
}

function quotedText(value: string): string {
  const text = clean(value).toWellFormed();
  if (text.length <= MAX_QUOTED_LENGTH) return text;
  // Whole characters, as SQL counts them.
  const characters = [...text.slice(0, 2 * MAX_QUOTED_LENGTH + 2)];
  return characters.length > MAX_QUOTED_LENGTH ? `${characters.slice(0, MAX_QUOTED_LENGTH).join("")}…` : text;
}

/** SQL for the JSON of an error of the staged row `r`, as rowError() makes it. `heldBy` is who has the value. */
export function rowErrorSql(member: string, message: string, value: string, heldBy?: string): string {
  const short = (sql: string) =>
    `iif(length(${sql}) > ${MAX_QUOTED_LENGTH}, substr(${sql}, 1, ${MAX_QUOTED_LENGTH}) || '…', ${sql})`;
  const uid = short("r.external_uid");
  // Of a sheet, the column of the member, or else the word for a row, which stands at the empty member.
  const before = `coalesce((SELECT letters FROM sheet_column WHERE member IN ('${member}', '') ORDER BY member DESC LIMIT 1), 'line ')`;
  const location = `concat(iif(r.line IS NULL, concat('row ', r.id), concat(${before}, r.line)), ', ' || ${uid})`;
  const shown = member === "externalUid" ? "''" : `iif(${value} IS NULL, '', ': ' || json_quote(${short(value)}))`;
  return `json_patch(json_object(
      'pointer', concat('/participants/', r.id - 1, '/${member}'),
      'message', concat(${message}, ' (', ${location}, ${shown}, ')'), 'row', r.id),
    json_object('line', r.line, 'externalUid', ${uid}, 'value', ${short(value)}, 'heldBy', ${heldBy ?? "NULL"}))`;
}

/** SQL: whether the staged row `r` has an error. */
export const REJECTED = "r.id IN (SELECT row FROM row_error)";

/** The table `row_error (row, json)` of the scratch store. `row` is the id of the staged row. */
export class RowErrors {
  readonly #db: Writer;
  count = 0;

  constructor(scratch: Writer) {
    this.#db = scratch;
  }

  add(found: readonly RowError[]): void {
    if (!found.length) return;
    this.count += found.length;
    this.#db.run(
      "INSERT INTO row_error (row, json) SELECT (value ->> 'position') + 1, value -> 'error' FROM json_each(?)",
      JSON.stringify(found),
    );
  }

  /** Adds what a SELECT of ids and JSON gives. @returns how many */
  addFrom(select: string): number {
    const { changes } = this.#db.run(`INSERT INTO row_error (row, json) ${select}`);
    this.count += changes;
    return changes;
  }

  /** Adds what a SELECT of `row` and `json` gives, at most one a row: before the other errors of these rows, and those of a higher `rank` first. */
  addFirst(rank: 1 | 2, select: string): void {
    const id = `1 - 2 * f.row - ${rank}`;
    this.count += this.#db.run(
      `INSERT INTO row_error (id, row, json) SELECT ${id}, f.row, f.json FROM (${select}) AS f`,
    ).changes;
  }

  /** The first errors in the order of the rows, after those of the envelope. */
  first(ofEnvelope: readonly ProblemDetail[] = []): ErrorsOf {
    const rows = this.#db.values<string>(`SELECT json FROM row_error ORDER BY row, id LIMIT ${MAX_ERRORS}`);
    const errors = [...ofEnvelope, ...rows.map((json): ProblemDetail => JSON.parse(json))].slice(0, MAX_ERRORS);
    return { errors, errorCount: ofEnvelope.length + this.count };
  }

  /** 400 with the first errors. */
  problem(ofEnvelope?: readonly ProblemDetail[]): Problem {
    const { errors, errorCount } = this.first(ofEnvelope);
    return invalidRequest(errors, errorCount);
  }

  /** 409 with the first errors. */
  emailsTaken(): Problem {
    const { errors, errorCount } = this.first();
    const detail =
      errorCount === 1
        ? "An email belongs to another participant."
        : `${errorCount} emails belong to other participants.`;
    return new Problem("email_taken", { detail, errors, errorCount });
  }
}

/** The planned rows `q` that give a new email, which the participant `p` has. Emails that stay are not checked. */
export const HELD = `FROM plan AS q JOIN stage AS r USING (id) JOIN w.participant AS p ON p.email = r.email
  WHERE q.outcome IN ('CREATED', 'UPDATED') AND r.email IS NOT q.kept_email COLLATE NOCASE AND p.id <> q.participant_id`;

/** Adds an error for each required value that a new participant lacks. @returns how many */
export function findLacking(db: Writer, errors: RowErrors): number {
  const required = changeable.filter(({ isRequired }) => isRequired);
  const lacking = `FROM new_row AS n JOIN stage AS r USING (id) WHERE ${each((column) => `r.${column} IS NULL`, " OR ", required)}`;
  if (db.value(`SELECT 1 ${lacking} LIMIT 1`) === undefined) return 0;
  const message = "'is required, because there is no participant with this externalUid yet'";
  const lacks = required.map(
    ({ member, column }, position) =>
      `SELECT r.id AS row, ${rowErrorSql(member, message, "NULL")} AS json, ${position} AS position
       FROM new_row AS n JOIN stage AS r USING (id) WHERE r.${column} IS NULL`,
  );
  return errors.addFrom(`SELECT row, json FROM (${lacks.join(" UNION ALL ")}) ORDER BY row, position`);
}

/**
 * Adds an error for each row with the email of another participant, to whom no row gives a new one. When wrong rows are
 * skipped, their participants keep their emails: so the rows that want those are wrong, too. @returns how many
 */
export function findTaken(db: Writer, errors: RowErrors, isChained: boolean): number {
  const taken = `${HELD} AND p.id NOT IN (
      SELECT q2.participant_id FROM plan AS q2 JOIN stage AS r2 USING (id)
      WHERE q2.outcome = 'UPDATED' AND r2.email IS NOT NULL AND r2.email <> q2.kept_email COLLATE NOCASE)`;
  if (db.value(`SELECT 1 ${taken} LIMIT 1`) === undefined) return 0;
  const error = (holder: string) =>
    rowErrorSql("email", `concat('is taken by another participant, ', ${holder})`, "r.email", holder);
  if (!isChained) return errors.addFrom(`SELECT r.id, ${error("p.external_uid")} ${taken} ORDER BY r.id`);
  db.exec("CREATE INDEX IF NOT EXISTS stage_email ON stage (email COLLATE NOCASE)");
  return errors.addFrom(
    `WITH RECURSIVE refused (id, holder) AS (
       SELECT r.id, p.external_uid ${taken}
       UNION SELECT r.id, g.external_uid FROM refused AS f
         JOIN plan AS q ON q.id = f.id AND q.outcome = 'UPDATED'
         JOIN stage AS g ON g.id = f.id
         JOIN stage AS r ON r.email = q.kept_email COLLATE NOCASE AND r.id <> f.id
         JOIN plan AS q2 ON q2.id = r.id AND q2.outcome IN ('CREATED', 'UPDATED')
     )
     SELECT r.id, ${error("min(f.holder)")} FROM refused AS f JOIN stage AS r USING (id) GROUP BY r.id ORDER BY r.id`,
  );
}

/** Whether a rejected row may be about anybody: it has nothing usable to be matched by, and no participant's email. */
export function hasUnidentified(db: Reader, matchBy: MatchKey): boolean {
  const isUnknown = {
    externalUid: "r.external_uid IS NULL AND NOT EXISTS (SELECT 1 FROM w.participant AS p WHERE p.email = r.email)",
    email: "r.email IS NULL",
  };
  const unidentified = `SELECT 1 FROM stage AS r WHERE ${REJECTED} AND ${isUnknown[matchBy]} LIMIT 1`;
  return db.value(unidentified) !== undefined;
}
