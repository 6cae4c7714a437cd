// One id finds all of a request: its line in the log, the lines of every attempt of its job, the job, and its events.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type Client, people } from "../support/client.ts";
import { install, type ServiceProcess } from "../support/process.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;

for (const carrier of ["threads", "redis"] as const) {
  test(`${carrier}: an import whose first attempt crashes is found by its request, and by its trace`, async () => {
    const installation = install(carrier === "redis" ? { REDIS_URL: process.env.TEST_REDIS_URL! } : {});
    const once = join(installation.dataDir, "crashed");
    // The thread of the one process; or the whole worker, while another one waits.
    const what = carrier === "threads" ? { KILL_WHAT: "thread" } : {};
    const crash = {
      env: { KILL_SQL: "INSERT INTO stage", KILL_ONCE: once, ...what },
      preload: ["test/support/kill-at.ts"],
    };
    const web = await installation.web(carrier === "threads" ? crash : {});
    const processes: ServiceProcess[] = [web];
    if (carrier === "redis") processes.push(await installation.worker(crash), await installation.worker(crash));
    const { client, screenerId } = await installation.screener(web);
    const ids = { "X-Request-Id": "nightly:4711", traceparent: TRACEPARENT };
    const { status } = await client.import(screenerId, people(3), {}, { ...ids, Prefer: "wait=60" });
    assert.equal(status, 200);
    const [job] = await client.all("/jobs");
    assert.deepEqual([job.attempts, job.requestId, job.traceId], [2, "nightly:4711", TRACE]);
    assert.deepEqual(await eventsOf(client, "nightly:4711"), ["import.completed"]);

    // Without an id of its own, a request has that of its trace: what keeps only one id is found by it, too.
    await client.post("/screeners", { title: "Traced" }, { traceparent: TRACEPARENT });
    assert.deepEqual(await eventsOf(client, `${TRACE}-${SPAN}`), ["screener.created"]);

    for (const path of ["/healthz", "/readyz"]) assert.equal((await fetch(web.url + path)).status, 200);
    for (const one of processes) await one.kill("SIGTERM");
    const lines = processes.flatMap(({ log }) => log);
    for (const found of [
      lines.filter(({ requestId }) => requestId === "nightly:4711"),
      lines.filter(({ traceId, requestId }) => traceId === TRACE && requestId !== `${TRACE}-${SPAN}`),
    ])
      assert.deepEqual(
        found.map(({ msg, attempt }) => [msg, attempt]).sort(),
        [
          ["job", 2],
          ["request", undefined],
          carrier === "threads" ? ["worker thread crashed", 1] : ["a worker died; its job is queued again", 1],
        ].sort(),
      );
    const routes = lines.flatMap(({ msg, route }) => (msg === "request" ? [route] : []));
    assert.ok(routes.includes("/jobs") && !routes.includes("/healthz") && !routes.includes("/readyz"), `${routes}`);
  });
}

async function eventsOf(client: Client, id: string): Promise<string[]> {
  const events = await client.all("/events");
  return events.flatMap(({ type, requestId }) => (requestId === id ? [type] : []));
}
