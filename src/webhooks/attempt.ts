// One attempt in the store: it is claimed before it is made, and recorded after. A claim ends by itself, so that an attempt
// whose process has died is made again.

import { randomUUID } from "node:crypto";
import type { Reader, Writer } from "../../db/connection.ts";
import { recountRow } from "../../db/counts.ts";
import { BY_SERVICE, changesBetween, recordEvent } from "../events/record.ts";
import { event } from "../events/resource.ts";
import type { DeliveryRow } from "./delivery-queries.ts";
import { disableEndpoint, type EndpointRow } from "./queries.ts";
import { countedDeliveries, type DeliveryStatus, type DISABLED_REASONS, webhookEndpoint } from "./resource.ts";
import { failingSince, isGivenUp, pauseAfter } from "./schedule.ts";
import { isTaken, type Message, type Sent } from "./send.ts";
import { signedHeaders } from "./sign.ts";

/** An endpoint gets so many messages at the same time. */
export const MAX_AT_ONCE = 2;

/** How long a claim lasts: longer than an attempt, and than the store is locked. */
const CLAIM_MS = 60_000;

/** The attempts of a delivery that are kept. */
const MAX_ATTEMPTS_KEPT = 100;

/** An attempt that is to be made. */
export interface Claimed {
  deliveryId: number;
  endpointUid: string;
  /** Names this attempt. */
  claim: string;
  message: Message;
  /** What the event says of what was changed. */
  said: string | undefined;
}

/** What is due now, at most as much as may be sent; and when there is more to look for, in ms since 1970. */
export function findDue(db: Reader, now: number): { uids: string[]; nextAt: number } {
  const uids: string[] = [];
  let nextAt = Number.POSITIVE_INFINITY;
  for (const id of db.values<number>("SELECT id FROM webhook_endpoint WHERE status = 'ENABLED'")) {
    const free = MAX_AT_ONCE - countLive(db, id, now);
    const due = db.values<string>(
      `SELECT uid FROM webhook_delivery INDEXED BY webhook_delivery_due
       WHERE webhook_endpoint_id = ? AND status = 'PENDING' AND next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`,
      id,
      now,
      Math.max(free, 0),
    );
    uids.push(...due);
    const later = db.value<number | null>(
      `SELECT min(next_attempt_at) FROM webhook_delivery INDEXED BY webhook_delivery_due
       WHERE webhook_endpoint_id = ? AND status = 'PENDING' AND next_attempt_at > ?`,
      id,
      now,
    );
    nextAt = Math.min(nextAt, later ?? nextAt);
  }
  return { uids, nextAt: uids.length ? now : nextAt };
}

/** How many messages are on their way to an endpoint, from all processes. */
function countLive(db: Reader, endpointId: number, now: number): number {
  return db.value<number>(
    `SELECT count(*) FROM webhook_delivery INDEXED BY webhook_delivery_claimed
     WHERE webhook_endpoint_id = ? AND claim IS NOT NULL AND next_attempt_at > ?`,
    endpointId,
    now,
  )!;
}

/** Claims an attempt. Call it in a transaction. undefined: it is not due, or too many are on their way to its endpoint. */
export function claim(db: Writer, deliveryUid: string, now: number): Claimed | undefined {
  const delivery = db.get<DeliveryRow>(
    "SELECT * FROM webhook_delivery WHERE uid = ? AND status = 'PENDING' AND next_attempt_at <= ?",
    deliveryUid,
    now,
  );
  if (!delivery) return undefined;
  const { id, webhook_endpoint_id, event_id } = delivery;
  const endpoint = db.get<EndpointRow>("SELECT * FROM webhook_endpoint WHERE id = ?", webhook_endpoint_id)!;
  if (endpoint.status !== "ENABLED" || countLive(db, webhook_endpoint_id, now) >= MAX_AT_ONCE) return undefined;
  const name = randomUUID();
  db.run("UPDATE webhook_delivery SET claim = ?, next_attempt_at = ? WHERE id = ?", name, now + CLAIM_MS, id);
  const { uid, type } = db.get<{ uid: string; type: string }>("SELECT uid, type FROM event WHERE id = ?", event_id)!;
  const json = event.find(db, uid)!;
  const { createdAt } = JSON.parse(json);
  const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(createdAt)},"data":${json}}`;
  const headers = signedHeaders(uid, new Date(now), body, secretsOf(endpoint, now));
  return {
    deliveryId: id,
    endpointUid: endpoint.uid,
    claim: name,
    message: { url: endpoint.url, headers, body },
    said: saidBy(db, event_id),
  };
}

/** The secret, and the one before while it still counts. */
function secretsOf(endpoint: EndpointRow, now: number): string[] {
  const { secret, previous_secret, previous_secret_expires_at } = endpoint;
  return previous_secret !== null && previous_secret_expires_at! > now ? [secret, previous_secret] : [secret];
}

/** What an event says that is forgotten with a person. */
function saidBy(db: Reader, eventId: number): string | undefined {
  return db.value<string>("SELECT concat(changes, note, request_id, resource_uid) FROM event WHERE id = ?", eventId);
}

/** What is known of a delivery after an attempt. */
interface Result {
  status: DeliveryStatus;
  failures: number;
  nextAttemptAt: number | null;
}

/** Records an attempt, and decides what comes next. Call it in a transaction. If its claim has ended, another decides. */
export function record(db: Writer, claimed: Claimed, sent: Sent, now: number): void {
  const delivery = db.get<DeliveryRow>(
    "SELECT * FROM webhook_delivery WHERE id = ? AND claim = ?",
    claimed.deliveryId,
    claimed.claim,
  );
  if (!delivery) return;
  const { id, webhook_endpoint_id, status, event_id, attempts } = delivery;
  // What the receiver has answered may repeat what was erased meanwhile.
  const answer = saidBy(db, event_id) === claimed.said ? sent.answer : null;
  db.run(
    "INSERT INTO webhook_attempt (webhook_delivery_id, created_at, ms, status, error, answer) VALUES (?, ?, ?, ?, ?, ?)",
    id,
    now - sent.ms,
    sent.ms,
    sent.status,
    sent.error,
    answer,
  );
  if (attempts >= MAX_ATTEMPTS_KEPT) {
    db.run(
      `DELETE FROM webhook_attempt WHERE webhook_delivery_id = ? AND id <= (SELECT id FROM webhook_attempt
         WHERE webhook_delivery_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${MAX_ATTEMPTS_KEPT})`,
      id,
      id,
    );
  }
  const result = resultOf(delivery, sent, now);
  db.run(
    `UPDATE webhook_delivery SET status = ?, attempts = attempts + 1, failures = ?, next_attempt_at = ?, claim = NULL
     WHERE id = ?`,
    result.status,
    result.failures,
    result.nextAttemptAt,
    id,
  );
  recountRow(db, countedDeliveries, id, { webhook_endpoint_id, status }, { status: result.status });
  noteHealth(db, webhook_endpoint_id, sent, now);
}

function resultOf({ failures: before }: DeliveryRow, sent: Sent, now: number): Result {
  if (isTaken(sent)) return { status: "SUCCEEDED", failures: 0, nextAttemptAt: null };
  const failures = before + 1;
  const pause = sent.status === GONE ? undefined : pauseAfter(failures, sent.retryAfterMs);
  if (pause === undefined) return { status: "FAILED", failures, nextAttemptAt: null };
  return { status: "PENDING", failures, nextAttemptAt: now + pause };
}

/** The receiver wants nothing more. */
const GONE = 410;

/** Notes whether the endpoint works, and disables it when it is gone, or has failed for days. */
function noteHealth(db: Writer, endpointId: number, sent: Sent, now: number): void {
  const endpoint = db.get<EndpointRow>("SELECT * FROM webhook_endpoint WHERE id = ?", endpointId)!;
  const note = (since: number | null, at: number | null) =>
    db.run("UPDATE webhook_endpoint SET failing_since = ?, failed_at = ? WHERE id = ?", since, at, endpointId);
  if (isTaken(sent)) {
    if (endpoint.failing_since !== null) note(null, null);
    return;
  }
  const since = failingSince(endpoint, now);
  note(since, now);
  if (endpoint.status !== "ENABLED") return;
  if (sent.status === GONE) disable(db, endpoint, "GONE", now);
  else if (isGivenUp(since, now)) disable(db, endpoint, "FAILING", now);
}

function disable(db: Writer, { id, uid }: EndpointRow, reason: (typeof DISABLED_REASONS)[number], now: number): void {
  const before = webhookEndpoint.find(db, uid)!;
  disableEndpoint(db, id, reason, now);
  const changes = changesBetween(before, webhookEndpoint.find(db, uid)!);
  const resource = { type: webhookEndpoint.type, uid };
  recordEvent(db, BY_SERVICE, { type: "webhook-endpoint.disabled", resource, changes, at: new Date(now) });
}
