// The job that imports participants into a screener.

import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";
import { attachWorkspace, openScratch } from "../../db/open.ts";
import { immediate } from "../../db/write.ts";
import { defineJob } from "../jobs/define-job.ts";
import { resultPath } from "../jobs/result-file.ts";
import { spoolPath } from "../jobs/spool.ts";
import { Problem } from "../problems.ts";
import { isUuid } from "../schemas.ts";
import { applyImport, createPlan } from "./import/apply.ts";
import { stage } from "./import/stage.ts";

// For the workspace's lock, in steps: between them the thread can be ended.
const LOCK_STEP_MS = 250;
const LOCK_WAIT_MS = 10_000;

export const importJob = defineJob({
  kind: "SCREENER_PARTICIPANTS_IMPORT",
  // All of it is in the spooled body.
  payload: v.object({}),
  run(job) {
    // A file for each attempt: one that was given up for dead must not write into the next one's.
    const file = `${job.uid}-${job.attempt}.sqlite`;
    const path = resultPath(job.dataDir, file);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    const scratch = openScratch(path, LOCK_STEP_MS);
    let keep = false;
    try {
      const staged = stage(scratch, spoolPath(job.dataDir, job.uid), (rows) => job.progress("STAGING", rows, null));
      // It becomes a part of an SQL statement, so it must be what every screener's id is, before anyone looks for it.
      if (!isUuid(staged.screenerId)) throw new Problem("screener_not_found");
      createPlan(scratch, staged.screenerId);
      attachWorkspace(scratch, job.workspaces.path(job.workspaceUid));
      job.beginApply();
      const apply = () => ({
        summary: applyImport(scratch, staged, job.actor, (phase, done) => job.progress(phase, done, staged.rows)),
        resultFile: file,
      });
      const outcome = immediate(scratch, () => job.applyOnce(scratch, apply, "w"), LOCK_WAIT_MS);
      keep = outcome.result_file === file;
      return outcome;
    } finally {
      scratch.close();
      if (!keep) rmSync(path, { force: true });
    }
  },
});
