// Those who have sent the first page of an open link, and have yet to confirm their email. They are nobody until then: no participant, no session.

import type { Expiry } from "../../db/expiry.ts";
import type { Reader } from "../../db/sqlite/connection.ts";

const DAY_MS = 24 * 3_600_000;

/** How long the link in the message works. Then what was sent is removed. */
export const CONFIRMED_FOR_DAYS = 3;

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
