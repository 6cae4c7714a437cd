// How connections are opened, by who uses them.

import type { OpenOptions } from "./open.ts";
import type { WorkspacesOptions } from "./workspaces.ts";

/** An event loop must never wait for a lock or for the disk, nor copy a log into its file: each may take seconds. */
export const EVENT_LOOP = { busyTimeoutMs: 0, checkpoints: false, durable: "flush" } as const satisfies OpenOptions;

/** A command line may wait, and so may a process that nobody waits for yet. */
export const COMMAND_LINE = {
  busyTimeoutMs: 10_000,
  checkpoints: true,
  onStale: "migrate",
} as const satisfies WorkspacesOptions;

/** Where there is no workspace yet, nobody is kept waiting; but the log is left to threads. */
export const FIRST_START = { busyTimeoutMs: 10_000, checkpoints: false } as const satisfies OpenOptions;

/** A worker thread may wait. The ledger need not be durable here: the outcome of a job is, in the workspace. */
export const THREAD_CONTROL = {
  busyTimeoutMs: 10_000,
  checkpoints: true,
  durable: "later",
} as const satisfies OpenOptions;

/** An import may hold a workspace's lock for long. The wait goes in steps: between them the thread can be ended. */
export const THREAD_WORKSPACES = {
  busyTimeoutMs: 250,
  lockWaitMs: 10_000,
  checkpoints: true,
  onStale: "migrate",
} as const satisfies WorkspacesOptions;
