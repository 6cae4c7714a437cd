// The job that deletes a screener.

import * as v from "valibot";
import { defineJob } from "../jobs/define-job.ts";
import { deleteScreener } from "./delete.ts";

export const deletionJob = defineJob({
  kind: "SCREENER_DELETION",
  events: { succeeded: "screener.deleted", failed: "job.failed" },
  endsPlans: true,
  wipes: true,
  payload: v.object({ screenerId: v.string() }),
  run(job, { screenerId }) {
    // First what only jobs write. The screener goes last, so that a run that is interrupted can be repeated.
    const jobs = job.forgetScreener(screenerId);
    const { workspaces, workspaceUid } = job;
    return workspaces.write(workspaceUid, (db) =>
      job.applyOnce(db, () => ({ summary: { ...deleteScreener(db, screenerId, jobs) } })),
    );
  },
});
