// Side tasks are what worker threads do besides jobs, such as checking a large draft: work that would block the event
// loop for too long, and must not wait for jobs.

import type { Control } from "../../../db/control.ts";
import type { Expiry } from "../../../db/expiry.ts";
import type { Workspaces } from "../../../db/workspaces.ts";

/** The stores that a thread has open. */
export interface Stores {
  dataDir: string;
  /** Where the list of the erased is. */
  erasedDir: string;
  jobResultTtlHours: number;
  eventsTtlDays: number;
  resultsMaxBytes: number;
  workspaceResultsMaxBytes: number;
  control: Control;
  workspaces: Workspaces;
  /** What workspaces' stores keep for a time. */
  expiring: readonly Expiry[];
}

/** A side task. Its input and answer are copied between threads. */
export interface SideTask<Input, Answer> {
  name: string;
  perform(stores: Stores, input: Input): Answer | Promise<Answer>;
}

/** What a thread gets: the name of a side task, and its input. */
export interface SideCall {
  side: string;
  input: unknown;
}

/** Performs a side task. `Pool.ask` has checked the type of its input. */
export function performSide(tasks: readonly SideTask<never, unknown>[], stores: Stores, call: SideCall): unknown {
  const task = tasks.find(({ name }) => name === call.side);
  if (!task) throw new Error(`There is no side task ${call.side}.`);
  return task.perform(stores, call.input as never);
}
