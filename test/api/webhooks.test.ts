// Webhooks: events come to a receiver, signed, and what becomes of them can be seen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { renewLog } from "../../src/events/log.ts";
import { eventTypes } from "../../src/events/types.ts";
import { UNKNOWN, UUID_V7 } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { Described } from "../support/description.ts";
import { answers, startReceiver, verified } from "../support/receiver.ts";
import { sharedService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { add, attempted, deliveriesOf, hasten, settled, subscribe } from "../support/webhooks.ts";

const service = await sharedService();

test("an event comes to the receiver, signed so that a library verifies it", async () => {
  const { client, receiver, endpoint } = await subscribe(service);
  const id = await add(client, 1);
  const [delivery] = await settled(client, 1);
  const [event] = await client.all("/events?filter[type][eq]=participant.created");
  const [message] = receiver.received;
  const payload = { type: "participant.created", timestamp: event.createdAt, data: event };
  assert.deepEqual(verified(endpoint.secret, message!), payload);
  assert.deepEqual([message!.id, event.resource.id], [event.id, id]);
  assert.equal(message!.headers["content-type"], "application/json");
  const { body: description } = await client.get("/openapi.json");
  assert.deepEqual(Object.keys(description.webhooks), eventTypes);
  const { parameters, requestBody } = description.webhooks["participant.created"].post;
  for (const { name } of parameters) assert.ok(message!.headers[name], name);
  const described = new Described(description);
  const fits = described.compile(requestBody.content["application/json"].schema);
  assert.ok(fits(message!.body), JSON.stringify(fits.errors));
  assert.ok(!fits({ ...(message!.body as object), type: "participant.updated" }));
  const { schema, examples } = description.webhooks["participant.updated"].post.requestBody.content["application/json"];
  assert.ok(described.compile(schema)(examples.message.value));
  assert.match(delivery.id, UUID_V7);
  assert.deepEqual([delivery.eventId, delivery.webhookEndpointId], [event.id, endpoint.id]);
  const { body } = await client.get(`/webhook-deliveries/${delivery.id}`);
  const { startedAt, milliseconds, ...attempt } = body.attempts[0];
  assert.deepEqual(attempt, { _type: "WebhookAttempt", httpStatus: 204, error: null, answer: "" });
  assert.ok(startedAt >= event.createdAt && milliseconds >= 0);
  assert.equal(receiver.received.length, 1, "its own creation is not sent");
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("a receiver sees by logId, as the feed does, that events were lost with a store", async () => {
  const { client, receiver } = await subscribe(service);
  await add(client, 1);
  await settled(client, 1);
  const logId = async () => (await client.get("/events/feed")).body.logId;
  const before = await logId();
  // As a restore does, and `workspace accept-store`.
  await service.context.workspaces.writeWhenFree(client.workspaceId, 5000, renewLog);
  await add(client, 2);
  await settled(client, 2);
  const after = await logId();
  assert.notEqual(after, before);
  assert.deepEqual(
    receiver.received.map(({ body }) => body.data.logId),
    [before, after],
  );
});

test("an endpoint gets the types that it wants, and several endpoints get the same event", async () => {
  const { client, receiver } = await subscribe(service, ["participant.updated"]);
  const all = await startReceiver();
  const types = ["participant.created", "participant.updated", "participant.updated"];
  const { body: endpoint } = await client.post("/webhook-endpoints", { url: all.url, types });
  assert.deepEqual(endpoint.types, ["participant.created", "participant.updated"]);
  const id = await add(client, 1);
  await client.patch(`/participants/${id}`, { name: "Another" });
  await settled(client, 3);
  assert.deepEqual(
    receiver.received.map(({ body }) => body.type),
    ["participant.updated"],
  );
  assert.deepEqual(all.received.map(({ body }) => body.type).sort(), ["participant.created", "participant.updated"]);
  const ids = [...receiver.ids][0]!;
  assert.ok(all.ids.has(ids));
});

test("a message that is not taken comes again, with its attempts and answers to be seen, until there are ten", async () => {
  const { client, receiver } = await subscribe(service, ["participant.created"]);
  receiver.behaves = answers(503, "Not now");
  await add(client, 1);
  for (let attempt = 1; attempt <= 10; attempt++) {
    await attempted(client, attempt);
    if (attempt < 10) await hasten(service, client);
  }
  const [delivery] = await deliveriesOf(client);
  assert.deepEqual([delivery.status, delivery.attemptCount, delivery.nextAttemptAt], ["FAILED", 10, null]);
  const { body } = await client.get(`/webhook-deliveries/${delivery.id}`);
  assert.deepEqual(
    body.attempts.map(({ httpStatus, answer }: { httpStatus: number; answer: string }) => [httpStatus, answer]),
    Array.from({ length: 10 }, () => [503, "Not now"]),
  );
  assert.equal(receiver.ids.size, 1, "webhook-id stays the same");
  assert.equal(new Set(receiver.received.map(({ text }) => text)).size, 1);

  // Somebody asks for it once more: it begins anew.
  receiver.behaves = answers(500);
  const retried = await client.call("POST", `/webhook-deliveries/${delivery.id}/retry`);
  assert.deepEqual([retried.status, retried.body.status], [200, "PENDING"]);
  await attempted(client, 11);
  assert.equal((await deliveriesOf(client))[0].status, "PENDING");
  receiver.behaves = answers(200);
  await hasten(service, client);
  await settled(client, 1);
  assert.equal((await deliveriesOf(client))[0].attemptCount, 12);
  const events = await client.all("/events?filter[type][eq]=webhook-deliveries.replayed");
  assert.deepEqual(events[0].summary, { webhookDeliveryId: delivery.id });
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("Retry-After is heeded", async () => {
  const { client, receiver } = await subscribe(service);
  receiver.behaves = answers(429, "", { "Retry-After": "3600" });
  await add(client, 1);
  await attempted(client, 1);
  const [{ createdAt, nextAttemptAt }] = await deliveriesOf(client);
  assert.ok(Date.parse(nextAttemptAt) - Date.parse(createdAt) >= 3_600_000, nextAttemptAt);
});

test("a receiver that is gone disables its endpoint at once; enabled again, it gets what waits and what comes", async () => {
  const { client, receiver, endpoint } = await subscribe(service, ["participant.created"]);
  receiver.behaves = answers(500);
  await add(client, 1);
  await attempted(client, 1);
  receiver.behaves = answers(410, "Gone");
  await add(client, 2);
  const read = async () => (await client.get(`/webhook-endpoints/${endpoint.id}`)).body;
  const disabled = await until(async () => (await read()).status === "DISABLED" && (await read()), "it is disabled");
  assert.equal(disabled.disabledReason, "GONE");
  const [event] = await client.all("/events?filter[type][eq]=webhook-endpoint.disabled");
  assert.deepEqual([event.resource.id, event.actor._type], [endpoint.id, "ServiceActor"]);
  assert.ok(
    event.changes.some(({ field, to }: { field: string; to: string }) => field === "status" && to === "DISABLED"),
  );
  assert.deepEqual((await deliveriesOf(client)).map(({ status }) => status).sort(), ["FAILED", "PENDING"]);
  for (const path of ["test", "replay"]) {
    const refused = await client.post(`/webhook-endpoints/${endpoint.id}/${path}`, { from: "2026-01-01T00:00:00Z" });
    assert.deepEqual([refused.status, refused.body.code], [409, "webhook_endpoint_disabled"]);
  }
  await add(client, 3);
  receiver.behaves = answers(200);
  const enabled = await client.patch(`/webhook-endpoints/${endpoint.id}`, { status: "ENABLED" });
  const { status, disabledReason, failingSince } = enabled.body;
  assert.deepEqual([status, disabledReason, failingSince], ["ENABLED", null, null]);
  await hasten(service, client);
  await add(client, 4);
  await until(() => receiver.received.length === 4, "what waited and what came is sent");
  const numbers = receiver.received.map(({ body }) => body.data.changes[0].to);
  assert.deepEqual(numbers.slice(0, 2), ["P-1", "P-2"]);
  assert.deepEqual(numbers.slice(2).sort(), ["P-1", "P-4"], "what happened meanwhile is not sent");
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("five days of nothing but failures disable an endpoint; one success in between does not", async () => {
  const { client, receiver, endpoint } = await subscribe(service);
  const fail = async (days: number) =>
    service.context.workspaces.writeWhenFree(client.workspaceId, 5000, (db) => {
      const since = Date.now() - days * 24 * 3_600_000;
      db.run("UPDATE webhook_endpoint SET failing_since = ?, failed_at = ?", since, Date.now() - 3_600_000);
    });
  const read = async () => (await client.get(`/webhook-endpoints/${endpoint.id}`)).body;
  await fail(6);
  assert.notEqual((await read()).failingSince, null);
  await add(client, 1);
  await settled(client, 1);
  assert.deepEqual([(await read()).status, (await read()).failingSince], ["ENABLED", null]);
  receiver.behaves = answers(500);
  await fail(4);
  await add(client, 2);
  await until(() => receiver.received.length === 2, "it is tried");
  const failedAt = () =>
    service.context.workspaces.read(client.workspaceId, (db) =>
      db.value<number>("SELECT failed_at FROM webhook_endpoint"),
    );
  await until(() => failedAt()! > Date.now() - 60_000, "the failure is written");
  await fail(6);
  assert.equal((await read()).status, "ENABLED");
  await hasten(service, client);
  await until(async () => (await read()).disabledReason === "FAILING", "it is disabled");
  assert.equal((await client.all("/events?filter[type][eq]=webhook-endpoint.disabled")).length, 1);
});

test("while a secret is replaced there are two signatures, and afterwards one", async () => {
  const { client, receiver, endpoint } = await subscribe(service, ["participant.created"]);
  const rotate = (overlapHours: number) =>
    client.post(`/webhook-endpoints/${endpoint.id}/rotate-secret`, { overlapHours });
  const { status, body: second } = await rotate(1);
  assert.equal(status, 200);
  assert.notEqual(second.secret, endpoint.secret);
  assert.ok(Date.parse(second.previousSecretExpiresAt) > Date.now() + 3_000_000);
  await add(client, 1);
  await settled(client, 1);
  for (const secret of [endpoint.secret, second.secret]) verified(secret, receiver.received[0]!);
  // Its time is over.
  await service.context.workspaces.writeWhenFree(client.workspaceId, 5000, (db) =>
    db.run("UPDATE webhook_endpoint SET previous_secret_expires_at = ?", Date.now() - 1),
  );
  await add(client, 2);
  await settled(client, 2);
  verified(second.secret, receiver.received[1]!);
  assert.throws(() => verified(endpoint.secret, receiver.received[1]!), /signature/i);
  const { body: third } = await rotate(0);
  assert.equal(third.previousSecretExpiresAt, null);
  await add(client, 3);
  await settled(client, 3);
  verified(third.secret, receiver.received[2]!);
  assert.throws(() => verified(second.secret, receiver.received[2]!), /signature/i);
});

test("a secret is shown when it is made, and nowhere else", async () => {
  const { client, endpoint } = await subscribe(service);
  assert.match(endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const { body } = await client.post(`/webhook-endpoints/${endpoint.id}/rotate-secret`, {});
  await settled(client, 1);
  const shown = [
    await client.get("/webhook-endpoints"),
    await client.get(`/webhook-endpoints/${endpoint.id}`),
    await client.patch(`/webhook-endpoints/${endpoint.id}`, { types: null }),
    await client.get("/events"),
    await client.get("/webhook-deliveries"),
    await client.get("/webhook-endpoints", { Accept: "text/csv" }),
    await client.get("/webhook-endpoints", { Accept: "application/x-ndjson" }),
    await client.delete(`/webhook-endpoints/${endpoint.id}`),
    await client.get("/events"),
  ];
  for (const { status, text } of shown) {
    assert.equal(status, 200, text);
    for (const secret of [endpoint.secret, body.secret]) assert.ok(!text.includes(secret.slice(6)), text);
    assert.ok(!text.includes("whsec_"));
  }
});

test("what an endpoint can't be is refused, with all errors at once", async () => {
  const client = service.workspace();
  const errors = async (body: object) => {
    const { status, body: problem } = await client.post("/webhook-endpoints", body);
    assert.equal(status, 400);
    return problem.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);
  };
  assert.deepEqual(await errors({ url: "ftp://example.org", types: ["quota.reach"], typ: 1 }), [
    "/url must begin with https:// or http://",
    "/types/0 is not a type of event; did you mean quota.reached?",
    "/typ is not known; did you mean types?",
  ]);
  assert.deepEqual(await errors({ url: "https://u:p@example.org/" }), [
    "/url must not have a user or a password: others could read them",
  ]);
  assert.deepEqual(await errors({ types: [] }), [
    "/url is required",
    "/types must name at least one type; null means all",
  ]);
  assert.deepEqual(await errors({ url: "https://example.org/#x" }), ["/url must not have a fragment"]);
  assert.deepEqual(await errors({ url: `https://example.org/${"x".repeat(2048)}` }), [
    "/url must be at most 2048 characters",
  ]);
  assert.equal((await client.get("/webhook-endpoints")).body.total, 0);
});

test("a change of nothing leaves no event, and a deleted endpoint gets nothing more", async () => {
  const { client, receiver, endpoint } = await subscribe(service);
  const path = `/webhook-endpoints/${endpoint.id}`;
  const { body: before } = await client.get(path);
  assert.deepEqual((await client.patch(path, { status: "ENABLED", url: endpoint.url })).body, before);
  assert.equal((await client.all("/events")).length, 1);
  await add(client, 1);
  await settled(client, 1);
  const deleted = await client.delete(path);
  assert.deepEqual([deleted.status, deleted.body.id], [200, endpoint.id]);
  await add(client, 2);
  for (const gone of [path, `/webhook-deliveries/${UNKNOWN}`]) assert.equal((await client.get(gone)).status, 404);
  assert.equal((await client.get("/webhook-deliveries")).body.total, 0);
  assert.equal(receiver.received.length, 1);
  const types = (await client.all("/events")).map(({ type }) => type);
  assert.equal(types.filter((type) => type === "webhook-endpoint.deleted").length, 1);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("a test is sent whatever the types, and others get it as an event", async () => {
  const { client, receiver, endpoint } = await subscribe(service, ["quota.reached"]);
  const { status, body, headers } = await client.call("POST", `/webhook-endpoints/${endpoint.id}/test`);
  assert.deepEqual([status, headers.get("location")], [201, `/webhook-deliveries/${body.id}`]);
  const [delivery] = await settled(client, 1);
  assert.deepEqual([delivery.id, delivery.eventType], [body.id, "webhook-endpoint.tested"]);
  verified(endpoint.secret, receiver.received[0]!);
  assert.equal(receiver.received[0]!.body.type, "webhook-endpoint.tested");
  assert.deepEqual(receiver.received[0]!.body.data.resource, { _type: "WebhookEndpoint", id: endpoint.id });
});

test("deliveries are found by endpoint, event and status", async () => {
  const { client, receiver, endpoint } = await subscribe(service);
  await add(client, 1);
  await settled(client, 1);
  receiver.behaves = answers(500);
  await add(client, 2);
  await attempted(client, 2);
  const total = async (filter: string) => (await client.get(`/webhook-deliveries?${filter}`)).body.total;
  const [{ eventId }] = await deliveriesOf(client);
  assert.equal(await total(`filter[webhookEndpointId][eq]=${endpoint.id}`), 2);
  assert.equal(await total(`filter[webhookEndpointId][ne]=${endpoint.id}`), 0);
  assert.equal(await total(`filter[webhookEndpointId][eq]=${UNKNOWN}`), 0);
  assert.equal(await total(`filter[eventId][eq]=${eventId}`), 1);
  assert.equal(await total("filter[status][eq]=SUCCEEDED"), 1);
  assert.equal(await total("filter[status][ne]=SUCCEEDED"), 1);
  assert.equal(await total(`filter[status][eq]=PENDING&filter[eventId][eq]=${eventId}`), 0);
});
