// A workspace that asks for too much while others are there is slowed down, and then refused; nobody else is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const service = await startService();

test("too many reads at once are a 429 that says when to come again, while others read; alone they are all answered", async () => {
  const greedy = await service.screener();
  const other = await service.screener();
  assert.equal((await greedy.client.import(greedy.screenerId, people(5000), {}, { Prefer: "wait=60" })).status, 200);
  const many = () =>
    Promise.all(Array.from({ length: 500 }, () => greedy.client.get("/participants?pagination[limit]=500")));
  let running = true;
  const reading = (async () => {
    let reads = 0;
    for (; running; reads++) assert.equal((await other.client.get("/screeners")).status, 200);
    return reads;
  })();
  assert.equal((await other.client.get("/screeners")).status, 200);
  const answers = await many();
  running = false;
  assert.ok((await reading) > 0);
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0 && refused.length < answers.length, `${refused.length} were refused`);
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body.code], [429, "too_many_requests"]);
    assert.ok(Number(headers.get("retry-after")) >= 1);
    assert.match(headers.get("ratelimit-policy")!, /^"read-time";q=\d+;w=1$/);
    assert.match(headers.get("ratelimit")!, /^"read-time";r=0;t=\d+$/);
  }
  // Writes, and participants' pages, are never refused for it.
  assert.equal((await greedy.client.post("/screeners", { title: "x" })).status, 201);
  await until(async () => (await many()).every(({ status }) => status === 200), "all are answered");
});
