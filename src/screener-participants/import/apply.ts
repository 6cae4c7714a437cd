// Step 5, apply: carries out the plan, with a few statements that each write many rows. The workspace is attached as `w`.

import type { SqlValue, Writer } from "../../../db/connection.ts";
import { countRows } from "../../../db/list.ts";
import { countedParticipants } from "../../participants/resource.ts";
import { countedSessions } from "../../screener-sessions/resource.ts";
import { actorRow } from "../../workspaces/actors.ts";
import type { Actor } from "../../workspaces/credentials.ts";
import { countedAssignments } from "../resource.ts";
import { each, type Plan } from "./plan.ts";

export interface ImportSummary {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  assigned: number;
  removed: number;
}

/** Rows that one INSERT writes. Progress is reported after each. */
const MAX_INSERT_ROWS = 50_000;

/** @param onProgress called with the number of rows done, first of the new participants, then of the assignments */
export function applyPlan(
  db: Writer,
  plan: Plan,
  { actor, onProgress }: { actor: Actor; onProgress: (rows: number) => void },
): ImportSummary {
  // The values of `created_by` and `created_at`, and of `updated_by` and `updated_at`.
  const audit: SqlValue[] = [BigInt(actorRow(db, actor, "w")), plan.now.toISOString()];
  const updated = updateChanged(db, audit);
  const created = insertNew(db, audit, onProgress);
  const assigned = insertAssignments(db, plan, onProgress);
  const removed = plan.removesAbsent ? removeAbsent(db, plan) : 0;
  countRows(db, countedParticipants, "w", "t.id > ?", [plan.lastParticipant], 1);
  countRows(db, countedAssignments, "w", "t.id > ?", [plan.lastAssignment], 1);
  return { rows: plan.rows, created, updated, unchanged: plan.rows - created - updated, assigned, removed };
}

function updateChanged(db: Writer, audit: readonly SqlValue[]): number {
  // Participants may swap emails, and emails are unique: first clear each email that another participant gets.
  db.run(
    `UPDATE w.participant SET email = NULL WHERE id IN (
       SELECT p.id FROM plan AS q JOIN stage AS r USING (position) JOIN w.participant AS p ON p.email = r.email
       WHERE (q.is_new OR q.is_changed) AND p.id <> q.participant_id)`,
  );
  return db.run(
    `UPDATE w.participant SET ${each((column) => `${column} = q.${column}`)}, updated_by = ?, updated_at = ?
     FROM (SELECT participant_id, ${each((column) => `coalesce(r.${column}, kept_${column}) AS ${column}`)}
           FROM plan JOIN stage AS r USING (position) WHERE is_changed) AS q
     WHERE q.participant_id = w.participant.id`,
    ...audit,
  ).changes;
}

function insertNew(db: Writer, audit: readonly SqlValue[], onProgress: (rows: number) => void): number {
  const total = db.value<number>("SELECT coalesce(max(rank), 0) FROM new_row")!;
  for (let from = 1; from <= total; from += MAX_INSERT_ROWS) {
    db.run(
      `INSERT INTO w.participant (id, uid, external_uid, ${each((column) => column)}, created_by, created_at, updated_by, updated_at)
       SELECT q.participant_id, q.participant_uid, r.external_uid, ${each((column) => `r.${column}`)}, ?, ?, ?, ?
       FROM new_row AS n JOIN plan AS q USING (position) JOIN stage AS r USING (position)
       WHERE n.rank >= ? AND n.rank < ? ORDER BY n.rank`,
      ...audit,
      ...audit,
      from,
      from + MAX_INSERT_ROWS,
    );
    onProgress(Math.min(from + MAX_INSERT_ROWS - 1, total));
  }
  return total;
}

function insertAssignments(db: Writer, { screenerId, rows }: Plan, onProgress: (rows: number) => void): number {
  let assigned = 0;
  for (let from = 0; from < rows; from += MAX_INSERT_ROWS) {
    assigned += db.run(
      `INSERT INTO w.screener_participant (uid, screener_id, participant_id)
       SELECT assignment_uid, ?, participant_id FROM plan
       WHERE NOT is_assigned AND position >= ? AND position < ? ORDER BY position`,
      screenerId,
      from,
      from + MAX_INSERT_ROWS,
    ).changes;
    onProgress(Math.min(from + MAX_INSERT_ROWS, rows));
  }
  return assigned;
}

/** Removes the screener's assignments that are not in the plan, and archives their sessions. */
function removeAbsent(db: Writer, { screenerId, lastAssignment }: Plan): number {
  db.exec(`
    CREATE TABLE IF NOT EXISTS removed (id INTEGER PRIMARY KEY, uid TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS archived (id INTEGER PRIMARY KEY) STRICT;
    DELETE FROM removed; DELETE FROM archived;
  `);
  const { changes } = db.run(
    `INSERT INTO removed (id, uid) SELECT id, uid FROM w.screener_participant
     WHERE screener_id = ? AND id <= ? AND participant_id NOT IN (SELECT participant_id FROM plan WHERE NOT is_new)`,
    screenerId,
    lastAssignment,
  );
  if (!changes) return 0;
  const archived = `t.status = 'ACTIVE' AND t.screener_participant_uid IN (SELECT uid FROM removed)`;
  countRows(db, countedSessions, "w", archived, [], -1);
  db.run(`INSERT INTO archived (id) SELECT t.id FROM w.screener_session AS t WHERE ${archived}`);
  db.run("UPDATE w.screener_session SET status = 'ARCHIVED' WHERE id IN (SELECT id FROM archived)");
  countRows(db, countedSessions, "w", "t.id IN (SELECT id FROM archived)", [], 1);
  countRows(db, countedAssignments, "w", "t.id IN (SELECT id FROM removed)", [], -1);
  db.run("DELETE FROM w.screener_participant WHERE id IN (SELECT id FROM removed)");
  return changes;
}
