// The job that publishes a screener.

import { defineJob } from "../../engine/run/define-job.ts";
import { publish } from "./publish.ts";
import { PublicationPayload } from "./resource.ts";

export const publicationJob = defineJob({
  kind: "SCREENER_PUBLICATION",
  label: "Publication of a study",
  summary: null,
  events: { succeeded: "screener.published", failed: "job.failed" },
  endsPlansOf: ["LINKS"],
  payload: PublicationPayload,
  publicationOf: (result) => JSON.parse(result).id,
  run(job, payload) {
    return job.workspaces.write(job.workspaceUid, (db) => job.applyOnce(db, () => publish(db, payload, job.actor)));
  },
});
