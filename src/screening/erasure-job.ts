// The job that erases a participant.

import * as v from "valibot";
import { defineJob } from "../engine/run/define-job.ts";
import { addErased } from "../erasure/list.ts";
import { erase, findPerson, searchFor } from "./erase.ts";

export const erasureJob = defineJob({
  kind: "PARTICIPANT_ERASURE",
  label: "Erasure of a person",
  events: { succeeded: "participant.erased", failed: "job.failed" },
  resourceOf: ({ participantId }) => ({ type: "Participant", uid: participantId }),
  overtakes: "WORKSPACE",
  wipes: true,
  payload: v.object({ participantId: v.string() }),
  run(job, { participantId }) {
    const { workspaces, workspaceUid } = job;
    // First the data that only jobs write: the other jobs of the workspace wait meanwhile. The participant goes last, so that a run that
    // is interrupted can be repeated.
    const person = workspaces.read(workspaceUid, (db) => findPerson(db, participantId));
    const { changed: jobs, damaged } = job.forget(person);
    const searched = workspaces.read(workspaceUid, (db) => searchFor(db, person));
    return workspaces.write(workspaceUid, (db) =>
      job.applyOnce(db, () => {
        // The list comes first: if it can't be written, nobody is erased yet. If the process dies here, the job goes on.
        addErased(job.erasedDir, workspaceUid, [{ uid: participantId, at: Date.now() }]);
        return {
          summary: { ...erase(db, participantId, searched), jobs },
          warnings: damaged.map((uid) => ({
            code: "result_damaged",
            message: `The result of the job ${uid} was damaged, so that nobody can tell what it had of the participant. It was removed.`,
          })),
        };
      }),
    );
  },
});
