// What becomes of a job whose run has failed: how often it is tried, and why it waits.

import { SchemaError } from "../../../db/migrate.ts";
import { StoreRefusedError } from "../../../db/sqlite/refused.ts";
import { isAway, isBusy, isFull, isTransient, StoreBusyError } from "../../../db/sqlite/write.ts";
import type { ProblemCode } from "../../base/problems.ts";
import { isGone } from "../files/result-file.ts";
import { isSpoolThere } from "../files/spool.ts";
import { findOutcome } from "../ledger/outcome.ts";
import type { JobRow } from "../ledger/queries.ts";
import type { BlockedCode } from "../ledger/resource.ts";
import type { Runtime } from "./job-run.ts";

// After a transient error a job is tried again for a few minutes. If a store or a file that it needs is away, it is tried until that is
// back; after some time it is set aside (queue.ts). After any other error it is tried two more times.
const MAX_TRIES_TRANSIENT = 20;
const MAX_TRIES_UNEXPECTED = 3;

/** Whether a later try may succeed. A newer release may have migrated the store, and its workers are about to start. */
export function isPassing(error: unknown): boolean {
  return isTransient(error) || error instanceof SchemaError;
}

/** How often a job is tried that ends with this error. */
export function triesAfter({ dataDir }: Runtime, { blocked_since }: JobRow, error: unknown): number {
  const isThere = isSpoolThere(dataDir);
  // Its body or its approved plan is away: tries go on for an hour.
  if (isGone(error) && isThere) return blocked_since === null ? Number.POSITIVE_INFINITY : 0;
  if (isAway(error) || (isPassing(error) && (blocked_since !== null || !isThere))) return Number.POSITIVE_INFINITY;
  return isPassing(error) ? MAX_TRIES_TRANSIENT : MAX_TRIES_UNEXPECTED;
}

/** Whether the job certainly has no outcome, so that it may be cancelled. */
export function isUntouched({ workspaces }: Runtime, job: JobRow): boolean {
  try {
    return workspaces.read(job.workspace_uid, (db) => findOutcome(db, job.uid)) === undefined;
  } catch {
    return false;
  }
}

/** Why a job waits. */
export function codeOfWait(error: unknown): BlockedCode {
  if (error instanceof StoreRefusedError) return "store_refused";
  if (isFull(error)) return "store_full";
  if (error instanceof StoreBusyError || isBusy(error)) return "store_busy";
  const folder = folderOf(error);
  return folder === "spool" ? "spool_unavailable" : folder === "results" ? "results_unavailable" : "store_unavailable";
}

/** The code of the problem of a job that is not tried again. */
export function codeOfEnd(error: unknown): ProblemCode {
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
