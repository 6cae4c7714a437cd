// Claims due deliveries before they are sent, many at once. A claim ends by itself, so that what a
// process had claimed that has died is sent by another.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { event } from "../events/resource.ts";
import type { Message } from "./connections.ts";
import type { DeliveryRow } from "./delivery-queries.ts";
import type { EndpointRow } from "./queries.ts";
import { signedHeaders } from "./sign.ts";

/** How many messages an endpoint gets at the same time; an ordered one gets one. */
const MAX_AT_ONCE = 8;

/** How long a claim lasts: longer than an attempt, and than the store is locked. */
const CLAIM_MS = 60_000;

/** A delivery that this process may send, and no other. */
export interface Claimed {
  id: number;
  uid: string;
  at: number;
}

/** What an attempt sends. */
export interface Prepared {
  message: Message;
  /** The changes of the event. */
  said: string | undefined;
}

/** The endpoints that something is due for; and when there is more to look for, in ms since 1970. */
export function findDue(db: Reader, now: number): { uids: string[]; nextAt: number } {
  const uids: string[] = [];
  let nextAt = Number.POSITIVE_INFINITY;
  const endpoints = "SELECT id, uid, ordered FROM webhook_endpoint WHERE status = 'ENABLED'";
  for (const endpoint of db.all<Pick<EndpointRow, "id" | "uid" | "ordered">>(endpoints)) {
    const due = dueAt(db, endpoint);
    if (due <= now) uids.push(endpoint.uid);
    nextAt = Math.min(nextAt, due);
  }
  return { uids, nextAt };
}

/** When the next message of an endpoint is due, in ms since 1970. While one is being sent it is due when its claim ends. */
export function dueAt(db: Reader, { id, ordered }: Pick<EndpointRow, "id" | "ordered">): number {
  return db.value<number | null>(ordered ? FIRST_IN_ORDER : FIRST_DUE, id) ?? Number.POSITIVE_INFINITY;
}

const FIRST_DUE = `SELECT min(next_attempt_at) FROM webhook_delivery INDEXED BY webhook_delivery_due
  WHERE webhook_endpoint_id = ? AND status = 'PENDING'`;

const FIRST_IN_ORDER = `SELECT next_attempt_at FROM webhook_delivery INDEXED BY webhook_delivery_order
  WHERE webhook_endpoint_id = ? AND status = 'PENDING' ORDER BY event_id LIMIT 1`;

/** Whether something is due for an endpoint. */
export function isDue(db: Reader, endpointUid: string, now: number): boolean {
  const endpoint = db.get<EndpointRow>("SELECT * FROM webhook_endpoint WHERE uid = ?", endpointUid);
  return endpoint?.status === "ENABLED" && dueAt(db, endpoint) <= now;
}

/** What a process may do for an endpoint. */
export interface Claim {
  claimed: Claimed[];
  /** How many messages it may send at the same time. */
  atOnce: number;
  isOrdered: boolean;
  isFailing: boolean;
}

/**
 * Claims deliveries that are due. Call it in a transaction. What other processes have claimed counts as being sent.
 * @param by names who claims @param max how many, at most. undefined: nothing may be sent
 */
export function claim(db: Writer, endpointUid: string, by: string, max: number, now: number): Claim | undefined {
  const endpoint = db.get<EndpointRow>("SELECT * FROM webhook_endpoint WHERE uid = ?", endpointUid);
  if (endpoint?.status !== "ENABLED") return undefined;
  const { id, ordered, failing_since } = endpoint;
  const live = db.get<{ others: number; mine: number }>(
    `SELECT count(*) FILTER (WHERE claim <> ?) AS others, count(*) FILTER (WHERE claim = ?) AS mine
     FROM webhook_delivery INDEXED BY webhook_delivery_claimed
     WHERE webhook_endpoint_id = ? AND claim IS NOT NULL AND next_attempt_at > ?`,
    by,
    by,
    id,
    now,
  )!;
  const atOnce = (ordered ? 1 : MAX_AT_ONCE) - live.others;
  if (atOnce <= 0) return undefined;
  const rows = ordered ? dueInOrder(db, id, live.mine + max, by, now) : findSomeDue(db, id, max, now);
  db.run(
    "UPDATE webhook_delivery SET claim = ?, next_attempt_at = ? WHERE id IN (SELECT value FROM json_each(?))",
    by,
    now + CLAIM_MS,
    JSON.stringify(rows.map((row) => row.id)),
  );
  const claimed = rows.map((row) => ({ id: row.id, uid: row.uid, at: now }));
  return { claimed, atOnce, isOrdered: ordered === 1, isFailing: failing_since !== null };
}

function findSomeDue(db: Reader, endpointId: number, max: number, now: number): DeliveryRow[] {
  return db.all<DeliveryRow>(
    `SELECT * FROM webhook_delivery INDEXED BY webhook_delivery_due
     WHERE webhook_endpoint_id = ? AND status = 'PENDING' AND next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`,
    endpointId,
    now,
    max,
  );
}

/** Those that are due, up to the first one that waits: the rest waits for it. */
function dueInOrder(db: Reader, endpointId: number, max: number, by: string, now: number): DeliveryRow[] {
  const rows = db.all<DeliveryRow>(
    `SELECT * FROM webhook_delivery INDEXED BY webhook_delivery_order
     WHERE webhook_endpoint_id = ? AND status = 'PENDING' ORDER BY event_id LIMIT ?`,
    endpointId,
    max,
  );
  const fresh = rows.filter((row) => row.claim !== by || row.next_attempt_at! <= now);
  const waiting = fresh.findIndex((row) => row.next_attempt_at! > now);
  return waiting < 0 ? fresh : fresh.slice(0, waiting);
}

/** Gives back claims of deliveries that were not sent: they are due again. Call it in a transaction. */
export function release(db: Writer, claimed: readonly Claimed[], by: string, now: number): void {
  if (!claimed.length) return;
  db.run(
    "UPDATE webhook_delivery SET claim = NULL, next_attempt_at = ? WHERE claim = ? AND id IN (SELECT value FROM json_each(?))",
    now,
    by,
    JSON.stringify(claimed.map(({ id }) => id)),
  );
}

/** What is to be sent now. undefined: it is not ours any more, because it was deleted, disabled or claimed by another since. */
export function prepare(db: Reader, claimed: Claimed, by: string, now: number): Prepared | undefined {
  const delivery = db.get<DeliveryRow>("SELECT * FROM webhook_delivery WHERE id = ? AND claim = ?", claimed.id, by);
  if (!delivery) return undefined;
  const endpoint = db.get<EndpointRow>("SELECT * FROM webhook_endpoint WHERE id = ?", delivery.webhook_endpoint_id)!;
  if (endpoint.status !== "ENABLED") return undefined;
  const { uid, type } = db.get<{ uid: string; type: string }>(
    "SELECT uid, type FROM event WHERE id = ?",
    delivery.event_id,
  )!;
  const json = event.find(db, uid)!;
  const { createdAt } = JSON.parse(json);
  const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(createdAt)},"data":${json}}`;
  const headers = signedHeaders(uid, new Date(now), body, secretsOf(endpoint, now));
  return {
    message: { endpoint: endpoint.uid, url: endpoint.url, headers, body },
    said: saidBy(db, delivery.event_id),
  };
}

/** The secret, and the one before while it still counts. */
function secretsOf(endpoint: EndpointRow, now: number): string[] {
  const { secret, previous_secret, previous_secret_expires_at } = endpoint;
  return previous_secret !== null && previous_secret_expires_at! > now ? [secret, previous_secret] : [secret];
}

/** What an event says that is forgotten with a person. */
export function saidBy(db: Reader, eventId: number): string | undefined {
  return db.value<string>("SELECT concat(changes, note, request_id, resource_uid) FROM event WHERE id = ?", eventId);
}
