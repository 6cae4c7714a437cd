// Offers places to participants who were turned away: their sessions go on, with the places held; and takes that back. The scratch
// store is main, the workspace is attached as `w`.

import { findParts, isHalfOf, MIN_BULK_ROWS, without } from "../../db/bulk.ts";
import { countRows, recountRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { findByArms } from "../arms/queries.ts";
import { newSlug, newUnguessableId, uuid7Sql, uuid7Time } from "../base/ids.ts";
import { CHANGED_NOW } from "../base/members.ts";
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
  { quota, lapsed, summary }: OfferPlan,
  { jobUid, holdHours, mark }: Offering,
  onProgress: OnProgress,
): Date {
  const now = nextStamp(db);
  const until = deadlineAfter(holdHours * 60);
  const effect = insertEffect(db, { jobUid, screenerId: quota.screener_id, now });
  // What they held before.
  if (lapsed.length)
    db.run(
      "UPDATE w.quota_place SET state = 'RELEASED', reason = 'LAPSED' WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(lapsed),
    );
  const places = { screenerId: quota.screener_id, rows: summary.offered };
  withOutcomes(db, summary.offered, () =>
    inBatches(db, places, onProgress, (from, to) => {
      const copies = makeCopies(db, effect, { now, until, mark, from, to });
      const batch = { from, to, hasCopies: copies > 0 };
      reopen(db, quota.screener_id, { effect, until, ...batch });
      holdPlaces(db, { now, until, ...batch });
      showCurrent(db, quota.screener_id, batch);
      db.run(
        `INSERT INTO w.effect_offer (effect_id, session_id, is_copy) SELECT ?, ${goingOn(batch)}, ${isCopied(batch)} FROM plan AS q WHERE ${OFFERED}`,
        ...[effect, from, to],
      );
    }),
  );
  return now;
}

/** Runs `write`, which changes the states and the outcomes of so many sessions. Indexes have what is changed, and a trigger counts those of links. */
function withOutcomes(db: Writer, rows: number, write: () => void): void {
  const names: string[] = [];
  if (rows >= MIN_BULK_ROWS) {
    if (isHalfOf(db, "w", "screener_session", rows))
      names.push("screener_session_publication", "screener_session_offered", "screener_session_updated");
    if (db.value("SELECT 1 FROM w.screener_link LIMIT 1") === undefined) names.push("screener_session_link_state");
  }
  without(db, "w", findParts(db, "w", "screener_session", names), write);
}

interface Batch {
  /** Rows of the plan from this id on. */
  from: number;
  /** Up to the one before this id. */
  to: number;
  /** Whether some of them go on in copies of their sessions. */
  hasCopies: boolean;
}

/** SQL: rows `q` of a batch of the plan that get an offer. Its parameters: from, to. */
const OFFERED = "q.outcome = 'OFFERED' AND q.id >= ? AND q.id < ?";

/** SQL: whether a row `q` goes on in a copy of its session. */
const isCopied = ({ hasCopies }: Batch) =>
  hasCopies ? "EXISTS (SELECT 1 FROM copy AS c WHERE c.plan_id = q.id)" : "0";

/** SQL: the rowid of the session in which a row `q` goes on. */
const goingOn = ({ hasCopies }: Batch) =>
  hasCopies ? "coalesce((SELECT c.session_id FROM copy AS c WHERE c.plan_id = q.id), q.session_id)" : "q.session_id";

/** SQL: what an offered session was, of the session `t`; and the rowid of the effect, which is its parameter. */
const OFFER = "json_array(?, t.completed_at)";

/** The sessions that are not copied go on. The quotas in which they were turned away stay with them, for when the offer ends. */
function reopen(
  db: Writer,
  screenerId: number,
  { effect, until, ...batch }: { effect: bigint; until: number } & Batch,
): void {
  const reopened = `plan AS q WHERE ${OFFERED} AND NOT ${isCopied(batch)}`;
  const values = [batch.from, batch.to];
  recountRows(
    db,
    countedSessions,
    "w",
    {
      sql: `SELECT q.session_id AS id, ? AS screener_id, 'ACTIVE' AS status, 'COMPLETED' AS state FROM ${reopened}`,
      values: [screenerId, ...values],
    },
    { state: "IN_PROGRESS" },
  );
  db.run(
    `UPDATE w.screener_session AS t SET state = 'IN_PROGRESS', outcome = NULL, outcome_reason = NULL, completed_at = NULL, offered_until = ?, offer = ${OFFER}, ${CHANGED_NOW}
     WHERE t.id IN (SELECT q.session_id FROM ${reopened})`,
    ...[until, effect, ...values],
  );
}

/** Holds their places. Of what they had there and was given back, only the last one stays listed: few had more than one. */
function holdPlaces(db: Writer, { now, until, ...batch }: { now: Date; until: number } & Batch): void {
  const values = [batch.from, batch.to];
  // No run goes on in the next batch: they were decided in the same ones. Without the +, SQLite would make an index of all outcomes.
  const given =
    "place_run AS g CROSS JOIN plan AS q ON q.id BETWEEN g.from_id AND g.to_id CROSS JOIN place_set AS n ON n.id = g.set_id";
  const some = "g.from_id >= ? AND g.from_id < ? AND +q.outcome = 'OFFERED'";
  db.run(
    `DELETE FROM w.quota_place WHERE id IN (
       SELECT p.id FROM ${given}
         CROSS JOIN w.quota_place AS p INDEXED BY quota_place_session ON p.session_id = q.session_id AND p.quota_id = n.quota_id AND p.state = 'RELEASED'
       WHERE ${some} AND NOT ${isCopied(batch)} AND EXISTS (SELECT 1 FROM w.quota_place AS l INDEXED BY quota_place_session
           WHERE l.session_id = q.session_id LIMIT 1 OFFSET 1)
         AND EXISTS (SELECT 1 FROM w.quota_place AS l INDEXED BY quota_place_session
           WHERE l.session_id = p.session_id AND l.id > p.id AND l.quota_id = p.quota_id AND l.state = 'RELEASED'))`,
    ...values,
  );
  db.run(
    `INSERT INTO w.quota_place (uid, quota_id, participant_id, session_id, state, is_over_limit, created_at, expires_at)
     SELECT ${uuid7Sql("q.id")}, n.quota_id, q.participant_id, ${goingOn(batch)}, 'HELD', n.is_over_limit, ?, ? FROM ${given} WHERE ${some}`,
    ...[uuid7Time(now), now.toISOString(), until, ...values],
  );
}

/** The assignments show the sessions that go on. */
function showCurrent(db: Writer, screenerId: number, batch: Batch): void {
  const values = [batch.from, batch.to];
  const sql = `SELECT q.assignment_id AS id, ? AS screener_id, q.assignment_status AS status FROM plan AS q WHERE ${OFFERED}`;
  recountRows(db, countedAssignments, "w", { sql, values: [screenerId, ...values] }, { status: "IN_PROGRESS" });
  db.run(
    `UPDATE w.screener_participant SET status = 'IN_PROGRESS', ${CHANGED_NOW} WHERE id IN (SELECT q.assignment_id FROM plan AS q WHERE ${OFFERED})`,
    ...values,
  );
  // It has an index, which SQLite writes even if nothing changes.
  db.run(
    `UPDATE w.screener_participant AS t SET current_session_id = j.session_id, ${CHANGED_NOW}
     FROM (SELECT q.assignment_id, ${goingOn(batch)} AS session_id FROM plan AS q WHERE ${OFFERED} AND (q.is_current = 0 OR ${isCopied(batch)})) AS j
     WHERE t.id = j.assignment_id AND t.current_session_id IS NOT j.session_id`,
    ...values,
  );
}

interface Copying {
  now: Date;
  until: number;
  mark: string;
  from: number;
  to: number;
}

/** Copies the sessions of some rows that another site knows, with their answers. @returns how many */
function makeCopies(db: Writer, effect: bigint, { now, until, mark, from, to }: Copying): number {
  const ids = db.values<number>(
    "SELECT plan_id FROM copy WHERE plan_id >= ? AND plan_id < ? ORDER BY plan_id",
    from,
    to,
  );
  if (!ids.length) return 0;
  db.run(
    "UPDATE copy SET uid = j.value ->> 1, slug = j.value ->> 2 FROM json_each(?) AS j WHERE copy.plan_id = j.value ->> 0",
    JSON.stringify(ids.map((id) => [id, newUnguessableId(), newSlug(mark)])),
  );
  const some = "c.plan_id >= ? AND c.plan_id < ?";
  db.run(
    `INSERT INTO w.screener_session (uid, slug, screener_id, screener_participant_uid, participant_id, screener_publication_id, tag_set_id, state,
       created_at, started_at, last_active_at, page_times, arms, order_of, language, reference, outcome_quota_ids, quota_ids, offered_until, offer,
       screener_link_id, claimed_email, is_copy)
     SELECT c.uid, c.slug, t.screener_id, t.screener_participant_uid, t.participant_id, t.screener_publication_id, t.tag_set_id, 'IN_PROGRESS',
       ?, t.started_at, t.last_active_at, t.page_times, t.arms, coalesce(t.order_of, t.uid), t.language, ${referenceSql("c.uid")}, t.outcome_quota_ids, t.quota_ids, ?, ${OFFER},
       t.screener_link_id, t.claimed_email, 1
     FROM copy AS c CROSS JOIN plan AS q ON q.id = c.plan_id CROSS JOIN w.screener_session AS t ON t.id = q.session_id WHERE ${some} ORDER BY c.plan_id`,
    ...[now.toISOString(), until, effect, from, to],
  );
  db.run(
    `UPDATE copy AS c SET session_id = (SELECT id FROM w.screener_session WHERE uid = c.uid) WHERE ${some}`,
    ...[from, to],
  );
  const made = `SELECT c.session_id FROM copy AS c WHERE ${some}`;
  countRows(db, countedSessions, "w", `t.id IN (${made})`, [from, to], 1);
  findByArms(db, "w", made, [from, to]);
  copyAnswers(
    db,
    `SELECT q.session_id AS "from", c.session_id AS "to" FROM copy AS c CROSS JOIN plan AS q ON q.id = c.plan_id WHERE ${some}`,
    [from, to],
  );
  return ids.length;
}

/** Plans to take the offers back that a job has made, where nobody has answered since. */
export function planOfferUndo(db: Writer, { id }: EffectRow): UndoSummary {
  db.run(
    `INSERT INTO plan (outcome, reason, session_id, session_uid, assignment_id, assignment_uid, assignment_status, is_current, participant_id, participant_uid)
     SELECT iif(reason IS NULL, 'REVERTED', 'KEPT'), reason, session_id, session_uid, assignment_id, assignment_uid, status, is_current, participant_id, participant_uid
     FROM (SELECT f.session_id, e.uid AS session_uid, a.id AS assignment_id, e.screener_participant_uid AS assignment_uid, a.status,
         a.current_session_id IS e.id AS is_current, e.participant_id, r.uid AS participant_uid,
         CASE WHEN e.id IS NULL THEN 'GONE' WHEN e.status = 'REMOVED' THEN 'REMOVED'
           WHEN e.offer IS NULL OR (e.offered_until IS NOT NULL AND NOT (${IS_OFFERED})) THEN 'ANSWERED'
           WHEN e.offered_until IS NULL OR e.offer ->> 0 <> f.effect_id THEN 'LAPSED' WHEN e.status = 'ARCHIVED' THEN 'UNASSIGNED' END AS reason
       FROM w.effect_offer AS f LEFT JOIN w.screener_session AS e ON e.id = f.session_id LEFT JOIN w.participant AS r ON r.id = e.participant_id
         LEFT JOIN w.screener_participant AS a ON a.participant_id = e.participant_id AND a.screener_id = e.screener_id AND +a.uid = e.screener_participant_uid
       WHERE f.effect_id = ?) ORDER BY session_id`,
    id,
  );
  return countUndo(db);
}

/** Takes these offers back: the sessions are over quota again, and copies of sessions are removed. @returns the time that it writes */
export function applyOfferUndo(
  db: Writer,
  { id, screener_id: screenerId }: EffectRow,
  { reverted: rows }: UndoSummary,
  onProgress: OnProgress,
): Date {
  const copies = "SELECT f.session_id FROM w.effect_offer AS f WHERE f.effect_id = ? AND f.is_copy = 1";
  const hasCopies = db.value(`${copies} LIMIT 1`, id) !== undefined;
  withOutcomes(db, rows, () =>
    inBatches(db, { screenerId, rows, areReleased: true }, onProgress, (from, to) => {
      // Those that are archived or removed are kept.
      const reverted = `SELECT q.session_id AS id, ? AS screener_id, 'ACTIVE' AS status, q.assignment_id, q.assignment_status, q.is_current
        FROM plan AS q WHERE q.outcome = 'REVERTED' AND q.id >= ? AND q.id < ?`;
      if (!hasCopies) return endOffers(db, "w", { sql: reverted, values: [screenerId, from, to] }, "UNDONE");
      const values = [screenerId, from, to, id];
      endOffers(db, "w", { sql: `${reverted} AND q.session_id NOT IN (${copies})`, values }, "UNDONE");
      removeCopies(db, "w", { sql: `${reverted} AND q.session_id IN (${copies})`, values });
    }),
  );
  return new Date();
}
