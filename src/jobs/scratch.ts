// The scratch store of a job: where it works out what to do before it locks the workspace, and where its answer is. One
// transaction on both stores applies the job; the workspace is attached as `w`.
//
// The scratch store is a file as a rule, and that file is the answer (result.ts). SQLite commits files in the order in
// which they were opened, so whoever finds the workspace committed finds the answer too. A small job's scratch store is
// in memory, and its answer goes into the outcome: a file would cost more than all the rest.

import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Writer } from "../../db/connection.ts";
import { attachWorkspace, openScratch } from "../../db/open.ts";
import { immediate } from "../../db/write.ts";
import type { JobRun } from "./job-run.ts";
import type { Outcome } from "./queries.ts";
import { resultPath } from "./result.ts";

// The wait for the workspace's lock goes in steps: between them the thread can be ended.
const LOCK_STEP_MS = 250;
const LOCK_WAIT_MS = 10_000;

export class JobScratch {
  /** The job's own tables, and the view `answer (position, json)`. In memory they are kept: empty them before use. */
  readonly db: Writer;
  readonly #job: JobRun;
  /** The result file; undefined where the store is in memory. */
  readonly #file: string | undefined;
  #keepsFile = false;

  private constructor(job: JobRun, db: Writer, file?: string) {
    this.#job = job;
    this.db = db;
    this.#file = file;
  }

  /** A store in memory, for a job whose answer is short. Jobs of one kind find what the last one left. */
  static inMemory(job: JobRun, kind: string): JobScratch {
    return new JobScratch(job, job.workspaces.scratch(job.workspaceUid, kind, LOCK_STEP_MS));
  }

  /** A store in a file of this attempt's own: one that was given up for dead must not write into the next one's. */
  static inFile(job: JobRun): JobScratch {
    const file = `${job.uid}-${job.attempt}.sqlite`;
    const path = resultPath(job.dataDir, file);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    return new JobScratch(job, openScratch(path, LOCK_STEP_MS), file);
  }

  /** Applies the job once, in one transaction on both stores. @returns what `change` gives as summary */
  applyOnce(change: () => object): Outcome {
    const file = this.#file;
    if (file) attachWorkspace(this.db, this.#job.workspaces.path(this.#job.workspaceUid));
    const apply = () => {
      const summary = change();
      return file ? { summary, resultFile: file } : { summary, result: this.#answer() };
    };
    const outcome = immediate(this.db, () => this.#job.applyOnce(this.db, apply, "w"), LOCK_WAIT_MS);
    this.#keepsFile = file !== undefined && outcome.result_file === file;
    return outcome;
  }

  #answer(): string {
    return `[${this.db.values<string>("SELECT json FROM answer ORDER BY position").join()}]`;
  }

  [Symbol.dispose](): void {
    if (!this.#file) return;
    this.db.close();
    if (!this.#keepsFile) rmSync(resultPath(this.#job.dataDir, this.#file), { force: true });
  }
}
