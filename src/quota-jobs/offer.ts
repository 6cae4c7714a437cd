// Offers places to participants who were turned away: their sessions go on, with the places held; and takes that back. The scratch
// store is main, the workspace is attached as `w`.

import { countRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { newSlug, newUnguessableId } from "../base/ids.ts";
import { referenceSql } from "../base/references.ts";
import { type EffectRow, insertEffect, nextStamp } from "../engine/ledger/effects.ts";
import type { UndoSummary } from "../engine/run/undo.ts";
import { deadlineAfter } from "../nouns/quotas/claim.ts";
import { copyAnswers } from "../nouns/responses/queries.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { countedSessions } from "../nouns/sessions/resource.ts";
import { endOffers, IS_OFFERED, removeCopies } from "./end-offers.ts";
import type { OfferPlan } from "./offer-plan.ts";
import { countUndo, inBatches } from "./rows.ts";

interface Offering {
  jobUid: string;
  holdHours: number;
  /** What slugs of the copies begin with. */
  mark: string;
}

type OnProgress = (done: number, total: number) => void;

/** Reopens the sessions with their places held, and keeps what is needed to undo that. @returns the time that it writes */
export function applyOffer(
  db: Writer,
  { quota }: OfferPlan,
  { jobUid, holdHours, mark }: Offering,
  onProgress: OnProgress,
): Date {
  const now = nextStamp(db);
  const until = deadlineAfter(holdHours * 60);
  const effect = insertEffect(db, { jobUid, screenerId: quota.screener_id, now });
  inBatches(db, onProgress, (from, to) => {
    const going = "q.outcome = 'OFFERED' AND q.id >= ? AND q.id < ?";
    const isCopied = "EXISTS (SELECT 1 FROM copy AS c WHERE c.plan_id = q.id)";
    makeCopies(db, effect, { now, until, mark, from, to });
    const reopened = `t.id IN (SELECT q.session_id FROM plan AS q WHERE ${going} AND NOT ${isCopied})`;
    countRows(db, countedSessions, "w", reopened, [from, to], -1);
    db.run(
      `UPDATE w.screener_session AS t SET state = 'IN_PROGRESS', outcome = NULL, outcome_reason = NULL, completed_at = NULL, outcome_quota_ids = NULL,
         quota_ids = NULL, offered_until = ?, offer = ${OFFER} WHERE ${reopened}`,
      ...[until, effect, from, to],
    );
    countRows(db, countedSessions, "w", reopened, [from, to], 1);
    const going_on = "coalesce((SELECT c.session_id FROM copy AS c WHERE c.plan_id = q.id), q.session_id)";
    db.run(
      `INSERT INTO w.effect_offer (effect_id, session_id, is_copy) SELECT ?, ${going_on}, ${isCopied} FROM plan AS q WHERE ${going}`,
      ...[effect, from, to],
    );
    // Of what they had and was given back, only the last one stays listed.
    db.run(
      `DELETE FROM w.quota_place WHERE id IN (
         SELECT p.id FROM plan AS q CROSS JOIN place AS n ON n.plan_id = q.id
           CROSS JOIN w.quota_place AS p INDEXED BY quota_place_session ON p.session_id = ${going_on} AND p.quota_id = n.quota_id AND p.state = 'RELEASED'
         WHERE ${going} AND EXISTS (SELECT 1 FROM w.quota_place AS l INDEXED BY quota_place_session
           WHERE l.session_id = p.session_id AND l.quota_id = p.quota_id AND l.state = 'RELEASED' AND l.id > p.id))`,
      ...[from, to],
    );
    // What they held before and has lapsed.
    db.run(
      `UPDATE w.quota_place SET state = 'RELEASED', reason = 'LAPSED' WHERE id IN (
         SELECT p.id FROM plan AS q CROSS JOIN place AS n ON n.plan_id = q.id
           CROSS JOIN w.quota_place AS p ON p.quota_id = n.quota_id AND p.participant_id = q.participant_id AND p.state IN ('HELD', 'TAKEN')
         WHERE ${going} AND p.state = 'HELD')`,
      ...[from, to],
    );
    db.run(
      `INSERT INTO w.quota_place (uid, quota_id, participant_id, session_id, state, is_over_limit, created_at, expires_at)
       SELECT n.uid, n.quota_id, q.participant_id, ${going_on}, 'HELD', n.is_over_limit, ?, ?
       FROM plan AS q CROSS JOIN place AS n ON n.plan_id = q.id WHERE ${going} ORDER BY q.id, n.quota_id`,
      ...[now.toISOString(), until, from, to],
    );
    const assigned = `t.uid IN (SELECT q.assignment_uid FROM plan AS q WHERE ${going})`;
    countRows(db, countedAssignments, "w", assigned, [from, to], -1);
    db.run(
      `UPDATE w.screener_participant SET status = 'IN_PROGRESS', current_session_id = ${going_on} FROM plan AS q
       WHERE q.assignment_uid = w.screener_participant.uid AND ${going}`,
      ...[from, to],
    );
    countRows(db, countedAssignments, "w", assigned, [from, to], 1);
  });
  return now;
}

/** SQL: what an offered session was, of the session `t`. Its parameter is the rowid of the effect. */
const OFFER = `json_object('effect', ?, 'completedAt', t.completed_at, 'outcomeQuotaIds', json(t.outcome_quota_ids), 'quotaIds', json(t.quota_ids))`;

interface Copying {
  now: Date;
  until: number;
  mark: string;
  from: number;
  to: number;
}

/** Copies the sessions of some rows that another site knows, with their answers. */
function makeCopies(db: Writer, effect: bigint, { now, until, mark, from, to }: Copying): void {
  const ids = db.values<number>(
    "SELECT plan_id FROM copy WHERE plan_id >= ? AND plan_id < ? ORDER BY plan_id",
    from,
    to,
  );
  if (!ids.length) return;
  db.run(
    "UPDATE copy SET uid = j.value ->> 1, slug = j.value ->> 2 FROM json_each(?) AS j WHERE copy.plan_id = j.value ->> 0",
    JSON.stringify(ids.map((id) => [id, newUnguessableId(), newSlug(mark)])),
  );
  const some = "c.plan_id >= ? AND c.plan_id < ?";
  db.run(
    `INSERT INTO w.screener_session (uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id, tag_set_id, state,
       created_at, started_at, last_active_at, page_times, arms, reference, offered_until, offer)
     SELECT c.uid, c.slug, t.screener_id, t.screener_participant_uid, t.participant_id, t.screener_publication_id, t.tag_set_id, 'IN_PROGRESS',
       ?, t.started_at, t.last_active_at, t.page_times, t.arms, ${referenceSql("c.uid")}, ?, ${OFFER}
     FROM copy AS c CROSS JOIN plan AS q ON q.id = c.plan_id CROSS JOIN w.screener_session AS t ON t.id = q.session_id WHERE ${some} ORDER BY c.plan_id`,
    ...[now.toISOString(), until, effect, from, to],
  );
  db.run(
    `UPDATE copy AS c SET session_id = (SELECT id FROM w.screener_session WHERE uid = c.uid) WHERE ${some}`,
    ...[from, to],
  );
  countRows(db, countedSessions, "w", `t.id IN (SELECT c.session_id FROM copy AS c WHERE ${some})`, [from, to], 1);
  copyAnswers(
    db,
    `SELECT q.session_id AS "from", c.session_id AS "to" FROM copy AS c CROSS JOIN plan AS q ON q.id = c.plan_id WHERE ${some}`,
    [from, to],
  );
}

/** Plans to take the offers back that a job has made, where nobody has answered since. */
export function planOfferUndo(db: Writer, { id }: EffectRow): UndoSummary {
  db.run(
    `INSERT INTO plan (outcome, reason, session_id, session_uid, assignment_uid, participant_id, participant_uid)
     SELECT iif(reason IS NULL, 'REVERTED', 'KEPT'), reason, session_id, session_uid, assignment_uid, participant_id, participant_uid
     FROM (SELECT f.session_id, e.uid AS session_uid, e.screener_participant_uid AS assignment_uid, e.participant_id, r.uid AS participant_uid,
         CASE WHEN e.id IS NULL THEN 'GONE' WHEN e.status = 'REMOVED' THEN 'REMOVED'
           WHEN e.offer IS NULL OR (e.offered_until IS NOT NULL AND NOT (${IS_OFFERED})) THEN 'ANSWERED'
           WHEN e.offered_until IS NULL OR e.offer ->> 'effect' <> f.effect_id THEN 'LAPSED' WHEN e.status = 'ARCHIVED' THEN 'UNASSIGNED' END AS reason
       FROM w.effect_offer AS f LEFT JOIN w.screener_session AS e ON e.id = f.session_id LEFT JOIN w.participant AS r ON r.id = e.participant_id
       WHERE f.effect_id = ?) ORDER BY session_id`,
    id,
  );
  return countUndo(db);
}

/** Takes these offers back: the sessions are over quota again, and copies of sessions are removed. @returns the time that it writes */
export function applyOfferUndo(db: Writer, { id }: EffectRow, onProgress: OnProgress): Date {
  inBatches(db, onProgress, (from, to) => {
    const ids = (isCopy: 0 | 1) =>
      db.values<number>(
        `SELECT q.session_id FROM plan AS q JOIN w.effect_offer AS f ON f.effect_id = ? AND f.session_id = q.session_id
         WHERE q.outcome = 'REVERTED' AND f.is_copy = ? AND q.id >= ? AND q.id < ?`,
        ...[id, isCopy, from, to],
      );
    endOffers(db, "w", ids(0), "UNDONE");
    removeCopies(db, "w", ids(1));
  });
  return new Date();
}
