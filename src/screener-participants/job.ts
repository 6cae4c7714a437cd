// The job that imports participants into a screener: read, check, stage, plan, apply, answer. Each step is a file of import/.

import { statSync } from "node:fs";
import * as v from "valibot";
import { findMoved } from "../jobs/compare.ts";
import { defineJob } from "../jobs/define-job.ts";
import type { JobRun, PlanNote } from "../jobs/job-run.ts";
import { PLAN_MS } from "../jobs/plans.ts";
import { JobScratch } from "../jobs/scratch.ts";
import { spoolPath } from "../jobs/spool.ts";
import { createAnswer, showAsPlanned } from "./import/answer.ts";
import { applyPlan } from "./import/apply.ts";
import { GivenAttributes } from "./import/attributes.ts";
import { checkEnvelope, checkRows, subjectOf, type UnknownMembers, warningsOf } from "./import/check.ts";
import { exceededLimit } from "./import/limit.ts";
import { createPlan, type Plan, planImport, planNothing } from "./import/plan.ts";
import { Payload } from "./import/read.ts";
import { RowErrors } from "./import/row-errors.ts";
import { createRows } from "./import/rows.ts";
import { createStage, findDuplicates, stageRows } from "./import/stage.ts";
import { MaxRemovals } from "./resource.ts";

const KIND = "SCREENER_PARTICIPANTS_IMPORT";

/** A small payload has at most about a hundred rows. Its scratch store is in memory, and the ledger keeps its answer. */
const MAX_SMALL_BYTES = 8 * 1024;

export const importJob = defineJob({
  kind: KIND,
  endsPlans: true,
  // The rows are in the spooled body.
  payload: v.object({}),
  run(job) {
    const path = spoolPath(job.dataDir, job.uid);
    using scratch = statSync(path).size <= MAX_SMALL_BYTES ? JobScratch.inMemory(job, KIND) : JobScratch.inFile(job);
    const { db } = scratch;

    // 1 to 3: read, check and stage, slice by slice. Then the checks that need all rows. The workspace is not locked yet.
    createStage(db);
    const payload = new Payload(path);
    const errors = new RowErrors(db);
    const unknown: UnknownMembers = new Map();
    const attributes = new GivenAttributes();
    const checked = checkRows(payload.slices(), { errors, unknown, attributes });
    const rows = stageRows(db, checked, (done) => job.progress("STAGING", done, null));
    job.about(subjectOf(payload.envelope));
    findDuplicates(db, errors);
    const { settings, errors: wrong } = checkEnvelope(payload.envelope);
    createPlan(db);
    createAnswer(db, settings?.screenerId ?? "");
    createRows(db);
    const warnings = warningsOf(unknown);
    if (!settings || (errors.count && !settings.skipsErrors)) {
      scratch.withSnapshot(() => planNothing(db));
      return scratch.conclude({ problem: errors.problem(wrong), warnings });
    }

    // 4: plan. A plan that nobody has approved yet needs no lock.
    const { approved } = job;
    const plan = () => {
      job.progress("COMPARING", 0, rows);
      return planImport(db, settings, { rows, errors, attributes });
    };
    const noteOf = (reason: PlanNote["reason"]): PlanNote => {
      showAsPlanned(db, true);
      return { reason, expiresAt: new Date(Date.now() + PLAN_MS).toISOString() };
    };
    if (settings.isDryRun && !approved) {
      return scratch.conclude(
        scratch.withSnapshot(() => {
          const made = plan();
          const ending = endingOf(made, warnings);
          return made.problem ? { ...ending, problem: made.problem } : { ...ending, plan: noteOf("DRY_RUN") };
        }),
      );
    }

    // 4 to 6: plan, apply and answer. One transaction holds the workspace's lock.
    if (approved) scratch.attachApproved(approved);
    return scratch.applyOnce(() => {
      const made = plan();
      const ending = endingOf(made, warnings);
      if (made.problem) return { ...ending, problem: made.problem };
      if (approved) {
        showAsPlanned(db, true);
        const problem = findMoved(db);
        if (problem) return { ...ending, problem };
        showAsPlanned(db, false);
      } else {
        const problem = exceededLimit(made, settings.maxRemovals ?? workspaceLimit(job));
        if (problem) return { ...ending, problem, plan: noteOf("REMOVAL_LIMIT") };
      }
      const onProgress = (done: number) => job.progress("APPLYING", done, rows);
      onProgress(0);
      applyPlan(db, made, { jobUid: job.uid, actor: job.actor, attributes, onProgress });
      return ending;
    });
  },
});

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
