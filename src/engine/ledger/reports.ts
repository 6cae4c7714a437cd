// What is reported of jobs: the figures and the log line of one that has run, and the figures of all that wait. Their log lines have
// the ids in common that find them.

import { setImmediate } from "node:timers/promises";
import type { Reader } from "../../../db/sqlite/connection.ts";
import type { Log } from "../../base/log.ts";
import type { JobCause } from "./events.ts";
import { findJob, type JobRow, type Outcome } from "./queries.ts";
import type { JobStatus } from "./resource.ts";

/** What is measured of a run of a job. */
interface JobFigures {
  /** From its acceptance until this run began, if it is the first run. */
  waitedMs: number | undefined;
  /** From its acceptance until now. */
  sinceAcceptedMs: number;
  /** The rows of its outcome, if it has one. */
  rows: number;
}

/** The figures of a run that began at `startedAt`, in ms since 1970, and ends now. @param outcome if the job has one */
export function figuresOf(job: JobRow, startedAt: number, outcome?: Outcome): JobFigures {
  const acceptedAt = acceptedAtOf(job);
  const isFirst = !job.failures && !job.crashes && (job.attempts === 1 || job.plan !== null);
  return {
    waitedMs: isFirst ? Math.max(0, startedAt - acceptedAt) : undefined,
    sinceAcceptedMs: Math.max(0, Date.now() - acceptedAt),
    rows: outcome ? rowsOf(outcome) : 0,
  };
}

/** The rows of an import or an undo; the sessions that were opened or moved. */
function rowsOf({ summary }: Outcome): number {
  const { rows, opened, moved } = summary === null ? {} : JSON.parse(summary);
  return rows ?? opened ?? moved ?? 0;
}

/**
 * Since when the job waits, in ms since 1970: it was accepted or retried, or its plan was applied (queuePlan). When a plan has
 * failed and is tried again, the ledger knows only the last try.
 */
function acceptedAtOf({ plan, created_at, retried_at, available_at }: JobRow): number {
  return Math.max(created_at, retried_at ?? 0, plan === null ? 0 : available_at);
}

/** The unfinished jobs of a kind and a status. */
interface Unfinished {
  kind: string;
  status: JobStatus;
  count: number;
  /** Since when the oldest of them waits, in ms since 1970. Jobs of suspended workspaces and jobs that are set aside do not count. Infinity: none counts. */
  oldestAt: number;
}

/** After this time the count lets others use the event loop. */
const MAX_STRETCH_MS = 5;

/** Counts the unfinished jobs of all workspaces: workspace by workspace, because there may be many. */
export async function countUnfinished(db: Reader): Promise<Unfinished[]> {
  const sums = new Map<string, Unfinished>();
  const waiting = db.values<number>(
    "SELECT DISTINCT workspace_id FROM job INDEXED BY job_open WHERE finished_at IS NULL",
  );
  let since = performance.now();
  for (const workspaceId of waiting) {
    for (const row of countUnfinishedOf(db, workspaceId)) {
      const key = `${row.kind} ${row.status}`;
      const sum = sums.get(key);
      sums.set(key, {
        kind: row.kind,
        status: row.status,
        count: row.count + (sum?.count ?? 0),
        oldestAt: Math.min(row.oldest_at ?? Number.POSITIVE_INFINITY, sum?.oldestAt ?? Number.POSITIVE_INFINITY),
      });
    }
    if (performance.now() - since < MAX_STRETCH_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return [...sums.values()];
}

interface UnfinishedRow {
  kind: string;
  status: JobStatus;
  count: number;
  oldest_at: number | null;
}

function countUnfinishedOf(db: Reader, workspaceId: number): UnfinishedRow[] {
  return db.all(
    `SELECT j.kind, j.status, count(*) AS count, min(max(j.created_at, coalesce(j.retried_at, 0), iif(j.plan IS NULL, 0, j.available_at)))
         FILTER (WHERE (j.status = 'RUNNING' OR w.suspended_at IS NULL) AND j.blocked_since IS NULL) AS oldest_at
     FROM job AS j INDEXED BY job_open CROSS JOIN workspace AS w ON w.id = j.workspace_id
     WHERE j.workspace_id = ? AND j.finished_at IS NULL GROUP BY j.kind, j.status`,
    workspaceId,
  );
}

/** The bytes of the bodies of all unfinished jobs and plans, and of kept bodies. */
export function sumSpooled(db: Reader): number {
  return db.value<number>(
    `SELECT coalesce(sum(spooled_bytes), 0) FROM job INDEXED BY job_spooled
     WHERE spooled_bytes IS NOT NULL AND (finished_at IS NULL OR status = 'PLANNED' OR body_until IS NOT NULL)`,
  )!;
}

/** The ids of the request that caused the run. */
interface Origin {
  requestId?: string;
  traceId?: string;
}

/** For a plan that is applied: the ids of the request to apply it. */
export function originOf(job: Pick<JobRow, "cause" | "request_id" | "trace_id">): Origin {
  const cause = job.cause === null ? undefined : (JSON.parse(job.cause) as JobCause);
  const { requestId, traceId } = cause ?? { requestId: job.request_id, traceId: job.trace_id };
  return { ...(requestId && { requestId }), ...(traceId && { traceId }) };
}

/** What a line says of a job besides the run that it is about. */
export function lineOf(job: JobRow) {
  return { job: job.uid, kind: job.kind, workspace: job.workspace_uid, attempt: job.attempts, ...originOf(job) };
}

/** The same for a job that may not be found: when the ledger can't be read, perhaps for the very reason that is logged. */
export function findLine(ledger: Reader, uid: string): object {
  try {
    const job = findJob(ledger, uid);
    if (job) return lineOf(job);
  } catch {
    // Only its id is known.
  }
  return { job: uid };
}

/** How a run ended. `status` is the job's status in the ledger after it. */
export interface RunReport extends Origin {
  uid: string;
  kind: string;
  workspace: string;
  status: "SUCCEEDED" | "PLANNED" | "FAILED" | "QUEUED" | "CANCELLED";
  attempt: number;
  ms: number;
  code?: string;
  /** For the log: why it is tried again, or failed for a reason of ours. */
  error?: Logged;
  /** For the metrics. */
  figures: JobFigures;
}

interface Logged {
  message: string;
  stack: string | undefined;
}

/** An error, as a thread can hand it on. */
export function logged(error: unknown): Logged {
  return { message: String(error), stack: error instanceof Error ? error.stack : undefined };
}

export function logRun(log: Log, { error, uid, ms, figures, ...report }: RunReport): void {
  const line = { job: uid, ...report, ms: Math.round(ms), ...(error && { err: error }) };
  const level = error ? (report.status === "FAILED" ? "error" : "warn") : "info";
  log[level](line, "job");
}
