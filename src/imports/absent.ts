// A part of the plan: who is absent, so that the assignment goes; and the guard, which says how many may go. Participants who
// stay are in the table `named`.

import { countRange } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import { countedPlan, MAX_UNINDEXED_ROWS } from "../engine/ledger/rows.ts";
import type { ImportMode, MaxRemovals } from "../nouns/screener-participants/import-settings.ts";
import { findScreenerId } from "../nouns/screeners/queries.ts";
import { REJECTED, type RowErrors } from "./row-errors.ts";
import { indexNames } from "./tables.ts";

/** Who is absent. */
export interface Absent {
  /** The screener's rowid. */
  screenerId: number;
  /** How many of its assignments have to go. */
  absent: number;
  /** Whether those have to go, too, who have joined by an open link. */
  includesJoined: boolean;
  errors: RowErrors;
}

/** What is known of the removals of a plan because it was done ahead. */
export interface DoneAhead {
  /** The plan's rows with higher ids are known to be as they were approved. */
  approvedAfter?: number;
  /** The effect for which is kept already what an undo needs. */
  keptFor?: bigint;
}

/** Plans who goes. @returns how many */
export type PlanRemovals = (db: Writer, absent: Absent) => { removed: number } & DoneAhead;

/** Plans to remove the screener's assignments that no row names. A rejected row names its participant, too. */
export const planRemovals: PlanRemovals = (db, { screenerId, absent, includesJoined, errors }) => {
  // Usually nobody is absent: then there is nothing to look for.
  if (!absent) return { removed: 0 };
  const last = db.value<number>("SELECT coalesce(max(id), 0) FROM plan")!;
  fillNamed(db);
  if (!includesJoined) nameJoined(db, screenerId);
  const removed = insertRemovals(db, screenerId, errors.count ? { where: notRejected } : {});
  countRange(db, countedPlan, "main", { outcome: "REMOVED" }, { after: last, n: removed });
  if (last + removed > MAX_UNINDEXED_ROWS) indexNames(db);
  return { removed };
};

const notRejected = `p.external_uid NOT IN (SELECT r.external_uid FROM stage AS r WHERE ${REJECTED} AND r.external_uid IS NOT NULL)
  AND (p.email IS NULL OR p.email NOT IN (
    SELECT r.email FROM stage AS r WHERE ${REJECTED} AND r.external_uid IS NULL AND r.email IS NOT NULL))`;

interface Selected {
  from?: string;
  where?: string;
  /** The id of the new row. */
  id?: string;
}

/** Adds a row for each assignment `a` that nobody in `named` has, of a participant `p`. @returns how many */
export function insertRemovals(
  db: Writer,
  screenerId: number,
  { from = "w.screener_participant AS a", where = "TRUE", id = "NULL" }: Selected = {},
): number {
  return db.run(
    `INSERT INTO plan (id, outcome, participant_id, participant_uid, assignment_uid, is_assigned, status, session_uid,
       removed_id, removed_session_id, removed_external_uid)
     SELECT ${id}, 'REMOVED', p.id, p.uid, a.uid, 1, a.status, e.uid, a.id, a.current_session_id, p.external_uid
     FROM ${from}
     JOIN w.participant AS p ON p.id = a.participant_id
     LEFT JOIN w.screener_session AS e ON e.id = a.current_session_id
     WHERE a.screener_id = ? AND a.participant_id NOT IN (SELECT participant_id FROM temp.named) AND ${where}
     ORDER BY a.id`,
    screenerId,
  ).changes;
}

/** How many assignments the screener has. */
export function countAssignments(db: Reader, screenerId: number): number {
  return db.value<number>("SELECT sum(n) FROM w.screener_participant_part WHERE screener_id = ?", screenerId) ?? 0;
}

/** Whether a FULL_SYNC of the staged rows removes more than `max` assignments. */
export function removesMore(db: Reader, screenerUid: string, max: number): boolean {
  const screenerId = findScreenerId(db, screenerUid, "w");
  const assignments = screenerId === undefined ? 0 : countAssignments(db, screenerId);
  if (screenerId === undefined || assignments <= max) return false;
  const named = db.value<number>(
    `SELECT count(*) FROM stage AS r CROSS JOIN w.participant AS p ON p.external_uid = r.external_uid
     CROSS JOIN w.screener_participant AS a ON a.participant_id = p.id AND a.screener_id = ?`,
    screenerId,
  )!;
  return assignments - named > max;
}

/**
 * Fills `named` with the participants of these rows of the plan. It is a table of its own: if a statement that inserts into
 * `plan` also read from it, SQLite would first write all new rows to another table.
 */
export function fillNamed(db: Writer, from = "plan WHERE participant_id IS NOT NULL"): void {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS named (participant_id INTEGER PRIMARY KEY) STRICT;
    DELETE FROM temp.named;
    INSERT OR IGNORE INTO temp.named SELECT participant_id FROM ${from};
  `);
}

/** The participants who have joined a screener by an open link: no file has them. Its parameter is the screener. */
const JOINED =
  "SELECT e.participant_id FROM w.screener_session AS e WHERE e.screener_link_id IS NOT NULL AND e.screener_id = ?";

/** Lets those stay who have joined: adds them to `named`. */
export function nameJoined(db: Writer, screenerId: number): void {
  db.run(`INSERT OR IGNORE INTO temp.named ${JOINED}`, screenerId);
}

/** How many assignments no row of the plan names, of participants who have joined. */
export function countJoined(db: Reader, screenerId: number): number {
  return db.value<number>(
    `SELECT count(*) FROM w.screener_participant AS a WHERE a.screener_id = ? AND a.participant_id IN (${JOINED})
       AND a.participant_id NOT IN (SELECT q.participant_id FROM plan AS q WHERE q.participant_id IS NOT NULL)`,
    screenerId,
    screenerId,
  )!;
}

interface Removals {
  summary: { removed: number };
  /** The number of the screener's assignments before the import. */
  assignments: number;
}

/** What is wrong with a plan that removes more than `limit` allows, if it does. Without a limit nothing is. */
export function exceededLimit(
  { summary: { removed }, assignments }: Removals,
  limit: MaxRemovals | undefined,
): Problem | undefined {
  if (limit === undefined || removed <= allowed(limit, assignments)) return undefined;
  return new Problem("removal_limit_exceeded", {
    detail:
      `The import would remove ${removed} of the screener's ${assignments} participants, and the limit is ${limit}. ` +
      "Nothing was changed. The job has the plan: it can be looked at, and applied.",
    members: { removals: removed, assignments, maxRemovals: limit },
  });
}

/** A percentage is rounded up, so that one of few assignments may go. It counts in thousandths, which is exact. */
function allowed(limit: MaxRemovals, assignments: number): number {
  if (typeof limit === "number") return limit;
  return Math.ceil((assignments * Math.round(Number(limit.slice(0, -1)) * 1000)) / 100_000);
}

interface Limits {
  importMode: ImportMode;
  /** The import's own. */
  maxRemovals: MaxRemovals | undefined;
  /** The import's own, or the workspace's. */
  limit: MaxRemovals | undefined;
}

/** The warnings of an import for which a limit does not count: it removes nobody, or somebody decides. */
export function uncounted(
  { summary: { removed }, assignments }: Removals,
  { importMode, maxRemovals, limit }: Limits,
  decides: "dry run" | "approved" | undefined,
): object[] {
  const code = "removal_limit_not_counted";
  if (importMode !== "FULL_SYNC") {
    if (maxRemovals === undefined) return [];
    return [{ code, message: `The limit ${maxRemovals} was not counted: ${importMode} removes nobody.`, maxRemovals }];
  }
  if (!decides || limit === undefined || removed <= allowed(limit, assignments)) return [];
  const of = `${removed} of the screener's ${assignments} participants`;
  const message =
    decides === "approved"
      ? `${of} were removed. The limit ${limit} was not counted, because the plan was approved.`
      : `${of} would be removed. The limit ${limit} is not counted when this plan is applied.`;
  return [{ code, message, maxRemovals: limit }];
}
