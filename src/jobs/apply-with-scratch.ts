// Applies a job that works out what to do in a scratch store, with the workspace attached as `w`, and whose answer may be
// long. One transaction on both applies it.
//
// As a rule the scratch is a file, which then is the answer (result-file.ts). SQLite commits files in the order in which
// they were opened, so whoever finds the workspace committed finds the answer too. Of a small job the scratch is in
// memory, and the answer goes into the workspace's own outcome: a file would cost more than all the rest.

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
  /** May take its time: the workspace is not locked. Makes its tables, and the view `answer`; or empties them. */
  prepare(scratch: Writer): Prepared;
  /** Inside the transaction. @returns the summary */
  apply(scratch: Writer, prepared: Prepared): object;
}

/** @param small whether the answer is short */
export function applyWithScratch<Payload, Prepared>(
  job: JobRun<Payload>,
  steps: Steps<Prepared>,
  small = false,
): Outcome {
  return small ? applyInMemory(job, steps) : applyInFile(job, steps);
}

function applyInMemory<Payload, Prepared>(job: JobRun<Payload>, { prepare, apply }: Steps<Prepared>): Outcome {
  const scratch = job.workspaces.scratch(job.workspaceUid, LOCK_STEP_MS);
  const prepared = prepare(scratch);
  const change = () => {
    const summary = apply(scratch, prepared);
    return { summary, result: `[${scratch.values<string>("SELECT json FROM answer ORDER BY position").join()}]` };
  };
  return immediate(scratch, () => job.applyOnce(scratch, change, "w"), LOCK_WAIT_MS);
}

function applyInFile<Payload, Prepared>(job: JobRun<Payload>, { prepare, apply }: Steps<Prepared>): Outcome {
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
    const change = () => ({ summary: apply(scratch, prepared), resultFile: file });
    const outcome = immediate(scratch, () => job.applyOnce(scratch, change, "w"), LOCK_WAIT_MS);
    keep = outcome.result_file === file;
    return outcome;
  } finally {
    scratch.close();
    if (!keep) rmSync(path, { force: true });
  }
}
