// Processes that send webhooks or mail are killed at any moment, with threads and with worker processes: no event is lost, and no mail comes twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { people } from "../support/client.ts";
import { assertCounts } from "../support/counts.ts";
import { startRelay } from "../support/mail-relay.ts";
import { type Installation, install, ownRedis, type ServiceProcess, type TestWorkspace } from "../support/process.ts";
import { answers, startReceiver, verified } from "../support/receiver.ts";
import { KILLS, seeded } from "../support/seeded.ts";
import { everyKind, invite, publish } from "../support/study.ts";
import { until } from "../support/until.ts";
import { formOf, Visitor } from "../support/visitor.ts";

const KILLS_HERE = Math.ceil((KILLS * 2) / 5);
/** Before each kill. */
const EVENTS_A_KILL = 25;
const EVENTS = KILLS_HERE * EVENTS_A_KILL;
const MAILS_A_KILL = 8;
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

for (const carrier of ["threads", "redis"] as const) {
  test(`mail is sent once at most, whenever what sends it is killed, and what nobody knows is counted (${carrier})`, async (t) => {
    const relay = await startRelay();
    // Some time between the message and its record, in which to be killed.
    relay.delayMs = 30;
    const installation = install({
      SMTP_URL: relay.url,
      MAIL_FROM: "studies@lab.example",
      ...(carrier === "redis" && { REDIS_URL: redis.url }),
    });
    let web = await installation.web();
    let victim: ServiceProcess = carrier === "redis" ? await installation.worker() : web;
    const workspace = installation.workspace();
    const study = await publish(workspace.client(web), everyKind);
    const links = await invite(workspace.client(web), study.screener, KILLS_HERE * MAILS_A_KILL);
    const draw = seeded(`mail ${carrier}`);
    for (let kill = 0; kill < KILLS_HERE; kill++) {
      const mine = links.slice(kill * MAILS_A_KILL, (kill + 1) * MAILS_A_KILL);
      const asked = mine.map(({ path }, index) => {
        const form = new URLSearchParams(formOf(study, "About you", {}));
        form.append("mail-to", `${kill}-${index}@example.org`);
        return new Visitor(web.url).post(path, form.toString());
      });
      for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
      const before = relay.received.length;
      await until(() => relay.received.length > before, "mail comes");
      await sleep(draw() * 100);
      await victim.kill();
      if (carrier === "redis") victim = await installation.worker();
      else victim = web = await installation.web();
    }
    const states = () =>
      installation
        .stored<string>(workspace, "SELECT concat(state, ' ', address) FROM message")
        .map((one) => ({ state: one.split(" ")[0]!, address: one.split(" ")[1]! }));
    const isOver = ({ state }: { state: string }) => ["SENT", "UNCERTAIN"].includes(state);
    await until(() => states().length === links.length && states().every(isOver), "all are settled", 60_000);
    for (const { state, address } of states()) {
      const came = relay.received.filter(({ to }) => to.includes(address)).length;
      assert.ok(state === "SENT" ? came === 1 : came <= 1, `${address}: ${state}, ${came} times`);
    }
    const uncertain = states().filter(({ state }) => state === "UNCERTAIN").length;
    assert.ok(uncertain <= KILLS_HERE * MAILS_A_KILL && relay.received.length >= links.length - uncertain);
    t.diagnostic(`${relay.received.length} of ${links.length} came, ${uncertain} are uncertain`);
  });
}
