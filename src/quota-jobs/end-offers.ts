// Ends offers of places: when they lapse, and when they are taken back.

import type { Expiry } from "../../db/expiry.ts";
import { countRows, recountRows } from "../../db/list/counts.ts";
import type { SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { CHANGED_NOW } from "../base/members.ts";
import { BY_SERVICE, recordEvent } from "../events/record.ts";
import { releaseHeldOf } from "../nouns/quotas/place-queries.ts";
import { removeAnswers } from "../nouns/responses/queries.ts";
import { statusSql } from "../nouns/screener-participants/derived.ts";
import { countedAssignments } from "../nouns/screener-participants/resource.ts";
import { countedSessions, session as sessionResource } from "../nouns/sessions/resource.ts";

/**
 * Sessions with their assignments: SQL of `id`, `screener_id` and `status` of the session, `assignment_id`, `assignment_status`, and `is_current`: whether
 * the session is the current one of the assignment.
 */
interface Ended {
  sql: string;
  values: readonly SqlValue[];
}

/** Inside a transaction: these sessions, which have offers (IS_OFFERED), are over quota again, as they were, and give back what they hold. */
export function endOffers(db: Writer, schema: string, ended: Ended, reason: "LAPSED" | "UNDONE"): void {
  const { sql, values } = ended;
  const some = `IN (SELECT id FROM (${sql}))`;
  const before = `SELECT id, screener_id, status, 'IN_PROGRESS' AS state FROM (${sql})`;
  recountRows(db, countedSessions, schema, { sql: before, values }, { state: "COMPLETED" });
  db.run(
    `UPDATE ${schema}.screener_session SET state = 'COMPLETED', outcome = 'DISQUALIFIED', outcome_reason = 'OVER_QUOTA',
       completed_at = offer ->> 1, offered_until = NULL, ${CHANGED_NOW}${reason === "UNDONE" ? ", offer = NULL" : ""} WHERE id ${some}`,
    ...values,
  );
  releaseHeldOf(db, `session_id ${some}`, values, { reason, schema });
  // That of a current session is known: it is the latest.
  const ofCurrent = { sql: `SELECT * FROM (${sql}) WHERE is_current`, values };
  const were = `SELECT assignment_id AS id, screener_id, assignment_status AS status FROM (${ofCurrent.sql})`;
  recountRows(db, countedAssignments, schema, { sql: were, values }, { status: "DISQUALIFIED" });
  db.run(
    `UPDATE ${schema}.screener_participant SET status = 'DISQUALIFIED', ${CHANGED_NOW} WHERE id IN (SELECT assignment_id FROM (${ofCurrent.sql}))`,
    ...values,
  );
  const others = { sql: `SELECT * FROM (${sql}) WHERE NOT is_current`, values };
  if (db.value(`${others.sql} LIMIT 1`, ...values) !== undefined) setStatus(db, schema, others, (status) => status);
}

/** Inside a transaction: removes these copies of sessions, as if they had not been made. */
export function removeCopies(db: Writer, schema: string, copies: Ended): void {
  const { sql, values } = copies;
  const ids = db.values<number>(`SELECT id FROM (${sql})`, ...values);
  if (!ids.length) return;
  const some = `IN (SELECT id FROM (${sql}))`;
  countRows(db, countedSessions, schema, `t.id ${some}`, values, -1);
  db.run(
    `UPDATE ${schema}.screener_session SET status = 'REMOVED', state = 'NOT_STARTED', started_at = NULL, last_active_at = NULL, page_times = NULL,
       outcome_quota_ids = NULL, quota_ids = NULL, offered_until = NULL, offer = NULL, language = NULL, ${CHANGED_NOW} WHERE id ${some}`,
    ...values,
  );
  countRows(db, countedSessions, schema, `t.id ${some}`, values, 1);
  removeAnswers(db, ids, schema);
  releaseHeldOf(db, `session_id ${some}`, values, { reason: "UNDONE", schema });
  // The session before the copy gives the status.
  setStatus(db, schema, copies, (status) => `${status}, current_session_id = NULL`);
}

/** Of the assignments of these sessions. @param set SQL of the new status of the assignment `t`, whose session was `j`, and of more to set */
function setStatus(db: Writer, schema: string, { sql, values }: Ended, set: (status: string) => string): void {
  const theirs = `t.id IN (SELECT assignment_id FROM (${sql}))`;
  countRows(db, countedAssignments, schema, theirs, values, -1);
  db.run(
    `UPDATE ${schema}.screener_participant AS t SET status = ${set(statusSql(`${schema}.`, "t.uid"))}, ${CHANGED_NOW} FROM (${sql}) AS j WHERE t.id = j.assignment_id`,
    ...values,
  );
  countRows(db, countedAssignments, schema, theirs, values, 1);
}

/**
 * Of a session `e`: whether it has an offer, and nobody has answered since. A release that knows no offers leaves them where somebody has
 * answered, and in sessions that it removes.
 */
export const IS_OFFERED = `e.offered_until IS NOT NULL AND e.state = 'IN_PROGRESS' AND e.status <> 'REMOVED'
  AND e.last_active_at IS e.offer ->> 1`;

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
    `SELECT id, uid, offer ->> 1 AS completedAt, ${IS_OFFERED} AS isOffered FROM screener_session AS e
     WHERE offered_until <= ? ORDER BY offered_until LIMIT ${SLICE}`,
    now,
  );
  const lapsed = rows.filter(({ isOffered }) => isOffered);
  const others = rows.filter(({ isOffered }) => !isOffered).map(({ id }) => id);
  if (lapsed.length) {
    const sql = `SELECT s.id, s.screener_id, s.status, a.id AS assignment_id, a.status AS assignment_status, a.current_session_id IS s.id AS is_current
      FROM json_each(?) AS l CROSS JOIN screener_session AS s ON s.id = l.value
      LEFT JOIN screener_participant AS a ON a.uid = s.screener_participant_uid`;
    endOffers(db, "main", { sql, values: [JSON.stringify(lapsed.map(({ id }) => id))] }, "LAPSED");
  }
  if (others.length)
    db.run(
      `UPDATE screener_session SET offered_until = NULL, offer = NULL WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(others),
    );
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
