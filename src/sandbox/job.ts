// The job that empties a sandbox.

import * as v from "valibot";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { EMPTIED, emptyStore } from "./reset.ts";

export const sandboxResetJob = defineJob({
  kind: "WORKSPACE_SANDBOX_RESET",
  label: "Reset of the sandbox",
  scope: "admin",
  summary: counted(...EMPTIED),
  events: { succeeded: "workspace.sandbox-reset", failed: "job.failed" },
  overtakes: "WORKSPACE",
  wipes: true,
  payload: v.object({ workspaceId: v.string() }),
  resourceOf: ({ workspaceId }) => ({ type: "Workspace", uid: workspaceId }),
  run(job) {
    // First the data that only jobs write, so that a run that is interrupted can be repeated.
    const unfinished = job.forgetAll();
    return job.workspaces.write(job.workspaceUid, (db) =>
      job.applyOnce(db, () => ({ summary: emptyStore(db, unfinished) })),
    );
  },
});
