// An erasure seen from everywhere else: nothing of the person is in Redis, in logs, in what waits to be sent to receivers of webhooks, in
// files that somebody has chosen in the console, and in what a killed backup has left.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { findBytes } from "../support/bytes.ts";
import { people } from "../support/client.ts";
import { newFolder } from "../support/folder.ts";
import { install, ownRedis, ServiceProcess } from "../support/process.ts";
import { answers, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

// All that Redis knows is in its files, as it is.
const redis = ownRedis("--appendonly", "yes", "--appendfsync", "always", "--rdbcompression", "no", "--save", "1 1");
await redis.start();
const wait = { Prefer: "wait=60" };

const person = { externalUid: "HEDWIG-7731", email: "hedwig@mahler.example", name: "Hedwig Zyprian" };
const secrets = [...Object.values(person), "Zyprian"];

test("nothing of an erased person is in Redis, logs, waiting messages, chosen files, or what a killed backup has left", async () => {
  const installation = install({ REDIS_URL: redis.url, WEBHOOK_ALLOW_PRIVATE: "true" });
  const web = await installation.web();
  const worker = await installation.worker();
  const { workspace, client, screenerId } = await installation.screener(web);
  const receiver = await startReceiver();
  // A receiver that fails, and says what it was sent.
  receiver.behaves = (response, { text }) => answers(500, `Unknown: ${text}`)(response, {} as never);
  await client.post("/webhook-endpoints", { url: receiver.url });
  const noted = { "X-Action-Note": `Says ${person.name}` };
  const { body: made } = await client.post("/participants", person, noted);
  await client.call("PATCH", `/participants/${made.id}`, { body: { name: "Hedwig Zyprian-Weiss" }, headers: noted });
  assert.equal((await client.import(screenerId, [...people(1500), person], {}, { ...wait, ...noted })).status, 200);
  const plan = await client.import(screenerId, [...people(3), person], { dryRun: true }, { ...wait, ...noted });
  assert.equal(plan.body.status, "PLANNED");
  await until(() => receiver.received.some(({ text }) => text.includes(person.email)), "a message has come");
  const chosen = join(installation.dataDir, "chosen", workspace.id);
  mkdirSync(chosen, { recursive: true });
  writeFileSync(join(chosen, "file"), `externalUid,email\n${person.externalUid},${person.email}\n`);
  const backups = newFolder();
  const backup = new ServiceProcess("src/cli.ts", {
    env: { DATA_DIR: installation.dataDir, REDIS_URL: "", KILL_SQL: "VACUUM INTO" },
    preload: ["test/support/kill-at.ts"],
    args: ["backup", backups],
  });
  await backup.dies();
  const held = join(installation.dataDir, "held");
  assert.ok(readdirSync(held).length > 0 && findBytes(held, secrets).length > 0, "the killed backup has left files");

  const { status, body, text } = await client.call("DELETE", `/participants/${made.id}`, {
    headers: { ...wait, ...noted },
  });
  assert.deepEqual([status, body.status], [200, "SUCCEEDED"], text);
  assert.deepEqual(findBytes(installation.dataDir, secrets), []);
  assert.deepEqual(readdirSync(held), []);
  assert.deepEqual(findBytes(dirname(redis.socket), secrets), []);
  assert.ok(findBytes(dirname(redis.socket), ["screening"]).length > 0, "Redis has files");
  const memory = redis.client();
  for (const key of await memory.keys("*")) {
    const value = Buffer.concat([Buffer.from(key), (await memory.dumpBuffer(key)) ?? Buffer.alloc(0)]).toString(
      "latin1",
    );
    for (const secret of secrets) assert.ok(!value.includes(secret), `${secret} is in Redis, in ${key}`);
  }
  memory.disconnect();
  for (const { stdout, stderr } of [web, worker])
    for (const secret of secrets) assert.ok(!(stdout + stderr).includes(secret), `${secret} is in the log`);
  // What still waits is made anew when it is sent: without the person.
  receiver.received.length = 0;
  receiver.behaves = answers(204);
  const failed = await client.all("/webhook-deliveries?filter[status][eq]=PENDING");
  assert.ok(failed.length > 0, "messages wait");
  for (const { id } of failed) await client.post(`/webhook-deliveries/${id}/retry`, {});
  await until(
    async () => (await client.get("/webhook-deliveries?filter[status][eq]=PENDING")).body.total === 0,
    "all are sent",
  );
  assert.ok(receiver.received.length >= failed.length);
  for (const { text: sent } of receiver.received) for (const secret of secrets) assert.ok(!sent.includes(secret), sent);
});
