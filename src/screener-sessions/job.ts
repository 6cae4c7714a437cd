// The job that opens a session for every assignment of a screener that has none.

import * as v from "valibot";
import { applyWithScratch } from "../jobs/apply-with-scratch.ts";
import { defineJob } from "../jobs/define-job.ts";
import { countWithoutSession, openAll, prepareOpening } from "./open-all.ts";

export const openingJob = defineJob({
  kind: "SCREENER_SESSIONS_OPENING",
  // The address is that of the process that took the request, whose answer this is.
  payload: v.object({ screenerId: v.string(), appUrl: v.string() }),
  run(job) {
    const { screenerId, appUrl } = job.payload;
    return applyWithScratch(job, {
      prepare(scratch) {
        const count = job.workspaces.read(job.workspaceUid, (db) => countWithoutSession(db, screenerId));
        prepareOpening(scratch, count, appUrl, job.progress);
      },
      apply: (scratch) => ({ opened: openAll(scratch, screenerId, job.progress) }),
    });
  },
});
