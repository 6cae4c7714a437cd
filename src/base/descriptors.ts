// The file descriptors of a process. Its limit is divided between the stores of all threads and the connections: beyond it
// no file could be opened, and no connection accepted.

import { readFileSync } from "node:fs";
import { ConfigError } from "./config.ts";

interface DescriptorBudget {
  /** How many stores the event loop may keep open, and how many each thread. */
  storesOfEventLoop: number;
  storesOfThread: number;
  connections: number;
  /** Webhooks that are sent at the same time. */
  webhooks: number;
}

// What each needs at most. A store has two connections, with the file, its WAL and its index; the event loop also has the
// WAL open to flush it, and threads have the store attached to scratch stores. SQLite closes a file later, when another
// thread has it open, too.
const PER_STORE = 8;
const PER_STORE_OF_THREAD = 10;
/** Control store, Redis, log, lock, metrics, and what Node itself has open. */
const PER_PROCESS = 70;
const PER_THREAD = 14;
/** Bodies that come in, and results that go out. */
const FILES = 64;
/** More are of no use: the stores could not record them. */
const MAX_WEBHOOKS = 256;

/** @param threads of the process. @throws ConfigError when the limit is too low for them */
export function budgetDescriptors(threads: number, limit = readLimit()): DescriptorBudget {
  const fixed = PER_PROCESS + threads * (PER_THREAD + PER_STORE_OF_THREAD) + FILES;
  // The rest: a third for stores, half of it for the event loop; and two thirds for connections, which webhooks have a few of.
  const rest = limit - fixed;
  if (rest < PER_STORE * 12) {
    throw new ConfigError(
      `The limit of open files is ${limit}, and this process needs at least ${fixed + PER_STORE * 12} for its ${threads} threads: ` +
        "raise the limit (ulimit -n, LimitNOFILE), or lower WORKER_CONCURRENCY.",
    );
  }
  const stores = rest / 6;
  const webhooks = Math.min(MAX_WEBHOOKS, Math.floor(rest / 16));
  return {
    storesOfEventLoop: Math.floor(stores / PER_STORE),
    storesOfThread: 1 + Math.floor(stores / PER_STORE_OF_THREAD / threads),
    connections: Math.floor((rest * 2) / 3) - webhooks,
    webhooks,
  };
}

/** Linux has it in /proc. Elsewhere the limit is not known, and taken for high enough. */
export function readLimit(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? 2 ** 20);
  } catch {
    return 2 ** 20;
  }
}
