// The job that imports participants into a screener.

import { statSync } from "node:fs";
import * as v from "valibot";
import type { Writer } from "../../db/connection.ts";
import { applyWithScratch } from "../jobs/apply-with-scratch.ts";
import { defineJob } from "../jobs/define-job.ts";
import { spoolPath } from "../jobs/spool.ts";
import { applyImport, createPlan } from "./import/apply.ts";
import { type Staged, stage } from "./import/stage.ts";

/** A payload that has some hundred people at most, whose answer is kept in the ledger. */
const SMALL_BYTES = 8 * 1024;

export const importJob = defineJob({
  kind: "SCREENER_PARTICIPANTS_IMPORT",
  // All of it is in the spooled body.
  payload: v.object({}),
  run(job) {
    const path = spoolPath(job.dataDir, job.uid);
    const steps = {
      prepare(scratch: Writer) {
        const staged = stage(scratch, path, (rows) => job.progress("STAGING", rows, null));
        createPlan(scratch, staged.screenerId);
        return staged;
      },
      apply(scratch: Writer, staged: Staged) {
        return applyImport(scratch, staged, job.actor, (phase, done) => job.progress(phase, done, staged.rows));
      },
    };
    return applyWithScratch(job, steps, statSync(path).size <= SMALL_BYTES);
  },
});
