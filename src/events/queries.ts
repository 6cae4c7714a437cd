// Statements on events.

import type { Expiry } from "../../db/expiry.ts";
import { countRows } from "../../db/list/counts.ts";
import { readItems } from "../../db/list/items.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { LOG_ID } from "./log.ts";
import { countedEvents } from "./record.ts";
import { event } from "./resource.ts";

/** The rowid of an event. undefined: it is unknown, or no longer kept. */
export function findEventId(db: Reader, uid: string): number | undefined {
  return db.value("SELECT id FROM event WHERE uid = ?", uid);
}

/** The rowid of the last event; 0 if there is none. */
export function lastEventId(db: Reader): number {
  return db.value<number | null>("SELECT max(id) FROM event") ?? 0;
}

/** The events that come after a rowid, in order, as JSON texts with commas between them; the id of the last one; and that of the log. */
export function readFeed(
  db: Reader,
  after: number,
  limit: number,
): { items: Uint8Array; last: string | undefined; logId: string } {
  return db.snapshot(() => {
    const last = db.value<string>(
      "SELECT uid FROM event WHERE id = (SELECT max(id) FROM (SELECT id FROM event WHERE id > ? ORDER BY id LIMIT ?))",
      after,
      limit,
    );
    const items = readItems(db, event.json, `FROM ${event.from} WHERE t.id > ? ORDER BY t.id LIMIT ?`, after, limit);
    return { items, last, logId: db.value<string>(`SELECT ${LOG_ID}`)! };
  });
}

/** How many rows are removed at once. */
const SLICE = 2000;

/** Old events. @param deleteFirst removes what refers to events up to a rowid */
export function oldEvents(deleteFirst: (db: Writer, until: number) => void): Expiry {
  return {
    isDue: (db, { eventsSince }) =>
      db.value<number>("SELECT created_at < ? FROM event ORDER BY id LIMIT 1", eventsSince) === 1,
    remove: (db, { eventsSince }) => deleteEvents(db, eventsSince, deleteFirst),
  };
}

/**
 * Removes old events, some at a time; but never the last one, because new rowids follow it. @returns whether there are more
 * @param deleteFirst as above
 */
export function deleteEvents(
  db: Writer,
  before: number,
  deleteFirst: (db: Writer, until: number) => void = () => {},
): boolean {
  const end = db.value<number | null>(
    `SELECT max(id) FROM (SELECT id, created_at FROM event ORDER BY id LIMIT ${SLICE})
     WHERE created_at < ? AND id < (SELECT max(id) FROM event)`,
    before,
  );
  if (end == null) return false;
  deleteFirst(db, end);
  countRows(db, countedEvents, "main", "t.id <= ?", [end], -1);
  return db.run("DELETE FROM event WHERE id <= ?", end).changes === SLICE;
}
