// The scratch store of a job. Here the job works out what to change before it locks the workspace, and keeps its result.
// The workspace is attached as `w`. One transaction on both stores applies the job.
//
// Usually the scratch store is a file, and that file is the result (result.ts). SQLite commits files in the order in which
// they were opened. So when the workspace is committed, the result is too. The scratch store of a small job is in memory
// and its result is in the outcome, because a file would cost more than the rest of the job.

import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Writer } from "../../db/connection.ts";
import { attachWorkspace, openScratch } from "../../db/open.ts";
import { immediate } from "../../db/write.ts";
import type { JobRun } from "./job-run.ts";
import type { Outcome } from "./queries.ts";
import { resultPath } from "./result.ts";

// The thread waits for the workspace's lock in steps, because it can be ended between them.
const LOCK_STEP_MS = 250;
const LOCK_WAIT_MS = 10_000;

export class JobScratch {
  /** The job's tables, and the view `answer (position, json)`. In memory they keep old rows: empty them before use. */
  readonly db: Writer;
  readonly #job: JobRun;
  /** The result file; undefined when the store is in memory. */
  readonly #file: string | undefined;
  #keepsFile = false;

  private constructor(job: JobRun, db: Writer, file?: string) {
    this.#job = job;
    this.db = db;
    this.#file = file;
  }

  /** A store in memory, for a job whose result is short. It still has the rows of the last job of this kind. */
  static inMemory(job: JobRun, kind: string): JobScratch {
    return new JobScratch(job, job.workspaces.scratch(job.workspaceUid, kind, LOCK_STEP_MS));
  }

  /** A store in a file. Each attempt has its own, because an attempt that seemed dead may still write. */
  static inFile(job: JobRun): JobScratch {
    const file = `${job.uid}-${job.attempt}.sqlite`;
    const path = resultPath(job.dataDir, file);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    return new JobScratch(job, openScratch(path, LOCK_STEP_MS), file);
  }

  /** Applies the job once, in one transaction on both stores. `change` returns the summary. @throws JobCancelled */
  applyOnce(change: () => object): Outcome {
    const file = this.#file;
    if (file) attachWorkspace(this.db, this.#job.workspaces.path(this.#job.workspaceUid));
    const apply = () => {
      const summary = change();
      return file ? { summary, resultFile: file } : { summary, result: this.#result() };
    };
    const outcome = immediate(this.db, () => this.#job.applyOnce(this.db, apply, "w"), LOCK_WAIT_MS);
    this.#keepsFile = file !== undefined && outcome.result_file === file;
    return outcome;
  }

  #result(): string {
    return `[${this.db.values<string>("SELECT json FROM answer ORDER BY position").join()}]`;
  }

  [Symbol.dispose](): void {
    if (!this.#file) return;
    this.db.close();
    if (!this.#keepsFile) rmSync(resultPath(this.#job.dataDir, this.#file), { force: true });
  }
}
