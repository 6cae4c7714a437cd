// How many files one has to open to follow a request from its arrival to its answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { people } from "./support/client.ts";
import { startService } from "./support/service.ts";
import { CountedCalls } from "./support/walked.ts";

const service = await startService();

/** Of an import of a few people that waits for its answer. Fewer is better. */
const MAX_FILES = 77;

test("the walk of an import", async (t) => {
  const { client, screenerId } = await service.screener();
  const send = async (from: number) => {
    const { status, text } = await client.import(screenerId, people(10, from), {}, { Prefer: "wait=60" });
    assert.equal(status, 200, text);
  };
  await send(0);
  using calls = await CountedCalls.start();
  let walk: Set<string> | undefined;
  // What the process does beside it is not there each time.
  for (let round = 1; round <= 10; round++) {
    await service.drain();
    await calls.take();
    await send(round * 10);
    const files = await calls.take();
    walk = walk ? walk.intersection(files) : files;
  }
  const list = [...walk!].sort();
  t.diagnostic(`${list.length} files: ${list.join(" ")}`);
  for (const file of ["src/http/direct.ts", "src/imports/routes.ts", "workers/thread.ts", "src/imports/apply.ts"])
    assert.ok(walk!.has(file), file);
  // For coverage nothing is compiled before, and tsx adds functions to files.
  if (process.env.TEST_BUILD) assert.ok(list.length <= MAX_FILES, `${list.length} files`);
});
