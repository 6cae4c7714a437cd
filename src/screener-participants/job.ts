// The job that imports participants into a screener: read, check, stage, plan, apply, answer. Each step is a file of import/.

import * as v from "valibot";
import type { Writer } from "../../db/connection.ts";
import { findMoved, isAsApproved, outdatedBy } from "../jobs/compare.ts";
import { defineJob } from "../jobs/define-job.ts";
import { JobCancelled, type JobRun, type PlanNote } from "../jobs/job-run.ts";
import { PLAN_MS } from "../jobs/plans.ts";
import { type Ending, JobScratch, type Outcome } from "../jobs/scratch.ts";
import type { Problem } from "../problems.ts";
import { type Ahead, discardAhead, planAhead } from "./import/ahead.ts";
import { setTarget, showAsPlanned } from "./import/answer.ts";
import { applyPlan } from "./import/apply.ts";
import { GivenAttributes } from "./import/attributes.ts";
import { checkEnvelope, checkRows, subjectOf, type UnknownMembers, warningsOf } from "./import/check.ts";
import { forgetInImport } from "./import/forget.ts";
import { exceededLimit } from "./import/limit.ts";
import { clearPlan, type Plan, planImport, planNothing, TOO_LARGE } from "./import/plan.ts";
import { Payload } from "./import/read.ts";
import { RowErrors } from "./import/row-errors.ts";
import { stageRows } from "./import/stage.ts";
import { prepareTables } from "./import/tables.ts";
import { ImportPayload, MaxRemovals } from "./resource.ts";

const KIND = "SCREENER_PARTICIPANTS_IMPORT";

/** A small payload has at most about three hundred rows. Its scratch store is in memory, and the ledger keeps its answer and rows. */
const MAX_SMALL_BYTES = 32 * 1024;

/** An import that removes more has its rows in a file, however small its payload is. */
const MAX_SMALL_REMOVALS = 100;

export const importJob = defineJob({
  kind: KIND,
  events: { succeeded: "import.completed", failed: "import.failed", planned: "import.planned" },
  endsPlans: true,
  forget: forgetInImport,
  // The rows are in the spooled body.
  payload: ImportPayload,
  run(job, file) {
    {
      using body = job.openBody();
      if (body.bytes <= MAX_SMALL_BYTES && !job.approved?.file) {
        const scratch = JobScratch.inMemory(job, KIND);
        const outcome = runWith(job, new Payload(body.read, file), file, scratch, MAX_SMALL_REMOVALS);
        if (outcome !== TOO_LARGE) return outcome;
      }
    }
    using body = job.openBody();
    using scratch = JobScratch.inFile(job);
    return runWith(job, new Payload(body.read, file), file, scratch) as Outcome;
  },
});

const ANY_NUMBER = Number.POSITIVE_INFINITY;

/** @returns TOO_LARGE if more than `maxRemovals` would be removed */
function runWith(
  job: JobRun,
  payload: Payload,
  file: ImportPayload,
  scratch: JobScratch,
  maxRemovals = ANY_NUMBER,
): Outcome | typeof TOO_LARGE {
  const { db } = scratch;
  prepareTables(db);

  // 1 to 3: read, check and stage, slice by slice. Then the checks that need all rows. The workspace is not locked yet.
  const errors = new RowErrors(db);
  const unknown: UnknownMembers = new Map();
  const attributes = new GivenAttributes(file.format === "csv");
  const checked = checkRows(payload.slices(), { errors, unknown, attributes });
  const rows = stageRows(db, checked, { errors, onProgress: (done) => job.progress("STAGING", done, null) });
  job.about(subjectOf(payload.envelope));
  const { settings, errors: wrong } = checkEnvelope(payload.envelope);
  setTarget(db, settings?.screenerId ?? "");
  const warnings = warningsOf(unknown, payload.ignored);
  if (!settings || (errors.count && !settings.skipsErrors)) {
    scratch.withSnapshot(() => planNothing(db));
    return scratch.conclude({ problem: errors.problem(wrong), warnings });
  }

  // 4 to 6: plan, apply and answer.
  const { approved } = job;
  const limit = settings.maxRemovals ?? workspaceLimit(job);
  // Those in memory are few.
  const isAhead =
    settings.importMode === "FULL_SYNC" &&
    (approved || !settings.isDryRun) &&
    !errors.count &&
    maxRemovals === ANY_NUMBER;
  let ahead: Ahead | undefined;
  let isSame = false;
  const act = (isApplied: boolean): Ending => {
    job.progress("COMPARING", 0, rows);
    const plan = planImport(db, settings, { rows, errors, attributes, ahead, maxRemovals });
    const ending = endingOf(plan, warnings);
    if (plan.problem) return { ...ending, problem: approved ? outdatedBy(plan.problem) : plan.problem };
    const exceeded = exceededLimit(plan, limit);
    if (!isApplied) {
      const removalLimit = limit === undefined ? {} : { removalLimit: { maxRemovals: limit, isExceeded: !!exceeded } };
      return { ...ending, plan: { ...keepPlan(db, "DRY_RUN"), ...removalLimit } };
    }
    if (approved) {
      const problem = findMovedSince(db, isSame && plan.isAsAhead ? ahead?.after : undefined);
      if (problem) {
        clearPlan(db);
        planNothing(db);
        return { problem, warnings };
      }
    } else if (exceeded) return { ...ending, problem: exceeded, plan: keepPlan(db, "REMOVAL_LIMIT") };
    const onProgress = (done: number, total: number) => job.progress("APPLYING", done, total);
    applyPlan(db, plan, { jobUid: job.uid, actor: job.actor, attributes, onProgress });
    return { ...ending, event: { at: plan.now } };
  };
  try {
    // A dry run needs no lock. What is applied is planned under the workspace's lock, in the transaction that applies it.
    if (settings.isDryRun && !approved) return scratch.conclude(scratch.withSnapshot(() => act(false)));
    if (approved) scratch.attachApproved(approved);
    if (isAhead) {
      ahead = planAhead(scratch, {
        screenerUid: settings.screenerId,
        rows,
        limit: approved ? undefined : limit,
        attempt: { jobUid: job.uid, number: job.attempt },
        onProgress: () => job.progress("COMPARING", 0, rows),
      });
    }
    // To compare so many rows with those that were approved takes long, too.
    isSame = ahead !== undefined && approved !== undefined && isAsApproved(db, ahead.after);
    // The plan is made in the same transaction, from the rows that are there, and applying it counts what it writes.
    const outcome = scratch.applyOnce(() => act(true), false);
    if (ahead) discardAhead(scratch, job.uid);
    return outcome;
  } catch (error) {
    if (error === TOO_LARGE) return TOO_LARGE;
    if (error instanceof JobCancelled && isAhead) discardAhead(scratch, job.uid);
    throw error;
  }
}

/** Shows the plan as what it is, and says until when it may be applied. */
function keepPlan(db: Writer, reason: PlanNote["reason"]): PlanNote {
  showAsPlanned(db, true);
  return { reason, expiresAt: new Date(Date.now() + PLAN_MS).toISOString() };
}

/** What has moved since the plan was approved, if anything has. */
function findMovedSince(db: Writer, after: number | undefined): Problem | undefined {
  showAsPlanned(db, true);
  const problem = findMoved(db, after);
  // What is not applied has made no ids.
  if (!problem) showAsPlanned(db, false);
  return problem;
}

/** How the job ends by its plan. */
function endingOf({ summary, problem, keepsAbsent }: Plan, warnings: object[]) {
  const kept = {
    code: "nobody_removed",
    message:
      "Nobody was removed, because a rejected row has neither a usable externalUid nor a participant's email, so that anybody may be meant.",
  };
  return { ...(!problem && { summary }), warnings: keepsAbsent ? [...warnings, kept] : warnings };
}

/** The workspace's limit for removals, if it has one. */
function workspaceLimit({ workspaceMaxRemovals }: JobRun): MaxRemovals | undefined {
  return workspaceMaxRemovals === null ? undefined : v.parse(MaxRemovals, JSON.parse(workspaceMaxRemovals));
}
