// The bodies of jobs that failed for a reason of the service's own: kept for some days, so that such a job can be retried
// (retry.ts). They count for the workspace's budget, and make room for bodies that come in. The ledger lets go of a body first:
// a file that a killed process leaves is removed by the sweep.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { immediate } from "../../../db/sqlite/write.ts";
import type { ProblemDocument } from "../../base/problems.ts";
import { removeSpooled } from "./spool.ts";

/** How long the body of a failed job is kept after its end. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** How long an upload waits for the ledger's lock to make room. */
const ROOM_WAIT_MS = 1000;

/** Whether a job with this problem, as JSON, failed for a reason of the service's own: another run may succeed. */
export function isOurFault(problem: string | null): boolean {
  return problem !== null && (JSON.parse(problem) as ProblemDocument).status >= 500;
}

/** Until when the body of a job that ends now with this problem is kept; null: it is not kept. */
export function keptUntil(problem: string | null, now: number): number | null {
  const isLost = problem !== null && (JSON.parse(problem) as ProblemDocument).code === "job_body_lost";
  return isOurFault(problem) && !isLost ? now + KEPT_MS : null;
}

/** Removes the bodies that have been kept long enough. */
export function dropExpiredBodies(ledger: Writer, dataDir: string, now: number): void {
  remove(
    dataDir,
    immediate(ledger, () => letGo(ledger, "body_until <= ?", now)),
  );
}

/** Removes all kept bodies of a workspace. */
export function dropBodies(ledger: Writer, dataDir: string, workspaceId: number): void {
  remove(
    dataDir,
    immediate(ledger, () => letGo(ledger, "workspace_id = ?", workspaceId)),
  );
}

/** Removes the kept bodies that are about a screener, or may be. */
export function dropBodiesOfScreener(ledger: Writer, dataDir: string, workspaceId: number, screenerUid: string): void {
  const isAbout = "workspace_id = ? AND coalesce(screener_uid, ?) = ?";
  remove(
    dataDir,
    immediate(ledger, () => letGo(ledger, isAbout, workspaceId, screenerUid, screenerUid)),
  );
}

/** Removes the oldest kept body of a workspace. @returns false when it has none. @throws StoreBusyError */
export async function dropOldestBody(ledger: Writer, dataDir: string, workspaceId: number): Promise<boolean> {
  const oldest = `id = (SELECT id FROM job INDEXED BY job_kept WHERE workspace_id = ? AND body_until IS NOT NULL
    ORDER BY finished_at LIMIT 1)`;
  const dropped = await whenFree(ledger, ROOM_WAIT_MS, () => letGo(ledger, oldest, workspaceId));
  remove(dataDir, dropped);
  return dropped.length > 0;
}

/** @returns the ids of the jobs. A trigger removes a body that is in the ledger */
function letGo(ledger: Writer, where: string, ...values: (string | number)[]): string[] {
  return ledger.values(
    `UPDATE job SET body_until = NULL WHERE body_until IS NOT NULL AND ${where} RETURNING uid`,
    ...values,
  );
}

function remove(dataDir: string, jobs: readonly string[]): void {
  for (const uid of jobs) removeSpooled(dataDir, uid);
}
