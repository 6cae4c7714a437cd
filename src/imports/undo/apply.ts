// Carries out the plan of an undo, and keeps what is needed to undo that. The workspace is attached as `w`.

import { countRows } from "../../../db/list/counts.ts";
import { searchAgain } from "../../../db/people-search.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { CHANGED_NOW, NOW } from "../../base/members.ts";
import { type EffectRow, insertEffect, nextStamp } from "../../engine/ledger/effects.ts";
import { countedParticipants, WRITTEN } from "../../nouns/participants/resource.ts";
import { deriveAssignment, statusSql } from "../../nouns/screener-participants/derived.ts";
import { countedAssignments } from "../../nouns/screener-participants/resource.ts";
import { countedSessions } from "../../nouns/sessions/resource.ts";
import { takeBackColumns } from "../last-columns.ts";
import { removeAssignments } from "../removals.ts";
import { each } from "../tables.ts";

/** The columns of a participant, but for its rowid and who changed it last. */
const KEPT = ["uid", ...Object.values(WRITTEN), "attributes", "created_by", "created_at"];

const REVERTED = "FROM plan AS q WHERE q.outcome = 'REVERTED'";

/** @param jobUid the job that undoes `effect` */
export function applyUndo(db: Writer, effect: EffectRow, jobUid: string): Date {
  const now = nextStamp(db);
  const undo = insertEffect(db, { jobUid, screenerId: effect.screener_id, now });
  removeAddedAssignments(db, undo, effect.screener_id);
  clearEmails(db);
  removeAddedParticipants(db, undo);
  bringBackParticipants(db, undo, now);
  revertParticipants(db, undo, now);
  bringBackAssignments(db, undo, effect);
  takeBackColumns(db, effect.job_uid);
  return now;
}

function removeAddedAssignments(db: Writer, undo: bigint, screenerId: number): void {
  db.run(
    `INSERT INTO w.effect_assignment (effect_id, assignment_id, kind, uid, participant_id, participant_uid, status, session_id)
     SELECT ?, a.id, 'REMOVED', a.uid, a.participant_id, q.participant_uid, a.status, a.current_session_id
     FROM plan AS q CROSS JOIN w.screener_participant AS a ON a.uid = q.assignment_uid
     WHERE q.outcome = 'REVERTED' AND q.assignment_kind = 'ADDED' ORDER BY a.id`,
    undo,
  );
  removeAssignments(db, undo, screenerId);
}

/** Participants may get back emails that they had swapped, and emails are unique. What goes back is kept first. */
function clearEmails(db: Writer): void {
  db.exec(`
    CREATE TABLE before AS SELECT q.participant_id, p.updated_by FROM plan AS q CROSS JOIN w.participant AS p
      ON p.id = q.participant_id WHERE q.outcome = 'REVERTED' AND q.participant_kind = 'CHANGED';
    UPDATE w.participant SET email = NULL WHERE id IN (
      SELECT q.participant_id ${REVERTED} AND q.participant_kind = 'CHANGED' AND json_type(q.json, '$.email') IS NOT NULL);
  `);
}

function removeAddedParticipants(db: Writer, undo: bigint): void {
  db.run(
    `INSERT INTO w.effect_participant (effect_id, participant_id, kind, json, updated_by)
     SELECT ?, p.id, 'REMOVED', json_object(${KEPT.map((column) => `'${column}', p.${column}`).join(", ")}), p.updated_by
     FROM plan AS q CROSS JOIN w.participant AS p ON p.id = q.participant_id
     WHERE q.outcome = 'REVERTED' AND q.participant_kind = 'ADDED' ORDER BY p.id`,
    undo,
  );
  const going = "IN (SELECT participant_id FROM w.effect_participant WHERE effect_id = ? AND kind = 'REMOVED')";
  countRows(db, countedParticipants, "w", `t.id ${going}`, [undo], -1);
  db.run(`DELETE FROM w.participant WHERE id ${going}`, undo);
}

/** With their former rowids, so that lists are as they were. Where one is in use again, a participant gets a new one. */
function bringBackParticipants(db: Writer, undo: bigint, now: Date): void {
  const values = KEPT.map((column) => `q.json ->> '${column}'`).join(", ");
  const insert = (id: string, where: string) =>
    db.run(
      `INSERT INTO w.participant (id, ${KEPT.join(", ")}, updated_by, updated_at)
       SELECT ${id}, ${values}, q.updated_by, ? ${REVERTED} AND q.participant_kind = 'REMOVED' AND ${where} ORDER BY q.id`,
      now.toISOString(),
    );
  insert("q.participant_id", "NOT EXISTS (SELECT 1 FROM w.participant AS p WHERE p.id = q.participant_id)");
  insert("NULL", "NOT EXISTS (SELECT 1 FROM w.participant AS p WHERE p.uid = q.participant_uid)");
  db.run(
    `UPDATE plan AS q SET participant_id = (SELECT p.id FROM w.participant AS p WHERE p.uid = q.participant_uid)
     WHERE outcome = 'REVERTED' AND participant_kind = 'REMOVED'`,
  );
  db.run(
    `INSERT INTO w.effect_participant (effect_id, participant_id, kind)
     SELECT ?, q.participant_id, 'ADDED' ${REVERTED} AND q.participant_kind = 'REMOVED' ORDER BY q.participant_id`,
    undo,
  );
  const added = "SELECT participant_id FROM w.effect_participant WHERE effect_id = ? AND kind = 'ADDED'";
  countRows(db, countedParticipants, "w", `t.id IN (${added})`, [undo], 1);
  searchAgain(db, "w", added, undo);
}

function revertParticipants(db: Writer, undo: bigint, now: Date): void {
  const former = "(SELECT json_group_object(j.key, q.now -> j.key) FROM json_each(q.json) AS j)";
  db.run(
    `INSERT INTO w.effect_participant (effect_id, participant_id, kind, json, updated_by)
     SELECT ?, q.participant_id, 'CHANGED', ${former}, b.updated_by FROM plan AS q JOIN before AS b USING (participant_id)
     WHERE q.outcome = 'REVERTED' ORDER BY q.participant_id`,
    undo,
  );
  db.run(
    `UPDATE w.participant SET
       ${each((column) => `${column} = iif(json_type(q.json, '$.${column}') IS NULL, ${column}, q.json ->> '${column}')`)},
       updated_by = q.updated_by, updated_at = ?
     FROM (SELECT q.participant_id, q.json, q.updated_by ${REVERTED} AND q.participant_kind = 'CHANGED') AS q
     WHERE q.participant_id = w.participant.id`,
    now.toISOString(),
  );
}

/** With their former ids, statuses and sessions. The sessions that were archived with them take answers again. */
function bringBackAssignments(db: Writer, undo: bigint, effect: EffectRow): void {
  const back = `${REVERTED} AND q.assignment_kind = 'REMOVED'`;
  const archived = `t.status = 'ARCHIVED' AND t.withdrawn_at IS NULL AND t.id IN (SELECT session_id FROM w.effect_session WHERE effect_id = ?)
    AND t.screener_participant_uid IN (SELECT q.assignment_uid ${back})`;
  db.exec("CREATE TABLE reopened (id INTEGER PRIMARY KEY) STRICT");
  db.run(`INSERT INTO reopened (id) SELECT t.id FROM w.screener_session AS t WHERE ${archived}`, effect.id);
  const reopened = "IN (SELECT id FROM reopened)";
  countRows(db, countedSessions, "w", `t.id ${reopened}`, [], -1);
  db.run(`UPDATE w.screener_session SET status = 'ACTIVE', ${CHANGED_NOW} WHERE id ${reopened}`);
  countRows(db, countedSessions, "w", `t.id ${reopened}`, [], 1);
  const insert = (id: string, where: string) =>
    db.run(
      `INSERT INTO w.screener_participant (id, uid, screener_id, participant_id, status, current_session_id, changed_at)
       SELECT ${id}, q.assignment_uid, ?, q.participant_id, q.status, q.session_id, ${NOW} ${back} AND ${where} ORDER BY q.assignment_id`,
      effect.screener_id,
    );
  const free = "NOT EXISTS (SELECT 1 FROM w.screener_participant AS a WHERE a.id = q.assignment_id)";
  const { changes: inserted } = insert("q.assignment_id", free);
  if (inserted < db.value<number>(`SELECT count(*) ${back}`)!) {
    insert("NULL", "NOT EXISTS (SELECT 1 FROM w.screener_participant AS a WHERE a.uid = q.assignment_uid)");
    db.run(
      `UPDATE plan AS q SET assignment_id = (SELECT a.id FROM w.screener_participant AS a WHERE a.uid = q.assignment_uid)
       WHERE q.outcome = 'REVERTED' AND q.assignment_kind = 'REMOVED'`,
    );
  }
  countRows(db, countedAssignments, "w", `t.id IN (SELECT q.assignment_id ${back})`, [], 1);
  // Sessions may have been removed since; offers may have lapsed, and outcomes may have been set.
  const changed = db.values<string>(
    `SELECT q.assignment_uid FROM plan AS q
     WHERE q.outcome = 'REVERTED' AND q.assignment_kind = 'REMOVED' AND (q.status <> ${statusSql("w.", "q.assignment_uid")}
       OR EXISTS (SELECT 1 FROM w.screener_session AS e WHERE e.screener_participant_uid = q.assignment_uid AND e.status = 'REMOVED'))`,
  );
  for (const uid of changed) deriveAssignment(db, uid);
  // The rows show what has come back.
  db.run(
    `UPDATE plan AS q SET (status, session_uid) = (
       SELECT a.status, e.uid FROM w.screener_participant AS a LEFT JOIN w.screener_session AS e ON e.id = a.current_session_id
       WHERE a.uid = q.assignment_uid)
     WHERE q.outcome = 'REVERTED' AND q.assignment_uid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(changed),
  );
  db.run(
    `INSERT INTO w.effect_assignment (effect_id, assignment_id, kind, uid, participant_id, participant_uid, status, session_id)
     SELECT ?, a.id, 'ADDED', a.uid, a.participant_id, q.participant_uid, a.status, a.current_session_id
     FROM plan AS q CROSS JOIN w.screener_participant AS a ON a.id = q.assignment_id
     WHERE q.outcome = 'REVERTED' AND q.assignment_kind = 'REMOVED' ORDER BY a.id`,
    undo,
  );
}
