// The job that offers places to participants who were over quota; and the one that takes offers back.

import * as v from "valibot";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { planOrApply } from "../engine/run/planned.ts";
import { defineUndo } from "../engine/run/undo.ts";
import { applyOffer, applyOfferUndo, planOfferUndo } from "./offer.ts";
import { planOffer } from "./offer-plan.ts";
import { createRows, forgetInPlaces } from "./rows.ts";

/** For how long places are offered, in hours: the least, the most, and the default. */
export const MIN_HOLD_HOURS = 1;
export const MAX_HOLD_HOURS = 336;
export const HOLD_HOURS = 48;

export const offerJob = defineJob({
  kind: "SCREENER_QUOTA_OFFER",
  label: "Offer of places",
  summary: counted("offered", "skipped"),
  events: { succeeded: "screener-quota.offered", failed: "job.failed", planned: "job.planned" },
  planOf: "PLACES",
  scope: "author",
  forget: forgetInPlaces,
  effect: { effect_offer: "session_id" },
  // `mark`: what slugs of the process that took the request begin with.
  payload: v.object({
    screenerId: v.string(),
    quotaId: v.string(),
    holdHours: v.number(),
    mark: v.string(),
    dryRun: v.boolean(),
  }),
  run: (job, { quotaId, holdHours, mark, dryRun }) =>
    planOrApply(job, dryRun, {
      create: createRows,
      plan: (db) => planOffer(db, quotaId),
      apply: (db, plan) => ({
        at: applyOffer(db, plan, { jobUid: job.uid, holdHours, mark }, (done, total) =>
          job.progress("APPLYING", done, total),
        ),
        summary: { screenerQuotaId: quotaId, holdHours },
      }),
      checksReferences: false,
    }),
});

export const offerUndoJob = defineUndo({
  kind: "SCREENER_QUOTA_OFFER_UNDO",
  of: offerJob,
  isFinal: true,
  label: "Undo of an offer of places",
  events: { succeeded: "screener-quota.offer-undone", failed: "job.failed", planned: "job.planned" },
  steps: {
    create: createRows,
    plan: planOfferUndo,
    apply: (db, effect, { job, summary }) =>
      applyOfferUndo(db, effect, summary, (done, total) => job.progress("APPLYING", done, total)),
    checksReferences: false,
  },
});
