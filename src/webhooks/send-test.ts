// Sends a test to an endpoint.

import type { Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import { lastEventId } from "../events/queries.ts";
import type { RecordEvent } from "../events/record.ts";
import { insertDelivery } from "./delivery-queries.ts";
import type { EndpointRow } from "./queries.ts";
import { webhookEndpoint } from "./resource.ts";

/** Writes the event of a test, and has it sent whatever types the endpoint wants. Call it in a transaction. @returns the delivery's id */
export function sendTest(db: Writer, { id, uid }: EndpointRow, record: RecordEvent): string {
  const delivery = newId();
  const summary = { webhookDeliveryId: delivery };
  record({ type: "webhook-endpoint.tested", resource: { type: webhookEndpoint.type, uid }, summary });
  return insertDelivery(db, id, lastEventId(db), Date.now(), delivery)!;
}
