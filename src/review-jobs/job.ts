// The job that accepts or rejects many sessions; and the one that takes that back.

import * as v from "valibot";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { planOrApply } from "../engine/run/planned.ts";
import { defineUndo } from "../engine/run/undo.ts";
import { FORM_OF_FILTER, SentFilter } from "../exports/sent-filter.ts";
import { type Chosen, chooseSessions } from "./chosen.ts";
import { applyReview, applyReviewUndo, chosenBefore, planReview, planReviewUndo } from "./review.ts";
import { createRows, forgetInReviews } from "./rows.ts";

/** What many sessions are reviewed with at once. */
export const DECISIONS = ["ACCEPTED", "REJECTED"] as const;

export const ReviewFilter = v.pipe(
  SentFilter,
  v.description(`${FORM_OF_FILTER}. Sessions that wait for their review, unless it has \`review\``),
);

export const reviewJob = defineJob({
  kind: "SCREENER_SESSIONS_REVIEW",
  label: "Review",
  summary: counted("reviewed", "skipped"),
  events: { succeeded: "screener-sessions.reviewed", failed: "job.failed", planned: "job.planned" },
  planOf: "REVIEWS",
  // A plan has sessions of its own, and is compared when it is applied.
  endsPlansOf: [],
  scope: "review",
  forget: forgetInReviews,
  effect: { effect_review: "session_id" },
  payload: v.object({
    screenerId: v.string(),
    filter: v.nullable(ReviewFilter),
    screenerSessionIds: v.nullable(v.array(v.string())),
    decision: v.picklist(DECISIONS),
    reason: v.nullable(v.string()),
    dryRun: v.boolean(),
  }),
  run(job, { decision, reason, dryRun, ...wanted }) {
    // Filters by answers read many of them: nobody waits for that.
    const chosen: Chosen = job.approved
      ? []
      : job.workspaces.read(job.workspaceUid, (db) => db.snapshot(() => chooseSessions(db, wanted)));
    return planOrApply(job, dryRun, {
      create: createRows,
      plan: (db) => planReview(db, wanted.screenerId, decision, job.approved ? chosenBefore(db) : chosen),
      apply: (db, plan, record) => ({
        at: applyReview(db, plan, { jobUid: job.uid, by: job.actor, decision, reason, record }, (done, total) =>
          job.progress("APPLYING", done, total),
        ),
        summary: { decision },
      }),
      checksReferences: false,
    });
  },
});

export const reviewUndoJob = defineUndo({
  kind: "SCREENER_SESSIONS_REVIEW_UNDO",
  of: reviewJob,
  isFinal: true,
  label: "Undo of a review",
  events: { succeeded: "screener-sessions.review-undone", failed: "job.failed", planned: "job.planned" },
  steps: {
    create: createRows,
    plan: planReviewUndo,
    apply: (db, effect, { job, record }) =>
      applyReviewUndo(db, effect, record, (done, total) => job.progress("APPLYING", done, total)),
    checksReferences: false,
  },
});
