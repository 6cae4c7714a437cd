// Removes what has expired, or what there is no space for: results, plans and jobs.

import { rmSync } from "node:fs";
import type { Control } from "../../../db/control.ts";
import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { immediate } from "../../../db/sqlite/write.ts";
import { Problem } from "../../base/problems.ts";
import { resultPath } from "../files/result-file.ts";
import { bytesOf } from "./outcome.ts";
import { endPlan, type PlanFiles, removeFiles } from "./plans.ts";
import type { JobRow } from "./queries.ts";

/** How many jobs a statement here changes at most. */
const MAX_JOBS = 1000;

interface Kept {
  id: number;
  uid: string;
  status: string;
  result_file: string | null;
  result_bytes: number;
}

/** What a step has removed from the ledger. The caller removes the files. */
interface Removed {
  files: string[];
  /** Plans that have ended. */
  plans: PlanFiles[];
  /** Whether nothing is left to remove. */
  isDone: boolean;
}

/** Removes expired results. A plan's files stay. */
export function expireResults(db: Writer, finishedBefore: number): Removed {
  const expired = db.all<Kept>(
    `SELECT id, result_file FROM job WHERE finished_at < ? AND status <> 'PLANNED'
       AND (result IS NOT NULL OR result_file IS NOT NULL OR rows IS NOT NULL) ORDER BY finished_at LIMIT ${MAX_JOBS}`,
    finishedBefore,
  );
  return { files: dropResults(db, expired), plans: [], isDone: expired.length < MAX_JOBS };
}

/** Ends the plans that can no longer be applied. */
export function expirePlans(db: Writer, now: number): Removed {
  const expired = db.all<PlanFiles>(
    `SELECT uid, result_file FROM job INDEXED BY job_planned WHERE status = 'PLANNED' AND plan ->> 'expiresAt' <= ?
       LIMIT ${MAX_JOBS}`,
    new Date(now).toISOString(),
  );
  const plans = expired.filter(({ uid }) => endPlan(db, uid, new Problem("plan_expired"), now));
  return { files: [], plans, isDone: expired.length < MAX_JOBS };
}

/**
 * Removes the oldest results, until the others take at most `maxBytes`; plans go last. The newest result stays: somebody
 * may be about to read it. @param workspaceId counts and removes only the results of this workspace
 */
function trimResults(db: Writer, maxBytes: number, now: number, workspaceId?: number): Removed {
  let excess = bytesKept(db, workspaceId) - maxBytes;
  const chosen: Kept[] = [];
  for (const isPlan of [false, true]) {
    if (excess <= 0 || chosen.length === MAX_JOBS) break;
    for (const kept of listOldest(db, isPlan, workspaceId)) {
      if (excess <= 0) break;
      chosen.push(kept);
      excess -= kept.result_bytes;
    }
  }
  const problem = new Problem("plan_expired", {
    detail: "The plan's files were removed to make room for other results.",
  });
  const plans = chosen.filter(({ uid, status }) => status === "PLANNED" && endPlan(db, uid, problem, now));
  return { files: dropResults(db, chosen), plans, isDone: chosen.length < MAX_JOBS };
}

interface Budgeted {
  dataDir: string;
  control: Control;
  resultsMaxBytes: number;
  workspaceResultsMaxBytes: number;
}

/** Removes the oldest results of a workspace, and of all, while they need too much space. It is cheap when they do not. */
export function keepBudget(stores: Budgeted, now = Date.now()): void {
  const { control, resultsMaxBytes, workspaceResultsMaxBytes: maxBytes } = stores;
  for (const workspaceId of overBudget(control.reader, maxBytes))
    removeStepwise(stores, () => trimResults(control.writer, maxBytes, now, workspaceId));
  if (bytesKept(control.reader) <= resultsMaxBytes) return;
  removeStepwise(stores, () => trimResults(control.writer, resultsMaxBytes, now));
}

/** Removes what a step finds, and the files of it, until nothing is left to remove. */
export function removeStepwise({ dataDir, control }: Pick<Budgeted, "dataDir" | "control">, step: () => Removed): void {
  for (let isDone = false; !isDone; ) {
    const removed = immediate(control.writer, step);
    for (const file of removed.files) rmSync(resultPath(dataDir, file), { force: true });
    for (const plan of removed.plans) removeFiles(dataDir, plan);
    isDone = removed.isDone;
  }
}

/** The bytes that all results take together, or those of one workspace. */
export function bytesKept(db: Reader, workspaceId?: number): number {
  if (workspaceId === undefined) return db.value<number>("SELECT bytes FROM result_total")!;
  return db.value<number>("SELECT bytes FROM workspace_results WHERE workspace_id = ?", workspaceId) ?? 0;
}

/** The workspaces whose results take more than `maxBytes`. */
function overBudget(db: Reader, maxBytes: number): number[] {
  return db.values("SELECT workspace_id FROM workspace_results WHERE bytes > ?", maxBytes);
}

function listOldest(db: Reader, isPlan: boolean, workspaceId?: number): Kept[] {
  const only = workspaceId === undefined ? "" : ` AND workspace_id = ${workspaceId}`;
  const kept = `FROM job INDEXED BY job_results WHERE result_bytes IS NOT NULL AND finished_at IS NOT NULL${only}`;
  return db.all(
    `SELECT id, uid, status, result_file, result_bytes ${kept} AND (status = 'PLANNED') = ?
       AND id <> (SELECT id ${kept} ORDER BY finished_at DESC LIMIT 1) ORDER BY finished_at LIMIT ${MAX_JOBS}`,
    isPlan ? 1 : 0,
  );
}

/** Removes results from the ledger. @returns the files, which the caller removes */
export function dropResults(db: Writer, jobs: readonly Pick<Kept, "id" | "result_file">[]): string[] {
  db.run(
    `UPDATE job SET result = NULL, result_file = NULL, rows = NULL, result_bytes = NULL
     WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(jobs.map(({ id }) => id)),
  );
  return jobs.flatMap(({ result_file }) => result_file ?? []);
}

/** Measures results that an earlier release kept. @returns how many */
export function measureResults(db: Writer, dataDir: string): number {
  const kept = db.all<Pick<JobRow, "id" | "result" | "result_file" | "rows">>(
    `SELECT id, result, result_file, rows FROM job WHERE finished_at IS NOT NULL AND result_bytes IS NULL
       AND (result IS NOT NULL OR result_file IS NOT NULL OR rows IS NOT NULL) LIMIT 100`,
  );
  for (const job of kept) db.run("UPDATE job SET result_bytes = ? WHERE id = ?", bytesOf(dataDir, job), job.id);
  return kept.length;
}

/** Removes old jobs. @returns how many */
export function deleteFinished(db: Writer, finishedBefore: number): number {
  return db.run(
    `DELETE FROM job WHERE id IN (
       SELECT id FROM job WHERE finished_at < ? AND status <> 'PLANNED' ORDER BY finished_at LIMIT ${MAX_JOBS})`,
    finishedBefore,
  ).changes;
}
