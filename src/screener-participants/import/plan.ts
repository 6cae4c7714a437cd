// Step 4, plan: works out what becomes of each row, and which assignments go. It reads the workspace store, attached as
// `w`, and writes to the scratch store. A plan that is applied is made in the same transaction, so that nothing changes
// between reading and writing; but for many removals (ahead.ts).

import type { Writer } from "../../../db/connection.ts";
import { uuid7Sql, uuid7Time } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import { findScreenerId } from "../../screeners/queries.ts";
import { nextStamp } from "../effects.ts";
import { countAssignments, planRemovals } from "./absent.ts";
import { type Ahead, dropAhead, takeAhead } from "./ahead.ts";
import { type GivenAttributes, mergeAttributes, tooManyKeys } from "./attributes.ts";
import type { ImportSettings } from "./check.ts";
import { each } from "./columns.ts";
import { findLacking, findTaken, hasUnidentified } from "./conflicts.ts";
import { CREATED, countPlan, EXISTING, NOTHING, type PlanCounts } from "./plan-counts.ts";
import { REJECTED, type RowErrors } from "./row-errors.ts";

export interface ImportSummary {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  assigned: number;
  removed: number;
  /** Only if wrong rows are skipped. */
  rejected?: number;
}

export interface Plan {
  /** The screener's rowid. */
  screenerId: number;
  /** The time that the import writes. */
  now: Date;
  summary: ImportSummary;
  /** The highest rowids of participants and assignments before the import. */
  lastParticipant: number;
  lastAssignment: number;
  /** The number of the screener's assignments before the import. */
  assignments: number;
  /** Why the import is refused, if it is. */
  problem: Problem | undefined;
  /** Whether somebody may be meant by a rejected row that says too little, so that nobody is removed. */
  keepsAbsent: boolean;
  /** The effect that has the removals already, if they were planned ahead. */
  effect: bigint | undefined;
  /** Whether the removals are those that were planned ahead. */
  isAsAhead: boolean;
}

/** More would be removed than was allowed. Nothing was changed. */
export const TOO_LARGE = Symbol("too large");

/** No rowid. */
const NO_SCREENER = 0;

/** Makes the plan's tables. */
export function createPlan(scratch: Writer): void {
  scratch.exec(`
    -- A row for each row of the payload, with the same id, and then one for each assignment that goes.
    CREATE TABLE plan (
      id INTEGER PRIMARY KEY,
      outcome TEXT NOT NULL,
      participant_id INTEGER,
      participant_uid TEXT,
      -- The participant's current values, kept where the row has none.
      ${each((column) => `kept_${column} TEXT`)},
      kept_updated_by INTEGER,
      assignment_uid TEXT,
      -- Whether it was assigned before.
      is_assigned INTEGER,
      status TEXT,
      session_uid TEXT,
      -- Of an assignment that goes.
      removed_id INTEGER,
      removed_external_uid TEXT
    ) STRICT;
    CREATE TABLE plan_block (
      outcome TEXT NOT NULL, block INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (outcome, block)
    ) STRICT, WITHOUT ROWID;
    -- The rows that create a participant, numbered from 1 without gaps.
    CREATE TABLE new_row (rank INTEGER PRIMARY KEY, id INTEGER NOT NULL) STRICT;
  `);
}

export function clearPlan(scratch: Writer): void {
  for (const table of ["plan", "plan_block", "new_row"]) scratch.run(`DELETE FROM ${table}`);
}

interface Staged {
  rows: number;
  errors: RowErrors;
  attributes: GivenAttributes;
  /** What was planned of it before the workspace was locked. */
  ahead: Ahead | undefined;
  /** The plan may have so many removals. */
  maxRemovals: number;
}

/** Plans the staged rows. Rows that turn out to be wrong are added to `errors`. @throws TOO_LARGE */
export function planImport(
  db: Writer,
  settings: ImportSettings & object,
  { rows, errors, attributes, ahead: planned, maxRemovals }: Staged,
): Plan {
  const { screenerId: screenerUid, importMode, skipsErrors } = settings;
  const screenerId = findScreenerId(db, screenerUid, "w") ?? NO_SCREENER;
  const plan = {
    screenerId,
    now: nextStamp(db),
    lastParticipant: db.value<number>("SELECT coalesce(max(id), 0) FROM w.participant")!,
    lastAssignment: db.value<number>("SELECT coalesce(max(id), 0) FROM w.screener_participant")!,
  };
  mergeAttributes(db, attributes, errors);
  let problem: Problem | undefined;
  if (screenerId === NO_SCREENER) problem = new Problem("screener_not_found");
  else problem = tooManyKeys(db, attributes) ?? (errors.count && !skipsErrors ? errors.problem() : undefined);
  let ahead = problem || errors.count ? undefined : planned;
  if (planned && !ahead) dropAhead(db);
  let counts = NOTHING;
  while (!problem) {
    const existing = planExisting(db, plan, errors);
    const created = planNew(db, plan, { existing, rows, errors });
    counts = countPlan(db, [...(created ? CREATED : []), ...(existing ? EXISTING : [])]);
    if (created && findLacking(db, errors)) problem = errors.problem();
    else if ((created || counts.UPDATED) && findTaken(db, errors, skipsErrors)) problem = errors.emailsTaken();
    else break;
    if (ahead) dropAhead(db);
    ahead = undefined;
    clearPlan(db);
    // Rejected rows may have given others their emails: plan what is left.
    if (skipsErrors) problem = undefined;
  }
  if (problem) counts = planNothing(db);
  else if (errors.count) {
    db.run(`INSERT INTO plan (id, outcome) SELECT r.id, 'REJECTED' FROM stage AS r WHERE ${REJECTED}`);
    counts = countPlan(db, [...CREATED, ...EXISTING, "REJECTED"]);
  }
  const removesAbsent = importMode === "FULL_SYNC" && !problem;
  const keepsAbsent = removesAbsent && errors.count > 0 && hasUnidentified(db);
  const assignments = countAssignments(db, screenerId);
  const absent = removesAbsent && !keepsAbsent ? assignments - counts.named : 0;
  if (absent > maxRemovals) throw TOO_LARGE;
  const isAsAhead = ahead && takeAhead(db, ahead, absent);
  if (isAsAhead !== undefined) counts.REMOVED = absent;
  else if (absent) {
    // Usually nobody is absent: then there is nothing to look for.
    counts.REMOVED = planRemovals(db, screenerId, errors);
  }
  return {
    ...plan,
    summary: summaryOf(counts, rows, skipsErrors),
    assignments,
    problem,
    keepsAbsent,
    effect: isAsAhead === undefined ? undefined : ahead?.effect,
    isAsAhead: isAsAhead === true,
  };
}

/** Plans an import that is refused: nothing changes. */
export function planNothing(db: Writer): PlanCounts {
  db.run(`INSERT INTO plan (id, outcome) SELECT r.id, iif(${REJECTED}, 'REJECTED', 'UNCHANGED') FROM stage AS r`);
  return countPlan(db, ["REJECTED", "UNCHANGED"]);
}

type Planning = Pick<Plan, "screenerId" | "now" | "lastParticipant">;

/** Plans the rows whose participant exists. @returns how many */
function planExisting(db: Writer, { screenerId, now }: Planning, errors: RowErrors): number {
  const isChanged = each(
    (column) => `(r.${column} IS NOT NULL AND r.${column} IS NOT p.${column} COLLATE BINARY)`,
    " OR ",
  );
  // CROSS JOIN: in the order of the rows, however few participants there are.
  return db.run(
    `INSERT INTO plan (id, outcome, participant_id, participant_uid, ${each((column) => `kept_${column}`)},
       kept_updated_by, assignment_uid, is_assigned, status, session_uid)
     SELECT r.id, iif(${isChanged}, 'UPDATED', 'UNCHANGED'), p.id, p.uid, ${each((column) => `p.${column}`)}, p.updated_by,
       coalesce(a.uid, ${uuid7Sql("r.id")}), a.id IS NOT NULL, coalesce(a.status, 'NOT_STARTED'), e.uid
     FROM stage AS r
     CROSS JOIN w.participant AS p ON p.external_uid = r.external_uid
     LEFT JOIN w.screener_participant AS a ON a.participant_id = p.id AND a.screener_id = ?
     LEFT JOIN w.screener_session AS e ON e.id = a.current_session_id
     ${errors.count ? `WHERE NOT ${REJECTED}` : ""}
     ORDER BY r.id`,
    uuid7Time(now),
    screenerId,
  ).changes;
}

/** Plans the rows that create a participant. Their rowids have no gaps and follow the payload's order. @returns how many */
function planNew(
  db: Writer,
  { lastParticipant, now }: Planning,
  { existing, rows, errors }: { existing: number; rows: number; errors: RowErrors },
): number {
  if (existing === rows) return 0;
  const isNew = [
    ...(existing ? ["NOT EXISTS (SELECT 1 FROM plan AS q WHERE q.id = r.id)"] : []),
    ...(errors.count ? [`NOT ${REJECTED}`] : []),
  ];
  db.run(`INSERT INTO new_row (id) SELECT r.id FROM stage AS r WHERE ${isNew.join(" AND ") || "TRUE"} ORDER BY r.id`);
  return db.run(
    `INSERT INTO plan (id, outcome, participant_id, participant_uid, assignment_uid, is_assigned, status)
     SELECT n.id, 'CREATED', ? + n.rank, ${uuid7Sql("n.id")}, ${uuid7Sql("n.id")}, 0, 'NOT_STARTED'
     FROM new_row AS n ORDER BY n.rank`,
    BigInt(lastParticipant),
    uuid7Time(now),
    uuid7Time(now),
  ).changes;
}

function summaryOf(counts: PlanCounts, rows: number, showsRejected: boolean): ImportSummary {
  return {
    rows,
    created: counts.CREATED,
    updated: counts.UPDATED,
    unchanged: counts.UNCHANGED,
    assigned: counts.assigned,
    removed: counts.REMOVED,
    ...(showsRejected && { rejected: counts.REJECTED }),
  };
}
