// Statements that find the session of a participant's link.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { LinkRow } from "../nouns/links/queries.ts";
import type { PublicationRow } from "../nouns/publications/queries.ts";
import type { Acceptance } from "../nouns/screeners/queries.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";

/** A session, with the title that its page shows, and whether its screener takes answers. */
export interface LinkedSession extends SessionRow, Acceptance {
  /** The screener's title when it was published. */
  title: string | null;
  /** The screener's. */
  time_zone: string;
  /** Of the publication. */
  version: number;
  publication_uid: string;
  /** Which signals the screener has on, as its column has it. */
  signals: string | null;
  /** Whether the workspace has own words for its pages. */
  has_words: 0 | 1;
}

/** The session of a link; undefined if the session is not the screener's. */
export function findLinkedSession(db: Reader, screenerUid: string, sessionUid: string): LinkedSession | undefined {
  return db.get(
    `SELECT t.*, p.title, p.version, p.uid AS publication_uid, s.acceptance, s.opens_at, s.closes_at, s.link_expires_at,
       s.time_zone, s.signals, ${HAS_WORDS}
     FROM screener_session AS t
     JOIN screener AS s ON s.id = t.screener_id
     JOIN screener_publication AS p ON p.id = t.screener_publication_id
     WHERE t.uid = ? AND s.uid = ?`,
    sessionUid,
    screenerUid,
  );
}

// Most workspaces have none: then nothing more is looked up.
const HAS_WORDS = "EXISTS (SELECT 1 FROM page_words) AS has_words";

/** Whether the publication of a session asks for consent. */
export function asksConsent(db: Reader, { screener_publication_id }: LinkedSession): boolean {
  const found = db.value(
    "SELECT 1 FROM publication_question WHERE screener_publication_id = ? AND type = 'ScreenerConsentQuestion' LIMIT 1",
    screener_publication_id,
  );
  return found !== undefined;
}

/** A study that an open link leads to: its active publication, and whether it takes answers. */
export interface Opened extends Acceptance {
  screener_uid: string;
  active_publication_id: number | null;
  /** Of the active publication. */
  title: string | null;
  version: number;
  /** JSON. Null: there is no publication. */
  languages: string | null;
  time_zone: string;
  /** Which signals the screener has on, as its column has it. */
  signals: string | null;
  has_words: 0 | 1;
}

/** A link, with the study that it leads to. */
export interface Known {
  link: LinkRow;
  opened: Opened;
  publication: PublicationRow;
}

export function findOpened(db: Reader, { screener_id }: { screener_id: number }): Opened | undefined {
  return db.get(
    `SELECT s.uid AS screener_uid, s.active_publication_id, p.title, p.version, p.languages, s.acceptance, s.opens_at, s.closes_at,
       s.link_expires_at, s.time_zone, s.signals, ${HAS_WORDS}
     FROM screener AS s LEFT JOIN screener_publication AS p ON p.id = s.active_publication_id WHERE s.id = ?`,
    screener_id,
  );
}

/** The session at which somebody goes on, and its screener. */
interface GoingOn {
  screener: string;
  session: string;
}

// An offer of places may have made a copy of the session `t` since, or a caller another one.
const GOING_ON = `SELECT s.uid AS screener, coalesce(c.uid, t.uid) AS session FROM screener_session AS t
  JOIN screener AS s ON s.id = t.screener_id LEFT JOIN screener_participant AS a ON a.uid = t.screener_participant_uid
  LEFT JOIN screener_session AS c ON c.id = a.current_session_id`;

/** Where somebody goes on who has joined by a link. @param slug of the session then: another site may have learned the id, and not this */
export function findJoinedAs(db: Reader, linkId: number, slug: string): GoingOn | undefined {
  return db.get(`${GOING_ON} WHERE t.slug = ? AND t.screener_link_id = ?`, slug, linkId);
}

/** Where somebody goes on who has had this session. */
export function getGoingOn(db: Reader, sessionId: number): GoingOn {
  return db.get(`${GOING_ON} WHERE t.id = ?`, sessionId)!;
}

/** What the short link of a session ends in. */
export function getSlug(db: Reader, sessionUid: string): string {
  return db.value("SELECT slug FROM screener_session WHERE uid = ?", sessionUid)!;
}

/** The session that somebody who is in a study has now. */
export function findOwnSession(db: Reader, screenerId: number, participantId: number): string | undefined {
  return db.value(
    `SELECT t.uid FROM screener_participant AS a JOIN screener_session AS t ON t.id = a.current_session_id
     WHERE a.screener_id = ? AND a.participant_id = ?`,
    screenerId,
    participantId,
  );
}

/** Where somebody goes on who has joined by a link with the page that had this order; but for those who have confirmed an email. */
export function findJoined(db: Reader, linkId: number, order: string): GoingOn | undefined {
  // Almost always there is none, and to look up nothing more takes half the time.
  const any = "SELECT 1 FROM screener_session WHERE screener_link_id = ? AND order_of = ? LIMIT 1";
  if (db.value(any, linkId, order) === undefined) return undefined;
  return db.get(
    `${GOING_ON} WHERE t.screener_link_id = ? AND t.order_of = ?
       AND NOT EXISTS (SELECT 1 FROM unconfirmed_join AS u WHERE u.screener_session_id = t.id) ORDER BY t.id LIMIT 1`,
    linkId,
    order,
  );
}

/** Whether a link has a session. */
export function hasLinkedSession(db: Reader, screenerUid: string, sessionUid: string): boolean {
  const found = db.value(
    "SELECT 1 FROM screener_session AS t JOIN screener AS s ON s.id = t.screener_id WHERE t.uid = ? AND s.uid = ?",
    sessionUid,
    screenerUid,
  );
  return found !== undefined;
}

/** The ids in the link that a short link stands for. */
export function findShortLink(db: Reader, slug: string): { screener_uid: string; session_uid: string } | undefined {
  return db.get(
    `SELECT s.uid AS screener_uid, t.uid AS session_uid FROM screener_session AS t
     JOIN screener AS s ON s.id = t.screener_id WHERE t.slug = ?`,
    slug,
  );
}

/** The types of the questions that a version of a screener has, by their ids. */
export function questionTypes(db: Reader, screenerId: number, version: number): Map<string, string> {
  const rows = db.all<{ uid: string; type: string }>(
    `SELECT q.uid, q.type FROM screener_publication AS p JOIN publication_question AS q ON q.screener_publication_id = p.id
     WHERE p.screener_id = ? AND p.version = ?`,
    screenerId,
    version,
  );
  return new Map(rows.map(({ uid, type }) => [uid, type]));
}
