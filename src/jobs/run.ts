// Runs one job, in a worker thread: take it, apply it once, finish it. Whatever happens on the way, the ledger tells.

import { SchemaError } from "../../db/migrate.ts";
import { isFull, isTransient } from "../../db/write.ts";
import { Problem } from "../problems.ts";
import type { AnyJobKind } from "./define-job.ts";
import { JobCancelled, JobRun, type Runtime } from "./job-run.ts";
import { decideFailure, findOutcome } from "./outcome.ts";
import { claimJob, findJob, finishJob, type JobRow, type Outcome, requeueFailed } from "./queries.ts";
import { removeSpooled } from "./spool.ts";

/** How a run ended. `status` is what the ledger says now. */
export interface RunReport {
  uid: string;
  kind: string;
  workspace: string;
  status: "SUCCEEDED" | "FAILED" | "QUEUED" | "CANCELLED";
  attempt: number;
  ms: number;
  code?: string;
  /** What went wrong, for the log: for transient trouble, and for bugs. */
  error?: { message: string; stack: string | undefined };
}

const MAX_CRASHES = 3;

// Transient trouble is waited out for a few minutes; a bug gets two more tries, in case it is none.
const TRIES_TRANSIENT = 20;
const TRIES_UNEXPECTED = 3;

/** The code of a report on a job that waits for a worker that knows its kind: a newer release, as a rule. */
export const UNKNOWN_KIND = "unknown_kind";

/** Runs the job `uid`, if it is there to be taken. A job of a kind that is not among `kinds` stays in the queue. */
export function runJob(runtime: Runtime, kinds: readonly AnyJobKind[], uid: string): RunReport | undefined {
  const { control, runner } = runtime;
  const started = performance.now();
  const names = kinds.map(({ kind }) => kind);
  const isClaimed = claimJob(control.writer, uid, { runner, kinds: names, now: Date.now() });
  const job = findJob(control.reader, uid);
  if (!job) return undefined;
  const report = (status: RunReport["status"], more: Partial<RunReport> = {}): RunReport => ({
    uid,
    kind: job.kind,
    workspace: job.workspace_uid,
    status,
    attempt: job.attempts,
    ms: performance.now() - started,
    ...more,
  });
  const kind = kinds.find((known) => known.kind === job.kind);
  if (!kind) return report("QUEUED", { code: UNKNOWN_KIND });
  if (!isClaimed) return undefined;
  try {
    const outcome = reachOutcome(runtime, kind, job);
    finish(runtime, job, outcome);
    trim(runtime, job);
    if (outcome.problem === null) return report("SUCCEEDED");
    return report("FAILED", { code: JSON.parse(outcome.problem).code });
  } catch (error) {
    // A caller has cancelled it; or another run, which got it too, has brought it to its end.
    const now = findJob(control.reader, uid)?.status;
    if (now === "CANCELLED" || now === "SUCCEEDED" || now === "FAILED") {
      removeSpooled(runtime.dataDir, uid);
      return report(now);
    }
    // It was taken from this run while it prepared. The next one needs the body.
    if (error instanceof JobCancelled) return report("QUEUED");
    const told = { message: String(error), stack: error instanceof Error ? error.stack : undefined };
    // A newer release has brought the store up to date, and its own workers are about to start.
    const passes = isTransient(error) || error instanceof SchemaError;
    const tries = passes ? TRIES_TRANSIENT : TRIES_UNEXPECTED;
    if (job.failures + 1 < tries) {
      const pause = Math.min(250 * 2 ** job.failures, 15_000);
      requeueFailed(control.writer, uid, runner, Date.now() + pause, isUntouched(runtime, job));
      return report("QUEUED", { error: told });
    }
    const code = !passes ? "internal_error" : isFull(error) ? "store_full" : "store_unavailable";
    const problem = new Problem(code).document;
    let outcome: Outcome = { summary: null, result: null, result_file: null, problem: JSON.stringify(problem) };
    try {
      outcome = runtime.workspaces.write(job.workspace_uid, (db) => decideFailure(db, uid, problem));
    } catch {
      // The workspace can't take it. Nothing was applied, and nothing will be: the ledger alone says that it failed.
    }
    finish(runtime, job, outcome);
    return report("FAILED", { code, error: told });
  }
}

/** Whether nothing was decided about the job, so that it may still be cancelled. */
function isUntouched({ workspaces }: Runtime, job: JobRow): boolean {
  try {
    return workspaces.read(job.workspace_uid, (db) => findOutcome(db, job.uid)) === undefined;
  } catch {
    return false;
  }
}

function reachOutcome(runtime: Runtime, kind: AnyJobKind, job: JobRow): Outcome {
  const { workspaces } = runtime;
  const decided = workspaces.read(job.workspace_uid, (db) => findOutcome(db, job.uid));
  if (decided) return decided;
  try {
    if (job.crashes >= MAX_CRASHES) throw new Problem("job_crashed");
    return kind.run(new JobRun(runtime, job), JSON.parse(job.payload));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return workspaces.write(job.workspace_uid, (db) => decideFailure(db, job.uid, error.document));
  }
}

function finish(runtime: Runtime, job: JobRow, outcome: Outcome): void {
  finishJob(runtime.control.writer, job.uid, outcome, Date.now());
  removeSpooled(runtime.dataDir, job.uid);
}

/** The job is done; a log that is still long is no reason to say anything else. */
function trim({ workspaces }: Runtime, job: JobRow): void {
  try {
    workspaces.trim(job.workspace_uid);
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}
