// The job that moves the sessions of a screener that nobody has begun to its active publication.

import * as v from "valibot";
import { defineJob } from "../engine/run/define-job.ts";
import { planOrApply } from "../engine/run/planned.ts";
import { forgetInMoves } from "./forget.ts";
import { applyMoves, createMoves, planMove } from "./plan.ts";

export const MOVE = "SCREENER_SESSIONS_MOVE";

export const MOVE_EFFECT = { effect_move: "session_id" };

export const moveJob = defineJob({
  kind: MOVE,
  label: "Move of links",
  events: { succeeded: "screener-sessions.moved", failed: "job.failed", planned: "job.planned" },
  planOf: "LINKS",
  endsPlansOf: ["LINKS"],
  scope: "author",
  forget: forgetInMoves,
  effect: MOVE_EFFECT,
  payload: v.object({ screenerId: v.string(), dryRun: v.boolean() }),
  run: (job, { screenerId, dryRun }) =>
    planOrApply(job, dryRun, {
      create: createMoves,
      plan: (db) => planMove(db, screenerId),
      apply(db, plan) {
        const { uid: screenerPublicationId, version } = plan.publication;
        const at = applyMoves(db, { jobUid: job.uid, screenerId: plan.screenerId }, (done, total) =>
          job.progress("APPLYING", done, total),
        );
        return { at, summary: { screenerPublicationId, version } };
      },
      checksReferences: false,
    }),
});
