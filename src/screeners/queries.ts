// Statements on screeners.

import type { Reader, Writer } from "../../db/connection.ts";
import { countRow } from "../../db/list.ts";
import { Problem } from "../problems.ts";
import { countedScreeners } from "./resource.ts";

export interface ScreenerRow {
  id: number;
  uid: string;
  title: string | null;
  description: string | null;
  active_publication_id: number | null;
}

/** @throws Problem screener_not_found */
export function getScreener(db: Reader, uid: string, schema = "main"): ScreenerRow {
  const row = db.get<ScreenerRow>(
    `SELECT id, uid, title, description, active_publication_id FROM ${schema}.screener WHERE uid = ?`,
    uid,
  );
  if (!row) throw new Problem("screener_not_found");
  return row;
}

/** The screener's rowid. */
export function findScreenerId(db: Reader, uid: string, schema = "main"): number | undefined {
  return db.value(`SELECT id FROM ${schema}.screener WHERE uid = ?`, uid);
}

export function insertScreener(
  db: Writer,
  screener: { uid: string; title: string; description: string | null; actor: number; now: string },
): void {
  const { uid, title, description, actor, now } = screener;
  const { lastInsertRowid } = db.run(
    "INSERT INTO screener (uid, title, description, created_by, created_at, updated_by, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    uid,
    title,
    description,
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
  screener: { id: number; title: string | null; description: string | null; actor: number; now: string },
): void {
  db.run(
    `UPDATE screener SET title = ?, description = ?, updated_by = ?, updated_at = ?
     WHERE id = ? AND (title, description) IS NOT (?, ?)`,
    screener.title,
    screener.description,
    screener.actor,
    screener.now,
    screener.id,
    screener.title,
    screener.description,
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
