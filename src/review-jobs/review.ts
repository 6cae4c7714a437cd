// Reviews many sessions, each as one alone is reviewed; and takes that back. The scratch store is main, the workspace is attached as `w`.

import type { Writer } from "../../db/sqlite/connection.ts";
import { type EffectRow, insertEffect, nextStamp } from "../engine/ledger/effects.ts";
import type { UndoSummary } from "../engine/run/undo.ts";
import type { Actor } from "../events/actors.ts";
import type { RecordEvent } from "../events/record.ts";
import { getScreener } from "../nouns/screeners/queries.ts";
import { getSessionById } from "../nouns/sessions/queries.ts";
import type { ReviewState } from "../nouns/sessions/reviews.ts";
import { type Decided, decide, decidedBy } from "../reviews/review.ts";
import type { Chosen } from "./chosen.ts";
import { placeRows } from "./rows.ts";

interface ReviewPlan {
  summary: { reviewed: number; skipped: number };
  screenerId: number;
}

/** Plans to decide of these sessions, in the order of their completion. */
export function planReview(db: Writer, screenerUid: string, decision: ReviewState, chosen: Chosen): ReviewPlan {
  const { id: screenerId } = getScreener(db, screenerUid, "w");
  db.run(
    `INSERT INTO plan (outcome, reason, session_id, session_uid, assignment_uid, from_state, to_state)
     SELECT iif(reason IS NULL, 'REVIEWED', 'SKIPPED'), reason, id, uid, screener_participant_uid, seen, decision
     FROM (SELECT e.*, j.value ->> 1 AS seen, d.decision, CASE
         WHEN e.status = 'REMOVED' THEN 'REMOVED'
         WHEN e.withdrawn_at IS NOT NULL THEN 'WITHDRAWN'
         WHEN e.status = 'ARCHIVED' THEN 'UNASSIGNED'
         WHEN e.review_state IS NULL THEN 'NOT_REVIEWED'
         WHEN e.review_state IS NOT j.value ->> 1 OR e.review_state = d.decision THEN 'DECIDED' END AS reason
       FROM (SELECT ? AS decision) AS d CROSS JOIN json_each(?) AS j CROSS JOIN w.screener_session AS e ON e.id = j.value ->> 0) ORDER BY completed_at, id`,
    decision,
    JSON.stringify(chosen),
  );
  const { rows, done } = placeRows(db, screenerId, "SKIPPED");
  return { summary: { reviewed: done, skipped: rows - done }, screenerId };
}

/** Those that the approved plan has: sessions that have come since are not in it. */
export function chosenBefore(db: Writer): Chosen {
  const rows = db.all<{ id: number; state: string | null }>(
    `SELECT e.id, q.from_state AS state FROM approved.plan AS q CROSS JOIN w.screener_session AS e ON e.uid = q.session_uid ORDER BY q.id`,
  );
  return rows.map(({ id, state }) => [id, state]);
}

type OnProgress = (done: number, total: number) => void;

interface Reviewing {
  jobUid: string;
  by: Actor;
  decision: ReviewState;
  reason: string | null;
  record: RecordEvent;
}

/** Decides of the sessions, and keeps what they were. @returns the time that it writes */
export function applyReview(
  db: Writer,
  { screenerId }: ReviewPlan,
  { jobUid, by, decision, reason, record }: Reviewing,
  onProgress: OnProgress,
): Date {
  const now = nextStamp(db);
  const effect = insertEffect(db, { jobUid, screenerId, now });
  db.run(
    `INSERT INTO w.effect_review (effect_id, session_id, review_state, review) SELECT ?, e.id, e.review_state, e.review
     FROM plan AS q CROSS JOIN w.screener_session AS e ON e.id = q.session_id WHERE q.outcome = 'REVIEWED'`,
    effect,
  );
  const decided = decidedBy(by, { state: decision, reason, at: now });
  decideAll(db, "REVIEWED", { decidedOf: () => decided, at: now, record }, onProgress);
  return now;
}

/** Plans to take back what a job has decided, unless somebody has decided again since. */
export function planReviewUndo(db: Writer, { id, screener_id, stamp }: EffectRow): UndoSummary {
  db.run(
    `INSERT INTO plan (outcome, reason, session_id, session_uid, assignment_uid, from_state, to_state)
     SELECT iif(reason IS NULL, 'REVERTED', 'KEPT'), reason, session_id, uid, screener_participant_uid, from_state, to_state
     FROM (SELECT f.session_id, e.uid, e.screener_participant_uid, e.completed_at, e.review_state AS from_state, f.review_state AS to_state, CASE
         WHEN e.id IS NULL THEN 'GONE'
         WHEN e.status = 'REMOVED' THEN 'REMOVED'
         WHEN e.withdrawn_at IS NOT NULL THEN 'WITHDRAWN'
         WHEN e.status = 'ARCHIVED' THEN 'UNASSIGNED'
         WHEN e.review ->> '$.at' IS NOT ? THEN 'DECIDED' END AS reason
       FROM w.effect_review AS f LEFT JOIN w.screener_session AS e ON e.id = f.session_id WHERE f.effect_id = ?) ORDER BY completed_at, session_id`,
    stamp,
    id,
  );
  const { rows, done } = placeRows(db, screener_id, "KEPT");
  return { rows, reverted: done, kept: rows - done };
}

/** The sessions are as they were before. @returns the time that it writes */
export function applyReviewUndo(db: Writer, { id }: EffectRow, record: RecordEvent, onProgress: OnProgress): Date {
  const now = new Date();
  const decidedOf = (session: number) =>
    db.get<Decided>(
      "SELECT review_state AS state, review FROM w.effect_review WHERE effect_id = ? AND session_id = ?",
      id,
      session,
    )!;
  decideAll(db, "REVERTED", { decidedOf, at: now, record }, onProgress);
  return now;
}

/** Decides of one after the other. Who finds no place is not among them. */
function decideAll(
  db: Writer,
  outcome: "REVIEWED" | "REVERTED",
  { decidedOf, at, record }: { decidedOf(session: number): Decided; at: Date; record: RecordEvent },
  onProgress: OnProgress,
): void {
  const sessions = db.values<number>("SELECT session_id FROM plan WHERE outcome = ? ORDER BY id", outcome);
  for (const [index, id] of sessions.entries()) {
    onProgress(index, sessions.length);
    decide(db, getSessionById(db, id), decidedOf(id), at, record);
  }
  onProgress(sessions.length, sessions.length);
}
