// Signals, and what sessions are compared by, are kept for 90 days: a review takes days.

import type { Expiry } from "../../db/expiry.ts";

const DAY_MS = 24 * 3_600_000;
const SIGNAL_DAYS = 90;

/** How many rows one transaction removes. */
const SLICE = 10_000;

/** Of times in ms since 1970. */
const before = (now: number) => now - SIGNAL_DAYS * DAY_MS;

/** The marks of a session lie together and have no index by their age: that would be written with every answer, and read once an hour. */
const OLD_MARKS = "SELECT id FROM signal_mark WHERE day < ?";
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

export const oldSignals: Expiry = {
  isDue: (db, { now }) =>
    db.value("SELECT 1 FROM signal WHERE created_at < ? LIMIT 1", before(now)) !== undefined ||
    db.value(`${OLD_MARKS} LIMIT 1`, dayOf(before(now))) !== undefined,
  remove(db, { now }) {
    const signals = db.run(
      `DELETE FROM signal WHERE id IN (SELECT id FROM signal WHERE created_at < ? LIMIT ${SLICE})`,
      before(now),
    );
    const marks = db.run(`DELETE FROM signal_mark WHERE id IN (${OLD_MARKS} LIMIT ${SLICE})`, dayOf(before(now)));
    return Math.max(signals.changes, marks.changes) === SLICE;
  },
};
