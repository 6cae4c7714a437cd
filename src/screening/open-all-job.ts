// The job that opens a session for every assignment of a screener without one.

import * as v from "valibot";
import { referenceKey } from "../base/references.ts";
import { counted } from "../engine/ledger/summaries.ts";
import { defineJob } from "../engine/run/define-job.ts";
import { JobScratch } from "../engine/run/scratch.ts";
import { Mentions } from "../erasure/mentions.ts";
import type { Forget } from "../erasure/person.ts";
import { makeErased } from "../erasure/plans.ts";
import { countWithoutSession, openAll, prepareOpening } from "./open-all.ts";

/** Removes the links of the person from the scratch store. The rows stay. */
const forgetInOpening: Forget = (file, person) => {
  const { assignments, sessions } = person;
  makeErased(file, "position INTEGER PRIMARY KEY");
  const { changes } = file.run(
    `INSERT INTO erased (position) SELECT position FROM opened WHERE assignment_uid IN (SELECT value FROM json_each(?))
     UNION SELECT position FROM key WHERE uid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(assignments),
    JSON.stringify(sessions),
  );
  const erased = "WHERE position IN (SELECT position FROM erased)";
  // Files of the release before have no references.
  const hasReferences = file.value("SELECT 1 FROM pragma_table_info('key') WHERE name = 'reference'") === 1;
  file.run(`UPDATE key SET uid = NULL, slug = NULL ${hasReferences ? ", reference = NULL" : ""} ${erased}`);
  file.run(`UPDATE opened SET assignment_id = NULL, assignment_uid = NULL, participant_id = NULL ${erased}`);
  const tags = file.value<string | null>("SELECT tags FROM shared") ?? "";
  const kept = tags && new Mentions(person).withoutTexts(tags, "SHOWN");
  if (kept !== tags) file.run("UPDATE shared SET tags = ?", kept);
  return changes > 0 || kept !== tags;
};

export const openingJob = defineJob({
  kind: "SCREENER_SESSIONS_OPENING",
  label: "Links for everybody",
  summary: counted("opened"),
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
