// Statements on quotas.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";
import { IS_LAPSED, LAPSED_OF_QUOTA } from "./place-queries.ts";

export interface QuotaRow {
  id: number;
  uid: string;
  screener_id: number;
  mode: "LIMIT" | "COUNT";
  max_places: number | null;
  paused: number;
  /** With those of people who were erased. */
  taken: number;
  /** With those that have lapsed, and were not given back yet. */
  held: number;
  /** Whether everybody needs a place: no rule says who. */
  for_everybody: number;
}

const COLUMNS =
  "q.id, q.uid, q.screener_id, q.mode, q.max_places, q.paused, q.taken + q.erased_taken AS taken, q.held, q.rule IS NULL AS for_everybody";

export function findQuota(db: Reader, uid: string): QuotaRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM screener_quota AS q WHERE q.uid = ?`, uid);
}

/** @throws Problem screener_quota_not_found */
export function getQuota(db: Reader, uid: string): QuotaRow {
  const row = findQuota(db, uid);
  if (!row) throw new Problem("screener_quota_not_found");
  return row;
}

export function getQuotaById(db: Reader, id: number): QuotaRow {
  return db.get<QuotaRow>(`SELECT ${COLUMNS} FROM screener_quota AS q WHERE q.id = ?`, id)!;
}

/** How many people who were erased have taken a place of a quota. */
export function countErased(db: Reader, uid: string): number {
  return db.value("SELECT erased_taken FROM screener_quota WHERE uid = ?", uid)!;
}

/** All quotas of a screener. */
export function listQuotaRows(db: Reader, screenerId: number): QuotaRow[] {
  return db.all(`SELECT ${COLUMNS} FROM screener_quota AS q WHERE q.screener_id = ?`, screenerId);
}

/** The rules of a screener's quotas, by id: JSON of a condition; null: everybody. */
export function publishedRules(db: Reader, screenerId: number): Map<string, string | null> {
  const rows = db.all<{ uid: string; rule: string | null }>(
    "SELECT uid, rule FROM screener_quota WHERE screener_id = ?",
    screenerId,
  );
  return new Map(rows.map(({ uid, rule }) => [uid, rule]));
}

/** The limits of a screener's quotas, by id. null: none. */
export function publishedLimits(db: Reader, screenerId: number): Map<string, number | null> {
  const rows = db.all<{ uid: string; max_places: number | null }>(
    "SELECT uid, max_places FROM screener_quota WHERE screener_id = ?",
    screenerId,
  );
  return new Map(rows.map(({ uid, max_places }) => [uid, max_places]));
}

/** A screener's quotas: those of its draft in their order, then those that are gone from there. */
export function listQuotas(db: Reader, screenerId: number): { id: number; uid: string; name: string }[] {
  return db.all(
    "SELECT id, uid, name FROM screener_quota WHERE screener_id = ? ORDER BY position IS NULL, position, id",
    screenerId,
  );
}

/** The quotas of everybody that are in the draft of a screener, in their order: one of them may be its target. */
export function listOfEverybody(
  db: Reader,
  screenerUid: string,
): { when: null; mode: "LIMIT" | "COUNT"; limit: number | null; taken: number }[] {
  return db.all(
    `SELECT q.rule AS "when", q.mode, q.max_places AS "limit", q.taken + q.erased_taken AS taken
     FROM screener AS s JOIN screener_quota AS q ON q.screener_id = s.id
     WHERE s.uid = ? AND q.rule IS NULL AND q.position IS NOT NULL ORDER BY q.position`,
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
  /** Whether it is held until a person has decided: for another session, if it is claimed again. */
  awaits_review: 0 | 1;
  /** 1: the place has lapsed. It counts in `held` until it is given back. */
  has_lapsed: 0 | 1;
}

/** These quotas, with the participant's place in each. They are in no order: to sort them is dearer than to look them up. */
export function findQuotasOf(
  db: Reader,
  uids: readonly string[],
  participantId: number,
  now: number,
): QuotaOfParticipant[] {
  return db.all(
    `SELECT ${COLUMNS}, p.id AS place_id, p.state AS place_state, iif(${IS_LAPSED}, 1, 0) AS has_lapsed,
       p.state IS 'HELD' AND p.expires_at IS NULL AS awaits_review
     FROM json_each(?) AS j CROSS JOIN screener_quota AS q ON q.uid = j.value
       LEFT JOIN quota_place AS p ON p.quota_id = q.id AND p.participant_id = ? AND p.state IN ('HELD', 'TAKEN')`,
    now,
    JSON.stringify(uids),
    participantId,
  );
}

/** How full all quotas of a screener are. */
export function listRoomOf(
  db: Reader,
  screenerId: number,
  now: number,
): { row: QuotaRow; isPaused: boolean; limit: number | null; given: number }[] {
  const rows = db.all<QuotaRow & { lapsed: number }>(
    `SELECT ${COLUMNS}, ${LAPSED_OF_QUOTA} AS lapsed FROM screener_quota AS q WHERE q.screener_id = ?`,
    now,
    screenerId,
  );
  return rows.map((row) => ({
    row,
    isPaused: row.paused !== 0,
    limit: row.max_places,
    given: row.taken + row.held - row.lapsed,
  }));
}

/**
 * What a recount of a store's quotas finds wrong, in sentences. Overrides and limits that were lowered may leave more places than the
 * limit; places that have lapsed are free.
 */
export function faultsOfQuotas(db: Reader, now = Date.now()): string[] {
  const rows = db.all<{ uid: string; counts: string; recounted: string; excess: number }>(
    `SELECT q.uid, q.taken || ' taken and ' || q.held || ' held' AS counts,
       count(p.id) FILTER (WHERE p.state = 'TAKEN') || ' taken and ' || count(p.id) FILTER (WHERE p.state = 'HELD') || ' held' AS recounted,
       count(p.id) FILTER (WHERE p.state IN ('HELD', 'TAKEN') AND NOT p.is_over_limit AND NOT (${IS_LAPSED}))
         - CASE q.mode WHEN 'LIMIT' THEN q.peak_places END AS excess
     FROM screener_quota AS q LEFT JOIN quota_place AS p ON p.quota_id = q.id GROUP BY q.id`,
    now,
  );
  return rows.flatMap(({ uid, counts, recounted, excess }) => [
    ...(counts === recounted ? [] : [`the quota ${uid} says ${counts}, and there are ${recounted}`]),
    ...(excess > 0 ? [`the quota ${uid} has ${excess} more places than its limit ever was`] : []),
  ]);
}
