// The job that removes screener participants who are named; and the one that takes that back.

import * as v from "valibot";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { planOrApply } from "../engine/run/planned.ts";
import { defineUndo, SUMMARY_OF_PEOPLE } from "../engine/run/undo.ts";
import type { Forget } from "../erasure/person.ts";
import { blankUids } from "../erasure/plans.ts";
import { IMPORT_EFFECT, REMOVAL, REMOVAL_UNDO } from "../imports/kinds.ts";
import { forgetInUndo, undoSteps } from "../imports/undo/job.ts";
import { applyRemoval, createRemoval, namedBefore, planRemoval } from "./plan.ts";

/** Removes what the scratch store has of the person. The rows stay. */
const forgetInRemoval: Forget = (file, person) => {
  const theirs = file.run(
    `UPDATE plan SET assignment_uid = NULL, removed_id = NULL, participant_id = NULL, participant_uid = NULL, external_uid = NULL,
       status = NULL, removed_session_id = NULL, session_uid = NULL
     WHERE participant_uid = ? OR assignment_uid IN (SELECT value FROM json_each(?))`,
    person.uid,
    JSON.stringify(person.assignments),
  ).changes;
  return theirs + blankUids(file, person) > 0;
};

export const removalJob = defineJob({
  kind: REMOVAL,
  label: "Removal of people from a study",
  summary: counted("rows", "removed", "skipped"),
  events: { succeeded: "screener-participants.removed", failed: "job.failed", planned: "job.planned" },
  planOf: "PEOPLE",
  overtakes: "SCREENER",
  keepsOrder: true,
  forget: forgetInRemoval,
  effect: IMPORT_EFFECT,
  payload: v.object({ screenerId: v.string(), screenerParticipantIds: v.array(v.string()), dryRun: v.boolean() }),
  run: (job, { screenerId, screenerParticipantIds, dryRun }) =>
    planOrApply(job, dryRun, {
      create: createRemoval,
      plan: (db) =>
        planRemoval(db, screenerId, job.approved ? namedBefore(db) : screenerParticipantIds.map((uid) => [uid, null])),
      apply(db, plan) {
        job.progress("APPLYING", 0, plan.summary.removed);
        return { at: applyRemoval(db, plan, job.uid) };
      },
    }),
});

export const removalUndoJob = defineUndo({
  kind: REMOVAL_UNDO,
  of: removalJob,
  summary: SUMMARY_OF_PEOPLE,
  label: "Undo of a removal",
  events: { succeeded: "screener-participants.removal-undone", failed: "job.failed", planned: "job.planned" },
  forget: forgetInUndo,
  steps: undoSteps,
});
