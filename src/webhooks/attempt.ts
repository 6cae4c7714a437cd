// What becomes of attempts: each is recorded, and decides when its delivery is sent again, and whether its endpoint still works.

import { recountRow } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { raiseNotice } from "../events/notices.ts";
import { BY_SERVICE, changesBetween, recordEvent } from "../events/record.ts";
import { type Prepared, saidBy } from "./claim.ts";
import type { DeliveryRow } from "./delivery-queries.ts";
import { disableEndpoint, type EndpointRow } from "./queries.ts";
import { countedDeliveries, type DeliveryStatus, type DISABLED_REASONS, webhookEndpoint } from "./resource.ts";
import { failingSince, isGivenUp, pauseAfter } from "./schedule.ts";
import { isTaken, type Sent } from "./send.ts";

/** The attempts of a delivery that are kept. */
const MAX_ATTEMPTS_KEPT = 100;

/** An attempt that was made. */
export interface Made extends Pick<Prepared, "said"> {
  id: number;
  sent: Sent;
  /** When it had ended. */
  at: number;
}

/** What is known of a delivery after an attempt. */
interface Result {
  status: DeliveryStatus;
  failures: number;
  nextAttemptAt: number | null;
}

/** Records attempts of an endpoint, and decides what comes next. Call it in a transaction. If a claim has ended, another decides. */
export function record(db: Writer, endpointUid: string, made: readonly Made[], by: string): void {
  if (!made.length) return;
  for (const one of made) recordOne(db, one, by);
  noteHealth(db, endpointUid, made);
}

function recordOne(db: Writer, { id, sent, said, at }: Made, by: string): void {
  const delivery = db.get<DeliveryRow>("SELECT * FROM webhook_delivery WHERE id = ? AND claim = ?", id, by);
  if (!delivery) return;
  const { webhook_endpoint_id, status, event_id, attempts } = delivery;
  // The answer of the receiver may repeat texts that were erased meanwhile.
  const answer = saidBy(db, event_id) === said ? sent.answer : null;
  db.run(
    "INSERT INTO webhook_attempt (webhook_delivery_id, created_at, ms, status, error, answer) VALUES (?, ?, ?, ?, ?, ?)",
    id,
    at - sent.ms,
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
  const result = resultOf(delivery, sent, at);
  db.run(
    `UPDATE webhook_delivery SET status = ?, attempts = attempts + 1, failures = ?, next_attempt_at = ?, claim = NULL
     WHERE id = ?`,
    result.status,
    result.failures,
    result.nextAttemptAt,
    id,
  );
  recountRow(db, countedDeliveries, id, { webhook_endpoint_id, status }, { status: result.status });
}

function resultOf({ failures: before }: DeliveryRow, sent: Sent, at: number): Result {
  if (isTaken(sent)) return { status: "SUCCEEDED", failures: 0, nextAttemptAt: null };
  const failures = before + 1;
  const pause = sent.status === GONE ? undefined : pauseAfter(failures, sent.retryAfterMs);
  if (pause === undefined) return { status: "FAILED", failures, nextAttemptAt: null };
  return { status: "PENDING", failures, nextAttemptAt: at + pause };
}

/** Receivers that are started anew are there again by then. */
const NOTICED_AFTER_MS = 3_600_000;

/** The receiver wants nothing more. */
const GONE = 410;

/** Notes whether the endpoint works, and disables it when it is gone, or has failed for days. */
function noteHealth(db: Writer, endpointUid: string, made: readonly Made[]): void {
  const endpoint = db.get<EndpointRow>("SELECT * FROM webhook_endpoint WHERE uid = ?", endpointUid);
  if (!endpoint) return;
  let { failing_since, failed_at } = endpoint;
  let disabled: { reason: (typeof DISABLED_REASONS)[number]; at: number } | undefined;
  for (const { sent, at } of made) {
    if (isTaken(sent)) {
      // Only what follows a failure is written.
      if (failing_since !== null) [failing_since, failed_at] = [null, null];
      continue;
    }
    failing_since = failingSince({ failing_since, failed_at }, at);
    failed_at = at;
    if (sent.status === GONE) disabled ??= { reason: "GONE", at };
    else if (isGivenUp(failing_since, at)) disabled ??= { reason: "FAILING", at };
  }
  if (failing_since !== endpoint.failing_since || failed_at !== endpoint.failed_at)
    db.run(
      "UPDATE webhook_endpoint SET failing_since = ?, failed_at = ? WHERE id = ?",
      failing_since,
      failed_at,
      endpoint.id,
    );
  if (disabled && endpoint.status === "ENABLED") disable(db, endpoint, disabled.reason, disabled.at);
  else if (failing_since !== null && Date.now() - failing_since >= NOTICED_AFTER_MS)
    raiseNotice(db, { kind: "WEBHOOK_FAILS", subject: endpointUid, state: `since ${failing_since}` });
}

function disable(db: Writer, { id, uid }: EndpointRow, reason: (typeof DISABLED_REASONS)[number], now: number): void {
  const before = webhookEndpoint.find(db, uid)!;
  disableEndpoint(db, id, reason, now);
  const changes = changesBetween(before, webhookEndpoint.find(db, uid)!);
  const resource = { type: webhookEndpoint.type, uid };
  recordEvent(db, BY_SERVICE, { type: "webhook-endpoint.disabled", resource, changes, at: new Date(now) });
}
