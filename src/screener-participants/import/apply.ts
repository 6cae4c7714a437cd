// Step 5, apply: carries out the plan, with a few statements that each write many rows. The workspace is attached as `w`.
// The same statements keep what an undo needs: tables `effect…`.

import type { SqlValue, Writer } from "../../../db/connection.ts";
import { countRange, countRows } from "../../../db/counts.ts";
import { countedParticipants } from "../../participants/resource.ts";
import { countedSessions } from "../../screener-sessions/resource.ts";
import { actorRow } from "../../workspaces/actors.ts";
import type { Actor } from "../../workspaces/credentials.ts";
import { insertEffect } from "../effects.ts";
import { countedAssignments } from "../resource.ts";

import { addKeys, type GivenAttributes } from "./attributes.ts";
import { each, newValue } from "./columns.ts";
import { HELD } from "./conflicts.ts";
import { withoutIndexes } from "./indexes.ts";
import type { Plan } from "./plan.ts";

/** Rows that one INSERT writes. Progress is reported after each. */
const MAX_INSERT_ROWS = 50_000;

interface Applying {
  jobUid: string;
  actor: Actor;
  attributes: GivenAttributes;
  /** Called with the number of rows written, of how many: a participant and an assignment are one each. */
  onProgress(done: number, total: number): void;
}

/** Carries out the plan. */
export function applyPlan(db: Writer, plan: Plan, { jobUid, actor, attributes, onProgress }: Applying): void {
  const { screenerId, now, summary, lastParticipant, lastAssignment } = plan;
  // The values of `created_by` and `created_at`, and of `updated_by` and `updated_at`.
  const audit: SqlValue[] = [BigInt(actorRow(db, actor, "w")), now.toISOString()];
  const effect = insertEffect(db, {
    jobUid,
    screenerId,
    now,
    participants: [lastParticipant, lastParticipant + summary.created],
  });
  const total = summary.created + summary.assigned;
  onProgress(0, total);
  addKeys(db, attributes);
  if (summary.updated) updateChanged(db, effect, audit);
  withoutIndexes(db, summary.created, () => insertNew(db, plan, audit, (created) => onProgress(created, total)));
  insertAssignments(db, plan, (assigned) => onProgress(summary.created + assigned, total));
  if (summary.removed) removeAbsent(db, effect);
  countRange(db, countedParticipants, "w", {}, { after: lastParticipant, n: summary.created });
  const added = { screener_id: screenerId, status: "NOT_STARTED" };
  countRange(db, countedAssignments, "w", added, { after: lastAssignment, n: summary.assigned });
}

/** The former values of what a row changes, by column. */
const former = `'{' || substr(concat(${each(
  (column) =>
    `iif(r.${column} IS NOT NULL AND r.${column} IS NOT q.kept_${column}, ',"${column}":' || json_quote(q.kept_${column}), '')`,
)}), 2) || '}'`;

function updateChanged(db: Writer, effect: bigint, audit: readonly SqlValue[]): void {
  db.run(
    `INSERT INTO w.effect_participant (effect_id, participant_id, kind, json, updated_by)
     SELECT ?, q.participant_id, 'CHANGED', ${former}, q.kept_updated_by
     FROM plan AS q JOIN stage AS r USING (id) WHERE q.outcome = 'UPDATED' ORDER BY q.id`,
    effect,
  );
  // Participants may swap emails, and emails are unique: first clear each email that another participant gets.
  db.run(`UPDATE w.participant SET email = NULL WHERE id IN (SELECT p.id ${HELD})`);
  db.run(
    `UPDATE w.participant SET ${each((column) => `${column} = q.${column}`)}, updated_by = ?, updated_at = ?
     FROM (SELECT participant_id, ${each((column) => `coalesce(r.${column}, kept_${column}) AS ${column}`)}
           FROM plan JOIN stage AS r USING (id) WHERE outcome = 'UPDATED') AS q
     WHERE q.participant_id = w.participant.id`,
    ...audit,
  );
}

function insertNew(
  db: Writer,
  { summary }: Plan,
  audit: readonly SqlValue[],
  onProgress: (rows: number) => void,
): void {
  for (let from = 1; from <= summary.created; from += MAX_INSERT_ROWS) {
    db.run(
      `INSERT INTO w.participant (id, uid, external_uid, ${each((column) => column)}, created_by, created_at, updated_by, updated_at)
       SELECT q.participant_id, q.participant_uid, r.external_uid, ${each(newValue)}, ?, ?, ?, ?
       FROM new_row AS n JOIN plan AS q USING (id) JOIN stage AS r USING (id)
       WHERE n.rank >= ? AND n.rank < ? ORDER BY n.rank`,
      ...audit,
      ...audit,
      from,
      from + MAX_INSERT_ROWS,
    );
    onProgress(Math.min(from + MAX_INSERT_ROWS - 1, summary.created));
  }
}

function insertAssignments(db: Writer, { screenerId, summary }: Plan, onProgress: (rows: number) => void): void {
  if (!summary.assigned) return;
  let assigned = 0;
  for (let from = 1; from <= summary.rows; from += MAX_INSERT_ROWS) {
    assigned += db.run(
      `INSERT INTO w.screener_participant (uid, screener_id, participant_id)
       SELECT assignment_uid, ?, participant_id FROM plan
       WHERE is_assigned = 0 AND id >= ? AND id < ? ORDER BY id`,
      screenerId,
      from,
      from + MAX_INSERT_ROWS,
    ).changes;
    onProgress(assigned);
  }
}

/** Removes the assignments that go, and archives their sessions. */
function removeAbsent(db: Writer, effect: bigint): void {
  db.run(
    `INSERT INTO w.effect_assignment (effect_id, assignment_id, kind, uid, participant_id, participant_uid, status, session_id)
     SELECT ?, a.id, 'REMOVED', a.uid, a.participant_id, q.participant_uid, a.status, a.current_session_id
     FROM plan AS q CROSS JOIN w.screener_participant AS a ON a.id = q.removed_id WHERE q.outcome = 'REMOVED' ORDER BY q.id`,
    effect,
  );
  removeAssignments(db, effect);
}

/** Removes the assignments that `effect` records as removed, and archives their sessions. */
export function removeAssignments(db: Writer, effect: bigint): void {
  const removed = "FROM w.effect_assignment WHERE effect_id = ? AND kind = 'REMOVED'";
  db.run(
    `INSERT INTO w.effect_session (effect_id, session_id) SELECT ?, t.id FROM w.screener_session AS t
     WHERE t.status = 'ACTIVE' AND t.screener_participant_uid IN (SELECT uid ${removed}) ORDER BY t.id`,
    effect,
    effect,
  );
  const archived = "IN (SELECT session_id FROM w.effect_session WHERE effect_id = ?)";
  countRows(db, countedSessions, "w", `t.id ${archived}`, [effect], -1);
  db.run(`UPDATE w.screener_session SET status = 'ARCHIVED' WHERE id ${archived}`, effect);
  countRows(db, countedSessions, "w", `t.id ${archived}`, [effect], 1);
  const going = `IN (SELECT assignment_id ${removed})`;
  countRows(db, countedAssignments, "w", `t.id ${going}`, [effect], -1);
  db.run(`DELETE FROM w.screener_participant WHERE id ${going}`, effect);
}
