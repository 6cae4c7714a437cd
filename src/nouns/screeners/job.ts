// The job that deletes a screener.

import * as v from "valibot";
import { defineJob } from "../../engine/run/define-job.ts";
import { deleteScreener } from "./delete.ts";

export const deletionJob = defineJob({
  kind: "SCREENER_DELETION",
  label: "Deletion of a study",
  events: { succeeded: "screener.deleted", failed: "job.failed" },
  endsPlansOf: ["PEOPLE", "LINKS"],
  overtakes: "SCREENER",
  wipes: true,
  payload: v.object({ screenerId: v.string() }),
  run(job, { screenerId }) {
    // First the data that only jobs write. The screener goes last, so that a run that is interrupted can be repeated.
    const jobs = job.forgetScreener(screenerId);
    const { workspaces, workspaceUid } = job;
    return workspaces.write(workspaceUid, (db) =>
      job.applyOnce(db, () => ({ summary: { ...deleteScreener(db, screenerId, jobs) } })),
    );
  },
});
