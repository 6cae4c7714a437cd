// Applies a job whose answer is a file (result-file.ts). What it needs is prepared there; then the workspace is attached
// as `w`, and one transaction on both applies it. SQLite commits files in the order in which they were opened, so whoever
// finds the workspace committed finds the answer too.

import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Writer } from "../../db/connection.ts";
import { attachWorkspace, openScratch } from "../../db/open.ts";
import { immediate } from "../../db/write.ts";
import type { JobRun } from "./define-job.ts";
import type { Outcome } from "./queries.ts";
import { resultPath } from "./result-file.ts";

// For the workspace's lock, in steps: between them the thread can be ended.
const LOCK_STEP_MS = 250;
const LOCK_WAIT_MS = 10_000;

interface Steps<Prepared> {
  /** May take its time: the workspace is neither there nor locked. Also makes the view `answer`. */
  prepare(scratch: Writer): Prepared;
  /** Inside the transaction. @returns the summary */
  apply(scratch: Writer, prepared: Prepared): object;
}

export function applyWithFile<Payload, Prepared>(job: JobRun<Payload>, { prepare, apply }: Steps<Prepared>): Outcome {
  // A file for each attempt: one that was given up for dead must not write into the next one's.
  const file = `${job.uid}-${job.attempt}.sqlite`;
  const path = resultPath(job.dataDir, file);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const scratch = openScratch(path, LOCK_STEP_MS);
  let keep = false;
  try {
    const prepared = prepare(scratch);
    attachWorkspace(scratch, job.workspaces.path(job.workspaceUid));
    job.beginApply();
    const change = () => ({ summary: apply(scratch, prepared), resultFile: file });
    const outcome = immediate(scratch, () => job.applyOnce(scratch, change, "w"), LOCK_WAIT_MS);
    keep = outcome.result_file === file;
    return outcome;
  } finally {
    scratch.close();
    if (!keep) rmSync(path, { force: true });
  }
}
