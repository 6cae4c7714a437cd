// The resources WebhookEndpoint and WebhookDelivery: their JSON, and their lists.

import * as v from "valibot";
import type { CountedTable } from "../../db/list/counts.ts";
import { exampleAudit, exampleIds } from "../base/examples.ts";
import {
  ANY_OPERATOR,
  audit,
  json,
  millisecondsAsTimestamp,
  nullable,
  number,
  text,
  uid,
  word,
} from "../base/members.ts";
import { countedList, resource } from "../base/resource.ts";
import { count } from "../base/schemas.ts";
import { eventTypes } from "../events/types.ts";

export const ENDPOINT_STATUSES = ["ENABLED", "DISABLED"] as const;

/** Why the service has disabled an endpoint: its receiver has answered 410, or failed for days. */
export const DISABLED_REASONS = ["GONE", "FAILING"] as const;

const typesView = json("t.types", v.array(v.picklist(eventTypes)), {
  "": (value) => (value === null ? null : (value as string[]).join("; ")),
});

const endpointMembers = {
  id: uid("t.uid"),
  url: text("t.url"),
  types: nullable(typesView),
  status: word(ENDPOINT_STATUSES)("t.status", ANY_OPERATOR),
  disabledReason: nullable(word(DISABLED_REASONS)("t.disabled_reason")),
  disabledAt: nullable(millisecondsAsTimestamp("t.disabled_at")),
  failingSince: nullable(millisecondsAsTimestamp("t.failing_since")),
  previousSecretExpiresAt: nullable(millisecondsAsTimestamp("t.previous_secret_expires_at")),
  ...audit,
  ordered: json("iif(t.ordered, 'true', 'false')", v.boolean(), { "": (value) => value as boolean }),
};

const endpointExample = {
  id: exampleIds.webhookEndpoint,
  url: "https://hooks.example.org/screening",
  types: ["screener-session.completed", "quota.reached"],
  status: "ENABLED",
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  previousSecretExpiresAt: null,
  ...exampleAudit,
  ordered: false,
};

const ENDPOINTS = `webhook_endpoint AS t JOIN actor AS c ON c.id = t.created_by JOIN actor AS u ON u.id = t.updated_by`;

/** Where events are sent. Its secret is not shown. */
export const webhookEndpoint = resource({
  type: "WebhookEndpoint",
  from: ENDPOINTS,
  members: endpointMembers,
  example: endpointExample,
});

/** The same with its secret, for the one reply that shows it. */
export const endpointWithSecret = resource({
  type: "WebhookEndpoint",
  title: "WebhookEndpointWithSecret",
  from: ENDPOINTS,
  members: { ...endpointMembers, secret: text("t.secret") },
  example: { ...endpointExample, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwM2dP8C1rF4E=" },
});

export const countedEndpoints = { table: "webhook_endpoint", facets: ["status"] } as const satisfies CountedTable;

export const endpointList = countedList("webhook-endpoints", countedEndpoints, webhookEndpoint);

/** PENDING: it is sent, or will be. FAILED: there are no more attempts, unless somebody asks for them. */
export const DELIVERY_STATUSES = ["PENDING", "SUCCEEDED", "FAILED"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const deliveryMembers = {
  id: uid("t.uid"),
  webhookEndpointId: uid("w.uid", {
    operators: ANY_OPERATOR,
    by: { column: "webhook_endpoint_id", references: { table: "webhook_endpoint", by: "uid" } },
  }),
  eventId: uid("e.uid", {
    operators: ["eq", "in"],
    by: { column: "event_id", references: { table: "event", by: "uid" } },
  }),
  eventType: word(eventTypes)("e.type"),
  status: word(DELIVERY_STATUSES)("t.status", ANY_OPERATOR),
  createdAt: millisecondsAsTimestamp("t.created_at"),
  attemptCount: number("t.attempts", count),
  nextAttemptAt: nullable(millisecondsAsTimestamp("t.next_attempt_at")),
};

const deliveryExample = {
  id: exampleIds.webhookDelivery,
  webhookEndpointId: exampleIds.webhookEndpoint,
  eventId: exampleIds.event,
  eventType: "webhook-endpoint.tested",
  status: "SUCCEEDED",
  createdAt: "2026-01-31T12:00:00.000Z",
  attemptCount: 1,
  nextAttemptAt: null,
};

const DELIVERIES =
  "webhook_delivery AS t JOIN webhook_endpoint AS w ON w.id = t.webhook_endpoint_id JOIN event AS e ON e.id = t.event_id";

/** An event that is sent to an endpoint. */
export const webhookDelivery = resource({
  type: "WebhookDelivery",
  from: DELIVERIES,
  members: deliveryMembers,
  example: deliveryExample,
});

const attempt = resource({
  type: "WebhookAttempt",
  from: "webhook_attempt AS a",
  members: {
    startedAt: millisecondsAsTimestamp("a.created_at"),
    milliseconds: number("a.ms", count),
    httpStatus: nullable(number("a.status", count)),
    error: nullable(text("a.error")),
    answer: nullable(text("a.answer")),
  },
  example: { startedAt: "2026-01-31T12:00:00.000Z", milliseconds: 84, httpStatus: 204, error: null, answer: "" },
});

const ATTEMPTS = `(SELECT concat('[', group_concat(item), ']') FROM (
  SELECT ${attempt.json} AS item FROM ${attempt.from} WHERE a.webhook_delivery_id = t.id ORDER BY a.id))`;

/** The same with all attempts, for the one that is asked for. */
export const deliveryWithAttempts = resource({
  type: "WebhookDelivery",
  title: "WebhookDeliveryWithAttempts",
  from: DELIVERIES,
  members: { ...deliveryMembers, attempts: json(ATTEMPTS, v.array(attempt.schema)) },
  example: { ...deliveryExample, attempts: [attempt.example] },
});

export const countedDeliveries = {
  table: "webhook_delivery",
  facets: ["webhook_endpoint_id", "status"],
} as const satisfies CountedTable;

export const deliveryList = countedList("webhook-deliveries", countedDeliveries, webhookDelivery);

/** What a replay will send. */
export const ReplayView = v.pipe(
  v.object({
    _type: v.literal("WebhookReplay"),
    webhookEndpointId: v.pipe(v.string(), v.uuid()),
    from: v.pipe(v.string(), v.isoTimestamp()),
    to: v.pipe(v.string(), v.isoTimestamp()),
    events: v.pipe(
      count,
      v.description("How many events there are in this time. Those of the endpoint's types are sent"),
    ),
  }),
  v.title("WebhookReplay"),
);
