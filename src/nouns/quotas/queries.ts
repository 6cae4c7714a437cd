// Statements on quotas and their places.

import type { Reader, SqlValue, Writer } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";

export interface QuotaRow {
  id: number;
  uid: string;
  screener_id: number;
  mode: "LIMIT" | "COUNT";
  max_places: number | null;
  paused: number;
  /** With those of people who were erased. */
  taken: number;
  held: number;
}

/** Of a place `p`: whether it has lapsed, and was not given back yet. Its parameter is the time. */
export const IS_LAPSED = "p.state = 'HELD' AND p.expires_at IS NOT NULL AND p.expires_at <= ?";

const COLUMNS = "q.id, q.uid, q.screener_id, q.mode, q.max_places, q.paused, q.taken + q.erased_taken AS taken, q.held";

/** @throws Problem screener_quota_not_found */
export function getQuota(db: Reader, uid: string): QuotaRow {
  const row = db.get<QuotaRow>(`SELECT ${COLUMNS} FROM screener_quota AS q WHERE q.uid = ?`, uid);
  if (!row) throw new Problem("screener_quota_not_found");
  return row;
}

export function getQuotaById(db: Reader, id: number): QuotaRow {
  return db.get<QuotaRow>(`SELECT ${COLUMNS} FROM screener_quota AS q WHERE q.id = ?`, id)!;
}

/** The rules of a screener's quotas, by id: JSON of a condition; null: everybody. */
export function publishedRules(db: Reader, screenerId: number): Map<string, string | null> {
  const rows = db.all<{ uid: string; rule: string | null }>(
    "SELECT uid, rule FROM screener_quota WHERE screener_id = ?",
    screenerId,
  );
  return new Map(rows.map(({ uid, rule }) => [uid, rule]));
}

/** A screener's quotas: those of its draft in their order, then those that are gone from there. */
export function listQuotas(db: Reader, screenerId: number): { id: number; uid: string; name: string }[] {
  return db.all(
    "SELECT id, uid, name FROM screener_quota WHERE screener_id = ? ORDER BY position IS NULL, position, id",
    screenerId,
  );
}

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

/** The study's target: the first quota of everybody that has a limit, and its places. */
export function findTarget(db: Reader, screenerUid: string): { limit: number; taken: number } | undefined {
  return db.get(
    `SELECT q.max_places AS "limit", q.taken + q.erased_taken AS taken
     FROM screener AS s JOIN screener_quota AS q ON q.screener_id = s.id
     WHERE s.uid = ? AND q.rule IS NULL AND q.mode = 'LIMIT' AND q.max_places IS NOT NULL AND q.position IS NOT NULL
     ORDER BY q.position LIMIT 1`,
    screenerUid,
  );
}

/** Says which quotas the draft has, and in which order. @param uids of the draft */
export function positionQuotas(db: Writer, screenerId: number, uids: readonly string[]): void {
  db.run(
    `UPDATE screener_quota AS q SET position = d.position
     FROM (SELECT o.id, j.key AS position FROM screener_quota AS o LEFT JOIN json_each(?) AS j ON j.value = o.uid
           WHERE o.screener_id = ?) AS d
     WHERE d.id = q.id AND q.position IS NOT d.position`,
    JSON.stringify(uids),
    screenerId,
  );
}

/** What a publication says of a quota. */
interface PublishedQuota {
  id: string;
  name: string;
  when: object | null;
  mode: "LIMIT" | "COUNT";
  limit: number | null;
}

/** Makes the quotas of a publication that are new, with no place taken, and names all as it does. */
export function publishQuotas(
  db: Writer,
  screenerId: number,
  quotas: readonly PublishedQuota[],
  by: { actor: number; now: string },
): void {
  for (const [position, { id, name, when, mode, limit }] of quotas.entries())
    db.run(
      `INSERT INTO screener_quota (uid, screener_id, name, rule, mode, max_places, peak_places, position, created_by, created_at, updated_by,
         updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (uid) DO UPDATE SET name = excluded.name, mode = excluded.mode, position = excluded.position,
         max_places = coalesce(max_places, excluded.max_places), peak_places = max(coalesce(peak_places, 0), coalesce(excluded.peak_places, 0), iif(mode = 'COUNT', taken + held, 0))`,
      id,
      screenerId,
      name,
      when && JSON.stringify(when),
      mode,
      limit,
      limit,
      position,
      by.actor,
      by.now,
      by.actor,
      by.now,
    );
  positionQuotas(
    db,
    screenerId,
    quotas.map(({ id }) => id),
  );
}

/** Writes nothing if the quota has these values already, so that `updated_at` stays. */
export function updateQuota(
  db: Writer,
  quota: { id: number; limit: number | null; paused: boolean; actor: number; now: string },
): void {
  const { id, limit, paused, actor, now } = quota;
  db.run(
    `UPDATE screener_quota SET max_places = ?, peak_places = max(coalesce(peak_places, 0), ?), paused = ?, updated_by = ?, updated_at = ?
     WHERE id = ? AND (max_places, paused) IS NOT (?, ?)`,
    limit,
    limit ?? 0,
    Number(paused),
    actor,
    now,
    id,
    limit,
    Number(paused),
  );
}

/** A quota, and the place that a participant has in it. */
interface QuotaOfParticipant extends QuotaRow {
  place_id: number | null;
  place_state: "HELD" | "TAKEN" | null;
  /** Of `held`: those that have lapsed. */
  lapsed: number;
}

/** These quotas, with the participant's place in each. A place that has lapsed is none. */
export function findQuotasOf(
  db: Reader,
  uids: readonly string[],
  participantId: number,
  now: number,
): QuotaOfParticipant[] {
  return db.all(
    `SELECT ${COLUMNS}, p.id AS place_id, p.state AS place_state,
       (SELECT count(*) FROM quota_place AS l WHERE l.quota_id = q.id AND l.state = 'HELD' AND l.expires_at <= ?) AS lapsed
     FROM json_each(?) AS j CROSS JOIN screener_quota AS q ON q.uid = j.value
       LEFT JOIN quota_place AS p ON p.quota_id = q.id AND p.participant_id = ? AND p.state IN ('HELD', 'TAKEN')
         AND (p.state = 'TAKEN' OR p.expires_at IS NULL OR p.expires_at > ?)
     ORDER BY j.key`,
    now,
    JSON.stringify(uids),
    participantId,
    now,
  );
}

/** Gives back the places of these quotas that have lapsed. */
export function releaseLapsed(db: Writer, uids: readonly string[], now: number): void {
  db.run(
    `UPDATE quota_place SET state = 'RELEASED', reason = 'LAPSED'
     WHERE quota_id IN (SELECT q.id FROM json_each(?) AS j CROSS JOIN screener_quota AS q ON q.uid = j.value)
       AND state = 'HELD' AND expires_at <= ?`,
    JSON.stringify(uids),
    now,
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
    `UPDATE quota_place SET state = ?, session_id = ?, expires_at = ? WHERE id IN (SELECT value FROM json_each(?))`,
    state,
    sessionId,
    expiresAt,
    JSON.stringify(ids),
  );
}

/** A place that somebody holds or has taken. */
interface Place {
  id: number;
  quota_id: number;
  state: "HELD" | "TAKEN";
}

/** The places that a session holds or has taken. */
export function listPlacesOfSession(db: Reader, sessionId: number): Place[] {
  return db.all(
    "SELECT id, quota_id, state FROM quota_place WHERE session_id = ? AND state IN ('HELD', 'TAKEN')",
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

/** Places that have lapsed were free before: for them the reason and the time stay those. Its parameters: `givenBack`. */
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

/** Gives back what sessions of assignments that were removed hold. @param which a condition on places */
export function releaseHeldOf(db: Writer, which: string, values: readonly SqlValue[], schema = "main"): void {
  db.run(
    `UPDATE ${schema}.quota_place SET ${GIVEN_BACK} WHERE state = 'HELD' AND ${which}`,
    ...givenBack("UNASSIGNED"),
    ...values,
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

/** What a recount of a store's quotas finds wrong, in sentences. Overrides and limits that were lowered may leave more places than the limit. */
export function faultsOfQuotas(db: Reader): string[] {
  const rows = db.all<{ uid: string; counts: string; recounted: string; excess: number }>(
    `SELECT q.uid, q.taken || ' taken and ' || q.held || ' held' AS counts,
       count(p.id) FILTER (WHERE p.state = 'TAKEN') || ' taken and ' || count(p.id) FILTER (WHERE p.state = 'HELD') || ' held' AS recounted,
       count(p.id) FILTER (WHERE p.state IN ('HELD', 'TAKEN') AND NOT p.is_over_limit)
         - CASE q.mode WHEN 'LIMIT' THEN q.peak_places END AS excess
     FROM screener_quota AS q LEFT JOIN quota_place AS p ON p.quota_id = q.id GROUP BY q.id`,
  );
  return rows.flatMap(({ uid, counts, recounted, excess }) => [
    ...(counts === recounted ? [] : [`the quota ${uid} says ${counts}, and there are ${recounted}`]),
    ...(excess > 0 ? [`the quota ${uid} has ${excess} more places than its limit ever was`] : []),
  ]);
}

/** Why a place was given back. */
export const RELEASE_REASONS = [
  "LAPSED",
  "ANSWERS_CHANGED",
  "SCREENED_OUT",
  "OVER_QUOTA",
  "UNASSIGNED",
  "SESSION_REMOVED",
  "OVERRIDDEN",
] as const;

export type ReleaseReason = (typeof RELEASE_REASONS)[number];
