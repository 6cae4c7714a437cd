// Loaded before a process: measures how long its event loop stands still, and why. On SIGUSR2 it writes what it has
// measured since the last time to LOOP_DELAY_FILE, and begins anew.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import Database from "better-sqlite3";

/** A stretch in which the loop stood still, in ms. */
export interface Stretch {
  /** By the clock. */
  wall: number;
  /** Of this, the thread computed. Whatever else goes on, this is its own. */
  cpu: number;
  /** Of this, ready to run while others had the processors. */
  queued: number;
  /** Of this, in commits: waiting for the disk to have what is about to be acknowledged. */
  commits: number;
  /** Of this, collecting garbage, which also waits for threads that wait for a processor. */
  garbage: number;
  /**
   * Without the three above. On an overloaded machine this also holds waits that no counter has: to wake a thread of
   * libuv's or V8's, the C library waits for one that it woke before, which waits for a processor.
   */
  own: number;
}

/** What was measured, in ms. */
export interface LoopDelay {
  /** By monitorEventLoopDelay, whatever the reason. */
  max: number;
  p99: number;
  /** The longest time that the thread computed at a stretch. */
  longestCpu: number;
  /** The stretches that stood still longest on their own account. */
  worst: Stretch[];
  /** The longest time that a stretch spent in commits. */
  longestCommits: number;
}

interface Clocks {
  wall: number;
  cpu: number;
  queued: number;
}

const TICK_MS = 5;
const WORST = 5;
// More than are reported: some turn out to be garbage collections, which Node reports a little later.
const CANDIDATES = 50;

const file = process.env.LOOP_DELAY_FILE;
if (isMainThread && file) measure(file);

function measure(file: string): void {
  const commits = timeCommits();
  const garbageWithin = watchGarbage();
  const histogram = monitorEventLoopDelay({ resolution: TICK_MS });
  histogram.enable();
  let candidates: (Stretch & { from: number; to: number })[] = [];
  let longestCpu = 0;
  let longestCommits = 0;
  let last = clocks();
  const restart = () => {
    commits.wall = 0;
    commits.queued = 0;
    last = clocks();
  };
  setInterval(() => {
    const now = clocks();
    const wall = now.wall - last.wall - TICK_MS;
    const cpu = now.cpu - last.cpu;
    const queued = now.queued - last.queued;
    const own = wall - commits.wall - (queued - commits.queued);
    candidates.push({ wall, cpu, queued, commits: commits.wall, garbage: 0, own, from: last.wall, to: now.wall });
    candidates.sort((one, other) => other.own - one.own).splice(CANDIDATES);
    longestCpu = Math.max(longestCpu, cpu);
    longestCommits = Math.max(longestCommits, commits.wall);
    restart();
  }, TICK_MS).unref();
  process.on("SIGUSR2", () => {
    const worst = candidates.map(({ from, to, ...stretch }) => {
      const garbage = garbageWithin(from, to);
      return { ...stretch, garbage, own: Math.max(stretch.own - garbage, 0) };
    });
    worst.sort((one, other) => other.own - one.own).splice(WORST);
    const delay: LoopDelay = {
      max: histogram.max / 1e6,
      p99: histogram.percentile(99) / 1e6,
      longestCpu,
      worst,
      longestCommits,
    };
    writeFileSync(`${file}.new`, JSON.stringify(delay));
    renameSync(`${file}.new`, file);
    histogram.reset();
    candidates = [];
    longestCpu = 0;
    longestCommits = 0;
    restart();
  });
}

/** Sums up the time that commits take. */
function timeCommits(): Clocks {
  const sum: Clocks = { wall: 0, cpu: 0, queued: 0 };
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call<Database.Database, [string], Database.Statement<unknown[]>>(this, sql);
    if (sql !== "COMMIT") return statement;
    const run = statement.run.bind(statement);
    statement.run = (...values) => {
      const begun = clocks();
      try {
        return run(...values);
      } finally {
        const ended = clocks();
        sum.wall += ended.wall - begun.wall;
        sum.queued += ended.queued - begun.queued;
      }
    };
    return statement;
  } as typeof prepare;
  return sum;
}

/** Measures how long garbage was collected between two moments. */
function watchGarbage(): (from: number, to: number) => number {
  const collections: { startTime: number; duration: number }[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  return (from, to) => {
    const within = collections.map(
      ({ startTime, duration }) => Math.min(startTime + duration, to) - Math.max(startTime, from),
    );
    return within.reduce((sum, ms) => sum + Math.max(ms, 0), 0);
  };
}

/** Linux counts for how long a thread has run, and for how long it could have run but had to wait. */
function clocks(): Clocks {
  const [cpu, queued] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ").map(Number);
  return { wall: performance.now(), cpu: (cpu ?? 0) / 1e6, queued: (queued ?? 0) / 1e6 };
}
