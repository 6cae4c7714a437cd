// Processes that send webhooks are killed at any moment: no event is lost, with threads and with worker processes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { type Installation, install, ownRedis, type ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { answers, startReceiver, verified } from "../support/receiver.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { until } from "../support/until.ts";

const KILLS_HERE = Math.ceil((KILLS * 2) / 5);
/** Before each kill. */
const EVENTS_A_KILL = 25;
const EVENTS = KILLS_HERE * EVENTS_A_KILL;
const redis = ownRedis();
await redis.start();

/** Ends the claims of processes that are dead, and the pauses before next attempts, so that the test need not wait for them. */
function hasten(installation: Installation, workspace: TestWorkspace): void {
  const path = new Workspaces(installation.dataDir, {
    busyTimeoutMs: 10_000,
    checkpoints: false,
    onStale: "migrate",
  }).path(workspace.id);
  const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: false });
  try {
    immediate(db, () => db.run("UPDATE webhook_delivery SET next_attempt_at = 0 WHERE status = 'PENDING'"));
  } finally {
    db.close();
  }
}

for (const carrier of ["threads", "redis"] as const) {
  test(`every event comes, whenever what sends it is killed (${carrier})`, async (t) => {
    const installation = install({
      WEBHOOK_ALLOW_PRIVATE: "true",
      ...(carrier === "redis" && { REDIS_URL: redis.url }),
    });
    let web = await installation.web();
    let victim: ServiceProcess = carrier === "redis" ? await installation.worker() : web;
    const workspace = installation.workspace();
    const receiver = await startReceiver();
    // Some time between the message and its record, in which to be killed.
    receiver.behaves = (response) => setTimeout(() => response.writeHead(204).end(), 20);
    const { body: endpoint } = await workspace
      .client(web)
      .post("/webhook-endpoints", { url: receiver.url, types: ["participant.created"] });
    const draw = seeded(`webhooks ${carrier}`);
    const written: string[] = [];
    for (let kill = 0, number = 0; kill < KILLS_HERE; kill++) {
      const client = workspace.client(web);
      for (const row of people(EVENTS_A_KILL, number)) {
        const { status, body } = await client.post("/participants", row);
        assert.equal(status, 201);
        written.push(body.id);
      }
      number += EVENTS_A_KILL;
      const before = receiver.received.length;
      await until(() => receiver.received.length > before || receiver.ids.size === number, "messages come");
      await sleep(draw() * 60);
      await victim.kill();
      if (carrier === "redis") {
        if (kill === Math.floor(KILLS_HERE / 2)) {
          await redis.kill();
          await redis.start();
        }
        victim = await installation.worker();
      } else victim = web = await installation.web();
      hasten(installation, workspace);
    }
    await until(() => receiver.ids.size >= EVENTS, "all have come", 120_000);
    for (const message of receiver.received) verified(endpoint.secret, message);
    const came = new Set(receiver.received.map(({ body }) => body.data.resource.id));
    assert.deepEqual(came, new Set(written));
    t.diagnostic(`${receiver.received.length} messages of ${EVENTS} events`);
    await until(() => {
      hasten(installation, workspace);
      return !installation.stored<number>(workspace, "SELECT 1 FROM webhook_delivery WHERE status <> 'SUCCEEDED'")
        .length;
    }, "all are recorded");
    installation.read(workspace, assertCounts);
  });
}

test("a message whose process is killed while its receiver thinks is sent again when its claim ends", async () => {
  const installation = install({ WEBHOOK_ALLOW_PRIVATE: "true" });
  let web = await installation.web();
  const workspace = installation.workspace();
  const receiver = await startReceiver();
  receiver.behaves = () => {};
  await workspace.client(web).post("/webhook-endpoints", { url: receiver.url });
  await workspace.client(web).post("/participants", people(1)[0]);
  await until(() => receiver.received.length === 1, "it has come");
  await web.kill();
  receiver.behaves = answers(204);
  web = await installation.web();
  // Nobody moves the clock here: the claim ends by itself.
  await until(() => receiver.received.length === 2, "it comes again", 90_000);
  assert.equal(receiver.ids.size, 1);
});

test("a process that ends in peace records what it has sent", async () => {
  const installation = install({ WEBHOOK_ALLOW_PRIVATE: "true" });
  const web = await installation.web();
  const workspace = installation.workspace();
  const receiver = await startReceiver();
  receiver.behaves = (response) => setTimeout(() => response.writeHead(204).end(), 1000);
  await workspace.client(web).post("/webhook-endpoints", { url: receiver.url });
  await workspace.client(web).post("/participants", people(1)[0]);
  await until(() => receiver.received.length === 1, "it has come");
  assert.equal((await web.kill("SIGTERM")).code, 0);
  assert.deepEqual(installation.stored(workspace, "SELECT status FROM webhook_delivery"), ["SUCCEEDED"]);
});
