// Runs the tests, or the benchmark, with the Redis that they need; and fails when no test ran.

import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { type EventData, run } from "node:test";
import { spec, type TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import { compile } from "../src/build.mjs";
import { findBrowser } from "./support/browser.ts";
import { type Bundle, bundle, type Carrier, hasSuites, nameOnRedis } from "./support/bundle.ts";
import { type AtOnce, BUSY, ONE, runBusy } from "./support/busy.ts";
import { findFirefox } from "./support/firefox.ts";
import { killHanging } from "./support/hanging.ts";
import { memoryFolder } from "./support/memory-folder.ts";
import { findRedisServer, RedisServer } from "./support/redis.ts";
import { KILLS, KILLS_SEED } from "./support/seeded.ts";

const [mode = "suite", ...chosen] = process.argv.slice(2);

/**
 * Tests of jobs: how they are accepted, waited for, cancelled, answered and repeated. Which rows an import takes does not depend
 * on what carries it.
 */
const CARRIED =
  /blocked-jobs|^test\/api\/(?:idempotency|import-(?:plans|undo)\.|job(?!-rows)|mail-outbox|metrics|participant-erasure|publish|screener-(?:deletion|participants(?:-import)?\.|publications|sessions)|webhook)/;

/** The files that take longest begin first, so that no processor is idle at the end. They are printed after each run. */
const LONGEST = [
  "api/openapi",
  "browser/participant-page-looks",
  "code-folder",
  "cli-events",
  "browser/html",
  "api/nightly-sync",
  "browser/participant-page",
  "db/migrations",
  "browser/console",
  "compiled-code",
  "api/jobs",
  "api/isolation",
  "api/events-of-writes",
  "cli",
  "cli-import",
  "private-files",
  "api/screener-participants-import-files",
  "browser/end-to-end",
  "faults/webhooks-killed",
  "faults/random-plans",
  "faults/random-undos",
  "faults/stalled-readers",
  "faults/reviews-killed",
  "faults/cell-move",
  "faults/cell-listener",
  "faults/mailings-killed",
  "faults/many-people-killed",
  "faults/follow-feed",
  "faults/api-reference",
  "faults/bodies-killed",
  "faults/worker-killed",
  "faults/backup-bucket",
  "faults/console-builder",
  "faults/console-import",
  "faults/console-builder-folding",
  "faults/random-imports",
  "faults/store-checks",
  "faults/erasure-killed",
  "faults/erasure-restore",
  "faults/restore-workspace-killed",
  "faults/api-killed",
  "faults/disk-full",
  "faults/plans-killed",
  "faults/clock",
  "faults/generators",
  "faults/mailings-restored",
  "faults/removals-ahead",
  "faults/away",
  "faults/lost-stores",
  "faults/silent-jobs",
  "faults/descriptors",
  "faults/upgrade",
  "faults/deploy",
  "faults/answers-killed",
  "faults/shutdown",
  "faults/redis-trouble",
  "faults/console-quotas",
  "faults/group-killed",
  "faults/backup",
  "faults/clients-python",
  "faults/container",
  "faults/walks",
  "faults/undo-killed",
  "faults/joins-killed",
  "faults/clients",
  "faults/cell-routing",
  "faults/cell-lost",
  "faults/moves-killed",
  "faults/signals-killed",
].map((name) => `test/${name}.test.ts`);

/** Journeys that Firefox goes once more, by their file and their names: from the first start to an answer, through the builder, and of imports. */
const IN_FIREFOX = /^test\/faults\/(?:console-(?:builder|builder-folding|import)|tour)\./;
const JOURNEYS = [/^from the first start/, /^by keyboard alone/, /never below a bar/, /^a roster/, /^a workbook/];

/** Files that change their process, measure it, or wait for others most of the time. The longest have one of their own, too. */
const ALONE = /^test\/(?:cli|code-folder|compiled-code|first-start|private-files|turns|walk|db\/migrations)/;
/** What measures how long an event loop stands still, a request takes, or nobody gets a place, wants the machine for itself. */
const MEASURING = /^test\/faults\/(?:under-load|rolling-restart|neighbours|quota-exact|side-by-side)\./;
/** So many of the other files share a process. A process that is warm needs a third less of the processor. */
const GROUP_SIZE = 12;
/** Of files that wait for Redis most of the time, so that no such process is left alone at the end. */
const WAITING_SIZE = 5;
/** Files that share a service do without starting one, with its threads. */
const SHARING_SIZE = 16;
/** Files of faults wait for processes that they start. */
const FAULTS_SIZE = 3;
/** Files that share a browser. */
const BROWSING_SIZE = 4;
const sharesService = (file: string) => readFileSync(file, "utf8").includes("await sharedService()");

const everything = globSync("test/**/*.test.ts").sort();
const faults = everything.filter((file) => file.startsWith("test/faults/"));
const suite = everything.filter((file) => !faults.includes(file));

const COUNTED = ["tests", "passed", "skipped", "todo"] as const;

/** So many files are named with the time that they took. */
const SLOWEST = 12;

const chosenFiles = chosen.length ? chosen : mode === "faults" ? faults : suite;
let binary: string;
let browser: string | undefined;
try {
  binary = findRedisServer();
  if (
    mode !== "bench" &&
    chosenFiles.some((file) =>
      /^test\/(?:browser\/|faults\/(?:api-reference|console-|documentation|tutorial))/.test(file),
    )
  )
    browser = process.env.TEST_BROWSER ?? findBrowser();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
// `TMPDIR=/tmp npm test` has them on the disk.
const inMemory = mode === "suite" && !process.env.TMPDIR ? memoryFolder() : undefined;
if (inMemory) process.env.TMPDIR = inMemory;
const redis = new RedisServer(binary);
await redis.start();
// The tests start hundreds of processes. Compiled once, the code of each is there in half the time. Coverage needs it anew.
const compiled = mkdtempSync(join(tmpdir(), "screening-compiled-"));
const env: NodeJS.ProcessEnv = {
  ...process.env,
  // Its folder is one that others can write to.
  TSX_DISABLE_CACHE: "1",
  TEST_REDIS_URL: redis.url,
  TEST_REDIS_SERVER: binary,
  ...(browser !== undefined && { TEST_BROWSER: browser }),
  ...(!process.env.NODE_V8_COVERAGE && mode !== "bench" && { NODE_COMPILE_CACHE: compiled }),
};
let failed = false;
/** What has failed and why: said last, where nothing hides it. */
const failures: string[] = [];
let bundled: Bundle | undefined;
process.once("exit", () => bundled?.remove());
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
try {
  // Coverage is counted in the files themselves.
  if (mode !== "bench" && !process.env.NODE_V8_COVERAGE) {
    const build = await compile();
    env.TEST_BUILD = build;
    bundled = await bundle(chosenFiles, build);
    env.TEST_COMPILED = bundled.folder;
  }
  if (mode === "bench") failed = (await bench()) !== 0;
  else if (mode === "faults") {
    const measuring = chosenFiles.filter((file) => MEASURING.test(file));
    const others = chosenFiles.filter((file) => !measuring.includes(file));
    const kills = { KILLS: `${KILLS}`, KILLS_SEED };
    const journeys = inFirefox(chosenFiles.filter((file) => IN_FIREFOX.test(file)));
    if (others.length) failed = !(await test(others, kills, BUSY)) || failed;
    await journeys;
    if (measuring.length) failed = !(await test(measuring, kills, ONE)) || failed;
  } else {
    // What jobs do, once more with worker processes' code and Redis between.
    const again = chosenFiles.filter((file) => CARRIED.test(file));
    if (bundled) failed = !(await test(chosenFiles, {}, BUSY, again));
    else {
      failed = !(await test(chosenFiles, { CARRIER: "threads" }, BUSY));
      if (again.length) failed = !(await test(again, { CARRIER: "redis" }, BUSY)) || failed;
    }
  }
} finally {
  await redis.remove();
  rmSync(compiled, { recursive: true, force: true });
}
process.stdout.write(failures.join("\n"), () => process.exit(failed ? 1 : 0));

/**
 * Runs test files. @param onRedis which of them run once more, with Redis between web processes and workers.
 * @param testNamePatterns what the tests are called that run: without it, all. @returns whether some tests ran, and all of them passed
 */
async function test(
  files: string[],
  more: Record<string, string>,
  atOnce: AtOnce,
  onRedis: string[] = [],
  testNamePatterns?: RegExp[],
  isOnceMore = false,
): Promise<boolean> {
  // Long runs of random tests take hours, and long mailings many minutes.
  const isLong = process.env.RANDOM_RUNS !== undefined || process.env.PEOPLE_A_KILL !== undefined;
  const settings = Object.entries(more).map(([name, value]) => `${name}=${value} `);
  const again = onRedis.length ? `, ${onRedis.length} of them on Redis, too` : "";
  process.stdout.write(`\n${settings.join("")}${files.length} files${again}\n`);
  const timeout = isLong ? 0 : 300_000;
  const watch = isLong ? undefined : setInterval(killHanging, 10_000);
  const seconds = new Map<string, number>();
  const counts = { tests: 0, passed: 0, skipped: 0, todo: 0 };
  // Of chosen files, some have none of them.
  const unseen = new Set(chosen.length ? [] : testNamePatterns);
  const processes = processesOf(files, onRedis, timeout, testNamePatterns);
  const expected = new Set([...files, ...onRedis.map(nameOnRedis)]);
  const took = (file: string, ms: number) => {
    if (expected.has(file)) seconds.set(file, Math.round(ms / 1000));
  };
  const options = {
    execArgv: ["--import", bundled?.sourceMaps ?? "tsx"],
    timeout,
    ...(testNamePatterns && !bundled && { testNamePatterns }),
    // What a failed test has left open does not keep its file from ending.
    forceExit: true,
    env: { ...env, ...more },
  };
  const heard = async function* (): AsyncGenerator<TestEvent> {
    for await (const event of runBusy(processes, atOnce, (file) => run({ ...options, files: [file] }))) {
      const { type, data } = event;
      if (type === "test:pass") {
        for (const pattern of unseen) if (pattern.test(data.name)) unseen.delete(pattern);
      } else if (type === "test:fail") noteFailure(data, settings.join(""));
      else if (type === "test:complete") took(data.name, data.details.duration_ms);
      else if (type === "test:summary") {
        const { file, duration_ms, counts: more } = data;
        // Of a process, and of the files in it.
        if (file === undefined) for (const name of COUNTED) counts[name] += more[name];
        else took(bundled?.sourceOf(file) ?? relative(process.cwd(), file), duration_ms);
        continue;
      }
      // Sums of one process.
      if (type !== "test:diagnostic" || data.file !== undefined) yield event;
    }
  };
  for await (const text of Readable.from(heard()).compose(new spec())) process.stdout.write(text);
  const { tests, passed, skipped, todo } = counts;
  const sums = { tests, pass: passed, fail: tests - passed - skipped - todo, skipped, todo };
  for (const [name, sum] of Object.entries(sums)) process.stdout.write(`ℹ ${name} ${sum}\n`);
  clearInterval(watch);
  const slowest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, SLOWEST);
  if (slowest.length)
    process.stdout.write(`Slowest: ${slowest.map(([file, took]) => `${file} ${took} s`).join(", ")}\n`);
  if (!counts.passed) process.stderr.write("No test ran.\n");
  if (counts.skipped + counts.todo > 0) process.stderr.write("Some tests were skipped.\n");
  if (unseen.size) process.stderr.write(`No test is named ${[...unseen].join(", ")}.\n`);
  const isPassed = counts.passed > 0 && counts.passed === counts.tests && !unseen.size;
  // A process that ends well in the middle of its files reports no more; and on a busy machine node:test has lost a part of what one said.
  const silent = (some: string[], nameOf = (file: string) => file) => some.filter((file) => !seconds.has(nameOf(file)));
  const [lost, lostOnRedis] = testNamePatterns ? [[], []] : [silent(files), silent(onRedis, nameOnRedis)];
  if (!isPassed || !(lost.length + lostOnRedis.length)) return isPassed;
  process.stderr.write(`Nothing was heard of ${[...lost, ...lostOnRedis.map(nameOnRedis)].join(", ")}.\n`);
  return !isOnceMore && test(lost, more, atOnce, lostOnRedis, undefined, true);
}

function noteFailure({ name, file = "", details: { error } }: EventData.TestFail, settings: string): void {
  // A file fails with each of its tests.
  if (name === file || (error as { failureType?: string }).failureType === "subtestsFailed") return;
  const why = inspect(error.cause ?? error, { depth: 3 }).slice(0, 3000);
  failures.push(`✖ ${settings}${relative(process.cwd(), file)}: ${name}\n${why}\n`);
}

/** Runs what `IN_FIREFOX` names once more. */
async function inFirefox(journeys: string[]): Promise<void> {
  if (!journeys.length || process.env.TEST_BROWSER) return;
  const firefox = findFirefox();
  if (firefox) failed = !(await test(journeys, { TEST_BROWSER: firefox }, ONE, [], JOURNEYS)) || failed;
  else process.stderr.write("Firefox is not on this machine (Debian's firefox-esr): no journey was run in it.\n");
}

/**
 * @returns what each process runs, the longest first: a file, or a group of files. @param timeout of a test, in ms
 * @param names what the tests are called that run: these files share a process
 */
function processesOf(files: string[], onRedis: string[], timeout: number, names?: RegExp[]): string[] {
  const order = (file: string) => (LONGEST.indexOf(file) + LONGEST.length + 1) % (LONGEST.length + 1);
  const sorted = files.toSorted((one, other) => order(one) - order(other));
  if (!bundled) return sorted;
  const { groupOf } = bundled;
  if (names) return [groupOf(sorted, "threads", timeout, names)];
  const isAlone = (file: string) =>
    LONGEST.includes(file) || ALONE.test(file) || MEASURING.test(file) || hasSuites(file);
  const cut = (some: string[], size: number, carrier: Carrier) => {
    const groups: string[] = [];
    for (let from = 0; from < some.length; from += size)
      groups.push(groupOf(some.slice(from, from + size), carrier, timeout));
    return groups;
  };
  const alone = (carrier: Carrier) => (file: string) =>
    hasSuites(file) ? bundled!.compiledOf(file) : groupOf([file], carrier, timeout);
  const browses = (file: string) => /^test\/(?:browser\/|faults\/console-)/.test(file);
  const together = sorted.filter((file) => !isAlone(file));
  const rest = together.filter((file) => !browses(file));
  const again = onRedis.toSorted((one, other) => order(one) - order(other));
  return [
    ...sorted.filter(isAlone).map(alone("threads")),
    ...again.filter(isAlone).map(alone("redis")),
    ...cut(together.filter(browses), BROWSING_SIZE, "threads"),
    ...cut(
      again.filter((file) => !isAlone(file)),
      WAITING_SIZE,
      "redis",
    ),
    // The longest of these groups first, here too.
    ...cut(rest.filter(sharesService), SHARING_SIZE, "threads"),
    ...cut(
      rest.filter((file) => !sharesService(file)),
      mode === "faults" ? FAULTS_SIZE : GROUP_SIZE,
      "threads",
    ),
  ];
}

/** Runs the benchmark. @returns its exit code */
function bench(): Promise<number> {
  const args = ["--expose-gc", "--import", "tsx", "test/bench/main.ts", ...chosen];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}
