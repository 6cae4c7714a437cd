// Runs the tests, or the benchmark, with the Redis that they need; and fails when no test ran.

import { spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { ROOT } from "../db/root.ts";
import { findBrowser } from "./support/browser.ts";
import { findRedisServer, RedisServer } from "./support/redis.ts";

const [mode = "suite", ...chosen] = process.argv.slice(2);

/**
 * Tests of jobs: how they are accepted, waited for, cancelled, answered and repeated. Which rows an import takes does not depend
 * on what carries it.
 */
const CARRIED =
  /^test\/api\/(?:idempotency|import-(?:plans|undo)|job|metrics|nightly|participant-erasure|publish|screener-(?:deletion|participants(?:-import)?\.|publications|sessions)|webhook)/;

/** Long files, which begin first: so no processor is idle at the end. */
const LONG =
  /^test\/(?:api\/(?:jobs|openapi|screener-participants-import-files)|browser\/|cli|faults\/(?:backup|bodies-killed|disk-full|erasure-killed|group-killed|away|random-imports|stalled-readers|undo-killed|worker-killed))/;

const everything = globSync("test/**/*.test.ts").sort();
const faults = everything.filter((file) => file.startsWith("test/faults/"));
const suite = everything.filter((file) => !faults.includes(file));

/** So many files are named with the time that they took. */
const SLOWEST = 12;

let binary: string;
try {
  binary = findRedisServer();
  const files = chosen.length ? chosen : mode === "faults" ? faults : suite;
  if (mode !== "bench" && files.some((file) => /^test\/(?:browser\/|faults\/(?:api-reference|console-))/.test(file)))
    findBrowser();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
const redis = new RedisServer(binary);
await redis.start();
// The tests start hundreds of processes. Compiled once, the code of each is there in half the time. Coverage needs it anew.
const compiled = mkdtempSync(join(tmpdir(), "screening-compiled-"));
const env = {
  ...process.env,
  TEST_REDIS_URL: redis.url,
  TEST_REDIS_SERVER: binary,
  ...(!process.env.NODE_V8_COVERAGE && mode !== "bench" && { NODE_COMPILE_CACHE: compiled }),
};
let failed = false;
try {
  if (mode === "bench") failed = (await bench()) !== 0;
  else if (mode === "faults") {
    // What measures how long an event loop stands still, or a request takes, wants the machine for itself.
    const files = chosen.length ? chosen : faults;
    const measuring = files.filter((file) => /under-load|rolling-restart|neighbours/.test(file));
    const others = files.filter((file) => !measuring.includes(file));
    // Most of the others wait: for processes that start, for the next try, for what expires.
    if (others.length) failed = !(await test(others, {}, 3));
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
  rmSync(compiled, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** Runs test files, the long ones first. @returns whether some tests ran, and all of them passed */
async function test(files: string[], more: Record<string, string>, concurrency = 3): Promise<boolean> {
  process.stdout.write(
    `\n${Object.entries(more)
      .map(([name, value]) => `${name}=${value} `)
      .join("")}${files.length} files\n`,
  );
  const order = (file: string) => (LONG.test(file) ? 0 : 1);
  const tests = run({
    files: files.toSorted((one, other) => order(one) - order(other)),
    concurrency,
    timeout: 300_000,
    env: { ...env, ...more },
  });
  const seconds = new Map<string, number>();
  const counts = { tests: 0, passed: 0, skipped: 0, todo: 0 };
  tests.on("test:summary", (summary) => {
    // Each file has a summary, too.
    if (summary.file === undefined) Object.assign(counts, summary.counts);
    else seconds.set(relative(fileURLToPath(ROOT), summary.file), Math.round(summary.duration_ms / 1000));
  });
  for await (const text of tests.compose(new spec())) process.stdout.write(text);
  const slowest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, SLOWEST);
  if (slowest.length)
    process.stdout.write(`Slowest: ${slowest.map(([file, took]) => `${file} ${took} s`).join(", ")}\n`);
  if (!counts.passed) process.stderr.write("No test ran.\n");
  if (counts.skipped + counts.todo > 0) process.stderr.write("Some tests were skipped.\n");
  return counts.passed > 0 && counts.passed === counts.tests;
}

/** Runs the benchmark. @returns its exit code */
function bench(): Promise<number> {
  const args = ["--expose-gc", "--import", "./src/typescript.mjs", "test/bench/main.ts", ...chosen];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}
