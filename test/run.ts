// Runs the tests, or the benchmark, with the Redis that they need; and fails when no test ran.

import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { findBrowser } from "./support/browser.ts";
import { findRedisServer, RedisServer } from "./support/redis.ts";

const [mode = "suite", ...chosen] = process.argv.slice(2);

/** Tests of what jobs do: imports, publishing, opening sessions; and of jobs themselves. */
const CARRIED =
  /^test\/api\/(?:authentication|idempotency|import|isolation|job|model|nightly|participant-erasure|publish|screener-(?:acceptance|deletion|participants|publications|sessions)|webhook)/;

const everything = globSync("test/**/*.test.ts").sort();
const faults = everything.filter((file) => file.startsWith("test/faults/"));
const suite = everything.filter((file) => !faults.includes(file));

let binary: string;
try {
  binary = findRedisServer();
  if (mode === "suite" && (chosen.length ? chosen : suite).some((file) => file.startsWith("test/browser/")))
    findBrowser();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
const redis = new RedisServer(binary);
await redis.start();
const env = { ...process.env, TEST_REDIS_URL: redis.url, TEST_REDIS_SERVER: binary };
let failed = false;
try {
  if (mode === "bench") failed = (await node(["--expose-gc", "test/bench/main.ts", ...chosen], {})) !== 0;
  else if (mode === "faults") {
    // What measures how long an event loop stands still, or a request takes, wants the machine for itself.
    const files = chosen.length ? chosen : faults;
    const measuring = files.filter((file) => /under-load|rolling-restart/.test(file));
    const others = files.filter((file) => !measuring.includes(file));
    if (others.length) failed = !(await test(others, {}));
    if (measuring.length) failed = !(await test(measuring, {}, 1)) || failed;
  } else {
    const files = chosen.length ? chosen : suite;
    failed = !(await test(files, { CARRIER: "threads" }));
    // What jobs do, once more with worker processes' code and Redis between.
    const again = files.filter((file) => CARRIED.test(file));
    if (again.length) failed = !(await test(again, { CARRIER: "redis" })) || failed;
  }
} finally {
  await redis.remove();
}
process.exit(failed ? 1 : 0);

/** Runs test files. @returns whether some tests ran, and all of them passed */
async function test(files: string[], more: Record<string, string>, concurrency = 2): Promise<boolean> {
  process.stdout.write(
    `\n${Object.entries(more)
      .map(([name, value]) => `${name}=${value} `)
      .join("")}${files.length} files\n`,
  );
  let tail = "";
  const code = await node(
    ["--test", "--test-reporter=spec", `--test-concurrency=${concurrency}`, "--test-timeout=300000", ...files],
    more,
    (text) => {
      tail = (tail + text).slice(-20_000);
    },
  );
  const count = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, "m").exec(tail)?.[1] ?? Number.NaN);
  if (!(count("pass") > 0)) process.stderr.write("No test ran.\n");
  if (count("skipped") + count("todo") > 0) process.stderr.write("Some tests were skipped.\n");
  return code === 0 && count("pass") > 0 && count("skipped") === 0 && count("todo") === 0;
}

/** Runs this Node. @returns its exit code */
function node(args: string[], more: Record<string, string>, onOutput?: (text: string) => void): Promise<number> {
  const child = spawn(process.execPath, ["--import", "./src/typescript.mjs", ...args], {
    env: { ...env, ...more },
    stdio: ["ignore", onOutput ? "pipe" : "inherit", "inherit"],
  });
  child.stdout?.on("data", (data: Buffer) => {
    process.stdout.write(data);
    onOutput?.(String(data));
  });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}
