// The job that publishes a screener.

import { defineJob } from "../jobs/define-job.ts";
import { NewPublication } from "./input.ts";
import { publish } from "./publish.ts";

export const publicationJob = defineJob({
  kind: "SCREENER_PUBLICATION",
  payload: NewPublication,
  run(job) {
    return job.workspaces.write(job.workspaceUid, (db) =>
      job.applyOnce(db, () => ({ result: publish(db, job.payload, job.actor) })),
    );
  },
});
