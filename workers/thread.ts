// A worker thread: takes a job's id, opens what it needs, runs the verb. The same under BullMQ and on a single node.

import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { Piscina } from "piscina";
import { openControl } from "../db/control.ts";
import { SchemaError } from "../db/migrate.ts";
import { Workspaces } from "../db/workspaces.ts";
import { isTransient } from "../db/write.ts";
import { migrateAll, tidy } from "../src/jobs/housekeeping.ts";
import { type ThreadAnswer, type ThreadSettings, type ThreadTask, TRANSIENT } from "../src/jobs/pool.ts";
import { runJob } from "../src/jobs/run.ts";
import { prepareDraft } from "../src/screener-content/prepare.ts";
import { kinds } from "./registry.ts";

// Where processors are short they go to the API first: a job may take a little longer, and reads go on. On Linux a thread
// has a priority of its own, under the id that /proc tells.
const NICENESS = 5;
try {
  setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), NICENESS);
} catch {
  // Elsewhere a thread can't be told apart from its process.
}

const { dataDir, runner, jobResultTtlDays } = Piscina.workerData as ThreadSettings;

// A thread may wait for a lock: for a workspace's, which may take long, in steps. The ledger need not be durable here:
// what became of a job is, in the workspace.
const control = openControl(dataDir, { busyTimeoutMs: 10_000, checkpoints: true, durable: "later" });
const workspaces = new Workspaces(dataDir, {
  busyTimeoutMs: 250,
  lockWaitMs: 10_000,
  checkpoints: true,
  onStale: "migrate",
});

/** Does one task. @returns how a job's run went (undefined when it was not there to be taken), or a draft */
export default function perform(task: ThreadTask): ThreadAnswer {
  try {
    return dispatch(task);
  } catch (error) {
    const passes = isTransient(error) || error instanceof SchemaError;
    throw passes ? new Error(String(error), { cause: TRANSIENT }) : error;
  }
}

function dispatch(task: ThreadTask): ThreadAnswer {
  if ("run" in task) return runJob({ dataDir, runner, control, workspaces, kinds }, task.run);
  if ("draft" in task) return prepareDraft(workspaces, task.draft);
  if ("checkpoint" in task) workspaces.checkpoint(task.checkpoint);
  else if ("migrate" in task) workspaces.migrate(task.migrate);
  else {
    try {
      migrateAll({ control, workspaces });
    } finally {
      tidy({ dataDir, jobResultTtlDays, control, workspaces });
    }
  }
  return undefined;
}
