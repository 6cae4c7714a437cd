// Removes the assignments that an import or an undo takes away, and archives their sessions. The workspace is attached as `w`.

import { countRows } from "../../db/list/counts.ts";
import type { SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { CHANGED_NOW } from "../base/members.ts";
import { releaseHeldOf } from "../nouns/quotas/place-queries.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { countedSessions } from "../nouns/sessions/resource.ts";
import type { Plan } from "./plan.ts";

/** From this number of removals on, if few assignments stay, the table is emptied, and those that stay are inserted again. */
const MIN_EMPTIED = 5000;

const REMOVED = "FROM w.effect_assignment WHERE effect_id = ? AND kind = 'REMOVED'";
const COLUMNS = "id, uid, screener_id, participant_id, status, current_session_id, changed_at";

/** Removes the assignments that the plan of an import removes. The assignments that it adds are counted later. */
export function removeAbsent(db: Writer, effect: bigint, plan: Plan): void {
  const { screenerId, summary } = plan;
  if (plan.keptFor === undefined) keepRemovals(db, effect, "TRUE");
  archiveSessions(db, effect, screenerId);
  const { removed, rejected } = summary;
  if (removed >= MIN_EMPTIED && !rejected && countStaying(db, removed) < removed / 4) keepNamed(db, plan);
  else deleteRemoved(db, effect);
}

/**
 * Keeps what an undo needs of the assignments that the plan removes. It comes from the plan, because to find the assignments again would
 * double the time. @param which a condition on rows of the plan
 */
export function keepRemovals(db: Writer, effect: bigint, which: string, ...values: SqlValue[]): void {
  db.run(
    `INSERT INTO w.effect_assignment (effect_id, assignment_id, kind, uid, participant_id, participant_uid, status, session_id)
     SELECT ?, removed_id, 'REMOVED', assignment_uid, participant_id, participant_uid, status, removed_session_id
     FROM plan WHERE outcome = 'REMOVED' AND ${which} ORDER BY id`,
    effect,
    ...values,
  );
}

/** Removes the assignments of a screener that `effect` records as removed. */
export function removeAssignments(db: Writer, effect: bigint, screenerId: number): void {
  archiveSessions(db, effect, screenerId);
  deleteRemoved(db, effect);
}

function archiveSessions(db: Writer, effect: bigint, screenerId: number): void {
  const active = db.value<number>(
    "SELECT sum(n) FROM w.screener_session_part WHERE screener_id = ? AND status = 'ACTIVE'",
    screenerId,
  );
  if (!active) return;
  db.run(
    `INSERT INTO w.effect_session (effect_id, session_id) SELECT ?, t.id FROM w.screener_session AS t
     WHERE t.status = 'ACTIVE' AND t.is_test = 0 AND t.screener_participant_uid IN (SELECT uid ${REMOVED}) ORDER BY t.id`,
    effect,
    effect,
  );
  const archived = "IN (SELECT session_id FROM w.effect_session WHERE effect_id = ?)";
  countRows(db, countedSessions, "w", `t.id ${archived}`, [effect], -1);
  db.run(`UPDATE w.screener_session SET status = 'ARCHIVED', ${CHANGED_NOW} WHERE id ${archived}`, effect);
  countRows(db, countedSessions, "w", `t.id ${archived}`, [effect], 1);
  const isHolding = db.value("SELECT 1 FROM w.screener_quota WHERE screener_id = ? AND held > 0", screenerId);
  if (isHolding) releaseHeldOf(db, `session_id ${archived}`, [effect], { schema: "w" });
}

function deleteRemoved(db: Writer, effect: bigint): void {
  const going = `IN (SELECT assignment_id ${REMOVED})`;
  countRows(db, countedAssignments, "w", `t.id ${going}`, [effect], -1);
  db.run(`DELETE FROM w.screener_participant WHERE id ${going}`, effect);
}

/** How many assignments of the workspace stay. */
function countStaying(db: Writer, removed: number): number {
  return db.value<number>("SELECT sum(n) FROM w.screener_participant_part")! - removed;
}

/**
 * Does the same as `deleteRemoved`, if no row is rejected: then the assignments stay that a row names. SQLite empties a table page
 * by page, not row by row, if it does not check foreign keys (db.withoutForeignKeys).
 */
function keepNamed(db: Writer, { screenerId, lastAssignment }: Plan): void {
  const others = (operator: string) => `SELECT ${COLUMNS} FROM w.screener_participant WHERE screener_id ${operator} ?`;
  db.run(
    `CREATE TEMP TABLE staying AS ${others("<")} UNION ALL ${others(">")} UNION ALL
     SELECT ${COLUMNS} FROM temp.named CROSS JOIN w.screener_participant USING (participant_id) WHERE screener_id = ?`,
    screenerId,
    screenerId,
    screenerId,
  );
  db.run("DELETE FROM w.screener_participant");
  db.run(`INSERT INTO w.screener_participant (${COLUMNS}) SELECT ${COLUMNS} FROM staying ORDER BY id`);
  db.exec("DROP TABLE temp.staying");
  db.run("DELETE FROM w.screener_participant_block WHERE screener_id = ?", screenerId);
  countRows(db, countedAssignments, "w", "t.screener_id = ? AND t.id <= ?", [screenerId, lastAssignment], 1);
}
