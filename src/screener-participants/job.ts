// The job that imports participants into a screener: read, check, stage, plan, apply, answer. Each step is a file of import/.

import { statSync } from "node:fs";
import * as v from "valibot";
import { defineJob } from "../jobs/define-job.ts";
import { JobScratch } from "../jobs/scratch.ts";
import { spoolPath } from "../jobs/spool.ts";
import { createAnswer } from "./import/answer.ts";
import { applyPlan } from "./import/apply.ts";
import { checkEnvelope, checkRows, ImportErrors } from "./import/check.ts";
import { createPlan, planImport } from "./import/plan.ts";
import { Payload } from "./import/read.ts";
import { findDuplicates, stageRows } from "./import/stage.ts";
import { ImportFile } from "./resource.ts";

const KIND = "SCREENER_PARTICIPANTS_IMPORT";

/** A small payload has at most about a hundred rows. Its scratch store is in memory, and the ledger keeps its answer. */
const MAX_SMALL_BYTES = 8 * 1024;

export const importJob = defineJob({
  kind: KIND,
  // The rows are in the spooled body, and so are the settings of JSON.
  payload: v.object({ file: v.optional(ImportFile) }),
  run(job, { file }) {
    const path = spoolPath(job.dataDir, job.uid);
    using scratch = statSync(path).size <= MAX_SMALL_BYTES ? JobScratch.inMemory(job, KIND) : JobScratch.inFile(job);
    const { db } = scratch;

    // 1 to 3: read, check and stage, slice by slice. Then the checks that need all rows. The workspace is not locked yet.
    const payload = new Payload(path, file);
    const errors = new ImportErrors();
    const checked = checkRows(payload.slices(), errors);
    const rows = stageRows(db, checked, (done) => job.progress("STAGING", done, null));
    findDuplicates(db, errors);
    const { screenerId, importMode } = checkEnvelope(payload.envelope, errors);
    createPlan(db);
    createAnswer(db, screenerId);

    // 4 to 6: plan, apply and answer. One transaction holds the workspace's lock.
    return scratch.applyOnce(() => {
      job.progress("COMPARING", 0, rows);
      const plan = planImport(db, { screenerUid: screenerId, importMode, rows });
      const onProgress = (done: number) => job.progress("APPLYING", done, rows);
      onProgress(0);
      return applyPlan(db, plan, { actor: job.actor, onProgress });
    });
  },
});
