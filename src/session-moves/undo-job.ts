// The job that takes back what a move of sessions did, or what an undo did.

import { defineUndo } from "../engine/run/undo.ts";
import { forgetInMoves } from "./forget.ts";
import { MOVE, MOVE_EFFECT } from "./job.ts";
import { applyMoves, createMoves, planReturn } from "./plan.ts";

export const moveUndoJob = defineUndo({
  kind: "SCREENER_SESSIONS_MOVE_UNDO",
  of: MOVE,
  label: "Undo of a move of links",
  events: { succeeded: "screener-sessions.moved-back", failed: "job.failed", planned: "job.planned" },
  planOf: "LINKS",
  endsPlansOf: ["LINKS"],
  scope: "author",
  forget: forgetInMoves,
  effect: MOVE_EFFECT,
  steps: {
    create: createMoves,
    plan: planReturn,
    apply: (db, { screener_id: screenerId }, { job }) =>
      applyMoves(db, { jobUid: job.uid, screenerId }, (done, total) => job.progress("APPLYING", done, total)),
    checksReferences: false,
  },
});
