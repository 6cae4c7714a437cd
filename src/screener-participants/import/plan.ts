// Step 4, plan: works out what each row changes. It reads the workspace store, attached as `w`, and writes to the scratch
// store. It runs in the transaction that applies the plan, so that nothing changes between reading and writing.

import type { Writer } from "../../../db/connection.ts";
import { uuid7Sql, uuid7Time } from "../../ids.ts";
import { REQUIRED, WRITTEN, type Written } from "../../participants/resource.ts";
import { invalidRequest, MAX_ERRORS, Problem } from "../../problems.ts";
import { getScreener } from "../../screeners/queries.ts";
import type { ImportMode } from "../resource.ts";

export interface Plan {
  /** The screener's rowid. */
  screenerId: number;
  now: Date;
  /** The number of rows in the payload. */
  rows: number;
  /** The highest rowids of participants and assignments before the import. */
  lastParticipant: number;
  lastAssignment: number;
  /** Whether to remove the screener's assignments that the payload does not name. */
  removesAbsent: boolean;
}

/** What a row may change of a participant: all but `externalUid`, by which rows are matched. */
const changeable = (Object.keys(WRITTEN) as Written[]).flatMap((member) =>
  member === "externalUid" ? [] : { member, column: WRITTEN[member], isRequired: REQUIRED.includes(member) },
);

/** SQL for each changeable column (or each of `columns`). */
export function each(sql: (column: string) => string, separator = ", ", columns = changeable): string {
  return columns.map(({ column }) => sql(column)).join(separator);
}

/** Makes the plan's tables, or empties those that an earlier job left in memory. */
export function createPlan(scratch: Writer): void {
  scratch.exec(`
    -- A row for each row of the payload.
    CREATE TABLE IF NOT EXISTS plan (
      position INTEGER PRIMARY KEY,
      participant_id INTEGER NOT NULL,
      participant_uid TEXT NOT NULL,
      is_new INTEGER NOT NULL,
      is_changed INTEGER NOT NULL,
      -- The participant's current values, kept where the row has none.
      ${each((column) => `kept_${column} TEXT`)},
      assignment_uid TEXT NOT NULL,
      is_assigned INTEGER NOT NULL,
      status TEXT NOT NULL,
      session_uid TEXT
    ) STRICT;
    -- The rows that create a participant, numbered from 1 without gaps.
    CREATE TABLE IF NOT EXISTS new_row (rank INTEGER PRIMARY KEY, position INTEGER NOT NULL) STRICT;
    DELETE FROM plan; DELETE FROM new_row;
  `);
}

/**
 * Plans the staged rows. @throws Problem 404 for an unknown screener, 400 for new participants without required values,
 * 409 for emails of other participants
 */
export function planImport(
  db: Writer,
  { screenerUid, importMode, rows }: { screenerUid: string; importMode: ImportMode; rows: number },
): Plan {
  const plan: Plan = {
    screenerId: getScreener(db, screenerUid, "w").id,
    now: new Date(),
    rows,
    lastParticipant: db.value<number>("SELECT coalesce(max(id), 0) FROM w.participant")!,
    lastAssignment: db.value<number>("SELECT coalesce(max(id), 0) FROM w.screener_participant")!,
    removesAbsent: importMode === "FULL_SYNC",
  };
  planExisting(db, plan);
  planNew(db, plan);
  requireValues(db);
  requireFreeEmails(db);
  return plan;
}

/** Plans the rows whose participant exists. */
function planExisting(db: Writer, { screenerId, now }: Plan): void {
  db.run(
    `INSERT INTO plan (position, participant_id, participant_uid, is_new, is_changed, ${each((column) => `kept_${column}`)},
       assignment_uid, is_assigned, status, session_uid)
     SELECT r.position, p.id, p.uid, 0,
       ${each((column) => `(r.${column} IS NOT NULL AND r.${column} IS NOT p.${column} COLLATE BINARY)`, " OR ")},
       ${each((column) => `p.${column}`)},
       coalesce(a.uid, ${uuid7Sql("r.position")}), a.id IS NOT NULL, coalesce(a.status, 'NOT_STARTED'), e.uid
     FROM stage AS r
     JOIN w.participant AS p ON p.external_uid = r.external_uid
     LEFT JOIN w.screener_participant AS a ON a.participant_id = p.id AND a.screener_id = ?
     LEFT JOIN w.screener_session AS e ON e.id = a.current_session_id
     ORDER BY r.position`,
    uuid7Time(now),
    screenerId,
  );
}

/** Plans the rows that create a participant. Their rowids have no gaps and follow the payload's order. */
function planNew(db: Writer, { lastParticipant, now }: Plan): void {
  db.run(
    `INSERT INTO new_row (position) SELECT r.position FROM stage AS r
     WHERE NOT EXISTS (SELECT 1 FROM plan AS q WHERE q.position = r.position) ORDER BY r.position`,
  );
  db.run(
    `INSERT INTO plan (position, participant_id, participant_uid, is_new, is_changed, assignment_uid, is_assigned, status)
     SELECT n.position, ? + n.rank, ${uuid7Sql("n.position")}, 1, 0, ${uuid7Sql("n.position")}, 0, 'NOT_STARTED'
     FROM new_row AS n ORDER BY n.rank`,
    BigInt(lastParticipant),
    uuid7Time(now),
    uuid7Time(now),
  );
}

/** @throws Problem 400 if a new participant lacks a required value */
function requireValues(db: Writer): void {
  const required = changeable.filter(({ isRequired }) => isRequired);
  const lacking = `FROM new_row AS n JOIN stage AS r USING (position) WHERE ${each((column) => `r.${column} IS NULL`, " OR ", required)}`;
  const found = db.all<{ position: number } & Record<string, unknown>>(
    `SELECT r.position, ${each((column) => `r.${column}`, ", ", required)} ${lacking} ORDER BY r.position LIMIT ${MAX_ERRORS}`,
  );
  if (!found.length) return;
  const count = db.value<number>(
    `SELECT sum(${each((column) => `(r.${column} IS NULL)`, " + ", required)}) ${lacking}`,
  )!;
  const message = "is required, because there is no participant with this externalUid yet";
  const errors = found.flatMap((row) =>
    required
      .filter(({ column }) => row[column] === null)
      .map(({ member }) => ({ pointer: `/participants/${row.position}/${member}`, message })),
  );
  throw invalidRequest(errors, count);
}

/** @throws Problem 409 if a row has the email of another participant, to whom no row gives a new one */
function requireFreeEmails(db: Writer): void {
  const taken = `FROM plan AS q JOIN stage AS r USING (position) JOIN w.participant AS p ON p.email = r.email
    WHERE (q.is_new OR q.is_changed) AND p.id <> q.participant_id AND p.id NOT IN (
      SELECT q2.participant_id FROM plan AS q2 JOIN stage AS r2 USING (position)
      WHERE q2.is_changed AND r2.email IS NOT NULL AND r2.email <> q2.kept_email COLLATE NOCASE)`;
  if (db.value(`SELECT 1 ${taken} LIMIT 1`) === undefined) return;
  const count = db.value<number>(`SELECT count(*) ${taken}`)!;
  const positions = db.values<number>(`SELECT q.position ${taken} ORDER BY q.position LIMIT ${MAX_ERRORS}`);
  throw new Problem("email_taken", {
    detail: count === 1 ? "An email belongs to another participant." : `${count} emails belong to other participants.`,
    errors: positions.map((position) => ({
      pointer: `/participants/${position}/email`,
      message: "is taken by another participant",
    })),
    errorCount: count,
  });
}
