// The target of a publication: how many participants are to qualify.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import type { RecordEvent } from "../../events/record.ts";
import { getScreenerUid } from "../screeners/queries.ts";
import { findPublicationById, type PublicationRow } from "./queries.ts";
import { publication as publicationResource } from "./resource.ts";
import { testSessionsOf } from "./test-sessions.ts";

/** Whether a publication has reached its target of qualified participants, not counting the participant `besides`. */
export function isTargetReached(db: Reader, publication: PublicationRow, besides?: number): boolean {
  const target = publication.target_qualified_participants;
  return target !== null && hasQualified(db, publication, target - publication.erased_qualified, besides);
}

/** How many more may qualify until a publication has reached its target. Null: it has none. */
export function leftOfTarget(db: Reader, publication: PublicationRow): number | null {
  const target = publication.target_qualified_participants;
  return target === null ? null : target - publication.erased_qualified - countQualified(db, publication);
}

/**
 * Inside a transaction: makes a change that may let a publication reach its target, and writes an event if it does. While the
 * target stays reached there is no other event.
 */
export function watchTarget<T>(db: Writer, publicationId: number, record: RecordEvent, change: () => T): T {
  const wasReached = isTargetReached(db, findPublicationById(db, publicationId)!);
  const result = change();
  const publication = findPublicationById(db, publicationId)!;
  if (wasReached || !isTargetReached(db, publication)) return result;
  const { uid, screener_id, target_qualified_participants: target, erased_qualified } = publication;
  const summary = {
    target,
    qualified: countQualified(db, publication) + erased_qualified,
    screenerId: getScreenerUid(db, screener_id),
  };
  const resource = { type: publicationResource.type, uid };
  record({ type: "quota.reached", resource, summary, byService: true, fillsStudy: true });
  return result;
}

/** Tests take no place, nor do those who have withdrawn. They are excluded by rowid, which the index on outcomes has: by their columns, each session would be read. */
const WITHDRAWN =
  "SELECT y.id FROM screener_session AS y INDEXED BY screener_session_withdrawn WHERE y.withdrawn_at IS NOT NULL";
const IS_COUNTED = `id NOT IN ${testSessionsOf("?")} AND id NOT IN (${WITHDRAWN})`;
/** More are not counted where a page only shows how many they are. */
export const MAX_SHOWN_QUALIFIED = 10_000;

/** How many participants count for the target of a publication: at most MAX_SHOWN_QUALIFIED, and those who were erased. */
export function shownQualified(db: Reader, publicationUid: string): number {
  return db.value(
    `SELECT p.erased_qualified + (SELECT count(*) FROM (SELECT DISTINCT participant_id FROM screener_session
       WHERE screener_publication_id = p.id AND outcome = 'QUALIFIED' AND id NOT IN ${testSessionsOf("p.screener_id")} AND id NOT IN (${WITHDRAWN}) LIMIT ?))
     FROM screener_publication AS p WHERE p.uid = ?`,
    MAX_SHOWN_QUALIFIED,
    publicationUid,
  )!;
}

/** How many participants have qualified by a publication. */
function countQualified(db: Reader, { id, screener_id }: PublicationRow): number {
  return db.value(
    `SELECT count(DISTINCT participant_id) FROM screener_session
     WHERE screener_publication_id = ? AND outcome = 'QUALIFIED' AND ${IS_COUNTED}`,
    id,
    screener_id,
  )!;
}

/** Whether at least `target` participants have qualified by a publication. Each counts once, `besides` not at all. */
function hasQualified(db: Reader, { id, screener_id }: PublicationRow, target: number, besides = 0): boolean {
  if (target <= 0) return true;
  const counted = db.value<number>(
    `SELECT count(*) FROM (SELECT DISTINCT participant_id FROM screener_session
       WHERE screener_publication_id = ? AND outcome = 'QUALIFIED' AND participant_id <> ? AND ${IS_COUNTED} LIMIT ?)`,
    id,
    besides,
    screener_id,
    target,
  );
  return counted! >= target;
}
