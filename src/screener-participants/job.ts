// The job that imports participants into a screener.

import * as v from "valibot";
import { applyWithFile } from "../jobs/apply-with-file.ts";
import { defineJob } from "../jobs/define-job.ts";
import { spoolPath } from "../jobs/spool.ts";
import { Problem } from "../problems.ts";
import { isUuid } from "../schemas.ts";
import { applyImport, createPlan } from "./import/apply.ts";
import { stage } from "./import/stage.ts";

export const importJob = defineJob({
  kind: "SCREENER_PARTICIPANTS_IMPORT",
  // All of it is in the spooled body.
  payload: v.object({}),
  run(job) {
    return applyWithFile(job, {
      prepare(scratch) {
        const staged = stage(scratch, spoolPath(job.dataDir, job.uid), (rows) => job.progress("STAGING", rows, null));
        // It becomes a part of an SQL statement, so it must be what every screener's id is, before anyone looks for it.
        if (!isUuid(staged.screenerId)) throw new Problem("screener_not_found");
        createPlan(scratch, staged.screenerId);
        return staged;
      },
      apply(scratch, staged) {
        return applyImport(scratch, staged, job.actor, (phase, done) => job.progress(phase, done, staged.rows));
      },
    });
  },
});
