// What the log says of the runs of a job; and what all its lines have in common: the ids that find them.

import type { Reader } from "../../../db/sqlite/connection.ts";
import type { Log } from "../../base/log.ts";
import type { JobCause } from "./events.ts";
import type { JobFigures } from "./figures.ts";
import { findJob, type JobRow } from "./queries.ts";

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
