// Takes recounts back. The scratch store is main, the workspace is attached as `w`.

import type { Writer } from "../../db/sqlite/connection.ts";
import type { EffectRow } from "../engine/ledger/effects.ts";
import type { UndoSummary } from "../engine/run/undo.ts";
import type { RecordEvent } from "../events/record.ts";
import { recordIfTurned } from "../nouns/quotas/claim.ts";
import { getQuotaById } from "../nouns/quotas/queries.ts";
import { countsSql } from "../nouns/sessions/queries.ts";
import { IS_KEPT, type OnProgress } from "./recount.ts";
import { countUndo, inBatches } from "./rows.ts";

/** Plans to take back the places that a recount has given, if the sessions have them still. */
export function planRecountUndo(db: Writer, { id }: EffectRow): UndoSummary {
  db.run(
    `INSERT INTO plan (outcome, reason, session_id, session_uid, assignment_uid, participant_id, participant_uid)
     SELECT iif(reason IS NULL, 'REVERTED', 'KEPT'), reason, session_id, session_uid, assignment_uid, participant_id, participant_uid
     FROM (SELECT f.session_id, e.uid AS session_uid, e.screener_participant_uid AS assignment_uid, e.participant_id, r.uid AS participant_uid,
         CASE WHEN e.id IS NULL THEN 'GONE' WHEN e.status = 'REMOVED' THEN 'REMOVED' WHEN p.id IS NULL THEN 'GIVEN_BACK' END AS reason
       FROM w.effect_place AS f LEFT JOIN w.screener_session AS e ON e.id = f.session_id LEFT JOIN w.participant AS r ON r.id = e.participant_id
         LEFT JOIN w.quota_place AS p INDEXED BY quota_place_session ON p.quota_id = f.quota_id AND p.session_id = f.session_id AND ${IS_KEPT}
       WHERE f.effect_id = ?) ORDER BY session_id`,
    id,
  );
  return countUndo(db);
}

/** Gives these places back. @returns the time that it writes */
export function applyRecountUndo(
  db: Writer,
  { id }: EffectRow,
  { reverted: rows }: UndoSummary,
  record: RecordEvent,
  onProgress: OnProgress,
): Date {
  const now = new Date();
  const quotaId = db.value<number>("SELECT quota_id FROM w.effect_place WHERE effect_id = ? LIMIT 1", id);
  if (quotaId === undefined) return now;
  const quota = getQuotaById(db, quotaId);
  inBatches(db, { screenerId: quota.screener_id, rows }, onProgress, (from, to) => {
    const going = "q.outcome = 'REVERTED' AND q.id >= ? AND q.id < ?";
    // Another session of theirs that is in the quota has the place from now on.
    db.run(
      `WITH h AS MATERIALIZED (SELECT p.id, (SELECT max(o.id) FROM w.screener_session AS o INDEXED BY screener_session_participant
           WHERE o.participant_id = p.participant_id AND o.screener_id = ? AND o.id <> p.session_id AND ${countsSql("o")}
             AND EXISTS (SELECT 1 FROM json_each(o.quota_ids) WHERE value = ?)) AS heir
         FROM plan AS q CROSS JOIN w.quota_place AS p INDEXED BY quota_place_session ON p.quota_id = ? AND p.session_id = q.session_id WHERE ${going} AND ${IS_KEPT})
       UPDATE w.quota_place SET session_id = h.heir FROM h WHERE h.id = w.quota_place.id AND h.heir IS NOT NULL`,
      ...[quota.screener_id, quota.uid, quotaId, from, to],
    );
    db.run(
      `UPDATE w.quota_place SET state = 'RELEASED', reason = 'UNDONE' WHERE id IN (
         SELECT p.id FROM plan AS q CROSS JOIN w.quota_place AS p INDEXED BY quota_place_session ON p.quota_id = ? AND p.session_id = q.session_id WHERE ${going} AND ${IS_KEPT})`,
      ...[quotaId, from, to],
    );
    // Those whose place was given back would take it again when they count again.
    const counted = "(q.outcome = 'REVERTED' OR q.reason = 'GIVEN_BACK') AND q.id >= ? AND q.id < ?";
    db.run(
      `UPDATE w.screener_session SET quota_ids = (SELECT nullif(json_group_array(value), '[]') FROM json_each(quota_ids) WHERE value <> ?)
       WHERE id IN (SELECT q.session_id FROM plan AS q WHERE ${counted})`,
      ...[quota.uid, from, to],
    );
  });
  recordIfTurned(db, quota, record, now);
  return now;
}
