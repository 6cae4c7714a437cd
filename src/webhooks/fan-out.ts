// Makes the deliveries of events, from the log: what was committed there is sent, by whichever process it was written. Each step is a short
// transaction, and the next one goes on where it has ended.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { type DeliveryRow, insertDelivery, sendAgain } from "./delivery-queries.ts";

/** How many events are looked at while the store is locked once. */
const SLICE = 200;

interface Range {
  endpoint_id: number;
  types: string | null;
  /** The events from `next` on, up to and without `end`. */
  next: number;
  end: number;
}

/** Whether events wait for their deliveries. */
export function isLagging(db: Reader): boolean {
  return db.value<number>(`SELECT 1 WHERE EXISTS (${LAGGING}) OR EXISTS (${REPLAYS})`) === 1;
}

const LAGGING = `SELECT w.id AS endpoint_id, w.types, w.last_event_id + 1 AS next, (SELECT max(id) FROM event) + 1 AS "end"
  FROM webhook_endpoint AS w WHERE w.status = 'ENABLED' AND w.last_event_id < (SELECT max(id) FROM event)`;

const REPLAYS = `SELECT r.id AS replay_id, w.id AS endpoint_id, w.types, r.next_event_id AS next, r.end_event_id AS "end"
  FROM webhook_replay AS r JOIN webhook_endpoint AS w ON w.id = r.webhook_endpoint_id WHERE w.status = 'ENABLED'`;

/** Makes the next deliveries of each endpoint. Call it in a transaction. */
export function fanOut(db: Writer, now: number): void {
  for (const range of db.all<Range>(LAGGING)) {
    const events = nextEvents(db, range);
    for (const id of events.ids) insertDelivery(db, range.endpoint_id, id, now);
    db.run("UPDATE webhook_endpoint SET last_event_id = ? WHERE id = ?", events.last, range.endpoint_id);
  }
  const replay = db.get<Range & { replay_id: number }>(`${REPLAYS} ORDER BY r.id LIMIT 1`);
  if (replay) makeAgain(db, replay, now);
}

/** Makes the next deliveries of a replay, or has them sent again. */
function makeAgain(db: Writer, replay: Range & { replay_id: number }, now: number): void {
  const { replay_id, endpoint_id, end } = replay;
  const events = nextEvents(db, replay);
  for (const id of events.ids) {
    if (insertDelivery(db, endpoint_id, id, now) !== undefined) continue;
    const known = db.get<DeliveryRow>(
      "SELECT * FROM webhook_delivery WHERE event_id = ? AND webhook_endpoint_id = ?",
      id,
      endpoint_id,
    );
    sendAgain(db, known!, now);
  }
  if (events.last + 1 >= end) db.run("DELETE FROM webhook_replay WHERE id = ?", replay_id);
  else db.run("UPDATE webhook_replay SET next_event_id = ? WHERE id = ?", events.last + 1, replay_id);
}

/** The next events that an endpoint is to get; and the last one that was looked at. */
function nextEvents(db: Reader, { types, next, end }: Range): { ids: number[]; last: number } {
  const seen = db.all<{ id: number; isWanted: number }>(
    `SELECT id, (? IS NULL OR type IN (SELECT value FROM json_each(?))) AS isWanted FROM event
     WHERE id >= ? AND id < ? ORDER BY id LIMIT ${SLICE}`,
    types,
    types,
    next,
    end,
  );
  const ids = seen.filter(({ isWanted }) => isWanted).map(({ id }) => id);
  return { ids, last: seen.length < SLICE ? end - 1 : seen.at(-1)!.id };
}
