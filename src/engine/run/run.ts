// Runs one job in a worker thread: takes it, applies it once, and writes to the ledger how it went.

import { statfsSync } from "node:fs";
import { SchemaError } from "../../../db/migrate.ts";
import { StoreLostError } from "../../../db/sqlite/recover.ts";
import { StoreRefusedError } from "../../../db/sqlite/refused.ts";
import { isAway, isBusy, isFull, isTransient, StoreBusyError } from "../../../db/sqlite/write.ts";
import { Problem, type ProblemCode } from "../../base/problems.ts";
import { isOurFault, isSpoolThere, removeSpooled } from "../files/bodies.ts";
import { isGone, planDamage } from "../files/result-file.ts";
import { failureOf, findOutcome } from "../ledger/outcome.ts";
import { describeJob, findJob, type JobRow, type Outcome, statusOf } from "../ledger/queries.ts";
import { MAX_PAUSE_MS } from "../ledger/queue.ts";
import { figuresOf, logged, originOf, type RunReport } from "../ledger/reports.ts";
import { type BlockedCode, NEWER_WORKER } from "../ledger/resource.ts";
import { claimJob, postpone, requeueFailed } from "../ledger/states.ts";
import type { AnyJobKind } from "./define-job.ts";
import { decideFailed, finish, trim, wipe } from "./finish.ts";
import { JobCancelled, JobRun, type Runtime } from "./job-run.ts";
import { endOvertaken, givesWay } from "./overtaken.ts";

const MAX_CRASHES = 3;

/** The code of a report when no kind in this release fits the job. It waits for another worker, usually a newer one. */
export const UNKNOWN_KIND = "unknown_kind";

/** A newer worker that starts takes it soon. */
const UNKNOWN_PAUSE_MS = 5000;

/** Runs the job, if it can be taken. A job of a kind that is not in `kinds` stays in the queue. */
export function runJob(runtime: Runtime, kinds: readonly AnyJobKind[], uid: string): RunReport | undefined {
  const { control, runner } = runtime;
  const started = performance.now();
  const names = kinds.map(({ kind }) => kind);
  const startedAt = Date.now();
  const isClaimed = claimJob(control.writer, uid, { runner, kinds: names, now: startedAt });
  const job = findJob(control.reader, uid);
  if (!job) return undefined;
  const report = (status: RunReport["status"], more: Partial<RunReport> = {}): RunReport => ({
    uid,
    kind: job.kind,
    workspace: job.workspace_uid,
    status,
    attempt: job.attempts,
    ms: performance.now() - started,
    ...originOf(job),
    figures: figuresOf(job, startedAt),
    ...more,
  });
  const kind = kinds.find((known) => known.kind === job.kind);
  if (!kind) {
    if (job.status !== "QUEUED") return undefined;
    postpone(control.writer, uid, { code: NEWER_WORKER, now: startedAt, tookMs: 0, pauseMs: UNKNOWN_PAUSE_MS });
    return report("QUEUED", { code: UNKNOWN_KIND });
  }
  if (!isClaimed) return undefined;
  try {
    const { outcome, thrown } = reachOutcome(runtime, kinds, kind, job);
    if (kind.publicationOf && outcome.result !== null)
      describeJob(control.writer, uid, { publicationUid: kind.publicationOf(outcome.result) });
    if (statusOf(outcome) === "SUCCEEDED") endOvertaken(runtime, kinds, kind, job);
    // A plan has removed nothing.
    if (kind.wipes && statusOf(outcome) !== "PLANNED") wipe(runtime, job);
    finish(runtime, job, outcome, kind, kinds);
    trim(runtime, job);
    const figures = figuresOf(job, startedAt, outcome);
    if (outcome.problem === null) return report(statusOf(outcome), { figures });
    // An earlier attempt may have decided the outcome, and died before it wrote that to the ledger.
    const problem = thrown ?? Problem.fromDocument(JSON.parse(outcome.problem));
    const error = isOurFault(outcome.problem) && { error: logged(problem) };
    return report(statusOf(outcome), { figures, code: problem.code, ...error });
  } catch (error) {
    // The process ends, and the job is put back.
    if (error instanceof StoreLostError) throw error;
    // A caller has cancelled the job, or another run of it has ended it.
    const { status: now, body_until = null } = findJob(control.reader, uid) ?? {};
    if (now === "CANCELLED" || now === "SUCCEEDED" || now === "FAILED") {
      if (body_until === null) removeSpooled(runtime.dataDir, uid);
      return report(now);
    }
    // Another run has ended it as a plan, which still needs the body.
    if (now === "PLANNED") return report(now);
    // Another runner took the job while this one prepared it, and needs the body.
    if (error instanceof JobCancelled) return report("QUEUED");
    if (isAway(error)) runtime.workspaces.forget(job.workspace_uid);
    const tries = triesAfter(runtime, job, error);
    const isSafe = isUntouched(runtime, job);
    // A job that may have changed data is not given up: its Idempotency-Key would be free for a second run.
    if (job.failures + 1 < tries || (isPassing(error) && !isSafe)) {
      requeueFailed(control.writer, uid, runner, {
        code: codeOfWait(error),
        now: Date.now(),
        tookMs: performance.now() - started,
        pauseMs: Math.min(250 * 2 ** job.failures, MAX_PAUSE_MS),
        isUntouched: isSafe,
      });
      return report("QUEUED", { error: logged(error) });
    }
    const code = codeOfEnd(error);
    let outcome = failureOf(new Problem(code).document);
    try {
      outcome = decideFailed(runtime, kind, job, outcome);
    } catch {
      // The workspace store can't be written. No data changes, and only the ledger says that the job failed.
    }
    finish(runtime, job, outcome, kind, kinds);
    return report("FAILED", { code, error: logged(error) });
  }
}

function reachOutcome(
  runtime: Runtime,
  kinds: readonly AnyJobKind[],
  kind: AnyJobKind,
  job: JobRow,
): { outcome: Outcome; thrown?: Problem } {
  const { workspaces } = runtime;
  // A thread may wait for that.
  workspaces.recover(job.workspace_uid);
  const decided = workspaces.read(job.workspace_uid, (db) => findOutcome(db, job.uid));
  if (decided) return { outcome: decided };
  // The store is there.
  if (givesWay(runtime, kinds, kind, job)) throw new JobCancelled();
  try {
    if (job.crashes >= MAX_CRASHES) throw new Problem("job_crashed");
    const forgets = new Map(kinds.flatMap((one) => (one.forget ? [[one.kind, one.forget] as const] : [])));
    const run = new JobRun(runtime, job, kind, forgets);
    try {
      return { outcome: kind.run(run, JSON.parse(job.payload)) };
    } finally {
      run.saveSubject();
    }
  } catch (thrown) {
    const error =
      isFull(thrown) && hasRoom(runtime) ? tooLarge(runtime, thrown) : planDamage(runtime.dataDir, job, thrown);
    if (!(error instanceof Problem)) throw error;
    return { outcome: decideFailed(runtime, kind, job, failureOf(error.document)), thrown: error };
  }
}

/** Whether the disk has more room than a job may take. Then a job without space has reached its own limit. */
function hasRoom({ dataDir, workspaceResultsMaxBytes }: Runtime): boolean {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize > workspaceResultsMaxBytes;
}

function tooLarge({ workspaceResultsMaxBytes }: Runtime, cause: unknown): Problem {
  const detail = `The job would take more than ${workspaceResultsMaxBytes} bytes for its result. Import in smaller parts.`;
  return new Problem("result_too_large", { detail, cause });
}

// After a transient error a job is tried again for a few minutes. If a store or a file that it needs is away, it is tried until that is
// back; after some time it is set aside (queue.ts). After any other error it is tried two more times.
const MAX_TRIES_TRANSIENT = 20;
const MAX_TRIES_UNEXPECTED = 3;

/** Whether a later try may succeed. A newer release may have migrated the store, and its workers are about to start. */
function isPassing(error: unknown): boolean {
  return isTransient(error) || error instanceof SchemaError;
}

/** How often a job is tried that ends with this error. */
function triesAfter({ dataDir }: Runtime, { blocked_since }: JobRow, error: unknown): number {
  const isThere = isSpoolThere(dataDir);
  // Its body or its approved plan is away: tries go on for an hour.
  if (isGone(error) && isThere) return blocked_since === null ? Number.POSITIVE_INFINITY : 0;
  if (isAway(error) || (isPassing(error) && (blocked_since !== null || !isThere))) return Number.POSITIVE_INFINITY;
  return isPassing(error) ? MAX_TRIES_TRANSIENT : MAX_TRIES_UNEXPECTED;
}

/** Whether the job certainly has no outcome, so that it may be cancelled. */
function isUntouched({ workspaces }: Runtime, job: JobRow): boolean {
  try {
    return workspaces.read(job.workspace_uid, (db) => findOutcome(db, job.uid)) === undefined;
  } catch {
    return false;
  }
}

/** Why a job waits. */
function codeOfWait(error: unknown): BlockedCode {
  if (error instanceof StoreRefusedError) return "store_refused";
  if (isFull(error)) return "store_full";
  if (error instanceof StoreBusyError || isBusy(error)) return "store_busy";
  const folder = folderOf(error);
  return folder === "spool" ? "spool_unavailable" : folder === "results" ? "results_unavailable" : "store_unavailable";
}

/** The code of the problem of a job that is not tried again. */
function codeOfEnd(error: unknown): ProblemCode {
  if (!isPassing(error)) return "internal_error";
  if (isFull(error)) return "store_full";
  if (!isGone(error)) return "store_unavailable";
  return folderOf(error) === "results" ? "result_damaged" : "job_body_lost";
}

/** The folder of DATA_DIR that the error is about; undefined: it may be about a store. */
function folderOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "path" in error && "code" in error)) return undefined;
  // A job's scratch store is in results, too, and SQLite does not say which of two stores an error is about.
  if (/^SQLITE/.test(String(error.code)) && error.code !== "SQLITE_CANTOPEN") return undefined;
  return /[\\/](spool|results)(?:[\\/]|$)/.exec(String(error.path))?.[1];
}
