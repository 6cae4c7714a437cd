// The job that takes back what an import did, or what an undo did.

import * as v from "valibot";
import { Problem } from "../../base/problems.ts";
import { findMoved } from "../../engine/ledger/compare.ts";
import { PLAN_MS, UNDO_MS } from "../../engine/ledger/plans.ts";
import { defineJob } from "../../engine/run/define-job.ts";
import { JobScratch } from "../../engine/run/scratch.ts";
import { type EffectRow, findEffect, IMPORT_UNDO } from "../effects.ts";
import { applyUndo } from "./apply.ts";
import { forgetInUndo } from "./forget.ts";
import { clearUndo, createUndo, planUndo } from "./plan.ts";

export const undoJob = defineJob({
  kind: IMPORT_UNDO,
  label: "Undo of an import",
  events: { succeeded: "import.undone", failed: "import.failed", planned: "import.planned" },
  endsPlans: true,
  overtakes: "SCREENER",
  keepsOrder: true,
  forget: forgetInUndo,
  // The job to undo, and its screener.
  payload: v.object({ jobId: v.string(), screenerId: v.nullable(v.string()), dryRun: v.boolean() }),
  run(job, { jobId, dryRun }) {
    using scratch = JobScratch.inFile(job);
    const { db } = scratch;
    createUndo(db);
    const { approved } = job;
    if (dryRun && !approved) {
      const summary = scratch.withSnapshot(() => planUndo(db, undoable(findEffect(db, jobId, "w"))));
      const expiresAt = new Date(Date.now() + PLAN_MS).toISOString();
      return scratch.conclude({ summary, plan: { reason: "DRY_RUN", expiresAt } });
    }
    if (approved) scratch.attachApproved(approved);
    return scratch.applyOnce(() => {
      const effect = undoable(findEffect(db, jobId, "w"));
      job.progress("COMPARING", 0, null);
      const summary = planUndo(db, effect);
      const problem = approved && findMoved(db);
      if (problem) {
        clearUndo(db);
        return { problem };
      }
      job.progress("APPLYING", 0, summary.rows);
      const at = applyUndo(db, effect, job.uid);
      return { summary, event: { at, summary: { undoneJobId: jobId } } };
    });
  },
});

/** @throws Problem 409 when it is undone already, 410 when what is needed is no longer kept */
function undoable(effect: EffectRow | undefined): EffectRow {
  if (!effect || effect.decided_at < Date.now() - UNDO_MS) throw new Problem("undo_gone");
  if (effect.undone_by !== null) {
    throw new Problem("job_not_undoable", { detail: `The job ${effect.undone_by} has undone it already.` });
  }
  return effect;
}
