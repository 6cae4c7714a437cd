// Test files that run at once: as many as always may, and none is left out.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { setTimeout as sleep } from "node:timers/promises";
import { runBusy } from "./support/busy.ts";

const FILES = Array.from({ length: 9 }, (_, number) => `file ${number}`);

const said = (file: string, message: string): TestEvent => ({
  type: "test:diagnostic",
  data: { file, message, nesting: 0, level: "info", line: 1, column: 1 },
});

for (const least of [1, 3]) {
  test(`${least} at once: what is heard of a file comes together, and of all of them`, async () => {
    let running = 0;
    let most = 0;
    const start = async function* (file: string) {
      most = Math.max(most, ++running);
      for (const message of ["begins", "goes on", "ends"]) {
        yield said(file, message);
        await sleep(FILES.indexOf(file) % 3);
      }
      running--;
    };
    const heard: string[] = [];
    for await (const { data } of runBusy(FILES, { least, most: least }, start)) {
      const { file, message } = data as { file: string; message: string };
      heard.push(`${file} ${message}`);
    }
    assert.equal(most, least);
    const files = heard.filter((_, at) => at % 3 === 0).map((line) => line.replace(" begins", ""));
    assert.deepEqual(files.toSorted(), FILES);
    assert.deepEqual(
      heard,
      files.flatMap((file) => ["begins", "goes on", "ends"].map((message) => `${file} ${message}`)),
    );
  });
}
