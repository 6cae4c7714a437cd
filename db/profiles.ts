// The options with which each kind of process or thread opens its connections.

import type { OpenOptions } from "./sqlite/open.ts";
import type { WorkspacesOptions } from "./store.ts";

/** An event loop must never wait for a lock or the disk, or checkpoint a WAL: each may take seconds. */
export const EVENT_LOOP = { busyTimeoutMs: 0, checkpoints: false, durable: "flush" } as const satisfies OpenOptions;

/** Opening a store takes longer than most requests do. */
export const EVENT_LOOP_WORKSPACES = { ...EVENT_LOOP, keptStores: 128 } as const satisfies Partial<WorkspacesOptions>;

/** A command may wait, and so may a process that serves nobody yet. */
export const COMMAND_LINE = {
  busyTimeoutMs: 10_000,
  checkpoints: true,
  onStale: "migrate",
} as const satisfies WorkspacesOptions;

/** Stores that nobody else has open: of a backup, or on their way back from one. */
export const OFFLINE = { busyTimeoutMs: 10_000, checkpoints: true } as const satisfies OpenOptions;

/** Without a workspace there are no requests, so the process may wait. Threads checkpoint the WAL. */
export const FIRST_START = { busyTimeoutMs: 10_000, checkpoints: false } as const satisfies OpenOptions;

/** A thread may wait. It checkpoints after each job, and not in commits, because SQLite says nothing when that fails. Its commits to the ledger may be lost: a job's outcome is durable in the workspace. */
export const THREAD_CONTROL = {
  busyTimeoutMs: 10_000,
  checkpoints: false,
  durable: "later",
} as const satisfies OpenOptions;

/** An import may hold a workspace's lock for long. The thread waits in steps, because it can be ended between them. */
export const THREAD_WORKSPACES = {
  busyTimeoutMs: 250,
  lockWaitMs: 10_000,
  checkpoints: false,
  onStale: "migrate",
} as const satisfies WorkspacesOptions;
