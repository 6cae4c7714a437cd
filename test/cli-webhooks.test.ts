// The commands of webhooks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { UNKNOWN } from "./support/client.ts";
import { install } from "./support/process.ts";
import { answers, startReceiver } from "./support/receiver.ts";
import { until } from "./support/until.ts";

const installation = install({ LOG_LEVEL: "warn", WEBHOOK_ALLOW_PRIVATE: "true" });
const web = await installation.web();
const workspace = installation.workspace();
const client = workspace.client(web);
const receiver = await startReceiver();
const { body: endpoint } = await client.post("/webhook-endpoints", { url: receiver.url, types: ["quota.reached"] });
const of = ["--workspace", workspace.id];

/** Runs a command with --json. @returns the one value that it prints */
// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await installation.cli(...args, "--json");
  assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  return JSON.parse(stdout);
}

test("webhook list shows the endpoints, as the API does, and no secret", async () => {
  const { secret, ...shown } = endpoint;
  assert.deepEqual(await json("webhook", "list", ...of), [shown]);
  const { stdout } = await installation.cli("webhook", "list", ...of);
  assert.equal(stdout, `${endpoint.id}  ${receiver.url}  enabled  quota.reached\n`);
});

test("webhook test has the running service send a test, and webhook deliveries shows what became of it", async () => {
  const delivery = await json("webhook", "test", endpoint.id, ...of);
  await until(() => receiver.received.length === 1, "it comes");
  assert.deepEqual(receiver.received[0]!.body.data.actor._type, "OperatorActor");
  const succeeded = () => json("webhook", "deliveries", ...of, "--status", "succeeded", "--endpoint", endpoint.id);
  const [shown] = await until(async () => ((await succeeded()).length ? succeeded() : undefined), "it is recorded");
  assert.deepEqual(shown, (await client.get(`/webhook-deliveries/${delivery.id}`)).body);
  assert.deepEqual(await json("webhook", "deliveries", ...of, "--status", "failed"), []);

  receiver.behaves = answers(410);
  const second = await json("webhook", "test", endpoint.id, ...of);
  await until(async () => (await json("webhook", "list", ...of))[0].status === "DISABLED", "it is disabled");
  const { stdout } = await installation.cli("webhook", "deliveries", ...of, "--limit", "1");
  assert.match(stdout, new RegExp(`^${second.id}  \\S+  webhook-endpoint.tested  failed  1 attempt, last: 410\n$`));
});

test("what can't be tested or listed ends the command with a reason", async () => {
  const unknown = await installation.cli("webhook", "test", UNKNOWN, ...of);
  assert.deepEqual([unknown.code, unknown.stderr], [1, "There is no webhook endpoint with this id.\n"]);
  const disabled = await installation.cli("webhook", "test", endpoint.id, ...of);
  assert.equal(disabled.code, 2);
  assert.match(disabled.stderr, /The webhook endpoint is disabled: enable it first/);
  for (const wrong of [
    ["--status", "lost"],
    ["--limit", "0"],
  ])
    assert.equal((await installation.cli("webhook", "deliveries", ...of, ...wrong)).code, 2);
});
