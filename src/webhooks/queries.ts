// Statements on webhook endpoints.

import { countRow, recountRow } from "../../db/list/counts.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import { countedEndpoints, type DISABLED_REASONS, type ENDPOINT_STATUSES } from "./resource.ts";
import type { Failing } from "./schedule.ts";

type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** An endpoint. Times are ms since 1970. */
export interface EndpointRow extends Failing {
  id: number;
  uid: string;
  url: string;
  /** JSON; null: all. */
  types: string | null;
  status: EndpointStatus;
  /** 1: one message after the other. */
  ordered: 0 | 1;
  secret: string;
  previous_secret: string | null;
  previous_secret_expires_at: number | null;
  last_event_id: number;
}

/** @throws Problem webhook_endpoint_not_found */
export function getEndpoint(db: Reader, uid: string): EndpointRow {
  const row = db.get<EndpointRow>("SELECT * FROM webhook_endpoint WHERE uid = ?", uid);
  if (!row) throw new Problem("webhook_endpoint_not_found");
  return row;
}

/** @throws Problem webhook_endpoint_not_found, webhook_endpoint_disabled */
export function getEnabledEndpoint(db: Reader, uid: string): EndpointRow {
  return requireEnabled(db, getEndpoint(db, uid).id);
}

/** @param id its rowid. @throws Problem webhook_endpoint_disabled */
export function requireEnabled(db: Reader, id: number): EndpointRow {
  const row = db.get<EndpointRow>("SELECT * FROM webhook_endpoint WHERE id = ?", id)!;
  if (row.status !== "ENABLED") throw new Problem("webhook_endpoint_disabled");
  return row;
}

export function countEndpoints(db: Reader): number {
  return db.value<number>("SELECT count(*) FROM webhook_endpoint")!;
}

interface NewEndpoint {
  uid: string;
  url: string;
  types: string | null;
  ordered: boolean;
  secret: string;
  actor: number;
  /** ISO-8601. */
  now: string;
}

/** It gets no events yet: see skipEvents. */
export function insertEndpoint(db: Writer, { uid, url, types, ordered, secret, actor, now }: NewEndpoint): number {
  const { lastInsertRowid } = db.run(
    `INSERT INTO webhook_endpoint (uid, url, types, ordered, status, secret, last_event_id, created_by, created_at, updated_by, updated_at)
     VALUES (?, ?, ?, ?, 'ENABLED', ?, 0, ?, ?, ?, ?)`,
    uid,
    url,
    types,
    Number(ordered),
    secret,
    actor,
    now,
    actor,
    now,
  );
  countRow(db, countedEndpoints, Number(lastInsertRowid), { status: "ENABLED" }, 1);
  return Number(lastInsertRowid);
}

/** From now on the endpoint gets the events that come. */
export function skipEvents(db: Writer, id: number): void {
  db.run("UPDATE webhook_endpoint SET last_event_id = coalesce((SELECT max(id) FROM event), 0) WHERE id = ?", id);
}

/** @param now ISO-8601 */
export function updateEndpoint(
  db: Writer,
  { id, status: was }: EndpointRow,
  {
    url,
    types,
    ordered,
    status,
    actor,
    now,
  }: Pick<EndpointRow, "url" | "types" | "ordered" | "status"> & { actor: number; now: string },
): void {
  db.run(
    "UPDATE webhook_endpoint SET url = ?, types = ?, ordered = ?, status = ?, updated_by = ?, updated_at = ? WHERE id = ?",
    url,
    types,
    ordered,
    status,
    actor,
    now,
    id,
  );
  recountRow(db, countedEndpoints, id, { status: was }, { status });
  if (status === "ENABLED" && was !== "ENABLED") {
    db.run(
      "UPDATE webhook_endpoint SET disabled_reason = NULL, disabled_at = NULL, failing_since = NULL, failed_at = NULL WHERE id = ?",
      id,
    );
    skipEvents(db, id);
  }
}

/** The service disables an endpoint. */
export function disableEndpoint(db: Writer, id: number, reason: (typeof DISABLED_REASONS)[number], now: number): void {
  db.run(
    "UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = ?, disabled_at = ? WHERE id = ?",
    reason,
    now,
    id,
  );
  recountRow(db, countedEndpoints, id, { status: "ENABLED" }, { status: "DISABLED" });
}

/** The secret before signs, too, until `previousUntil`. null: not any more. */
export function rotateSecret(
  db: Writer,
  id: number,
  { secret, previousUntil, actor, now }: { secret: string; previousUntil: number | null; actor: number; now: string },
): void {
  db.run(
    `UPDATE webhook_endpoint SET previous_secret = iif(? IS NULL, NULL, secret), previous_secret_expires_at = ?, secret = ?,
       updated_by = ?, updated_at = ? WHERE id = ?`,
    previousUntil,
    previousUntil,
    secret,
    actor,
    now,
    id,
  );
}

/** Removes an endpoint that has no deliveries any more. */
export function deleteEndpoint(db: Writer, { id, status }: EndpointRow): void {
  db.run("DELETE FROM webhook_replay WHERE webhook_endpoint_id = ?", id);
  db.run("DELETE FROM webhook_delivery_block WHERE webhook_endpoint_id = ?", id);
  countRow(db, countedEndpoints, id, { status }, -1);
  db.run("DELETE FROM webhook_endpoint WHERE id = ?", id);
}
