// A low limit of open files, and more workspaces than could be open at once.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { people } from "../support/client.ts";
import { install } from "../support/process.ts";
import { freePort } from "../support/proxies.ts";
import { until } from "../support/until.ts";

const LIMIT = 1024;
const WORKSPACES = 500;
/** With the idle ones fewer connections than the process takes: none is closed to make room. */
const AT_ONCE = 30;
const IDLE = 400;

const limited = (limit: number) => [
  "sh",
  "-c",
  `ulimit -n ${limit} && exec node_modules/.bin/node --max-semi-space-size=4 src/run.mjs --build web`,
];

test("with 1,024 descriptors and 500 workspaces, all are served, and the process answers", async () => {
  const installation = install();
  const workspaces = Array.from({ length: WORKSPACES }, (_, index) => installation.workspace(`Workspace ${index}`));
  const web = await installation.web({ command: limited(LIMIT) });
  // Clients that keep a connection and say nothing.
  const { hostname, port } = new URL(web.url);
  const idle = Array.from({ length: IDLE }, () => connect(Number(port), hostname).on("error", () => {}));
  await until(() => idle.every((socket) => !socket.connecting), "they are connected");
  const clients = workspaces.map((workspace) => workspace.client(web));
  const bad: string[] = [];
  let most = 0;
  for (let from = 0; from < WORKSPACES; from += AT_ONCE) {
    await Promise.all(
      clients.slice(from, from + AT_ONCE).map(async (client) => {
        const { status, body } = await client.post("/screeners", { title: "Study" });
        const imported = await client.import(body.id, people(3));
        // A store that another thread is just closing is locked for a moment, which is longer where processors are short.
        let listed = await client.get("/screener-participants");
        for (let tries = 0; listed.status === 503 && tries < 5; tries++) {
          assert.match(listed.body.code, /^store_(?:unavailable|busy)$/);
          await sleep(200);
          listed = await client.get("/screener-participants");
        }
        const answers = [status, imported.status, listed.status, listed.body.total].join();
        if (answers !== "201,200,200,3") bad.push(`${answers} ${imported.text} ${listed.text}`);
      }),
    );
    assert.equal((await fetch(`${web.url}/healthz`, { signal: AbortSignal.timeout(10_000) })).status, 200);
    most = Math.max(most, readdirSync(`/proc/${web.pid}/fd`).length);
  }
  assert.deepEqual(bad, []);
  for (const socket of idle) socket.destroy();
  assert.ok(most > IDLE && most < LIMIT - 50, `${most} descriptors`);
  assert.equal(((await (await fetch(`${web.url}/readyz`)).json()) as { status: string }).status, "ok");
});

test("a limit that is too low for the threads stops the start, and says what is needed", async () => {
  const installation = install({ WORKER_CONCURRENCY: "64", PORT: String(await freePort()) });
  await assert.rejects(
    installation.web({ command: limited(1024) }),
    /The limit of open files is 1024, and this process needs at least \d+ for its 67 threads: raise the limit/,
  );
});
