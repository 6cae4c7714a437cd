// Statements of forecasts: who has answered, who is on the roster, and how many were invited. All of them only read.

import type { Reader } from "../../db/sqlite/connection.ts";

/** How many people are read at once. */
export const PEOPLE_AT_ONCE = 500;

/** A session in which something was answered. */
export interface AnsweredSession {
  id: number;
  participant: number;
  publication: number;
  publicationUid: string;
  state: "IN_PROGRESS" | "COMPLETED";
  outcome: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN" | null;
  /** Whether a person has set the outcome. */
  isOverridden: 0 | 1;
  /** Whether a person has reviewed and rejected it. */
  isRejected: 0 | 1;
  /** The id of the consent that was refused, so that it ended. */
  refused: string | null;
  startedAt: string;
  timeZone: string;
  /** JSON. */
  attributes: string;
  /** JSON: the ids of its arms, by those of the assignments. */
  arms: string | null;
  /** What its orders by chance come from. */
  seed: string;
}

const IS_ANSWERED =
  "screener_id = ? AND status <> 'REMOVED' AND withdrawn_at IS NULL AND state <> 'NOT_STARTED' AND is_test = 0";

export function countAnswered(db: Reader, screenerId: number): number {
  return db.value(`SELECT count(*) FROM screener_session WHERE ${IS_ANSWERED}`, screenerId)!;
}

/** The rowids of a screener's sessions that were started, in the order of submission. */
export function listAnswered(db: Reader, screenerId: number, limit: number): number[] {
  return db.values(
    `SELECT id FROM screener_session WHERE ${IS_ANSWERED} ORDER BY coalesce(completed_at, last_active_at, started_at), id LIMIT ?`,
    screenerId,
    limit,
  );
}

/** The participants who have started several sessions. */
export function listRepeated(db: Reader, screenerId: number): number[] {
  return db.values(
    `SELECT participant_id FROM screener_session WHERE ${IS_ANSWERED} GROUP BY participant_id HAVING count(*) > 1`,
    screenerId,
  );
}

/** These sessions in their order. @param withAttributes whether the participants' attributes are read */
export function readSessions(db: Reader, ids: readonly number[], withAttributes: boolean): AnsweredSession[] {
  return db.all(
    `SELECT s.id, s.participant_id AS participant, s.screener_publication_id AS publication, b.uid AS publicationUid, s.state,
       s.outcome, s.override IS NOT NULL AS isOverridden, s.review_state IS 'REJECTED' AS isRejected,
       iif(s.outcome_reason = 'SCREENED_OUT', s.refused_uid, NULL) AS refused, s.started_at AS startedAt, n.time_zone AS timeZone,
       iif(?, p.attributes, '{}') AS attributes, s.arms,
       coalesce(s.order_of, s.uid) AS seed
     FROM json_each(?) AS j CROSS JOIN screener_session AS s ON s.id = j.value JOIN participant AS p ON p.id = s.participant_id
       JOIN screener AS n ON n.id = s.screener_id JOIN screener_publication AS b ON b.id = s.screener_publication_id
     ORDER BY j.key`,
    Number(withAttributes),
    JSON.stringify(ids),
  );
}

/** Somebody who may be asked. */
interface RosterRow {
  /** Where the next rows begin. */
  key: number;
  participant: number;
  /** JSON. */
  attributes: string;
}

/** Who may be asked: those assigned to a screener, those of them who have not begun, or all of the workspace. */
export type Roster = { of: "ASSIGNED" | "WAITING"; screenerId: number } | { of: "WORKSPACE" };

export function countRoster(db: Reader, roster: Roster): number {
  if (roster.of === "WORKSPACE") return db.value("SELECT sum(n) FROM participant_block") ?? 0;
  return db.value(`SELECT count(*) FROM screener_participant AS a WHERE ${rosterWhere(roster)}`, roster.screenerId)!;
}

/** Some people of a roster, in the order in which they were added. @param after the key of the last one before */
export function listRoster(db: Reader, roster: Roster, after: number, rows: number): RosterRow[] {
  if (roster.of === "WORKSPACE")
    return db.all(
      "SELECT id AS key, id AS participant, attributes FROM participant WHERE id > ? ORDER BY id LIMIT ?",
      after,
      rows,
    );
  return db.all(
    `SELECT a.id AS key, a.participant_id AS participant, p.attributes
     FROM screener_participant AS a JOIN participant AS p ON p.id = a.participant_id
     WHERE ${rosterWhere(roster)} AND a.id > ? ORDER BY a.id LIMIT ?`,
    roster.screenerId,
    after,
    rows,
  );
}

function rosterWhere({ of }: Roster): string {
  return `a.screener_id = ?${of === "WAITING" ? " AND a.status = 'NOT_STARTED'" : ""}`;
}

/** How many participants have got a link. */
export function countInvited(db: Reader, screenerId: number): number {
  return db.value(
    "SELECT count(DISTINCT participant_id) FROM screener_session WHERE screener_id = ? AND status <> 'REMOVED' AND is_test = 0",
    screenerId,
  )!;
}
