// Webhooks in trouble: receivers that are slow, dead or gone for a while, replays, and what is removed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { tidy } from "../../src/upkeep/housekeeping.ts";
import { suspendWorkspace } from "../../src/workspaces/lives.ts";
import { findWorkspace } from "../../src/workspaces/queries.ts";
import { findBytes } from "../support/bytes.ts";
import { type Client, people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { answers, startReceiver, takes, verified } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { holdWrites, storesOf } from "../support/store.ts";
import { until } from "../support/until.ts";
import { add, attempted, deliveriesOf, hasten, settled, subscribe } from "../support/webhooks.ts";

const service = await startService({ workers: 2 });

/** Adds participants, several at the same time. */
async function addMany(client: Client, count: number, from = 0): Promise<void> {
  for (let number = from; number < from + count; number += 20)
    await Promise.all(
      people(Math.min(20, from + count - number), number).map((one) => client.post("/participants", one)),
    );
}

test("a receiver that hangs gets two messages, and holds up no other endpoint", async () => {
  const { client, receiver } = await subscribe(service, ["participant.created"]);
  receiver.behaves = () => {};
  const others = await startReceiver();
  await client.post("/webhook-endpoints", { url: others.url });
  await addMany(client, 20);
  await until(() => others.received.length === 20, "the other endpoint has all");
  await until(() => receiver.received.length === 2, "it has two");
  assert.equal(receiver.open, 2);
  // It goes on with both where it breaks off.
  receiver.behaves = takes;
  await receiver.kill();
  await receiver.start();
  await until(async () => {
    await hasten(service, client);
    return receiver.ids.size === 20;
  }, "all have come");
});

test("an endpoint gets up to eight messages at the same time, over connections that are kept", async () => {
  const { client, receiver } = await subscribe(service, ["participant.created"]);
  receiver.behaves = (response) => setTimeout(() => response.writeHead(204).end(), 20);
  await addMany(client, 100);
  await settled(client, 100);
  assert.equal(receiver.mostOpen, 8);
  assert.ok(receiver.connections < 40, `${receiver.connections} connections`);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("an ordered endpoint gets one message after the other, and the next one waits while one fails", async () => {
  const { client, receiver, endpoint } = await subscribe(service, ["participant.created"]);
  const path = `/webhook-endpoints/${endpoint.id}`;
  assert.equal(endpoint.ordered, false);
  assert.equal((await client.patch(path, { ordered: true })).body.ordered, true);
  const order: number[] = [];
  receiver.behaves = (response, { body }) => {
    order.push(body.data.sequence);
    // Those of one third fail at first.
    const isLate = body.data.sequence % 3 === 0 && order.filter((one) => one === body.data.sequence).length === 1;
    setTimeout(() => response.writeHead(isLate ? 503 : 204).end(), 5);
  };
  await addMany(client, 30);
  await until(async () => {
    await hasten(service, client);
    return (
      receiver.ids.size === 30 &&
      (await client.get("/webhook-deliveries?filter[status][eq]=SUCCEEDED")).body.total === 30
    );
  }, "all have come");
  assert.deepEqual(
    order,
    order.toSorted((one, other) => one - other),
  );
  assert.equal(receiver.mostOpen, 1);
  const [event] = await client.all("/events?filter[type][eq]=webhook-endpoint.updated");
  assert.deepEqual(event.changes, [{ field: "ordered", from: false, to: true }]);
  // What has failed for good holds nothing up.
  receiver.behaves = answers(503);
  await addMany(client, 2, 30);
  await attempted(client, 41);
  await service.context.workspaces.writeWhenFree(client.workspaceId, 5000, (db) =>
    db.run("UPDATE webhook_delivery SET failures = 9, next_attempt_at = 0 WHERE status = 'PENDING' AND failures > 0"),
  );
  await until(
    async () => (await client.get("/webhook-deliveries?filter[status][eq]=FAILED")).body.total === 1,
    "it is given up",
  );
  receiver.behaves = takes;
  await hasten(service, client);
  await settled(client, 31);
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("1,000 events come while their receiver is killed and started again, each signed rightly", async () => {
  const { client, receiver, endpoint } = await subscribe(service, ["participant.created"]);
  const EVENTS = 1000;
  let kills = 0;
  let isDone = false;
  const killing = (async () => {
    while (!isDone) {
      const before = receiver.received.length;
      await until(() => isDone || receiver.received.length > before + 40, "some have come");
      await receiver.kill();
      kills++;
      await receiver.start();
      await hasten(service, client);
    }
  })();
  await addMany(client, EVENTS);
  await until(
    async () => {
      await hasten(service, client);
      return receiver.ids.size === EVENTS;
    },
    "all have come",
    240_000,
  );
  isDone = true;
  await killing;
  assert.ok(kills > 5, `only ${kills} kills`);
  for (const message of receiver.received) verified(endpoint.secret, message);
  const events = await client.all("/events?filter[type][eq]=participant.created");
  assert.deepEqual(receiver.ids, new Set(events.map(({ id }) => id)));
  await until(async () => {
    await hasten(service, client);
    return (await client.get("/webhook-deliveries?filter[status][ne]=SUCCEEDED")).body.total === 0;
  }, "all are recorded");
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("a replay sends the events of a time again, those of its types alone, also to a new endpoint", async () => {
  const { client, receiver } = await subscribe(service, ["participant.created"]);
  for (let number = 0; number < 5; number++) {
    const { body } = await client.post("/participants", people(1, number)[0]);
    await until(() => Date.now() > Date.parse(body.createdAt), "the next one has another time");
  }
  await settled(client, 5);
  const late = await startReceiver();
  const { body: endpoint } = await client.post("/webhook-endpoints", { url: late.url, types: ["participant.created"] });
  const events = await client.all("/events?filter[type][eq]=participant.created");
  const from = events[0].createdAt;
  const replay = (body: object) => client.post(`/webhook-endpoints/${endpoint.id}/replay`, body);
  const { status, body, text } = await replay({ from });
  assert.equal(status, 202, text);
  assert.deepEqual([body.webhookEndpointId, body.from], [endpoint.id, from]);
  await until(() => late.received.length === 5, "they have come");
  assert.deepEqual(late.ids, receiver.ids);
  await settled(client, 10);

  const until3 = await replay({ from, to: events[2].createdAt });
  assert.equal(until3.status, 202);
  await until(() => late.received.length === 7, "the two before are sent once more");
  const nothing = await replay({ from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" });
  assert.equal(nothing.body.events, 0);
  assert.equal((await replay({ from, to: from })).status, 400);
  assert.equal(receiver.received.length, 5, "the other endpoint is left alone");
  const replays = await client.all("/events?filter[type][eq]=webhook-deliveries.replayed");
  assert.equal(replays.length, 2, "the one of no events is none");
  service.context.workspaces.read(client.workspaceId, assertCounts);
});

test("a store that is locked holds deliveries up, and loses none", async () => {
  const { client, receiver } = await subscribe(service, ["participant.created"]);
  await add(client, 1);
  const release = holdWrites(service, client);
  const other = await subscribe(service);
  await add(other.client, 1);
  await settled(other.client, 1);
  release();
  await settled(client, 1);
  assert.equal(receiver.ids.size, 1);
});

test("the deliveries of a suspended workspace wait", async () => {
  const { client, receiver } = await subscribe(service);
  const { control } = service.context;
  const { id } = findWorkspace(control.reader, client.workspaceId)!;
  const suspend = (at: number | null) => whenFree(control.writer, 5000, () => suspendWorkspace(control.writer, id, at));
  receiver.behaves = answers(500);
  await add(client, 1);
  await attempted(client, 1);
  await suspend(Date.now());
  receiver.behaves = takes;
  await hasten(service, client);
  const other = await subscribe(service);
  await add(other.client, 1);
  await settled(other.client, 1);
  assert.equal(receiver.received.length, 1);
  await suspend(null);
  await settled(client, 1);
});

test("what a receiver has answered to events of a person goes with the person", async () => {
  const { client, receiver } = await subscribe(service);
  receiver.behaves = (response, { text }) => response.writeHead(200).end(`Thanks for ${text}`);
  const hedwig = { externalUid: "HEDWIG-4412", email: "hedwig.webhook@mahler.example", name: "Hedwig Webhooked" };
  const { body: person } = await client.post("/participants", hedwig);
  await add(client, 1);
  const settledThen = await settled(client, 2);
  const secrets = Object.values(hedwig);
  assert.ok(findBytes(service.config.dataDir, ["Thanks for"]).length > 0);
  const erased = await client.call("DELETE", `/participants/${person.id}`, { headers: { Prefer: "wait=60" } });
  assert.equal(erased.status, 200, erased.text);
  await settled(client, 3);
  assert.deepEqual(findBytes(service.config.dataDir, secrets), []);
  const attemptsOf = async (id: string) => (await client.get(`/webhook-deliveries/${id}`)).body.attempts;
  const [[first], [second]] = [await attemptsOf(settledThen[0].id), await attemptsOf(settledThen[1].id)];
  assert.deepEqual([first.httpStatus, first.answer], [200, null]);
  assert.match(second.answer, /^Thanks for/);
  // What is sent again has nothing of the person either.
  await client.call("POST", `/webhook-deliveries/${settledThen[0].id}/retry`);
  const ofPerson = () => receiver.received.filter(({ id }) => id === settledThen[0].eventId);
  await until(() => ofPerson().length === 2, "it comes again");
  assert.deepEqual(ofPerson()[1]!.body.data.changes, []);
});

test("deliveries are removed with their events, and a clock that was set back holds nothing up for long", async () => {
  const { client, receiver } = await subscribe(service);
  await addMany(client, 3);
  await settled(client, 3);
  receiver.behaves = answers(500);
  await add(client, 9);
  await attempted(client, 4);
  const { context, config } = service;
  const upkeep = (now: number) => tidy(storesOf(service), now);
  await context.workspaces.writeWhenFree(client.workspaceId, 5000, (db) =>
    db.run("UPDATE webhook_delivery SET next_attempt_at = ? WHERE status = 'PENDING'", Date.now() + 9 * 24 * 3_600_000),
  );
  receiver.behaves = takes;
  upkeep(Date.now());
  await settled(client, 4);
  upkeep(Date.now() + (config.eventsTtlDays + 1) * 24 * 3_600_000);
  assert.deepEqual([(await deliveriesOf(client)).length, (await client.all("/events")).length], [1, 1]);
  context.workspaces.read(client.workspaceId, (db) => {
    assertCounts(db);
    assert.equal(db.value("SELECT count(*) FROM webhook_attempt"), 2);
  });
  // The last event is kept, because the log goes on from it.
  await add(client, 10);
  await settled(client, 2);
});
