// Statements on deliveries of webhooks, their attempts and replays.

import type { Control } from "../../db/control.ts";
import { countRow, countRows, recountRow } from "../../db/list/counts.ts";
import { firstSince, wholeSpan } from "../../db/list/log.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { immediate } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { eventLog } from "../events/record.ts";
import { correctNote, isNoteRight } from "./noted.ts";
import { countedDeliveries, type DeliveryStatus } from "./resource.ts";
import { MAX_PAUSE_MS } from "./schedule.ts";

/** An event that is sent to an endpoint. Times are ms since 1970. */
export interface DeliveryRow {
  id: number;
  uid: string;
  webhook_endpoint_id: number;
  event_id: number;
  status: DeliveryStatus;
  attempts: number;
  failures: number;
  next_attempt_at: number | null;
  claim: string | null;
}

/** How many deliveries are removed at once. */
const SLICE = 500;

/** Removes deliveries of an endpoint, some at a time. @returns whether there may be more */
export function deleteDeliveriesOf(db: Writer, endpointId: number): boolean {
  const ids = db.values<number>(
    `SELECT id FROM webhook_delivery WHERE webhook_endpoint_id = ? LIMIT ${SLICE}`,
    endpointId,
  );
  deleteDeliveries(db, "t.id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  return ids.length === SLICE;
}

/** Removes the deliveries of events up to this one. */
export function deleteDeliveriesUntil(db: Writer, eventId: number): void {
  deleteDeliveries(db, "t.event_id <= ?", eventId);
}

function deleteDeliveries(db: Writer, where: string, value: string | number): void {
  db.run(
    `DELETE FROM webhook_attempt WHERE webhook_delivery_id IN (SELECT t.id FROM webhook_delivery AS t WHERE ${where})`,
    value,
  );
  countRows(db, countedDeliveries, "main", where, [value], -1);
  db.run(`DELETE FROM webhook_delivery AS t WHERE ${where}`, value);
}

/** @throws Problem webhook_delivery_not_found */
export function getDelivery(db: Reader, uid: string): DeliveryRow {
  const row = db.get<DeliveryRow>("SELECT * FROM webhook_delivery WHERE uid = ?", uid);
  if (!row) throw new Problem("webhook_delivery_not_found");
  return row;
}

/** Makes the delivery of an event, due now. If there is one already, it stays as it is. @returns its id; undefined: there was one */
export function insertDelivery(
  db: Writer,
  endpointId: number,
  eventId: number,
  now: number,
  uid = newId(),
): string | undefined {
  const id = db.value<number>(
    `INSERT INTO webhook_delivery (uid, webhook_endpoint_id, event_id, status, created_at, next_attempt_at)
     VALUES (?, ?, ?, 'PENDING', ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
    uid,
    endpointId,
    eventId,
    now,
    now,
  );
  if (id === undefined) return undefined;
  countRow(db, countedDeliveries, id, { webhook_endpoint_id: endpointId, status: "PENDING" }, 1);
  return uid;
}

/** Has a delivery sent once more, now, with all attempts. One that is just being sent stays as it is. @returns whether it changed */
export function sendAgain(db: Writer, delivery: DeliveryRow, now: number): boolean {
  const { id, webhook_endpoint_id, status, claim, next_attempt_at, failures } = delivery;
  const isBeingSent = claim !== null && next_attempt_at! > now;
  const isDue = status === "PENDING" && next_attempt_at! <= now && failures === 0;
  if (isBeingSent || isDue) return false;
  db.run(
    "UPDATE webhook_delivery SET status = 'PENDING', failures = 0, next_attempt_at = ?, claim = NULL WHERE id = ?",
    now,
    id,
  );
  recountRow(db, countedDeliveries, id, { webhook_endpoint_id, status }, { status: "PENDING" });
  return true;
}

/** More would come from a loop that was not stopped. */
const MAX_REPLAYS = 10;

/**
 * Has the events of a time range sent to an endpoint, some at a time. Times are ms since 1970. @returns how many events there
 * are. undefined: the endpoint has too many replays already
 */
export function insertReplay(db: Writer, endpointId: number, from: number, to: number): number | undefined {
  const all = wholeSpan(db, eventLog);
  const [first, end] = [firstSince(db, eventLog, from, all), firstSince(db, eventLog, to, all)];
  if (first >= end) return 0;
  const running = "SELECT count(*) FROM webhook_replay WHERE webhook_endpoint_id = ?";
  if (db.value<number>(running, endpointId)! >= MAX_REPLAYS) return undefined;
  db.run(
    "INSERT INTO webhook_replay (webhook_endpoint_id, next_event_id, end_event_id) VALUES (?, ?, ?)",
    endpointId,
    first,
    end,
  );
  return end - first;
}

/** Nothing of what receivers have answered to events of these resources is kept. @param resources a query of their uids */
export function forgetAnswers(db: Writer, resources: string, ...values: number[]): void {
  db.run(
    `UPDATE webhook_attempt SET answer = NULL WHERE webhook_delivery_id IN (
       SELECT d.id FROM event AS e JOIN webhook_delivery AS d ON d.event_id = e.id WHERE e.resource_uid IN (${resources}))`,
    ...values,
  );
}

/** The same for one event. @param eventId its rowid */
export function forgetAnswersTo(db: Writer, eventId: number): void {
  db.run(
    "UPDATE webhook_attempt SET answer = NULL WHERE webhook_delivery_id IN (SELECT id FROM webhook_delivery WHERE event_id = ?)",
    eventId,
  );
}

/** Mends what a restored backup, or a clock that was set back, has left of a workspace. */
export function mendWebhooks(control: Control, workspaces: Workspaces, workspaceUid: string, now: number): void {
  const { reader, writer } = control;
  const read = <T>(look: (db: Reader) => T) => workspaces.read(workspaceUid, look);
  // Most workspaces have nothing to send, and a write would take longer than all of that.
  if (read((db) => waitsTooLong(db, now))) workspaces.write(workspaceUid, (db) => hasten(db, now));
  if (read((db) => isNoteRight(reader, workspaceUid, db))) return;
  immediate(writer, () => read((db) => correctNote(writer, workspaceUid, db)));
}

const TOO_LONG = `status = 'PENDING' AND next_attempt_at > ? AND webhook_endpoint_id IN (SELECT id FROM webhook_endpoint)`;

function waitsTooLong(db: Reader, now: number): boolean {
  return db.value(`SELECT 1 FROM webhook_delivery WHERE ${TOO_LONG} LIMIT 1`, now + MAX_PAUSE_MS) === 1;
}

/** A delivery that waits for longer than the longest pause does so because the clock was set back. */
function hasten(db: Writer, now: number): void {
  db.run(`UPDATE webhook_delivery SET next_attempt_at = ? WHERE ${TOO_LONG}`, now, now + MAX_PAUSE_MS);
}
