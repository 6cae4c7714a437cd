// Runs one job in a worker thread: takes it, applies it once, and writes to the ledger how it went.

import { statfsSync } from "node:fs";
import { SchemaError } from "../../db/migrate.ts";
import { StoreLostError } from "../../db/recover.ts";
import { wipeWorkspace } from "../../db/wipe.ts";
import { immediate, isAway, isFull, isTransient, StoreBusyError } from "../../db/write.ts";
import { movePending, pendEvent } from "../events/outbox.ts";
import { Problem } from "../problems.ts";
import type { AnyJobKind } from "./define-job.ts";
import { causeOfJob, eventOfEnd } from "./events.ts";
import { figuresOf } from "./figures.ts";
import { JobCancelled, JobRun, type Runtime } from "./job-run.ts";
import { isOurFault, keptUntil } from "./kept-bodies.ts";
import { logged, originOf, type RunReport } from "./log-lines.ts";
import { decideFailure, type Ended, failureOf, findOutcome } from "./outcome.ts";
import type { Forget } from "./person.ts";
import { endPlans, removeFiles } from "./plans.ts";
import { describeJob, findJob, finishJob, type JobRow, type Outcome, statusOf } from "./queries.ts";
import { claimJob, MAX_PAUSE_MS, requeueFailed } from "./queue.ts";
import { bytesOf } from "./result.ts";
import { isSpoolThere, removeSpooled } from "./spool.ts";
import { isOverwritten, wipeControl } from "./wipe.ts";

const MAX_CRASHES = 3;

// After a transient error a job is tried again for a few minutes; while its store or the spool is away, for as long as that
// takes; without its body for an hour. Any other error gets two more tries.
const MAX_TRIES_TRANSIENT = 20;
const MAX_TRIES_UNEXPECTED = 3;
/** For an hour. */
const MAX_TRIES_WITHOUT_BODY = 250;

/** The code of a report when no kind in this release fits the job. It waits for another worker, usually a newer one. */
export const UNKNOWN_KIND = "unknown_kind";

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
  if (!kind) return job.status === "QUEUED" ? report("QUEUED", { code: UNKNOWN_KIND }) : undefined;
  if (!isClaimed) return undefined;
  try {
    const forgets = new Map(kinds.flatMap((one) => (one.forget ? [[one.kind, one.forget] as const] : [])));
    const { outcome, thrown } = reachOutcome(runtime, kind, job, forgets);
    if (kind.publicationOf && outcome.result !== null)
      describeJob(control.writer, uid, { publicationUid: kind.publicationOf(outcome.result) });
    if (kind.wipes) wipe(runtime, job);
    finish(runtime, job, outcome, kind);
    trim(runtime, job);
    const figures = figuresOf(job, startedAt, outcome);
    if (outcome.problem === null) return report(statusOf(outcome), { figures });
    // An earlier attempt may have decided it, and died before it could say so.
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
    // A SchemaError passes, too: a newer release has migrated the store, and its workers are about to start.
    if (isAway(error)) runtime.workspaces.forget(job.workspace_uid);
    const isPassing = isTransient(error) || error instanceof SchemaError;
    const tries = triesAfter(runtime, error, isPassing);
    const isSafe = isUntouched(runtime, job);
    // A job that may have changed data is not given up: its Idempotency-Key would be free for a second run.
    if (job.failures + 1 < tries || (isPassing && !isSafe)) {
      const pause = Math.min(250 * 2 ** job.failures, MAX_PAUSE_MS);
      requeueFailed(control.writer, uid, runner, Date.now() + pause, isSafe);
      return report("QUEUED", { error: logged(error) });
    }
    const code = !isPassing
      ? "internal_error"
      : isFull(error)
        ? "store_full"
        : isGone(error)
          ? "job_body_lost"
          : "store_unavailable";
    let outcome = failureOf(new Problem(code).document);
    try {
      outcome = decideFailed(runtime, kind, job, outcome);
    } catch {
      // The workspace store can't be written. No data changes, and only the ledger says that the job failed.
    }
    finish(runtime, job, outcome, kind);
    return report("FAILED", { code, error: logged(error) });
  }
}

/** How often a job is tried that ends with this error. */
function triesAfter({ dataDir }: Runtime, error: unknown, isPassing: boolean): number {
  if (isAway(error) || (isPassing && !isSpoolThere(dataDir))) return Number.POSITIVE_INFINITY;
  if (isGone(error)) return MAX_TRIES_WITHOUT_BODY;
  return isPassing ? MAX_TRIES_TRANSIENT : MAX_TRIES_UNEXPECTED;
}

/** Whether the job certainly has no outcome, so that it may be cancelled. */
function isUntouched({ workspaces }: Runtime, job: JobRow): boolean {
  try {
    return workspaces.read(job.workspace_uid, (db) => findOutcome(db, job.uid)) === undefined;
  } catch {
    return false;
  }
}

/** Whether `error` says that the job's body is not in the spool. */
function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function reachOutcome(
  runtime: Runtime,
  kind: AnyJobKind,
  job: JobRow,
  forgets: ReadonlyMap<string, Forget>,
): { outcome: Outcome; thrown?: Problem } {
  const { workspaces } = runtime;
  // A thread may wait for that.
  workspaces.recover(job.workspace_uid);
  const decided = workspaces.read(job.workspace_uid, (db) => findOutcome(db, job.uid));
  if (decided) return { outcome: decided };
  try {
    if (job.crashes >= MAX_CRASHES) throw new Problem("job_crashed");
    const run = new JobRun(runtime, job, kind, forgets);
    try {
      return { outcome: kind.run(run, JSON.parse(job.payload)) };
    } finally {
      run.tell();
    }
  } catch (thrown) {
    const error = isFull(thrown) && hasRoom(runtime) ? tooLarge(runtime, thrown) : thrown;
    if (!(error instanceof Problem)) throw error;
    return { outcome: decideFailed(runtime, kind, job, failureOf(error.document)), thrown: error };
  }
}

function decideFailed({ control, workspaces }: Runtime, kind: AnyJobKind, job: JobRow, failure: Outcome): Outcome {
  return workspaces.write(job.workspace_uid, (db) =>
    decideFailure(db, job.uid, failure, endOf(kind, findJob(control.reader, job.uid) ?? job, failure)),
  );
}

/** The event of a job that ends without a word of its handler. */
function endOf({ events, resourceOf }: AnyJobKind, job: JobRow, outcome: Outcome): Ended {
  const about = resourceOf?.(JSON.parse(job.payload));
  return { cause: causeOfJob(job), event: eventOfEnd(events, job, outcome, { about }) };
}

/** Whether the disk has more room than a job may take. Then a job that had no space was stopped by its own limit. */
function hasRoom({ dataDir, workspaceResultsMaxBytes }: Runtime): boolean {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize > workspaceResultsMaxBytes;
}

function tooLarge({ workspaceResultsMaxBytes }: Runtime, cause: unknown): Problem {
  const detail = `The job would take more than ${workspaceResultsMaxBytes} bytes for its result. Import in smaller parts.`;
  return new Problem("result_too_large", { detail, cause });
}

function finish(runtime: Runtime, job: JobRow, outcome: Outcome, kind: AnyJobKind): void {
  const { control, dataDir } = runtime;
  const bytes = bytesOf(dataDir, outcome);
  const ended = immediate(control.writer, () => {
    const now = Date.now();
    const bodyUntil = keptUntil(outcome.problem, now);
    const isEnded = finishJob(control.writer, job, outcome, { bytes, bodyUntil, now });
    // A plan is in the ledger alone.
    if (isEnded && outcome.plan !== null) {
      const { cause, event } = endOf(kind, findJob(control.writer, job.uid)!, outcome);
      pendEvent(control.writer, job.workspace_uid, cause, event);
    }
    return kind.endsPlans && statusOf(outcome) === "SUCCEEDED" ? endPlans(control.writer, job) : [];
  });
  if (outcome.plan !== null) tell(runtime, job);
  runtime.onEnd?.();
  // What a plan needs to be applied is kept with it. Another run may have ended the job, and set until when its body is kept.
  const { body_until = null } = (outcome.problem !== null && findJob(control.reader, job.uid)) || {};
  if (statusOf(outcome) !== "PLANNED") removeFiles(dataDir, { ...job, keeps: outcome.result_file, body_until });
  for (const plan of ended) removeFiles(dataDir, plan);
}

/** Moves the event of a plan to the log now. The upkeep moves it if that fails. */
function tell({ control, workspaces }: Runtime, { workspace_uid }: JobRow): void {
  try {
    movePending(control.writer, workspace_uid, (work) => workspaces.write(workspace_uid, work));
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}

/** A replication may keep a WAL from being truncated for as long as it likes. Other jobs do not wait for that. */
const MAX_WIPE_TRIES = 3;

/**
 * Removes what the files of the stores still have of what was deleted. It comes before the end of the job, so that a job
 * whose process dies does it, too.
 */
function wipe({ control, workspaces }: Runtime, job: JobRow): void {
  try {
    wipeWorkspace(workspaces, job.workspace_uid, !isOverwritten(control.reader, job.workspace_id));
    wipeControl(control, job.workspace_id);
  } catch (error) {
    if (!(error instanceof StoreBusyError) || job.failures + 1 < MAX_WIPE_TRIES) throw error;
  }
}

/** Truncates a long WAL. The job is done, even if that fails because the store is busy. */
function trim({ workspaces }: Runtime, job: JobRow): void {
  try {
    workspaces.trim(job.workspace_uid);
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}
