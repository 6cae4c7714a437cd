// The job that opens a session for every assignment of a screener without one.

import * as v from "valibot";
import { referenceKey } from "../base/references.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { JobScratch } from "../engine/run/scratch.ts";
import { forgetInOpening } from "../nouns/sessions/forget.ts";
import { countWithoutSession, openAll, prepareOpening } from "./open-all.ts";

export const openingJob = defineJob({
  kind: "SCREENER_SESSIONS_OPENING",
  label: "Links for everybody",
  events: { succeeded: "screener-sessions.opened", failed: "job.failed" },
  forget: forgetInOpening,
  // `appUrl` comes from the process that took the request: its reply shows links with this URL. `mark`: what slugs begin with.
  payload: v.object({ screenerId: v.string(), appUrl: v.string(), mark: v.optional(v.string(), "") }),
  run(job, { screenerId, ...links }) {
    using scratch = JobScratch.inFile(job);
    const onProgress = (phase: string, done: number, total: number) => job.progress(phase, done, total);
    const count = job.workspaces.read(job.workspaceUid, (db) => countWithoutSession(db, screenerId));
    const key = job.workspaces.read(job.workspaceUid, referenceKey);
    prepareOpening(scratch.db, count, { ...links, key }, onProgress);
    return scratch.applyOnce(() => ({ summary: { opened: openAll(scratch.db, screenerId, onProgress) } }));
  },
});
