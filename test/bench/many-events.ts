// Fills the log of a workspace's store with events, as if they had been written one by one.

import { countRows } from "../../db/list/counts.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { countedEvents } from "../../src/events/record.ts";

const TYPES = [
  "participant.created",
  "participant.updated",
  "screener-session.created",
  "screener-session.started",
  "screener-session.completed",
  "import.completed",
];
const START = Date.UTC(2026, 0, 1);
const EVERY_MS = 1000;
const CHANGES = JSON.stringify([
  { field: "externalUid", from: null, to: "P-17" },
  { field: "email", from: null, to: "ada@example.org" },
  { field: "name", from: null, to: "Ada Lovelace" },
]);

/** The events of a type between two times, and how many they are. */
export interface Filled {
  type: string;
  from: string;
  to: string;
  count: number;
}

/** @returns those of one type in the middle half of the time */
export function fillEvents(path: string, count: number): Filled {
  const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: true });
  try {
    immediate(db, () => {
      db.run("DELETE FROM event");
      db.run("DELETE FROM event_block");
      for (let actor = 2; actor < 10; actor++)
        db.run(
          "INSERT INTO actor (id, type, uid, name) VALUES (?, 'TenantUserActor', ?, 'Bench')",
          actor,
          `bench-${actor}`,
        );
      db.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO event (id, uid, type, created_at, actor_id, request_id, resource_type, resource_uid, changes)
         SELECT i, printf('%08x-0000-7000-8000-%012x', i, i), json_array(${TYPES.map((type) => `'${type}'`).join(", ")}) ->> (i * 7919 % 1009 % ${TYPES.length}),
           ? + i * ?, i * 104729 % 1013 % 10, printf('req_%08x', i), 'Participant', printf('%08x-0000-7000-8000-%012x', i / 3, i), ? FROM n`,
        count,
        START,
        EVERY_MS,
        CHANGES,
      );
      countRows(db, countedEvents, "main", "TRUE", [], 1);
    });
    const type = TYPES[1]!;
    const [from, to] = [START + (EVERY_MS * count) / 4, START + (EVERY_MS * count * 3) / 4];
    const found = "SELECT count(*) FROM event WHERE type = ? AND created_at >= ? AND created_at < ?";
    const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    return { type, ...times, count: db.value<number>(found, type, from, to)! };
  } finally {
    db.close();
  }
}
