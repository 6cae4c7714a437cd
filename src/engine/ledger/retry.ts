// Runs a job again that failed for a reason of the service's own. One transaction of the ledger puts it in the queue. If the
// process is killed before that, nothing has changed; after that, the job runs.

import { existsSync } from "node:fs";
import type { Control } from "../../../db/control.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { immediate } from "../../../db/sqlite/write.ts";
import type { Workspaces } from "../../../db/workspaces.ts";
import { pendEvent } from "../../events/outbox.ts";
import type { Cause } from "../../events/record.ts";
import { isOurFault, spoolPath } from "../files/bodies.ts";
import { eventOfRetry } from "./events.ts";
import { forgetFailure } from "./outcome.ts";
import { findJob, type JobRow } from "./queries.ts";
import { tryBlocked } from "./queue.ts";
import { requeueEnded } from "./states.ts";

/** Why a job can't be retried, in a sentence; undefined: it can. `wiping` are the kinds of jobs that remove bodies. */
export function whyNoRetry(
  ledger: Reader,
  dataDir: string,
  job: JobRow,
  wiping: readonly string[],
): string | undefined {
  const of = `The job ${job.uid}`;
  if (job.status === "QUEUED" && job.blocked_since !== null) return undefined;
  if (job.status !== "FAILED") return `${of} has not failed: it is ${job.status}.`;
  if (!isOurFault(job.problem))
    return `${of} failed because of what was sent (${JSON.parse(job.problem!).code}): run again, it would fail again.`;
  if (job.fingerprint !== null && job.idempotency_key === null)
    return `${of} has no Idempotency-Key any more: its caller has sent it again, or the key named a person who was erased.`;
  if (isBodyGone(ledger, dataDir, job)) return `${of} has no body any more. Its caller has to send it again.`;
  const open = ledger.value<string>(
    `SELECT uid FROM job INDEXED BY job_open WHERE workspace_id = ? AND finished_at IS NULL
       AND kind IN (SELECT value FROM json_each(?)) LIMIT 1`,
    job.workspace_id,
    JSON.stringify(wiping),
  );
  if (open !== undefined)
    return `${of} has to wait: the job ${open}, which has not ended, removes the bodies of failed jobs.`;
  return undefined;
}

function isBodyGone(ledger: Reader, dataDir: string, { uid, spooled_bytes, body_until }: JobRow): boolean {
  if (spooled_bytes === null) return false;
  if (body_until === null) return true;
  const isShort = ledger.value("SELECT 1 FROM job_body WHERE job_uid = ?", uid) !== undefined;
  return !isShort && !existsSync(spoolPath(dataDir, uid));
}

interface Stores {
  dataDir: string;
  control: Control;
  workspaces: Workspaces;
}

/** The job can't be retried. The message says why. */
export class NoRetry extends Error {}

/**
 * Puts a job that has failed in the queue, behind the workspace's other jobs. Blocks. May be interrupted and repeated.
 * @param wiping the kinds of jobs that remove bodies @throws NoRetry
 */
export function retryJob(
  { dataDir, control, workspaces }: Stores,
  uid: string,
  cause: Cause,
  wiping: readonly string[],
): void {
  const { writer } = control;
  if (immediate(writer, () => retryBlocked(writer, uid, cause))) return;
  const { workspace_uid } = getRetryable(writer, dataDir, uid, wiping);
  workspaces.write(workspace_uid, (db) => forgetEnd(db, uid));
  immediate(writer, () => requeue(writer, getRetryable(writer, dataDir, uid, wiping), cause));
}

/**
 * Makes a job that is set aside due now. It keeps its position. Call it in a transaction of the ledger.
 * @returns false when the job is not set aside, or runs at this moment
 */
export function retryBlocked(ledger: Writer, uid: string, cause: Cause): boolean {
  if (!tryBlocked(ledger, uid, Date.now())) return false;
  const job = findJob(ledger, uid)!;
  pendEvent(ledger, job.workspace_uid, { ...cause, jobUid: uid }, eventOfRetry(job));
  return true;
}

/** A job that can be retried. @throws NoRetry */
export function getRetryable(ledger: Reader, dataDir: string, uid: string, wiping: readonly string[]): JobRow {
  const job = findJob(ledger, uid);
  const reason = job ? whyNoRetry(ledger, dataDir, job, wiping) : `There is no job ${uid}.`;
  if (reason !== undefined) throw new NoRetry(reason);
  return job!;
}

/**
 * The first step, in the workspace's store: removes the outcome, because a run that finds one ends with it. If the process is
 * killed after this step, the ledger still has the job as failed.
 */
export function forgetEnd(db: Writer, uid: string): void {
  forgetFailure(db, uid);
}

/** The second step, in a transaction of the ledger. @param job one that can be retried */
export function requeue(ledger: Writer, job: JobRow, cause: Cause): void {
  requeueEnded(ledger, job.uid, Date.now());
  pendEvent(ledger, job.workspace_uid, { ...cause, jobUid: job.uid }, eventOfRetry(job));
}
