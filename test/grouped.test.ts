// Files of a group: their failures are those of their tests, and what a test asks for at its end happens then.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { nodeArguments } from "./support/process.ts";

test("an error that nobody catches fails the test that runs, and what is to happen after a test happens after it", async () => {
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const args = nodeArguments("test/support/grouped-files.ts");
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
    const flags = ["--test-reporter", "tap"];
    execFile(process.execPath, [...flags, ...args], { env }, (error, stdout) => resolve({ code: error?.code, stdout }));
  });
  assert.equal(code, 1, stdout);
  const lines = stdout.split("\n");
  const results = lines.flatMap((line) => /^ *((?:not )?ok) \d+( - .*)/.exec(line)?.slice(1).join("") ?? []);
  assert.deepEqual(results, [
    "not ok - throws in a timer",
    "not ok - leaves a rejection",
    "ok - is right",
    "not ok - one",
    "ok - is right, too",
    "ok - other",
  ]);
  for (const error of ["thrown in a timer", "left behind"]) assert.match(stdout, new RegExp(`error: '${error}'`));
  assert.deepEqual(
    lines.filter((line) => line.startsWith("[")),
    [
      "[a test that failed ends]",
      "[a right test runs]",
      "[a right test ends]",
      "[the first file ends]",
      "[the other file runs]",
    ],
  );
});
