// The job that erases a participant.

import * as v from "valibot";
import { defineJob } from "../jobs/define-job.ts";
import { erase, findPerson } from "./erase.ts";

export const erasureJob = defineJob({
  kind: "PARTICIPANT_ERASURE",
  events: { succeeded: "participant.erased", failed: "job.failed" },
  resourceOf: ({ participantId }) => ({ type: "Participant", uid: participantId }),
  wipes: true,
  payload: v.object({ participantId: v.string() }),
  run(job, { participantId }) {
    const { workspaces, workspaceUid } = job;
    // First what only jobs write: the workspace's other jobs wait meanwhile. The participant goes last, so that a run that
    // is interrupted can be repeated.
    const jobs = job.forget(workspaces.read(workspaceUid, (db) => findPerson(db, participantId)));
    return workspaces.write(workspaceUid, (db) =>
      job.applyOnce(db, () => ({ summary: { ...erase(db, participantId), jobs } })),
    );
  },
});
