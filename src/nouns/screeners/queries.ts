// Statements on screeners.

import { countRow } from "../../../db/list/counts.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { Problem } from "../../base/problems.ts";
import { type ACCEPTANCES, countedScreeners, type REVIEWS } from "./resource.ts";

/** What decides whether a screener takes answers and opens sessions. Times are ISO-8601, UTC, milliseconds. */
export interface Acceptance {
  acceptance: (typeof ACCEPTANCES)[number];
  opens_at: string | null;
  closes_at: string | null;
  link_expires_at: string | null;
}

/** What callers write. */
interface ScreenerValues extends Acceptance {
  title: string | null;
  description: string | null;
  time_zone: string;
  quota_hold_minutes: number;
  review: (typeof REVIEWS)[number];
  /** JSON, as src/signals/settings.ts reads it. Null: all are off. */
  signals: string | null;
  /** 1: nobody works on it any more. */
  archived: number;
}

const written = [
  "title",
  "description",
  "acceptance",
  "opens_at",
  "closes_at",
  "link_expires_at",
  "time_zone",
  "quota_hold_minutes",
  "review",
  "signals",
  "archived",
] as const satisfies readonly (keyof ScreenerValues)[];

export interface ScreenerRow extends ScreenerValues {
  id: number;
  uid: string;
  active_publication_id: number | null;
}

export function findScreener(db: Reader, uid: string, schema = "main"): ScreenerRow | undefined {
  return db.get<ScreenerRow>(
    `SELECT id, uid, active_publication_id, ${written.join(", ")} FROM ${schema}.screener WHERE uid = ?`,
    uid,
  );
}

/** @throws Problem screener_not_found */
export function getScreener(db: Reader, uid: string, schema = "main"): ScreenerRow {
  const row = findScreener(db, uid, schema);
  if (!row) throw new Problem("screener_not_found");
  return row;
}

/** The name of a screener's time zone. */
export function timeZoneOfScreener(db: Reader, id: number): string {
  return db.value<string>("SELECT time_zone FROM screener WHERE id = ?", id)!;
}

/** Why a screener takes no answers and opens no sessions. */
export type Refusal = "closed" | "expired" | "paused" | "notYetOpen";

/** Why a screener takes no answers and opens no sessions now; undefined if it does. */
export function refusalOf({ acceptance, opens_at, closes_at, link_expires_at }: Acceptance): Refusal | undefined {
  const now = new Date().toISOString();
  if (acceptance === "CLOSED" || (closes_at !== null && closes_at <= now)) return "closed";
  // Before the others: participants would wait in vain for a paused study whose links have expired.
  if (link_expires_at !== null && link_expires_at <= now) return "expired";
  if (acceptance === "PAUSED") return "paused";
  return opens_at !== null && now < opens_at ? "notYetOpen" : undefined;
}

/** @throws Problem screener_closed or link_expired unless the screener takes answers and opens sessions now */
export function requireAccepting(screener: Acceptance): void {
  const refusal = refusalOf(screener);
  if (!refusal) return;
  const { acceptance, opens_at, closes_at, link_expires_at } = screener;
  if (refusal === "expired")
    throw new Problem("link_expired", {
      detail: `The links of the screener expired at ${link_expires_at}. They take no answers, and no new ones are made.`,
    });
  const details: Record<Exclude<Refusal, "expired">, string> = {
    closed: acceptance === "CLOSED" ? "The screener is closed." : `The screener was closed at ${closes_at}.`,
    paused: "The screener is paused.",
    notYetOpen: `The screener opens at ${opens_at}.`,
  };
  throw new Problem("screener_closed", {
    detail: `${details[refusal]} It takes no answers and opens no sessions now.`,
  });
}

/** The acceptance of an existing screener, when somebody last answered it, how long places in quotas are held, and which sessions are reviewed by which signals. */
export function getAcceptance(
  db: Reader,
  id: number,
): Acceptance & Pick<ScreenerRow, "quota_hold_minutes" | "review" | "signals"> & { last_answer_at: string | null } {
  const sql =
    "SELECT acceptance, opens_at, closes_at, link_expires_at, last_answer_at, quota_hold_minutes, review, signals FROM screener WHERE id = ?";
  return db.once(`acceptance ${id}`, () => db.get(sql, id)!);
}

/** How much belongs to a screener. */
export interface Belongings {
  publications: number;
  screenerParticipants: number;
  sessions: number;
  responses: number;
}

/** From the counts of lists, so that it takes no time. */
export function countBelongings(db: Reader, screenerId: number): Belongings {
  const counted = (table: string) =>
    db.value<number>(`SELECT coalesce(sum(n), 0) FROM ${table}_part WHERE screener_id = ?`, screenerId)!;
  return {
    publications: db.value<number>("SELECT count(*) FROM screener_publication WHERE screener_id = ?", screenerId)!,
    screenerParticipants: counted("screener_participant"),
    sessions: counted("screener_session"),
    responses: counted("screener_response"),
  };
}

/** The screener's rowid. */
export function findScreenerId(db: Reader, uid: string, schema = "main"): number | undefined {
  return db.value(`SELECT id FROM ${schema}.screener WHERE uid = ?`, uid);
}

export function insertScreener(
  db: Writer,
  { uid, actor, now, ...values }: ScreenerValues & { uid: string; actor: number; now: string },
): void {
  const { lastInsertRowid } = db.run(
    `INSERT INTO screener (uid, ${written.join(", ")}, created_by, created_at, updated_by, updated_at)
     VALUES (?, ${written.map(() => "?").join(", ")}, ?, ?, ?, ?)`,
    uid,
    ...written.map((column) => values[column]),
    actor,
    now,
    actor,
    now,
  );
  countRow(db, countedScreeners, Number(lastInsertRowid), {}, 1);
}

/** Writes nothing if the screener has these values already, so that `updated_at` stays. */
export function updateScreener(
  db: Writer,
  { id, actor, now, ...changed }: ScreenerValues & { id: number; actor: number; now: string },
): void {
  const values = written.map((column) => changed[column]);
  db.run(
    `UPDATE screener SET ${written.map((column) => `${column} = ?`).join(", ")}, updated_by = ?, updated_at = ?
     WHERE id = ? AND (${written.join(", ")}) IS NOT (${written.map(() => "?").join(", ")})`,
    ...values,
    actor,
    now,
    id,
    ...values,
  );
}

/** Makes this the active publication; null: none is active. */
export function activatePublication(
  db: Writer,
  screener: { id: number; publicationId: number | null; actor: number; now: string },
): void {
  db.run(
    "UPDATE screener SET active_publication_id = ?, updated_by = ?, updated_at = ? WHERE id = ?",
    screener.publicationId,
    screener.actor,
    screener.now,
    screener.id,
  );
}

/** The rowid of the active publication, or null. */
export function findActivePublicationId(db: Reader, screenerId: number): number | null {
  return db.value<number | null>("SELECT active_publication_id FROM screener WHERE id = ?", screenerId) ?? null;
}

/** The public id of an existing screener. */
export function getScreenerUid(db: Reader, id: number): string {
  return db.value("SELECT uid FROM screener WHERE id = ?", id)!;
}

/** Notes who last changed the screener, and when. */
export function touchScreener(db: Writer, id: number, actor: number, now: string): void {
  db.run("UPDATE screener SET updated_by = ?, updated_at = ? WHERE id = ?", actor, now, id);
}

const LAST_ANSWER_MS = 60_000;

/** Notes that somebody answers the screener now. It is written at most once a minute. @param last when somebody did so last */
export function noteAnswer(db: Writer, screenerId: number, last: string | null, at: Date): void {
  const msAgo = last === null ? Number.POSITIVE_INFINITY : at.getTime() - Date.parse(last);
  if (msAgo >= 0 && msAgo <= LAST_ANSWER_MS) return;
  db.run("UPDATE screener SET last_answer_at = ? WHERE id = ?", at.toISOString(), screenerId);
}

/** When somebody last answered the screener, to the minute; null: never. */
export function lastAnswerAt(db: Reader, screenerUid: string): string | null {
  return db.value<string | null>("SELECT last_answer_at FROM screener WHERE uid = ?", screenerUid) ?? null;
}

/** How screeners can be sorted. */
export const SCREENER_ORDERS = ["newest", "title", "answered"] as const;

export type ScreenerOrder = (typeof SCREENER_ORDERS)[number];

const ORDER_BY: Record<ScreenerOrder, string> = {
  newest: "t.id DESC",
  title: "t.title COLLATE NOCASE, t.id DESC",
  answered: "t.last_answer_at DESC, t.id DESC",
};

export interface WantedScreeners {
  /** Words of titles, or how they begin; empty: any. */
  words: string;
  isArchived: boolean;
  order: ScreenerOrder;
  limit: number;
  offset: number;
}

/** The ids of a workspace's screeners, which are few, and how many there are of them. */
export function findScreeners(db: Reader, wanted: WantedScreeners): { total: number; ids: string[] } {
  const { words, isArchived, order, limit, offset } = wanted;
  const where = "t.archived = ? AND (? = '' OR search_finds(t.title, NULL, NULL, ?))";
  const values = [Number(isArchived), words, words];
  return {
    total: db.value<number>(`SELECT count(*) FROM screener AS t WHERE ${where}`, ...values)!,
    ids: db.values<string>(
      `SELECT t.uid FROM screener AS t WHERE ${where} ORDER BY ${ORDER_BY[order]} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    ),
  };
}
