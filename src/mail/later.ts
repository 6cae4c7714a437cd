// What becomes of messages later: after a restore, and when nobody needs to know of them any more.

import type { Expiry } from "../../db/expiry.ts";
import type { Writer } from "../../db/sqlite/connection.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Inside a transaction, after a restore: what waited when the backup was taken, and has been due since, may have been sent. Mailings wait
 * for a person.
 */
export function holdRestored(db: Writer, now = Date.now()): void {
  db.run(
    `UPDATE message SET state = 'UNCERTAIN', due_at = NULL, sender = NULL, reply = ?, ended_at = ?
     WHERE due_at <= ? OR sender IS NOT NULL OR (due_at IS NOT NULL AND mailing_id IS NULL)`,
    "It waited in a backup that was restored.",
    now,
    now,
  );
  db.run(
    "UPDATE mailing SET status = 'PAUSED', paused_because = 'RESTORED', next_at = NULL WHERE status IN ('SCHEDULED', 'SENDING')",
  );
}

/** Nobody needs to know for longer that it was sent, and where to for longer than a day. */
const KEPT_MS = 30 * DAY_MS;
const SLICE = 500;

export const oldMessages: Expiry = {
  isDue: (db, { now }) =>
    db.value(
      `SELECT 1 FROM message INDEXED BY message_ended WHERE mailing_id IS NULL AND ended_at <= ? AND (ended_at <= ? OR address IS NOT NULL) LIMIT 1`,
      now - DAY_MS,
      now - KEPT_MS,
    ) === 1,
  remove(db, { now }) {
    const some = (where: string) =>
      `id IN (SELECT id FROM message INDEXED BY message_ended WHERE mailing_id IS NULL AND ${where} LIMIT ${SLICE})`;
    const gone = db.run(`DELETE FROM message WHERE ${some("ended_at <= ?")}`, now - KEPT_MS);
    const blank = db.run(
      `UPDATE message SET address = NULL WHERE ${some("ended_at <= ? AND address IS NOT NULL")}`,
      now - DAY_MS,
    );
    return gone.changes === SLICE || blank.changes === SLICE;
  },
};
