// The receiver of webhooks in the README works as it stands there.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { freePort } from "./support/proxies.ts";
import { startService } from "./support/service.ts";
import { until } from "./support/until.ts";
import { add } from "./support/webhooks.ts";

const ROOT = new URL("../", import.meta.url);

test("the receiver of the README takes what is signed, and refuses the rest", async (t) => {
  const service = await startService();
  const code = /```js\n(\/\/ receiver\.mjs\n[\s\S]*?)```/.exec(readFileSync(new URL("README.md", ROOT), "utf8"))![1]!;
  const port = await freePort();
  const client = service.workspace();
  const url = `http://127.0.0.1:${port}/`;
  const { body: endpoint } = await client.post("/webhook-endpoints", { url, types: ["participant.created"] });
  const receiver = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: ROOT,
    env: { ...process.env, SECRET: endpoint.secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => receiver.kill());
  let said = "";
  receiver.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const forge = () => fetch(url, { method: "POST", body: "{}" }).catch(() => undefined);
  const forged = await until(forge, "it listens");
  assert.equal(forged.status, 401);
  const id = await add(client, 1);
  await until(() => said === `participant.created ${id}\n`, "it has taken the event");
});
