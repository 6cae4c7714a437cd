// Statements on arms: those of a screener, and the sessions that count for them.

import type { Expiry } from "../../db/expiry.ts";
import type { Reader, SqlValue, Writer } from "../../db/sqlite/connection.ts";
import { ANY_OPERATOR, type FilterRule } from "../base/members.ts";
import { newSeed } from "./draw.ts";

/** Arms by the ids of their assignments. */
export type ArmIds = ReadonlyMap<string, string>;

/** As a session has them. */
export function armsFrom(json: string | null): ArmIds {
  return json === null ? NO_ARMS : new Map(Object.entries(JSON.parse(json) as Record<string, string>));
}

const NO_ARMS: ArmIds = new Map();

/** A screener's arms, over all versions: the ids of their assignments by their own. */
export function publishedArms(db: Reader, screenerId: number): Map<string, string> {
  const rows = db.all<{ uid: string; assignment: string }>(
    "SELECT uid, assignment_uid AS assignment FROM screener_arm WHERE screener_id = ?",
    screenerId,
  );
  return new Map(rows.map(({ uid, assignment }) => [uid, assignment]));
}

/** A screener's arms, over all versions, in the order in which they were first published. */
export function listArms(
  db: Reader,
  screenerId: number,
): { uid: string; name: string; assignmentUid: string; assignmentName: string }[] {
  return db.all(
    `SELECT uid, name, assignment_uid AS assignmentUid, assignment_name AS assignmentName FROM screener_arm
     WHERE screener_id = ? ORDER BY id`,
    screenerId,
  );
}

/** What a publication says of arms. */
interface PublishedAssignment {
  id: string;
  name: string;
  arms: readonly { id: string; name: string }[];
}

/** Makes the arms of a publication that are new, names all as it does, and sees to it that there is a seed. */
export function publishArms(db: Writer, screenerId: number, assignments: readonly PublishedAssignment[]): void {
  if (!assignments.length) return;
  db.run("INSERT INTO draw_seed (screener_id, seed) VALUES (?, ?) ON CONFLICT DO NOTHING", screenerId, newSeed());
  for (const { id: assignment, name, arms } of assignments) {
    for (const arm of arms)
      db.run(
        `INSERT INTO screener_arm (uid, screener_id, assignment_uid, assignment_name, name) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (uid) DO UPDATE SET name = excluded.name`,
        arm.id,
        screenerId,
        assignment,
        name,
        arm.name,
      );
    db.run(
      "UPDATE screener_arm SET assignment_name = ? WHERE screener_id = ? AND assignment_uid = ? AND assignment_name <> ?",
      name,
      screenerId,
      assignment,
      name,
    );
  }
}

/** Says which arms the newest publication has, and in which order. @param uids of the publication */
export function positionArms(db: Writer, screenerId: number, uids: readonly string[]): void {
  db.run(
    `UPDATE screener_arm AS a SET position = d.position
     FROM (SELECT o.id, j.key AS position FROM screener_arm AS o LEFT JOIN json_each(?) AS j ON j.value = o.uid WHERE o.screener_id = ?) AS d
     WHERE d.id = a.id AND a.position IS NOT d.position`,
    JSON.stringify(uids),
    screenerId,
  );
}

/** The seed of a screener. A release that does not know arms may have published them: then they are made here. */
export function readySeed(db: Writer, screenerId: number, assignments: readonly PublishedAssignment[]): Uint8Array {
  const uids = assignments.flatMap(({ arms }) => arms.map(({ id }) => id));
  const known = db.value<number>(
    "SELECT count(*) FROM json_each(?) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value",
    JSON.stringify(uids),
  );
  if (known !== uids.length) publishArms(db, screenerId, assignments);
  return db.value<Uint8Array>("SELECT seed FROM draw_seed WHERE screener_id = ?", screenerId)!;
}

export function drawVersionOf(db: Reader, publicationId: number): number {
  return db.value("SELECT draw_version FROM publication_content WHERE screener_publication_id = ?", publicationId)!;
}

/** How many sessions count for each of these arms, by id. Those that were given up count no more. */
export function countGiven(db: Reader, uids: readonly string[], now: number): Map<string, number> {
  const rows = db.all<{ uid: string; given: number }>(
    `SELECT a.uid, a.given - (SELECT count(*) FROM session_arm AS s WHERE s.arm_id = a.id AND s.expires_at <= ?) AS given
     FROM json_each(?) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value`,
    now,
    JSON.stringify(uids),
  );
  return new Map(rows.map(({ uid, given }) => [uid, given]));
}

/** How many are removed in one transaction. */
const GIVEN_UP_AT_ONCE = 1000;

const GIVEN_UP = "screener_arm AS a CROSS JOIN session_arm AS s ON s.arm_id = a.id AND s.expires_at <= ?";

/** What counts no more, because the session was given up. A draw only leaves it out: it may be much for a participant's submission. */
export const givenUpArms: Expiry = {
  isDue: (db, { now }) => db.value(`SELECT 1 FROM ${GIVEN_UP} LIMIT 1`, now) !== undefined,
  remove(db, { now }) {
    const { changes } = db.run(
      `DELETE FROM session_arm WHERE (session_id, arm_id) IN (SELECT s.session_id, s.arm_id FROM ${GIVEN_UP} LIMIT ?)`,
      now,
      GIVEN_UP_AT_ONCE,
    );
    return changes === GIVEN_UP_AT_ONCE;
  },
};

/** A session counts for these arms: until a time, or, null, for good. */
export function countForArms(db: Writer, sessionId: number, arms: ArmIds, expiresAt: number | null): void {
  if (!arms.size) return;
  db.run(
    `INSERT INTO session_arm (session_id, arm_id, expires_at)
     SELECT ?, a.id, ? FROM json_each(?) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value
     WHERE TRUE ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
    sessionId,
    expiresAt,
    JSON.stringify([...arms.values()]),
  );
}

/** A session counts for no arm any more. It keeps those that it was given. */
export function leaveArms(db: Writer, sessionId: number): void {
  db.run("DELETE FROM session_arm WHERE session_id = ?", sessionId);
}

/** These sessions, which were made with arms, are found by them. @param sessions SQL of their rowids */
export function findByArms(db: Writer, schema: string, sessions: string, values: readonly SqlValue[]): void {
  db.run(
    `INSERT INTO ${schema}.given_arm (arm_id, session_id)
     SELECT a.id, s.id FROM ${schema}.screener_session AS s CROSS JOIN json_each(s.arms) AS j CROSS JOIN ${schema}.screener_arm AS a ON a.uid = j.value
     WHERE s.id IN (${sessions}) AND s.arms IS NOT NULL`,
    ...values,
  );
}

/** The sessions that were given an arm. It may be most of a million, which are then looked at one by one. */
export const armFilter = {
  operators: ANY_OPERATOR,
  values: "uuid",
  by: {
    column: "id",
    references: {
      table: "(SELECT g.session_id AS id, a.uid FROM screener_arm AS a CROSS JOIN given_arm AS g ON g.arm_id = a.id)",
      by: "uid",
      many: true,
    },
    scan: {
      has: "EXISTS (SELECT 1 FROM screener_arm AS a CROSS JOIN given_arm AS g ON g.arm_id = a.id AND g.session_id = t.id WHERE a.uid IN $)",
    },
  },
} as const satisfies FilterRule;

/** What a recount of a store's arms finds wrong, in sentences. */
export function faultsOfArms(db: Reader): string[] {
  const rows = db.all<{ uid: string; given: number; recounted: number; found: number; had: number }>(
    `WITH h AS MATERIALIZED (SELECT j.value AS uid, count(*) AS n FROM screener_session AS s CROSS JOIN json_each(s.arms) AS j
       WHERE s.arms IS NOT NULL GROUP BY j.value)
     SELECT a.uid, a.given, (SELECT count(*) FROM session_arm AS s WHERE s.arm_id = a.id) AS recounted,
       (SELECT count(*) FROM given_arm AS g WHERE g.arm_id = a.id) AS found, coalesce((SELECT h.n FROM h WHERE h.uid = a.uid), 0) AS had
     FROM screener_arm AS a WHERE a.given <> recounted OR found <> had`,
  );
  return rows.flatMap(({ uid, given, recounted, found, had }) => [
    ...(given === recounted ? [] : [`the arm ${uid} says ${given} sessions, and there are ${recounted}`]),
    ...(found === had ? [] : [`by the arm ${uid} ${found} sessions are found, and ${had} were given it`]),
  ]);
}

/** The arms that a session was given, as it shows them. @param arms as its column has them */
export function shownArms(db: Reader, arms: string | null): unknown {
  if (arms === null) return [];
  return JSON.parse(db.value<string>(`SELECT ${shownArmsSql("s.arms")} FROM (SELECT ? AS arms) AS s`, arms)!);
}

/** SQL of the arms that a session was given, as it shows them. @param column their JSON */
export const shownArmsSql = (column: string) =>
  `iif(${column} IS NULL, '[]', (SELECT json_group_array(json_object('assignmentId', a.assignment_uid,
    'assignmentName', a.assignment_name, 'armId', a.uid, 'armName', a.name))
    FROM json_each(${column}) AS j CROSS JOIN screener_arm AS a ON a.uid = j.value))`;
