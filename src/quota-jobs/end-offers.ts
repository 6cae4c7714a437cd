// Ends offers of places: when they lapse, and when they are taken back.

import type { Expiry } from "../../db/expiry.ts";
import { countRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { BY_SERVICE, recordEvent } from "../events/record.ts";
import { releaseHeldOf } from "../nouns/quotas/place-queries.ts";
import { removeAnswers } from "../nouns/responses/queries.ts";
import { statusSql } from "../nouns/screener-participants/derived.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { countedSessions, session as sessionResource } from "../nouns/sessions/resource.ts";

const LISTED = "IN (SELECT value FROM json_each(?))";

/** Inside a transaction: these sessions are over quota again, as they were, and give back what they hold. @param ids rowids */
export function endOffers(db: Writer, schema: string, ids: readonly number[], reason: "LAPSED" | "UNDONE"): void {
  if (!ids.length) return;
  const some = JSON.stringify(ids);
  countRows(db, countedSessions, schema, `t.id ${LISTED}`, [some], -1);
  db.run(
    `UPDATE ${schema}.screener_session SET state = 'COMPLETED', outcome = 'DISQUALIFIED', outcome_reason = 'OVER_QUOTA',
       completed_at = offer ->> 'completedAt', outcome_quota_ids = offer -> 'outcomeQuotaIds', quota_ids = nullif(offer -> 'quotaIds', 'null'),
       offered_until = NULL${reason === "UNDONE" ? ", offer = NULL" : ""} WHERE id ${LISTED}`,
    some,
  );
  countRows(db, countedSessions, schema, `t.id ${LISTED}`, [some], 1);
  releaseHeldOf(db, `session_id ${LISTED}`, [some], { reason, schema });
  setStatus(db, schema, some);
}

/** Inside a transaction: removes these copies of sessions, as if they had not been made. @param ids rowids */
export function removeCopies(db: Writer, schema: string, ids: readonly number[]): void {
  if (!ids.length) return;
  const some = JSON.stringify(ids);
  countRows(db, countedSessions, schema, `t.id ${LISTED}`, [some], -1);
  db.run(
    `UPDATE ${schema}.screener_session SET status = 'REMOVED', state = 'NOT_STARTED', started_at = NULL, last_active_at = NULL, page_times = NULL,
       offered_until = NULL, offer = NULL WHERE id ${LISTED}`,
    some,
  );
  countRows(db, countedSessions, schema, `t.id ${LISTED}`, [some], 1);
  removeAnswers(db, ids, schema);
  releaseHeldOf(db, `session_id ${LISTED}`, [some], { reason: "UNDONE", schema });
  // The session before the copy gives the status.
  setStatus(db, schema, some, ", current_session_id = NULL");
}

/** Of the assignments whose current sessions these are. */
function setStatus(db: Writer, schema: string, sessions: string, more = ""): void {
  const uids = `(SELECT s.screener_participant_uid FROM ${schema}.screener_session AS s WHERE s.id ${LISTED})`;
  countRows(db, countedAssignments, schema, `t.uid IN ${uids}`, [sessions], -1);
  db.run(
    `UPDATE ${schema}.screener_participant SET status = ${statusSql(schema, "screener_participant.uid")}${more} WHERE uid IN ${uids}`,
    sessions,
  );
  countRows(db, countedAssignments, schema, `t.uid IN ${uids}`, [sessions], 1);
}

/**
 * Of a session `e`: whether it has an offer, and nobody has answered since. A release that knows no offers leaves them where somebody has
 * answered, and in sessions that it removes.
 */
export const IS_OFFERED = `e.offered_until IS NOT NULL AND e.state = 'IN_PROGRESS' AND e.status <> 'REMOVED'
  AND e.last_active_at IS e.offer ->> 'completedAt'`;

/** How many offers end in one transaction. */
const SLICE = 200;

export const lapsedOffers: Expiry = {
  isDue: (db, { now }) =>
    db.value("SELECT 1 FROM screener_session WHERE offered_until <= ? LIMIT 1", now) !== undefined,
  remove: (db, { now }) => endLapsedOffers(db, now),
};

/** Inside a transaction: ends some of the offers that have lapsed, with an event for each. @returns whether there may be more */
export function endLapsedOffers(db: Writer, now: number): boolean {
  const rows = db.all<{ id: number; uid: string; completedAt: string; isOffered: 0 | 1 }>(
    `SELECT id, uid, offer ->> 'completedAt' AS completedAt, ${IS_OFFERED} AS isOffered FROM screener_session AS e
     WHERE offered_until <= ? ORDER BY offered_until LIMIT ${SLICE}`,
    now,
  );
  const lapsed = rows.filter(({ isOffered }) => isOffered);
  const others = rows.filter(({ isOffered }) => !isOffered).map(({ id }) => id);
  endOffers(
    db,
    "main",
    lapsed.map(({ id }) => id),
    "LAPSED",
  );
  if (others.length)
    db.run(`UPDATE screener_session SET offered_until = NULL, offer = NULL WHERE id ${LISTED}`, JSON.stringify(others));
  for (const { uid, completedAt } of lapsed)
    recordEvent(db, BY_SERVICE, {
      type: "screener-session.offer-lapsed",
      resource: { type: sessionResource.type, uid },
      changes: [
        { field: "state", from: "IN_PROGRESS", to: "COMPLETED" },
        { field: "outcome", from: null, to: "DISQUALIFIED" },
        { field: "outcomeReason", from: null, to: "OVER_QUOTA" },
        { field: "completedAt", from: null, to: completedAt },
      ],
    });
  return rows.length === SLICE;
}
