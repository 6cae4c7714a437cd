// Step 4, plan: works out what becomes of each row, and which assignments go. It reads the workspace store, attached as
// `w`, and writes to the scratch store. A plan that is applied is made in the same transaction, so that nothing changes
// between reading and writing.

import { blockSize } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { uuid7Sql, uuid7Time } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { nextStamp } from "../engine/ledger/effects.ts";
import { countedPlan, MAX_UNINDEXED_ROWS } from "../engine/ledger/rows.ts";
import { findScreenerId } from "../nouns/screeners/queries.ts";
import { countAssignments, countJoined, type DoneAhead, type PlanRemovals } from "./absent.ts";
import { type GivenAttributes, mergeAttributes, tooManyKeys } from "./attributes.ts";
import type { ImportSettings } from "./check.ts";
import { findByEmail, nameNew } from "./match.ts";
import { findLacking, findTaken, hasUnidentified, REJECTED, type RowErrors } from "./row-errors.ts";
import { clearPlan, each, indexNames } from "./tables.ts";

interface ImportSummary {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  assigned: number;
  removed: number;
  /** Only if wrong rows are skipped. */
  rejected?: number;
}

export interface Plan extends DoneAhead {
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
  problem?: Problem;
  /** Whether a rejected row may be about any participant, so that none is removed. */
  keepsAbsent: boolean;
}

/** How many rows of the plan have an outcome; how many assign somebody, and how many name somebody who is assigned. */
interface PlanCounts extends Record<Outcome | "REMOVED" | "assigned" | "named", number> {}
type Outcome = "CREATED" | "UPDATED" | "UNCHANGED" | "REJECTED";

const CREATED: readonly Outcome[] = ["CREATED"];
const EXISTING: readonly Outcome[] = ["UPDATED", "UNCHANGED"];

const NOTHING: PlanCounts = {
  CREATED: 0,
  UPDATED: 0,
  UNCHANGED: 0,
  REJECTED: 0,
  REMOVED: 0,
  assigned: 0,
  named: 0,
};

/** No rowid. */
const NO_SCREENER = 0;

/** The staged rows. */
export interface Staged {
  rows: number;
  errors: RowErrors;
  attributes: GivenAttributes;
  settings: ImportSettings;
}

/** Plans the staged rows. Rows that turn out to be wrong are added to `errors`. @param removals plans who goes */
export function planImport(db: Writer, { rows, errors, attributes, settings }: Staged, removals: PlanRemovals): Plan {
  const { importMode, skipsErrors, matchBy } = settings;
  const screenerId = findScreenerId(db, settings.screenerId, "w") ?? NO_SCREENER;
  const before = {
    screenerId,
    now: nextStamp(db),
    lastParticipant: db.value<number>("SELECT coalesce(max(id), 0) FROM w.participant")!,
    lastAssignment: db.value<number>("SELECT coalesce(max(id), 0) FROM w.screener_participant")!,
    assignments: countAssignments(db, screenerId),
  };
  if (matchBy === "email") findByEmail(db);
  mergeAttributes(db, attributes, errors);
  const planned =
    refusalOf(db, before, { errors, attributes, skipsErrors }) ??
    planRows(db, before, { rows, errors, skipsErrors, matchBy });
  if (matchBy === "email") {
    if (!(planned instanceof Problem)) nameNew(db);
    if (rows > MAX_UNINDEXED_ROWS) indexNames(db);
  }
  if (planned instanceof Problem) {
    const summary = summaryOf(planNothing(db), rows, skipsErrors);
    return { ...before, summary, problem: planned, keepsAbsent: false };
  }
  const removesAbsent = importMode === "FULL_SYNC";
  const keepsAbsent = removesAbsent && errors.count > 0 && hasUnidentified(db, matchBy);
  const { includesJoined } = settings;
  const joined = includesJoined ? 0 : countJoined(db, screenerId);
  const absent = removesAbsent && !keepsAbsent ? before.assignments - planned.named - joined : 0;
  const { removed, ...ahead } = removals(db, { screenerId, absent, includesJoined, errors });
  const summary = summaryOf({ ...planned, REMOVED: removed }, rows, skipsErrors);
  return { ...before, summary, keepsAbsent, ...ahead };
}

/** Plans an import that is refused: nothing changes. */
export function planNothing(db: Writer): PlanCounts {
  clearPlan(db);
  db.run(`INSERT INTO plan (id, outcome) SELECT r.id, iif(${REJECTED}, 'REJECTED', 'UNCHANGED') FROM stage AS r`);
  return countPlan(db, ["REJECTED", "UNCHANGED"]);
}

type Checks = Pick<Staged, "rows" | "errors"> & Pick<ImportSettings, "skipsErrors" | "matchBy">;

/** Why the import is refused, whatever becomes of its rows. */
function refusalOf(
  db: Reader,
  { screenerId }: Planning,
  { errors, attributes, skipsErrors }: Pick<Staged, "errors" | "attributes"> & Pick<ImportSettings, "skipsErrors">,
): Problem | undefined {
  if (screenerId === NO_SCREENER) return new Problem("screener_not_found");
  return tooManyKeys(db, attributes) ?? (errors.count && !skipsErrors ? errors.problem() : undefined);
}

/** Plans what becomes of each row. @returns how many have an outcome; or why the import is refused */
function planRows(db: Writer, before: Planning, { rows, errors, skipsErrors, matchBy }: Checks): PlanCounts | Problem {
  for (;;) {
    const existing = planExisting(db, before, errors);
    const created = planNew(db, before, { existing, rows, errors });
    const counts = countPlan(db, [...(created ? CREATED : []), ...(existing ? EXISTING : [])]);
    const conflict = findConflict(db, counts, { errors, skipsErrors, matchBy });
    if (!conflict) return errors.count ? planRejected(db) : counts;
    if (!skipsErrors) return conflict;
    // Rejected rows may have given others their emails: plan what is left.
    clearPlan(db);
  }
}

/** Adds an error for each planned row that can't be written. @returns the problem of such an import, if there are any */
function findConflict(
  db: Writer,
  counts: PlanCounts,
  { errors, skipsErrors, matchBy }: Omit<Checks, "rows">,
): Problem | undefined {
  // Rows that are matched by email have one, and each is that of its participant.
  if (matchBy === "email") return undefined;
  if (counts.CREATED && findLacking(db, errors)) return errors.problem();
  if ((counts.CREATED || counts.UPDATED) && findTaken(db, errors, skipsErrors)) return errors.emailsTaken();
  return undefined;
}

/** Adds the rows that are wrong to the plan. */
function planRejected(db: Writer): PlanCounts {
  db.run(`INSERT INTO plan (id, outcome) SELECT r.id, 'REJECTED' FROM stage AS r WHERE ${REJECTED}`);
  return countPlan(db, [...CREATED, ...EXISTING, "REJECTED"]);
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

/**
 * Counts the plan's rows, and fills `plan_block`. Block by block, because to group all rows would sort them.
 * @param possible the outcomes that rows may have. The last one is that of all rows without one of the others
 */
function countPlan(db: Writer, possible: readonly Outcome[]): PlanCounts {
  const size = blockSize(countedPlan);
  const sum = { ...NOTHING };
  const [last, ...others] = possible.toReversed();
  const blocks: [outcome: string, block: number, n: number][] = [];
  // Behind the rows there may be removals already.
  const end = last ? db.value<number>("SELECT coalesce(max(id), 0) FROM stage")! : 0;
  for (let block = 0; last && block * size <= end; block++) {
    const { rows, ...counts } = db.get<{ rows: number } & PlanCounts>(
      `SELECT count(*) AS rows, count(*) FILTER (WHERE is_assigned) AS named, count(*) FILTER (WHERE NOT is_assigned) AS assigned
         ${others.map((outcome) => `, count(*) FILTER (WHERE outcome = '${outcome}') AS ${outcome}`).join("")}
       FROM plan WHERE id >= ? AND id < ?`,
      block * size,
      Math.min((block + 1) * size, end + 1),
    )!;
    counts[last] = others.reduce((left, outcome) => left - counts[outcome], rows);
    for (const name of Object.keys(counts) as (keyof PlanCounts)[]) sum[name] += counts[name];
    for (const outcome of possible) if (counts[outcome]) blocks.push([outcome, block, counts[outcome]]);
  }
  db.run("DELETE FROM plan_block");
  db.run(
    "INSERT INTO plan_block (outcome, block, n) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)",
    JSON.stringify(blocks),
  );
  return sum;
}
