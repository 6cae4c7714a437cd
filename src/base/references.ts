// References: the ids that people get instead of sessions' ids. A session's id is a part of its link: it lets one answer.

import type { FilterColumn } from "../../db/list/where.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { opaqueUuid } from "../../db/sqlite/opaque.ts";

const KEY = "(SELECT key FROM reference_key)";

/** SQL expression of a session's reference. @param uid SQL expression of its id */
export const referenceSql = (uid: string) => `opaque_uuid(${uid}, ${KEY})`;

/** SQL expression of the id of the session with a reference. */
const idSql = (reference: string) => `clear_uuid(${reference}, ${KEY})`;

/** How lists of sessions are filtered by reference. */
export const byReference: FilterColumn = { column: "uid", stored: idSql("$") };

/** The reference of a session's id. */
export function referenceOf(db: Reader, uid: string): string {
  return opaqueUuid(
    uid,
    db.once("reference key", () => referenceKey(db)),
  );
}

/** The key of a workspace, for many references at once. */
export function referenceKey(db: Reader): Uint8Array {
  return db.value<Uint8Array>("SELECT key FROM reference_key")!;
}

/** The id of the session that a reference names; anything else as it is. */
export function idOfReference(db: Reader, text: string): string {
  return db.value<string>(`SELECT uid FROM screener_session WHERE uid = ${idSql("?")}`, text) ?? text;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** Of version 4, as those of sessions are. */
const SESSION_ID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
/** With the mark of a cell, or without. */
const SLUG = "(?:[\\w-]{1,64}\\.)?[\\w-]{22}";
const LINK = `https?://[^\\s"',;<>\\\\]{1,300}?/(?:screeners/${UUID}/(${SESSION_ID})|s/(${SLUG})(?![\\w-]))`;
/** A slug stands alone; before it may be an escape of JSON. An id needs no such border. */
const SUSPECT = new RegExp(`${LINK}|(${SESSION_ID})|(?:(?<![\\w-])|(?<=\\\\[bfnrt]))(${SLUG})(?![\\w-])`, "gi");

/** No suspect is longer. */
export const MAX_SUSPECT_CHARACTERS = 600;
/** A character that is neither in a possible link nor in a word. */
export const BETWEEN_SUSPECTS = /[\s"',;<>\\]/;

/**
 * A text in which references replace sessions' ids and slugs, and `urn:uuid:` with the reference replaces links. Whatever looks like
 * one is looked up: ids of customers stay.
 */
export function withReferences(db: Reader, text: string): string {
  const suspects = new Set<string>();
  for (const [, ...groups] of text.matchAll(SUSPECT)) suspects.add(keyOf(groups.find((group) => group !== undefined)!));
  if (!suspects.size) return text;
  const references = new Map(
    db
      .all<{ value: string; reference: string }>(
        `SELECT j.value, ${referenceSql("coalesce(s.uid, b.uid, j.value)")} AS reference
         FROM json_each(?) AS j LEFT JOIN screener_session AS s ON s.uid = j.value LEFT JOIN screener_session AS b ON b.slug = j.value
         WHERE s.uid IS NOT NULL OR b.uid IS NOT NULL OR EXISTS (SELECT 1 FROM event AS e WHERE e.resource_uid = j.value)`,
        JSON.stringify([...suspects]),
      )
      .map(({ value, reference }) => [value, reference]),
  );
  if (!references.size) return text;
  return text.replace(SUSPECT, (found, linked?: string, short?: string, id?: string, slug?: string) => {
    const link = linked ?? short;
    const reference = references.get(keyOf(link ?? id ?? slug ?? ""));
    if (reference === undefined) return found;
    return link === undefined ? reference : `urn:uuid:${reference}`;
  });
}

/** As the store has it: ids are in lower case, and in slugs the case counts. */
function keyOf(suspect: string): string {
  return suspect.length === 36 && !suspect.includes(".") ? suspect.toLowerCase() : suspect;
}
