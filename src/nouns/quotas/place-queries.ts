// Statements on the places of quotas.

import type { Expiry } from "../../../db/expiry.ts";
import type { Reader, SqlValue, Writer } from "../../../db/sqlite/connection.ts";

/** Of a place `p`: whether it has lapsed, and was not given back yet. Its parameter is the time. */
export const IS_LAPSED = "p.state = 'HELD' AND p.expires_at IS NOT NULL AND p.expires_at <= ?";

/** Of a quota `q`: how many places have lapsed, and were not given back yet. They count as free. Its parameter is the time. */
export const LAPSED_OF_QUOTA = `(SELECT count(*) FROM quota_place AS p WHERE p.quota_id = q.id AND ${IS_LAPSED})`;

/** The places that these sessions hold or have taken. */
export function listPlacesOf(
  db: Reader,
  sessionIds: readonly number[],
  now: number,
): { session: number; quota: number; state: "HELD" | "TAKEN" }[] {
  return db.all(
    `SELECT p.session_id AS session, p.quota_id AS quota, p.state FROM quota_place AS p
     WHERE p.session_id IN (SELECT value FROM json_each(?)) AND p.state IN ('HELD', 'TAKEN') AND NOT (${IS_LAPSED})`,
    JSON.stringify(sessionIds),
    now,
  );
}

/** How many lapsed places one transaction gives back at most: others wait for it. */
const LAPSED_AT_ONCE = 1000;

/** How many places of a quota are held and have not lapsed. @param max more are not counted; below 0: all are */
export function countHeld(db: Reader, quotaId: number, now: number, max = -1): number {
  return db.value(
    `SELECT count(*) FROM (
       SELECT 1 FROM quota_place WHERE quota_id = ? AND state = 'HELD' AND expires_at > ?
       UNION ALL SELECT 1 FROM quota_place WHERE quota_id = ? AND state = 'HELD' AND expires_at IS NULL LIMIT ?)`,
    quotaId,
    now,
    quotaId,
    max,
  )!;
}

/** Gives back places of a quota that have lapsed: so many, but not too many at once. */
export function releaseLapsedOf(db: Writer, quotaId: number, now: number, count: number): void {
  db.run(
    `UPDATE quota_place SET state = 'RELEASED', reason = 'LAPSED' WHERE id IN (
       SELECT p.id FROM quota_place AS p WHERE p.quota_id = ? AND ${IS_LAPSED} ORDER BY p.expires_at LIMIT ?)`,
    quotaId,
    now,
    Math.min(count, LAPSED_AT_ONCE),
  );
}

const ALL_LAPSED = `screener_quota AS q CROSS JOIN quota_place AS p ON p.quota_id = q.id WHERE q.held > 0 AND ${IS_LAPSED}`;

/** Places that have lapsed, and were not given back yet. */
export const lapsedPlaces: Expiry = {
  isDue: (db, { now }) => db.value<number>(`SELECT EXISTS (SELECT 1 FROM ${ALL_LAPSED})`, now) === 1,
  remove(db, { now }) {
    const { changes } = db.run(
      `UPDATE quota_place SET state = 'RELEASED', reason = 'LAPSED' WHERE id IN (SELECT p.id FROM ${ALL_LAPSED} LIMIT ?)`,
      now,
      LAPSED_AT_ONCE,
    );
    return changes === LAPSED_AT_ONCE;
  },
};

/** Of the places that a session has given back in these quotas, forgets all but the last in each. @param quotaIds rowids */
export function deleteFormer(db: Writer, sessionId: number, quotaIds: readonly number[]): void {
  db.run(
    // Not by the quota, of which there may be a million.
    `DELETE FROM quota_place AS p INDEXED BY quota_place_session WHERE p.session_id = ? AND p.state = 'RELEASED' AND p.quota_id IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM quota_place AS l INDEXED BY quota_place_session
         WHERE l.session_id = p.session_id AND l.quota_id = p.quota_id AND l.state = 'RELEASED' AND l.id > p.id)`,
    sessionId,
    JSON.stringify(quotaIds),
  );
}

interface NewPlaces {
  /** The rowids of the quotas, and the ids of the places. */
  places: readonly { quotaId: number; uid: string; isOverLimit: boolean }[];
  participantId: number;
  sessionId: number;
  state: "HELD" | "TAKEN";
  now: string;
  expiresAt: number | null;
}

export function insertPlaces(db: Writer, { places, participantId, sessionId, state, now, expiresAt }: NewPlaces): void {
  db.run(
    `INSERT INTO quota_place (uid, quota_id, participant_id, session_id, state, is_over_limit, created_at, expires_at)
     SELECT value ->> 1, value ->> 0, ?, ?, ?, value ->> 2, ?, ? FROM json_each(?)`,
    participantId,
    sessionId,
    state,
    now,
    expiresAt,
    JSON.stringify(places.map(({ quotaId, uid, isOverLimit }) => [quotaId, uid, Number(isOverLimit)])),
  );
}

/** Holds places further, or takes them, for a session. */
export function updatePlaces(
  db: Writer,
  ids: readonly number[],
  { state, sessionId, expiresAt }: Pick<NewPlaces, "state" | "sessionId" | "expiresAt">,
): void {
  db.run(
    // What was offered for longer is held for longer.
    `UPDATE quota_place SET state = ?, session_id = ?, expires_at = iif(? IS NULL, NULL, max(coalesce(expires_at, 0), ?))
     WHERE id IN (SELECT value FROM json_each(?))`,
    state,
    sessionId,
    expiresAt,
    expiresAt,
    JSON.stringify(ids),
  );
}

/** A place that somebody holds or has taken. */
export interface Place {
  id: number;
  quota_id: number;
  state: "HELD" | "TAKEN";
  /** In ms since 1970. Null: it does not lapse. */
  expires_at: number | null;
}

/** The places that a session holds or has taken. */
export function listPlacesOfSession(db: Reader, sessionId: number): Place[] {
  return db.all(
    "SELECT id, quota_id, state, expires_at FROM quota_place WHERE session_id = ? AND state IN ('HELD', 'TAKEN')",
    sessionId,
  );
}

/** The latest place of a session in each quota, by the quota's public id. */
export function findLatestPlaces(
  db: Reader,
  sessionId: number,
  now: number,
): Map<string, { state: "HELD" | "TAKEN" | "RELEASED"; reason: ReleaseReason | null }> {
  const rows = db.all<{ uid: string; state: "HELD" | "TAKEN" | "RELEASED"; reason: ReleaseReason | null }>(
    `SELECT q.uid, iif(${IS_LAPSED}, 'RELEASED', p.state) AS state, iif(${IS_LAPSED}, 'LAPSED', p.reason) AS reason
     FROM quota_place AS p JOIN screener_quota AS q ON q.id = p.quota_id WHERE p.session_id = ? ORDER BY p.id`,
    now,
    now,
    sessionId,
  );
  return new Map(rows.map(({ uid, state, reason }) => [uid, { state, reason }]));
}

/** A place that has lapsed was free already: its reason is LAPSED, and it keeps the time when it lapsed. Its parameters: `givenBack`. */
const GIVEN_BACK = `state = 'RELEASED', reason = iif(expires_at <= ?, 'LAPSED', ?), expires_at = iif(expires_at <= ?, expires_at, NULL)`;

function givenBack(reason: ReleaseReason): SqlValue[] {
  const now = Date.now();
  return [now, reason, now];
}

/** Gives places back. */
export function releasePlaces(db: Writer, ids: readonly number[], reason: ReleaseReason): void {
  db.run(
    `UPDATE quota_place SET ${GIVEN_BACK} WHERE id IN (SELECT value FROM json_each(?))`,
    ...givenBack(reason),
    JSON.stringify(ids),
  );
}

/** Gives back what a session holds, but for some quotas. What it has taken stays. @param exceptFor rowids of quotas */
export function releaseHeld(
  db: Writer,
  sessionId: number,
  reason: ReleaseReason,
  exceptFor: readonly number[] = [],
): void {
  db.run(
    `UPDATE quota_place SET ${GIVEN_BACK}
     WHERE session_id = ? AND state = 'HELD' AND quota_id NOT IN (SELECT value FROM json_each(?))`,
    ...givenBack(reason),
    sessionId,
    JSON.stringify(exceptFor),
  );
}

/** Gives back what many hold: by default because their assignments were removed. @param which a condition on places */
export function releaseHeldOf(
  db: Writer,
  which: string,
  values: readonly SqlValue[],
  { reason = "UNASSIGNED" as ReleaseReason, schema = "main" } = {},
): void {
  db.run(
    `UPDATE ${schema}.quota_place SET ${GIVEN_BACK} WHERE state = 'HELD' AND ${which}`,
    ...givenBack(reason),
    ...values,
  );
}

/** The places of some of these participants in a quota, also those that have lapsed and were not given back yet. */
export function listPlacesIn(
  db: Reader,
  quotaId: number,
  participants: readonly number[],
  now: number,
): { id: number; participant: number; hasLapsed: 0 | 1 }[] {
  return db.all(
    `SELECT p.id, p.participant_id AS participant, ${IS_LAPSED} AS hasLapsed FROM json_each(?) AS j
       CROSS JOIN quota_place AS p ON p.quota_id = ? AND p.participant_id = j.value AND p.state IN ('HELD', 'TAKEN')`,
    now,
    JSON.stringify(participants),
    quotaId,
  );
}

/** Forgets the places of a participant. Those that are taken stay as numbers. */
export function forgetPlaces(db: Writer, participantId: number): void {
  const own = "session_id IN (SELECT s.id FROM screener_session AS s WHERE s.participant_id = ?)";
  db.run(
    `UPDATE screener_quota SET erased_taken = erased_taken + 1
     WHERE id IN (SELECT quota_id FROM quota_place WHERE state = 'TAKEN' AND ${own})`,
    participantId,
  );
  db.run(`DELETE FROM quota_place WHERE ${own}`, participantId);
}

/** Why a place was given back. */
export const RELEASE_REASONS = [
  "LAPSED",
  "ANSWERS_CHANGED",
  "SCREENED_OUT",
  "OVER_QUOTA",
  "NO_CONSENT",
  "WITHDRAWN",
  "UNASSIGNED",
  "SESSION_REMOVED",
  "OVERRIDDEN",
  "UNDONE",
  "REJECTED",
] as const;

export type ReleaseReason = (typeof RELEASE_REASONS)[number];
