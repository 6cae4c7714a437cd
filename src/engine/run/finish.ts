// Ends a job: decides in the workspace's store that it has failed, and writes to the ledger how it went.

import { controlPath } from "../../../db/control.ts";
import { immediate, isTransient, StoreBusyError } from "../../../db/sqlite/write.ts";
import { overwriteUnused, wipeWorkspace } from "../../../db/wipe.ts";
import { movePending, pendEvent } from "../../events/outbox.ts";
import { keptUntil } from "../files/bodies.ts";
import { isOverwritten, wipeControl } from "../files/wipe.ts";
import { causeOfJob, eventOfEnd } from "../ledger/events.ts";
import { bytesOf, decideFailure, type Ended } from "../ledger/outcome.ts";
import { endPlans, removeFiles } from "../ledger/plans.ts";
import { findJob, type JobRow, type Outcome, statusOf } from "../ledger/queries.ts";
import { finishJob } from "../ledger/states.ts";
import type { AnyJobKind } from "./define-job.ts";
import type { Runtime } from "./job-run.ts";

/** Decides that a job has failed, unless it has an outcome already. @returns its outcome */
export function decideFailed(
  { control, workspaces }: Runtime,
  kind: AnyJobKind,
  job: JobRow,
  failure: Outcome,
): Outcome {
  return workspaces.write(job.workspace_uid, (db) =>
    decideFailure(db, job.uid, failure, endOf(kind, findJob(control.reader, job.uid) ?? job, failure)),
  );
}

/** The event of a job that ends without its handler. */
function endOf({ events, resourceOf }: AnyJobKind, job: JobRow, outcome: Outcome): Ended {
  const about = resourceOf?.(JSON.parse(job.payload));
  return { cause: causeOfJob(job), event: eventOfEnd(events, job, outcome, { about }) };
}

/** Writes the outcome of a job to the ledger, and removes the files that it does not need any more. */
export function finish(
  runtime: Runtime,
  job: JobRow,
  outcome: Outcome,
  kind: AnyJobKind,
  kinds: readonly AnyJobKind[],
): void {
  const { control, dataDir } = runtime;
  const bytes = bytesOf(dataDir, outcome);
  const ended = immediate(control.writer, () => {
    const now = Date.now();
    const bodyUntil = keptUntil(outcome.problem, now);
    const isEnded = finishJob(control.writer, job, outcome, { bytes, bodyUntil, now });
    // A plan has no outcome in the store.
    if (isEnded && outcome.plan !== null) {
      const { cause, event } = endOf(kind, findJob(control.writer, job.uid)!, outcome);
      pendEvent(control.writer, job.workspace_uid, cause, event);
    }
    return statusOf(outcome) === "SUCCEEDED" ? endPlans(control.writer, job, endedBy(kind, kinds)) : [];
  });
  if (outcome.plan !== null) moveEvent(runtime, job);
  runtime.onEnd?.();
  // What a plan needs to be applied is kept with it. Another run may have ended the job, and set `body_until`.
  const { body_until = null } = (outcome.problem !== null && findJob(control.reader, job.uid)) || {};
  if (statusOf(outcome) !== "PLANNED") removeFiles(dataDir, { ...job, keeps: outcome.result_file, body_until });
  for (const plan of ended) removeFiles(dataDir, plan);
}

/** The kinds of jobs whose plans end when a job of this kind was applied. */
function endedBy({ planOf: own, endsPlansOf = own ? [own] : [] }: AnyJobKind, kinds: readonly AnyJobKind[]): string[] {
  return kinds.flatMap(({ kind, planOf }) => (planOf && endsPlansOf.includes(planOf) ? [kind] : []));
}

/** Moves the event of a plan to the log now. The upkeep moves it if that fails. */
function moveEvent({ control, workspaces }: Runtime, { workspace_uid }: JobRow): void {
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
export function wipe({ control, workspaces, dataDir }: Runtime, job: JobRow): void {
  try {
    wipeWorkspace(workspaces, job.workspace_uid, !isOverwritten(control.reader, job.workspace_id));
    wipeControl(control, job.workspace_id);
    overwriteUnused([workspaces.path(job.workspace_uid), controlPath(dataDir)]);
  } catch (error) {
    if (!(error instanceof StoreBusyError) || job.failures + 1 < MAX_WIPE_TRIES) throw error;
  }
}

/** Truncates a long WAL. The job is done, even if that fails because the store is busy. */
export function trim({ workspaces }: Runtime, job: JobRow): void {
  try {
    workspaces.trim(job.workspace_uid);
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}
