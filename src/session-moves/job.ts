// The job that moves the sessions of a screener that nobody has begun to its active publication; and the one that takes back what a move,
// or such an undo, did.

import * as v from "valibot";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { planOrApply } from "../engine/run/planned.ts";
import { defineUndo } from "../engine/run/undo.ts";
import { Mentions } from "../erasure/mentions.ts";
import type { Forget } from "../erasure/person.ts";
import { forgetSessions } from "../erasure/plans.ts";
import { applyMoves, createMoves, planMove, planReturn } from "./plan.ts";

/** Removes the sessions of the person from the scratch store. The rows stay. */
const forgetInMoves: Forget = (file, person) => {
  let changes = forgetSessions(file, person);
  const mentions = new Mentions(person);
  for (const { id, json } of file.all<{ id: number; json: string }>("SELECT id, json FROM named_tags")) {
    const kept = mentions.withoutTexts(json, "SHOWN");
    if (kept !== json) changes += file.run("UPDATE named_tags SET json = ? WHERE id = ?", kept, id).changes;
  }
  return changes > 0;
};

export const moveJob = defineJob({
  kind: "SCREENER_SESSIONS_MOVE",
  label: "Move of links",
  summary: counted("moved"),
  events: { succeeded: "screener-sessions.moved", failed: "job.failed", planned: "job.planned" },
  planOf: "LINKS",
  scope: "author",
  forget: forgetInMoves,
  effect: { effect_move: "session_id" },
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

export const moveUndoJob = defineUndo({
  kind: "SCREENER_SESSIONS_MOVE_UNDO",
  of: moveJob,
  label: "Undo of a move of links",
  events: { succeeded: "screener-sessions.moved-back", failed: "job.failed", planned: "job.planned" },
  steps: {
    create: createMoves,
    plan: planReturn,
    apply: (db, { screener_id: screenerId }, { job }) =>
      applyMoves(db, { jobUid: job.uid, screenerId }, (done, total) => job.progress("APPLYING", done, total)),
    checksReferences: false,
  },
});
