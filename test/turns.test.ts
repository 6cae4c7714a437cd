// A workspace that asks for too much while others are there waits, and is then refused; alone it is always answered.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Problem } from "../src/base/problems.ts";
import { Turns } from "../src/base/turns.ts";

/** Begins 500 reads at once. @returns how many ran, and the refusals */
async function readMany(turns: Turns, workspace: string): Promise<{ ran: number; refused: Problem[] }> {
  turns.note(workspace);
  let ran = 0;
  const reads = Array.from({ length: 500 }, () => turns.read(workspace, () => ran++));
  const refused = (await Promise.allSettled(reads)).flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  return { ran, refused };
}

test("while another workspace is there, too many reads at once are a 429 that says when to come again", async () => {
  const turns = new Turns();
  turns.note("other");
  const { ran, refused } = await readMany(turns, "greedy");
  assert.ok(ran > 8 && refused.length > 0);
  assert.equal(ran + refused.length, 500);
  for (const { code, headers } of refused) {
    assert.equal(code, "too_many_requests");
    assert.ok(Number(headers["Retry-After"]) >= 1);
    assert.match(headers["RateLimit-Policy"]!, /^"read-time";q=\d+;w=1$/);
    assert.match(headers.RateLimit!, /^"read-time";r=0;t=\d+$/);
  }
});

test("alone, a workspace is never refused", async () => {
  const { ran, refused } = await readMany(new Turns(), "alone");
  assert.deepEqual([ran, refused], [500, []]);
});

test("a workspace whose time is used up waits, and is not refused for a few reads at once", async () => {
  const turns = new Turns();
  turns.note("other");
  turns.note("busy");
  turns.spend("busy", 10_000);
  const order: number[] = [];
  const started = performance.now();
  await Promise.all(Array.from({ length: 8 }, (_, n) => turns.read("busy", () => order.push(n))));
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.ok(performance.now() - started > 100, "it had to wait");
});
