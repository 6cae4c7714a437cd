// Runs one job in a worker thread: takes it, applies it once, and writes to the ledger how it went.

import { statfsSync } from "node:fs";
import { StoreLostError } from "../../../db/sqlite/recover.ts";
import { isAway, isFull } from "../../../db/sqlite/write.ts";
import { Problem } from "../../base/problems.ts";
import { isOurFault } from "../files/kept-bodies.ts";
import { planDamage } from "../files/result-file.ts";
import { removeSpooled } from "../files/spool.ts";
import { figuresOf } from "../ledger/figures.ts";
import { logged, originOf, type RunReport } from "../ledger/log-lines.ts";
import { failureOf, findOutcome } from "../ledger/outcome.ts";
import { describeJob, findJob, type JobRow, type Outcome, statusOf } from "../ledger/queries.ts";
import { MAX_PAUSE_MS } from "../ledger/queue.ts";
import { NEWER_WORKER } from "../ledger/resource.ts";
import { claimJob, postpone, requeueFailed } from "../ledger/states.ts";
import type { AnyJobKind } from "./define-job.ts";
import { codeOfEnd, codeOfWait, isPassing, isUntouched, triesAfter } from "./failure.ts";
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
    if (kind.wipes) wipe(runtime, job);
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
