// /webhook-deliveries, and what has deliveries sent: a test, a retry, a replay.

import { exampleIds } from "../base/examples.ts";
import { Problem } from "../base/problems.ts";
import { type AnyEndpoint, created, defineEndpoint, ok } from "../http/endpoint.ts";
import { defineList } from "../http/lists.ts";
import { defineRead } from "../http/reads.ts";
import { writeOnce } from "../writes/write-once.ts";
import { Replay } from "./bodies.ts";
import { getDelivery, insertReplay, sendAgain } from "./delivery-queries.ts";
import { getEnabledEndpoint, requireEnabled } from "./queries.ts";
import { deliveryList, deliveryWithAttempts, ReplayView, webhookDelivery, webhookEndpoint } from "./resource.ts";
import { sendTest } from "./send-test.ts";

const tag = "Webhooks";

const list = defineList(deliveryList, {
  path: "/webhook-deliveries",
  operationId: "listWebhookDeliveries",
  scopes: ["admin"],
  tag,
  summary: "List webhook deliveries",
  downloads: null,
  description:
    "Each event that is sent to an endpoint is a delivery. They are kept as long as their events. `FAILED`: all attempts have failed.",
});

const read = defineRead(deliveryWithAttempts, {
  path: "/webhook-deliveries/:id",
  operationId: "getWebhookDelivery",
  scopes: ["admin"],
  tag,
  summary: "Get a webhook delivery with its attempts",
  reply: "The delivery. `answer` is the beginning of what the receiver has answered: at most 1,024 bytes",
  unknown: "webhook_delivery_not_found",
});

const pending = { ...webhookDelivery.example, status: "PENDING", nextAttemptAt: "2026-01-31T12:00:00.000Z" };

const retry = defineEndpoint({
  method: "post",
  path: "/webhook-deliveries/:id/retry",
  operationId: "retryWebhookDelivery",
  scopes: ["admin"],
  tag,
  summary: "Send a webhook delivery again",
  description:
    "Sends it now, whatever became of it, and again as for a new one if that fails. One that is just being sent stays as it is.",
  replies: { 200: { description: "The delivery as it is now", schema: webhookDelivery.schema } },
  examples: { pending: { reply: pending } },
  problems: ["webhook_delivery_not_found", "webhook_endpoint_disabled"],
  async handle(request) {
    const { context, params, principal } = request;
    const reply = await writeOnce(request, (db, record) => {
      const delivery = getDelivery(db, params.id!);
      const { uid } = requireEnabled(db, delivery.webhook_endpoint_id);
      if (sendAgain(db, delivery, Date.now())) {
        const resource = { type: webhookEndpoint.type, uid };
        record({ type: "webhook-deliveries.replayed", resource, summary: { webhookDeliveryId: delivery.uid } });
      }
      return ok(webhookDelivery.find(db, delivery.uid)!);
    });
    context.webhooks.kick(principal.workspaceUid);
    return reply;
  },
});

const test = defineEndpoint({
  method: "post",
  path: "/webhook-endpoints/:id/test",
  operationId: "testWebhookEndpoint",
  scopes: ["admin"],
  tag,
  summary: "Send a test to a webhook endpoint",
  description:
    "Writes the event `webhook-endpoint.tested` and sends it now, whatever the endpoint's `types`. What became of it is at " +
    "`GET /webhook-deliveries/{id}`.",
  replies: {
    201: { description: "The new delivery", schema: webhookDelivery.schema, headers: { Location: "Its path" } },
  },
  examples: { sent: { reply: { ...pending, attemptCount: 0 } } },
  problems: ["webhook_endpoint_not_found", "webhook_endpoint_disabled"],
  async handle(request) {
    const { context, params, principal } = request;
    const reply = await writeOnce(request, (db, record) => {
      const uid = sendTest(db, getEnabledEndpoint(db, params.id!), record);
      return created(webhookDelivery.find(db, uid)!, `/webhook-deliveries/${uid}`);
    });
    context.webhooks.kick(principal.workspaceUid);
    return reply;
  },
});

const replay = defineEndpoint({
  method: "post",
  path: "/webhook-endpoints/:id/replay",
  operationId: "replayWebhookEvents",
  scopes: ["admin"],
  tag,
  summary: "Send the events of a time range again",
  description:
    "Sends the endpoint every event of its types that was written in this time, whether it has got it before or not: after an outage of the " +
    "receiver, or for a new endpoint. They have the same `webhook-id` as before.",
  body: Replay,
  replies: { 202: { description: "The events are being sent", schema: ReplayView } },
  examples: {
    recent: {
      body: { from: "2026-01-30T00:00:00Z" },
      reply: {
        _type: "WebhookReplay",
        webhookEndpointId: exampleIds.webhookEndpoint,
        from: "2026-01-30T00:00:00.000Z",
        to: "2026-01-31T12:00:00.000Z",
        events: 41,
      },
    },
  },
  problems: ["webhook_endpoint_not_found", "webhook_endpoint_disabled", "webhook_replay_limit"],
  async handle(request) {
    const { body, context, params, principal } = request;
    const reply = await writeOnce(request, (db, record) => {
      const { id, uid } = getEnabledEndpoint(db, params.id!);
      const { from, to = new Date().toISOString() } = body;
      const events = insertReplay(db, id, Date.parse(from), Date.parse(to));
      if (events === undefined) throw new Problem("webhook_replay_limit");
      const summary = { from, to, events };
      if (events)
        record({ type: "webhook-deliveries.replayed", resource: { type: webhookEndpoint.type, uid }, summary });
      return { status: 202, body: JSON.stringify({ _type: "WebhookReplay", webhookEndpointId: uid, ...summary }) };
    });
    context.webhooks.kick(principal.workspaceUid);
    return reply;
  },
});

export const webhookDeliveryRoutes: AnyEndpoint[] = [list, read, retry, test, replay];
