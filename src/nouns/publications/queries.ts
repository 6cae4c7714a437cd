// Statements on publications and their tags.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { SHUFFLE_VERSION } from "../../chance/shuffle.ts";
import type { TagInput } from "./resource.ts";

export interface PublicationRow {
  id: number;
  uid: string;
  screener_id: number;
  version: number;
  status: "ACTIVE" | "ARCHIVED";
  target_qualified_participants: number | null;
  tag_set_id: number;
  /** Participants who had qualified by it and were erased. They still count for the target. */
  erased_qualified: number;
  /** How orders by chance are drawn: see SHUFFLE_VERSION. */
  shuffle_version: number;
  /** JSON: the languages that it can be read in, its own first. */
  languages: string;
}

/** A screener's publications, newest first. */
export function listPublications(db: Reader, screenerId: number): Pick<PublicationRow, "id" | "uid" | "version">[] {
  return db.all(
    "SELECT id, uid, version FROM screener_publication WHERE screener_id = ? ORDER BY version DESC",
    screenerId,
  );
}

export function findPublication(db: Reader, uid: string): PublicationRow | undefined {
  return db.get("SELECT * FROM screener_publication WHERE uid = ?", uid);
}

/** @throws Problem screener_publication_not_found */
export function getPublication(db: Reader, uid: string): PublicationRow {
  const row = findPublication(db, uid);
  if (!row) throw new Problem("screener_publication_not_found");
  return row;
}

export function findPublicationById(db: Reader, id: number): PublicationRow | undefined {
  return db.get("SELECT * FROM screener_publication WHERE id = ?", id);
}

/** A screener's newest publication, whatever its status. */
export function findLatestPublication(db: Reader, screenerId: number): PublicationRow | undefined {
  return db.get("SELECT * FROM screener_publication WHERE screener_id = ? ORDER BY version DESC LIMIT 1", screenerId);
}

/** Inserts an active publication with the screener's current title and description. @returns its rowid */
export function insertPublication(
  db: Writer,
  publication: {
    uid: string;
    screenerId: number;
    version: number;
    target: number | null;
    tagSetId: number;
    actor: number;
    now: string;
  },
): number {
  const { uid, screenerId, version, target, tagSetId, actor, now } = publication;
  const { lastInsertRowid } = db.run(
    `INSERT INTO screener_publication (uid, screener_id, version, status, title, description, target_qualified_participants,
       tag_set_id, created_by, created_at, updated_by, updated_at, shuffle_version)
     SELECT ?, s.id, ?, 'ACTIVE', s.title, s.description, ?, ?, ?, ?, ?, ?, ? FROM screener AS s WHERE s.id = ?`,
    uid,
    version,
    target,
    tagSetId,
    actor,
    now,
    actor,
    now,
    SHUFFLE_VERSION,
    screenerId,
  );
  return Number(lastInsertRowid);
}

/** Archives the screener's active publication, if there is one. */
export function archiveActive(db: Writer, screenerId: number, actor: number, now: string): void {
  db.run(
    "UPDATE screener_publication SET status = 'ARCHIVED', updated_by = ?, updated_at = ? WHERE screener_id = ? AND status = 'ACTIVE'",
    actor,
    now,
    screenerId,
  );
}

/** Writes nothing if the publication has these values already, so that `updated_at` stays. */
export function updatePublication(
  db: Writer,
  publication: { id: number; status: string; target: number | null; tagSetId: number; actor: number; now: string },
): void {
  db.run(
    `UPDATE screener_publication SET status = ?, target_qualified_participants = ?, tag_set_id = ?, updated_by = ?, updated_at = ?
     WHERE id = ? AND (status, target_qualified_participants, tag_set_id) IS NOT (?, ?, ?)`,
    publication.status,
    publication.target,
    publication.tagSetId,
    publication.actor,
    publication.now,
    publication.id,
    publication.status,
    publication.target,
    publication.tagSetId,
  );
}

/** The rowid of this list of tags, which is stored if new. Equal pairs of category and value are one tag, and count once. */
export function tagSetRow(db: Writer, tags: readonly TagInput[]): number {
  const shown = new Map<string, object>();
  for (const { category, value } of tags) {
    const id = db.value<string>(
      "INSERT INTO tag (uid, category, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value RETURNING uid",
      newId(),
      category,
      value,
    )!;
    shown.set(id, { _type: "Tag", id, category, value });
  }
  const json = JSON.stringify([...shown.values()]);
  return Number(
    db.value<number>(
      "INSERT INTO tag_set (json) VALUES (?) ON CONFLICT DO UPDATE SET json = excluded.json RETURNING id",
      json,
    ),
  );
}
