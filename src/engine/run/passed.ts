// Ends jobs that were accepted before an erasure that their store does not know: an older file of it is there now.

import type { Reader, Writer } from "../../../db/sqlite/connection.ts";
import { immediate } from "../../../db/sqlite/write.ts";
import { Problem } from "../../base/problems.ts";
import { pendEvent } from "../../events/outbox.ts";
import { dropBodies } from "../files/bodies.ts";
import { causedByService, eventOfEnd } from "../ledger/events.ts";
import { dropResults } from "../ledger/expiry.ts";
import { failureOf, findOutcome } from "../ledger/outcome.ts";
import { removeFiles } from "../ledger/plans.ts";
import { findJob } from "../ledger/queries.ts";
import { markEnded } from "../ledger/states.ts";
import { type AnyJobKind, eventsOf } from "./define-job.ts";
import { end, type KeptJob, type Ledger } from "./forget.ts";

const PASSED =
  "It waited in the backup, and somebody was erased after it. It may have that person, so it does not run.";

/**
 * Ends waiting imports and undos, and plans, that were accepted before an erasure that this store does not know: they may have that
 * person. Kept bodies are removed, too. @param erasedAt the time of the last erasure, in ms since 1970 @returns how many have ended
 */
export function endPassed(
  { ledger, dataDir, workspaceId }: Ledger,
  store: Reader,
  erasedAt: number,
  kinds: readonly AnyJobKind[],
): number {
  const importing = kinds.filter(({ keepsOrder }) => keepsOrder).map(({ kind }) => kind);
  const jobs = ledger.all<KeptJob & { is_kept: 0 | 1 }>(
    `SELECT id, uid, kind, status, result_file, rows, 1 AS is_plan, body_until IS NOT NULL AS is_kept FROM job NOT INDEXED
     WHERE workspace_id = ? AND created_at < ? AND (kind IN (SELECT value FROM json_each(?)) OR plan IS NOT NULL)
       AND (finished_at IS NULL OR status = 'PLANNED' OR body_until IS NOT NULL)`,
    workspaceId,
    erasedAt,
    JSON.stringify(importing),
  );
  if (jobs.some(({ is_kept }) => is_kept)) dropBodies(ledger, dataDir, workspaceId);
  // One that has taken effect only has to say so.
  const open = jobs.filter(({ uid, is_kept }) => !is_kept && findOutcome(store, uid) === undefined);
  for (const job of open) {
    if (job.status === "PLANNED") end(ledger, dataDir, job, new Problem("plan_outdated", { detail: PASSED }));
    else fail(ledger, dataDir, job, new Problem("job_overtaken", { detail: PASSED }), kinds);
    immediate(ledger, () => dropResults(ledger, [job]));
  }
  return open.length;
}

/** Fails a job that has no outcome, and does not run. Only the ledger says so, as for a job that is lost. */
function fail(ledger: Writer, dataDir: string, { id, uid }: KeptJob, problem: Problem, kinds: readonly AnyJobKind[]) {
  immediate(ledger, () => {
    const job = findJob(ledger, uid)!;
    const outcome = failureOf(problem.document);
    ledger.run("UPDATE job SET apply_begun = 0 WHERE id = ?", id);
    if (!markEnded(ledger, id, "FAILED", outcome.problem!, Date.now())) return;
    pendEvent(ledger, job.workspace_uid, causedByService(uid), eventOfEnd(eventsOf(kinds, job.kind), job, outcome));
  });
  removeFiles(dataDir, { uid, result_file: null });
}
