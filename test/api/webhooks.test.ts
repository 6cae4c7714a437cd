// Webhooks: events come to a receiver, signed, and what becomes of them can be seen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, people, UUID_V7 } from "../support/client.ts";
import { startReceiver, verified } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService({ config: { webhookAllowPrivate: true } });

/** A workspace whose events go to a receiver. */
async function subscribe(types: string[] | null = null) {
  const client = service.workspace();
  const receiver = await startReceiver();
  const { status, body, text } = await client.post("/webhook-endpoints", { url: receiver.url, types });
  assert.equal(status, 201, text);
  return { client, receiver, endpoint: body };
}

const add = async (client: Client, number: number) =>
  (await client.post("/participants", people(1, number)[0])).body.id as string;

test("an event comes to the receiver, signed so that a library verifies it", async () => {
  const { client, receiver, endpoint } = await subscribe();
  const id = await add(client, 1);
  await until(() => receiver.received.length > 0, "it comes");
  const [event] = await client.all("/events?filter[type][eq]=participant.created");
  const [message] = receiver.received;
  assert.deepEqual(verified(endpoint.secret, message!), {
    type: "participant.created",
    timestamp: event.createdAt,
    data: event,
  });
  assert.equal(message!.id, event.id);
  assert.equal(event.resource.id, id);
  const delivery = await until(
    async () => (await client.all("/webhook-deliveries?filter[status][eq]=SUCCEEDED"))[0],
    "it is recorded",
  );
  assert.match(delivery.id, UUID_V7);
  assert.deepEqual([delivery.eventId, delivery.webhookEndpointId], [event.id, endpoint.id]);
  const { body } = await client.get(`/webhook-deliveries/${delivery.id}`);
  const { startedAt, milliseconds, ...attempt } = body.attempts[0];
  assert.deepEqual(attempt, { _type: "WebhookAttempt", httpStatus: 204, error: null, answer: "" });
  assert.ok(startedAt >= event.createdAt && milliseconds >= 0);
  assert.equal(receiver.received.length, 1, "its own creation is not sent");
});
