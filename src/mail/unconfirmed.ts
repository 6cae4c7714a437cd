// Those who have sent the first page of an open link, and have yet to confirm their email. They are nobody until then: no participant, no session.

import type { Expiry } from "../../db/expiry.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";

const DAY_MS = 24 * 3_600_000;

/** How long the link in the message works. Then what was sent is removed. */
export const CONFIRMED_FOR_DAYS = 3;

/** The first page that somebody has sent. */
interface Waiting {
  linkId: number;
  token: string;
  seed: string;
  email: string;
  name: string | null;
  /** The text of src/base/attributes.ts. */
  attributes: string;
  /** JSON: the fields of the form. */
  form: string;
  language: string;
}

export interface UnconfirmedRow {
  id: number;
  screener_link_id: number;
  seed: string;
  /** Null: it was confirmed. */
  email: string | null;
  name: string | null;
  attributes: string | null;
  form: string | null;
  language: string;
  screener_session_id: number | null;
}

/** @returns its rowid */
export function insertUnconfirmed(db: Writer, waiting: Waiting, now = Date.now()): number {
  const { linkId, token, seed, email, name, attributes, form, language } = waiting;
  const { lastInsertRowid } = db.run(
    `INSERT INTO unconfirmed_join (screener_link_id, token, seed, email, name, attributes, form, language, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[linkId, token, seed, email, name, attributes, form, language, now],
  );
  return Number(lastInsertRowid);
}

/** Whether a form waits, or has waited: it was sent twice. */
export function hasWaited(db: Reader, linkId: number, seed: string): boolean {
  return db.value("SELECT 1 FROM unconfirmed_join WHERE screener_link_id = ? AND seed = ?", linkId, seed) === 1;
}

/** By what stands in the message's link. Undefined: there is none, or it is too old. */
export function findUnconfirmed(
  db: Reader,
  linkId: number,
  token: string,
  now = Date.now(),
): UnconfirmedRow | undefined {
  return db.get(
    "SELECT * FROM unconfirmed_join WHERE screener_link_id = ? AND token = ? AND (screener_session_id IS NOT NULL OR created_at > ?)",
    linkId,
    token,
    now - CONFIRMED_FOR_DAYS * DAY_MS,
  );
}

/** Inside a transaction: it was confirmed. What was typed is with the participant now; the link leads to the session. */
export function settleUnconfirmed(db: Writer, id: number, sessionUid: string): void {
  db.run(
    `UPDATE unconfirmed_join SET email = NULL, name = NULL, attributes = NULL, form = NULL,
       screener_session_id = (SELECT id FROM screener_session WHERE uid = ?) WHERE id = ?`,
    sessionUid,
    id,
  );
}

/** What a message has that asks to confirm. Undefined: it is not needed any more. */
export function findConfirmation(
  db: Reader,
  id: number,
): { token: string; link: string; screener_id: number; title: string | null } | undefined {
  return db.get(
    `SELECT t.token, l.token AS link, l.screener_id, p.title FROM unconfirmed_join AS t JOIN screener_link AS l ON l.id = t.screener_link_id
       JOIN screener AS s ON s.id = l.screener_id LEFT JOIN screener_publication AS p ON p.id = s.active_publication_id
     WHERE t.id = ? AND t.screener_session_id IS NULL AND l.status <> 'REVOKED'`,
    id,
  );
}

const SLICE = 200;

export const oldUnconfirmed: Expiry = {
  isDue: (db, { now }) =>
    db.value(
      "SELECT 1 FROM unconfirmed_join INDEXED BY unconfirmed_join_waiting WHERE screener_session_id IS NULL AND created_at <= ? LIMIT 1",
      now - CONFIRMED_FOR_DAYS * DAY_MS,
    ) === 1,
  remove: (db, { now }) =>
    db.run(
      `DELETE FROM unconfirmed_join WHERE id IN (SELECT id FROM unconfirmed_join INDEXED BY unconfirmed_join_waiting
         WHERE screener_session_id IS NULL AND created_at <= ? LIMIT ${SLICE})`,
      now - CONFIRMED_FOR_DAYS * DAY_MS,
    ).changes === SLICE,
};
