// Statements that find what a participant's link leads to.

import type { Reader } from "../../db/connection.ts";
import type { SessionRow } from "../screener-sessions/queries.ts";

/** A session, with what its page needs beside it. */
export interface LinkedSession extends SessionRow {
  /** The screener's title when it was published. */
  title: string | null;
}

/** The session of a link; a session's id with another screener's finds nothing. */
export function findLinkedSession(db: Reader, screenerUid: string, sessionUid: string): LinkedSession | undefined {
  return db.get(
    `SELECT t.*, p.title FROM screener_session AS t
     JOIN screener AS s ON s.id = t.screener_id
     JOIN screener_publication AS p ON p.id = t.screener_publication_id
     WHERE t.uid = ? AND s.uid = ?`,
    sessionUid,
    screenerUid,
  );
}

/** What a short link stands for. */
export function findShortLink(db: Reader, slug: string): { screener_uid: string; session_uid: string } | undefined {
  return db.get(
    `SELECT s.uid AS screener_uid, t.uid AS session_uid FROM screener_session AS t
     JOIN screener AS s ON s.id = t.screener_id WHERE t.slug = ?`,
    slug,
  );
}
