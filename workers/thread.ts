// A worker thread: runs jobs and side tasks. It is the same with BullMQ and on a single node.

import { parentPort } from "node:worker_threads";
import { Piscina } from "piscina";
import { openControl } from "../db/control.ts";
import { catchUp } from "../db/late-index.ts";
import { SchemaError } from "../db/migrate.ts";
import { THREAD_CONTROL, THREAD_WORKSPACES } from "../db/profiles.ts";
import { StoreLostError } from "../db/sqlite/recover.ts";
import { isTransient } from "../db/sqlite/write.ts";
import { Workspaces } from "../db/workspaces.ts";
import { jobKinds } from "../src/api/job-kinds.ts";
import { ResultDamagedError } from "../src/engine/files/result-file.ts";
import { keepBudget } from "../src/engine/ledger/expiry.ts";
import { tryKnown } from "../src/engine/ledger/queue.ts";
import { NEWER_WORKER } from "../src/engine/ledger/resource.ts";
import { runJob } from "../src/engine/run/run.ts";
import { knownStores } from "../src/engine/run/stores.ts";
import { loadWhileOpen } from "../src/engine/threads/loading.ts";
import type { ThreadReply, ThreadSettings, ThreadTask } from "../src/engine/threads/pool.ts";
import { lowerPriority } from "../src/engine/threads/priority.ts";
import { performSide } from "../src/engine/threads/side-task.ts";
import { DAMAGED, LOST, TRANSIENT } from "../src/engine/threads/thread-errors.ts";
import { expiring, sideTasks } from "../src/main/registry.ts";

lowerPriority();

const { runner, maxOpenStores, loading, ...settings } = Piscina.workerData as ThreadSettings;
const { dataDir, erasedDir, workspaceResultsMaxBytes } = settings;
// The first store that is opened loads the code of SQLite.
const control = loadWhileOpen(loading, () => openControl(dataDir, THREAD_CONTROL));
/** How long this thread's transactions have held locks of workspaces' stores, in ms, since it was last asked to do something. */
const held: number[] = [];
const onHeld = (ms: number) => held.push(ms);
const known = knownStores(control, erasedDir, (line) => parentPort!.postMessage(line));
const workspaces = new Workspaces(dataDir, { ...THREAD_WORKSPACES, ...known, maxOpenStores, onHeld });
const stores = { ...settings, control, workspaces, expiring };
try {
  tryKnown(
    control.writer,
    jobKinds.map(({ kind }) => kind),
    NEWER_WORKER,
  );
} catch (error) {
  // They are tried within the hour.
  if (!isTransient(error)) throw error;
}
// Requests that wait for a job do not wait until its thread has tidied up.
const onEnd = () => parentPort!.postMessage(undefined);
const runtime = { dataDir, erasedDir, runner, control, workspaces, workspaceResultsMaxBytes, onEnd };

// Not a default export: Piscina requires this file, and Node would make a module of its own for that. If the process ends at that
// moment, Node aborts.
/** @returns a job's RunReport (undefined when the job could not be taken), or a side task's answer; and how long it has held locks */
export async function perform(task: ThreadTask): Promise<ThreadReply> {
  const answer = await answerOf(task);
  return { answer, held: held.splice(0) };
}

async function answerOf(task: ThreadTask): Promise<unknown> {
  try {
    if (!("run" in task)) return await performSide(sideTasks, stores, task);
    const report = runJob(runtime, jobKinds, task.run);
    makeRoom();
    trimLedger();
    if (report && !hasOpenJob(report.workspace))
      catchUp(workspaces, report.workspace, () => hasOpenJob(report.workspace));
    return report;
  } catch (error) {
    if (error instanceof StoreLostError) throw new Error(error.message, { cause: LOST });
    if (error instanceof ResultDamagedError) throw new Error(error.message, { cause: DAMAGED });
    const isPassing = isTransient(error) || error instanceof SchemaError;
    throw isPassing ? new Error(String(error), { cause: TRANSIENT }) : error;
  }
}

/** Of several imports in a row only the last one has to catch up. */
function hasOpenJob(workspaceUid: string): boolean {
  return (
    control.reader.value(
      `SELECT 1 FROM job INDEXED BY job_open
       WHERE workspace_id = (SELECT id FROM workspace WHERE uid = ?) AND finished_at IS NULL LIMIT 1`,
      workspaceUid,
    ) === 1
  );
}

/** The job has ended, even if there is no room now for what it has made. */
function makeRoom(): void {
  try {
    keepBudget(stores);
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}

/** Commits to the ledger never checkpoint its WAL, because SQLite keeps it to itself when that fails. */
function trimLedger(): void {
  try {
    control.trim();
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}
