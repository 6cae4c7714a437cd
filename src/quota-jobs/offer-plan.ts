// Plans to offer places to participants who were turned away: whose sessions would get a place in each of their quotas, the earliest
// first.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { getQuota, type QuotaRow } from "../nouns/quotas/queries.ts";
import { getAcceptance, requireAccepting } from "../nouns/screeners/queries.ts";
import { type Decisions, Offers, type TurnedAway } from "./offers.ts";
import { BATCH, countPlan } from "./rows.ts";

/** What an offer does. */
export interface OfferPlan {
  summary: { offered: number; skipped: number };
  quota: QuotaRow;
  /** The rowids of places that have lapsed, of those who get an offer. */
  lapsed: readonly number[];
}

/** How many would get an offer now, of how many people who were turned away. @throws Problem screener_quota_not_found, screener_closed, link_expired */
export function countOffers(db: Reader, quotaUid: string): { offered: number; people: number } {
  const quota = requireOffering(db, quotaUid);
  const all = db.all<TurnedAway & { reason: string | null }>(
    `SELECT e.id, ${DECIDED_BY}, ${SKIPPED_BECAUSE} AS reason FROM ${TURNED_AWAY} ORDER BY e.completed_at, e.id`,
    quota.screener_id,
    quotaUid,
  );
  const offers = new Offers(db, quota);
  const waiting = all.filter(({ reason }) => reason === null);
  for (let at = 0; at < waiting.length; at += BATCH) offers.decide(waiting.slice(at, at + BATCH));
  return { offered: offers.offered, people: new Set(all.map(({ participant }) => participant)).size };
}

/** Plans to offer places to those who were turned away by a quota. @throws Problem screener_quota_not_found, screener_closed, link_expired */
export function planOffer(db: Writer, quotaUid: string): OfferPlan {
  const quota = requireOffering(db, quotaUid);
  db.run(
    `INSERT INTO plan (outcome, reason, session_id, session_uid, assignment_id, assignment_uid, assignment_status, is_current, participant_id, participant_uid)
     SELECT iif(o.reason IS NULL, 'OFFERED', 'SKIPPED'), o.reason, o.id, e.uid, o.assignment_id, e.screener_participant_uid, o.status, o.current_session_id IS o.id,
       e.participant_id, r.uid
     FROM (SELECT e.id, e.completed_at, a.id AS assignment_id, a.status, a.current_session_id, ${SKIPPED_BECAUSE} AS reason FROM ${TURNED_AWAY}) AS o
       CROSS JOIN w.screener_session AS e ON e.id = o.id CROSS JOIN w.participant AS r ON r.id = e.participant_id
     ORDER BY o.completed_at, o.id`,
    quota.screener_id,
    quotaUid,
  );
  const rows = db.value<number>("SELECT coalesce(max(id), 0) FROM plan")!;
  const offers = new Offers(db, quota);
  for (let after = 0; after < rows; after += BATCH) {
    const waiting = db.all<TurnedAway & { row: number }>(
      `SELECT q.id AS "row", e.id, ${DECIDED_BY} FROM plan AS q CROSS JOIN w.screener_session AS e ON e.id = q.session_id
       WHERE q.outcome = 'OFFERED' AND q.id > ? AND q.id <= ? ORDER BY q.id`,
      after,
      after + BATCH,
    );
    writeDecisions(
      db,
      waiting.map(({ row }) => row),
      offers.decide(waiting),
    );
  }
  db.run(
    "INSERT INTO place_set (id, quota_id, is_over_limit) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)",
    JSON.stringify(offers.sets()),
  );
  countPlan(db);
  return { summary: { offered: offers.offered, skipped: rows - offers.offered }, quota, lapsed: offers.lapsed };
}

/** @throws Problem screener_quota_not_found, screener_closed, link_expired */
function requireOffering(db: Reader, quotaUid: string): QuotaRow {
  const quota = getQuota(db, quotaUid);
  requireAccepting(getAcceptance(db, quota.screener_id));
  return quota;
}

/** The sessions `e` that a quota has turned away, with their assignments `a`, which are found by numbers: the index of ids is four times as large. Its parameters: the rowid of the screener, the id of the quota. */
const TURNED_AWAY = `screener_publication AS p CROSS JOIN screener_session AS e ON e.screener_publication_id = p.id
    LEFT JOIN screener_participant AS a ON a.participant_id = e.participant_id AND a.screener_id = p.screener_id AND +a.uid = e.screener_participant_uid
  WHERE p.screener_id = ? AND e.outcome = 'DISQUALIFIED' AND e.outcome_reason = 'OVER_QUOTA' AND e.status <> 'REMOVED' AND e.is_test = 0
    AND e.withdrawn_at IS NULL AND instr(e.outcome_quota_ids, ?) > 0`;

/** Why such a session gets no offer, whatever the quotas say. Its participant may have a later one. */
const SKIPPED_BECAUSE = `CASE WHEN a.id IS NULL OR e.status <> 'ACTIVE' THEN 'UNASSIGNED'
  WHEN a.current_session_id IS NOT e.id AND EXISTS (SELECT 1 FROM screener_session AS l
    WHERE l.screener_participant_uid = e.screener_participant_uid AND l.id > e.id AND l.status <> 'REMOVED' AND l.is_test = 0) THEN 'ANOTHER_SESSION' END`;

/** Of such a session: what the offer depends on. */
const DECIDED_BY =
  "e.participant_id AS participant, e.screener_publication_id AS publication, e.quota_ids AS quotaIds, e.outcome_quota_ids AS fullIds";

/** @param rows the ids of rows of the plan, to which the decisions are */
function writeDecisions(db: Writer, rows: readonly number[], { skipped, copied, runs }: Decisions): void {
  for (const [reason, found] of skipped)
    db.run(
      "UPDATE plan SET outcome = 'SKIPPED', reason = ? WHERE id IN (SELECT value FROM json_each(?))",
      reason,
      JSON.stringify(found.map((at) => rows[at])),
    );
  if (copied.length) {
    const some = JSON.stringify(copied.map((at) => rows[at]));
    db.run("UPDATE plan SET reason = 'COPIED' WHERE id IN (SELECT value FROM json_each(?))", some);
    db.run("INSERT INTO copy (plan_id) SELECT value FROM json_each(?)", some);
  }
  // Rows between them are skipped.
  db.run(
    "INSERT INTO place_run (from_id, to_id, set_id) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)",
    JSON.stringify(runs.map(({ from, to, set }) => [rows[from], rows[to], set])),
  );
}
