// bull-board: who may see it, that it changes nothing, and that it shows nothing about people.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ASYNC } from "./support/client.ts";
import { plain } from "./support/http.ts";
import { install, ServiceProcess } from "./support/process.ts";
import { freePort } from "./support/proxies.ts";

const port = await freePort();
// Without a worker, tickets stay in Redis.
const installation = install({ REDIS_URL: process.env.TEST_REDIS_URL!, BULL_BOARD_PORT: String(port) });
const web = await installation.web();
const { client, screenerId, workspace } = await installation.screener(web);
const board = `http://127.0.0.1:${port}`;
const person = { externalUid: "uid-private-4711", email: "ada.private@example.org", name: "Ada Private" };
const { body: job } = await client.import(screenerId, [person], {}, { ...ASYNC, "Idempotency-Key": "key-private" });

test("it shows the tickets of jobs, which have ids and nothing else", async () => {
  const { queues } = JSON.parse((await plain(board, { method: "GET", path: "/api/queues?activeQueue=jobs" })).text);
  assert.deepEqual(
    queues.map(({ name, readOnlyMode }: { name: string; readOnlyMode: boolean }) => [name, readOnlyMode]),
    [
      ["jobs", true],
      ["webhooks", true],
      ["mail", true],
    ],
  );
  const [ticket] = queues[0].jobs;
  const [row] = installation.control<number>("SELECT id FROM workspace WHERE uid = ?", workspace.id);
  assert.deepEqual(ticket.data, { job: job.id, workspace: row }, "the number of a row, and an id");
  const whole = (await plain(board, { method: "GET", path: `/api/queues/jobs/${ticket.id}` })).text;
  assert.match(whole, new RegExp(job.id));
  assert.doesNotMatch(whole + JSON.stringify(queues), /private/i);
});

test("its page loads from itself alone", async () => {
  for (const path of ["/", "/queue/jobs"]) {
    const { status, headers, text } = await plain(board, { method: "GET", path });
    assert.equal(status, 200);
    assert.match(
      String(headers["content-security-policy"]),
      /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
    );
    const own = [...text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, name]) => name);
    assert.ok(own.length > 4);
    for (const name of own) assert.equal((await plain(board, { method: "GET", path: `/${name}` })).status, 200, name);
  }
  assert.equal((await plain(board, { method: "GET", path: "/static/../index.ejs" })).status, 404);
});

test("it answers only who calls it by the name of this machine", async () => {
  const statusOf = async (host: string) =>
    (await plain(board, { method: "GET", path: "/api/queues", headers: { Host: host } })).status;
  for (const host of ["localhost", `localhost:${port}`, `127.0.0.1:${port}`])
    assert.equal(await statusOf(host), 200, host);
  for (const host of ["rebound.example.org", `localhost.example.org:${port}`, "127.0.0.1.example.org", "10.0.0.1"])
    assert.equal(await statusOf(host), 421, host);
});

test("nothing can be changed with it", async () => {
  for (const [method, path] of [
    ["PUT", "/api/queues/jobs/pause"],
    ["PUT", "/api/queues/pause"],
    ["POST", "/api/queues/jobs/add"],
    ["PUT", `/api/queues/jobs/${job.id}-0/clean`],
    ["PUT", "/api/queues/jobs/obliterate"],
  ] as const)
    assert.equal((await plain(board, { method, path })).status, 405, path);
  const { queues } = JSON.parse((await plain(board, { method: "GET", path: "/api/queues" })).text);
  assert.deepEqual([queues[0].isPaused, queues[0].counts.waiting], [false, 1]);
});

test("a port that is taken, and a board without Redis, end the start with a sentence", async () => {
  const other = install({ REDIS_URL: process.env.TEST_REDIS_URL! });
  for (const [env, said] of [
    [{ BULL_BOARD_PORT: String(port) }, /^bull-board can't listen on BULL_BOARD_PORT: .*EADDRINUSE.*\n$/],
    [
      { BULL_BOARD_PORT: "8081", REDIS_URL: "" },
      /^The configuration is wrong:\n {2}BULL_BOARD_PORT must be left out without REDIS_URL: [^\n]+\n$/,
    ],
  ] as const) {
    const whole = { REDIS_URL: process.env.TEST_REDIS_URL!, DATA_DIR: other.dataDir, PORT: "0", ...env };
    const ended = new ServiceProcess("src/web.ts", { env: whole });
    assert.equal((await ended.ended).code, 1);
    assert.match(ended.stderr, said);
  }
});
