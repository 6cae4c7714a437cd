// What worker threads do beside jobs, such as checking a large draft: work that would hold the event loop for too long,
// and must not wait for jobs.

import type { Control } from "../../db/control.ts";
import type { Workspaces } from "../../db/workspaces.ts";

/** The stores that a thread has open. */
export interface Stores {
  dataDir: string;
  jobResultTtlDays: number;
  control: Control;
  workspaces: Workspaces;
}

/** A side task. Its input and its answer are copied from thread to thread. */
export interface SideTask<Input, Answer> {
  name: string;
  perform(stores: Stores, input: Input): Answer;
}

/** Calls a task by its name. */
export interface SideCall {
  side: string;
  input: unknown;
}

/** Performs the task that is called. Its caller has checked the input's type (Pool.ask). */
export function performSide(tasks: readonly SideTask<never, unknown>[], stores: Stores, call: SideCall): unknown {
  const task = tasks.find(({ name }) => name === call.side);
  if (!task) throw new Error(`There is no side task ${call.side}.`);
  return task.perform(stores, call.input as never);
}
