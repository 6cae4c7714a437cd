// Folders that several processes make at once.

import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { newFolder } from "../support/folder.ts";

const TIMES = 3000;

/** Makes the same folders as another thread, each at the same moment. */
const MAKER = `
  const { workerData: { file, folder, at, times } } = require("node:worker_threads");
  import(file).then(({ makeFolders }) => {
    for (let time = 0; time < times; time++) {
      Atomics.add(at, 0, 1);
      while (Atomics.load(at, 0) < 2 * (time + 1));
      makeFolders(folder + "/" + time + "/locks");
    }
  });
`;

test("a folder that is made twice at once is made once, and nobody fails", async () => {
  const at = new Int32Array(new SharedArrayBuffer(4));
  const { href: file } = new URL("../../db/sqlite/folders.ts", import.meta.url);
  const workerData = { file, folder: join(newFolder(), "data"), at, times: TIMES };
  const makers = [0, 1].map(() => new Worker(MAKER, { eval: true, workerData }));
  await Promise.all(makers.map((maker) => once(maker, "exit")));
  assert.equal(Atomics.load(at, 0), 2 * TIMES);
});
