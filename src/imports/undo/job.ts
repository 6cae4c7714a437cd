// The job that takes back what an import did, or what an undo did.

import { defineUndo } from "../../engine/run/undo.ts";
import { IMPORT, IMPORT_EFFECT, IMPORT_UNDO } from "../kinds.ts";
import { applyUndo } from "./apply.ts";
import { forgetInUndo } from "./forget.ts";
import { createUndo, planUndo } from "./plan.ts";

export const undoJob = defineUndo({
  kind: IMPORT_UNDO,
  of: IMPORT,
  label: "Undo of an import",
  events: { succeeded: "import.undone", failed: "import.failed", planned: "import.planned" },
  planOf: "PEOPLE",
  endsPlansOf: ["PEOPLE"],
  overtakes: "SCREENER",
  keepsOrder: true,
  forget: forgetInUndo,
  effect: IMPORT_EFFECT,
  steps: {
    create: createUndo,
    plan: planUndo,
    apply(db, effect, { job, summary: { rows } }) {
      job.progress("APPLYING", 0, rows);
      return applyUndo(db, effect, job.uid);
    },
  },
});
