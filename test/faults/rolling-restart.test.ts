// A release behind a proxy: two web processes are restarted one after the other, and no client notices.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ASYNC, people } from "../support/client.ts";
import { install } from "../support/process.ts";
import { freePort, startHaproxy } from "../support/proxies.ts";
import { until } from "../support/until.ts";

const CLIENTS = 6;
/** Longer than this is an interruption. */
const MAX_MS = 500;

test("a rolling restart behind HAProxy: no request fails, and none takes longer than half a second", async () => {
  const installation = install({ REDIS_URL: process.env.TEST_REDIS_URL ?? "", DRAIN_DELAY_SECONDS: "2" });
  const ports = [await freePort(), await freePort()];
  const start = (port: number) => installation.web({ env: { PORT: String(port) } });
  const webs = await Promise.all(ports.map(start));
  await installation.worker();
  const proxy = await startHaproxy(ports);
  const { client, screenerId } = await installation.screener(proxy);

  let done = false;
  let sent = 0;
  let created = 0;
  const failed: string[] = [];
  const times: number[] = [];
  const requests = [
    () => client.get("/participants?pagination[limit]=20"),
    () => client.get(`/screeners/${screenerId}`),
    () => client.post("/screeners", { title: `Study ${++created}` }),
    () => client.import(screenerId, people(5, sent * 5), {}, ASYNC),
  ];
  const load = Array.from({ length: CLIENTS }, async () => {
    while (!done) {
      const began = performance.now();
      try {
        const { status, text } = await requests[sent++ % requests.length]!();
        if (status >= 400) failed.push(`${status} ${text}`);
      } catch (error) {
        failed.push(String((error as Error).cause ?? error));
      }
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  for (const [index, port] of ports.entries()) {
    const old = webs[index]!;
    old.signal("SIGTERM");
    await until(async () => !(await proxy.ready()).includes(port), "HAProxy has noticed");
    assert.equal(old.end, undefined, "it still serves when the proxy notices");
    assert.deepEqual(await old.ended, { code: 0, signal: null });
    await start(port);
    await until(async () => (await proxy.ready()).includes(port), "HAProxy uses the new process");
  }
  done = true;
  await Promise.all(load);
  assert.ok(times.length > 200, `${times.length} requests`);
  assert.deepEqual([...new Set(failed)], [], `${failed.length} of ${times.length} requests failed`);
  const slow = times.filter((ms) => ms > MAX_MS);
  assert.deepEqual(slow, [], `of ${times.length} requests`);
  await installation.drain();
  const screeners = (await client.get("/screeners?pagination[limit]=1")).body.total;
  assert.equal(screeners, created + 1, "everything that was answered is there, once");
});
