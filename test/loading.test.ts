// While threads load native code the process does not end them; and when it ends, none begins.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { closeLoading, loadWhileOpen, newLoadingState } from "../src/engine/threads/loading.ts";
import { until } from "./support/until.ts";

/** A thread that counts as one that loads, until it is told to go on: by the second number. The first says how many have loaded. */
const THREAD = `
  const { workerData: { state, told } } = require("node:worker_threads");
  Atomics.add(state, 0, 1);
  Atomics.wait(told, 1, 0);
  Atomics.add(told, 0, 1);
  Atomics.sub(state, 0, 1);
`;

test("the end of a process waits for a thread that loads", async () => {
  const state = newLoadingState();
  const told = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(THREAD, { eval: true, workerData: { state, told } });
  await until(() => Atomics.load(state, 0) === 1, "the thread loads");
  let isClosed = false;
  const closing = closeLoading(state, 60_000).then(() => {
    isClosed = true;
  });
  await sleep(50);
  assert.equal(isClosed, false);
  Atomics.store(told, 1, 1);
  Atomics.notify(told, 1);
  await closing;
  assert.equal(Atomics.load(told, 0), 1);
  await thread.terminate();
});

test("a thread that never comes back does not keep a process from ending", async () => {
  const state = newLoadingState();
  Atomics.add(state, 0, 1);
  await closeLoading(state, 20);
});

test("what loads before the end is loaded, and what fails is not counted as loading", async () => {
  const state = newLoadingState();
  assert.equal(
    loadWhileOpen(state, () => "loaded"),
    "loaded",
  );
  assert.throws(() =>
    loadWhileOpen(state, () => {
      throw new Error("no such file");
    }),
  );
  assert.equal(Atomics.load(state, 0), 0);
  await closeLoading(state, 60_000);
});

/** A thread that nobody ends. */
const LATE = `
  const { workerData: { state, loaded, file } } = require("node:worker_threads");
  import(file).then(({ loadWhileOpen }) => loadWhileOpen(state, () => Atomics.store(loaded, 0, 1)));
`;

test("a thread that comes to load when the process ends does not, and ends by itself", async () => {
  const state = newLoadingState();
  const loaded = new Int32Array(new SharedArrayBuffer(4));
  await closeLoading(state, 60_000);
  const { href: file } = new URL("../src/engine/threads/loading.ts", import.meta.url);
  const thread = new Worker(LATE, { eval: true, workerData: { state, loaded, file } });
  await once(thread, "exit");
  assert.deepEqual([Atomics.load(loaded, 0), Atomics.load(state, 0)], [0, 0]);
});
