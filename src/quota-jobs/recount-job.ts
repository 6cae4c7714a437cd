// The job that counts completed sessions into a quota that is newer than they are; and the one that takes that back.

import * as v from "valibot";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { planOrApply } from "../engine/run/planned.ts";
import { defineUndo } from "../engine/run/undo.ts";
import { applyRecount, planRecount, Verdicts } from "./recount.ts";
import { applyRecountUndo, planRecountUndo } from "./recount-undo.ts";
import { createRows, forgetInPlaces } from "./rows.ts";

export const recountJob = defineJob({
  kind: "SCREENER_QUOTA_RECOUNT",
  label: "Recount of a quota",
  summary: counted("counted", "skipped"),
  events: { succeeded: "screener-quota.recounted", failed: "job.failed", planned: "job.planned" },
  planOf: "PLACES",
  scope: "author",
  forget: forgetInPlaces,
  effect: { effect_place: "session_id" },
  payload: v.object({ screenerId: v.string(), quotaId: v.string(), dryRun: v.boolean() }),
  run(job, { quotaId, dryRun }) {
    const verdicts = new Verdicts(quotaId);
    return planOrApply(job, dryRun, {
      create: createRows,
      ahead: (db) => verdicts.read(db),
      plan: (db) => planRecount(db, quotaId, verdicts),
      apply: (db, plan, record) => ({
        at: applyRecount(db, plan, job.uid, record, (done, total) => job.progress("APPLYING", done, total)),
        summary: { screenerQuotaId: quotaId },
      }),
      checksReferences: false,
    });
  },
});

export const recountUndoJob = defineUndo({
  kind: "SCREENER_QUOTA_RECOUNT_UNDO",
  of: recountJob,
  isFinal: true,
  label: "Undo of a recount",
  events: { succeeded: "screener-quota.recount-undone", failed: "job.failed", planned: "job.planned" },
  steps: {
    create: createRows,
    plan: planRecountUndo,
    apply: (db, effect, { job, summary, record }) =>
      applyRecountUndo(db, effect, summary, record, (done, total) => job.progress("APPLYING", done, total)),
    checksReferences: false,
  },
});
