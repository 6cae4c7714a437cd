// A part of the plan: who is absent, so that the assignment goes. Who stays is in the table `named`.

import type { Reader, Writer } from "../../../db/connection.ts";
import { countRange } from "../../../db/counts.ts";
import { countedPlan, MAX_UNINDEXED_ROWS } from "../../jobs/rows.ts";
import { REJECTED, type RowErrors } from "./row-errors.ts";
import { indexNames } from "./stage.ts";

/**
 * Plans to remove the screener's assignments that no row names. A rejected row names its participant, too.
 * @returns how many
 */
export function planRemovals(db: Writer, screenerId: number, errors: RowErrors): number {
  const last = db.value<number>("SELECT coalesce(max(id), 0) FROM plan")!;
  fillNamed(db);
  const removed = insertRemovals(db, screenerId, errors.count ? { where: notRejected } : {});
  countRange(db, countedPlan, "main", { outcome: "REMOVED" }, { after: last, n: removed });
  if (last + removed > MAX_UNINDEXED_ROWS) indexNames(db);
  return removed;
}

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
       removed_id, removed_external_uid)
     SELECT ${id}, 'REMOVED', p.id, p.uid, a.uid, 1, a.status, e.uid, a.id, p.external_uid
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
