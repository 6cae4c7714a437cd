// The scratch store of a job. Here the job works out what to change before it locks the workspace, and keeps its result.
// The workspace is attached as `w`. One transaction on both stores applies the job.
//
// Usually the scratch store is a file, and that file is the result (outcome.ts). SQLite commits files in the order in which
// they were opened. So when the workspace is committed, the result is too. The scratch store of a small job is in memory
// and its result is in the outcome, because a file would cost more than the rest of the job.

import { rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { checkVersion, currentVersion } from "../../../db/migrate.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { makeFolder, syncFolder } from "../../../db/sqlite/folders.ts";
import { openScratch } from "../../../db/sqlite/open.ts";
import { deferred, immediate, isTransient, pauseThread } from "../../../db/sqlite/write.ts";
import type { Applied } from "../ledger/outcome.ts";
import type { Outcome } from "../ledger/queries.ts";
import type { ApprovedPlan, JobRun } from "./job-run.ts";

export type { Outcome };

import { resultPath } from "../files/result-file.ts";
import { selectRows } from "../ledger/rows.ts";

// The thread waits for the workspace's lock in steps, because it can be ended between them.
const LOCK_STEP_MS = 250;
const LOCK_WAIT_MS = 10_000;

/** How long others have their turn between two transactions of `writeAhead`: as long as one took, and at most so long. */
const MAX_PAUSE_MS = 10;

/** How a job ends, without its result and its rows: those are read from the scratch store. */
export type Ending = Pick<Applied, "summary" | "warnings" | "plan" | "problem" | "event" | "following">;

export class JobScratch {
  /** The job's tables, and the view `answer (position, json)`. In memory they keep old rows: empty them before use. */
  readonly db: Writer;
  readonly #job: JobRun;
  /** The result file; undefined when the store is in memory. */
  readonly #file: string | undefined;
  #keepsFile = false;
  #isAttached = false;

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
    makeFolder(dirname(path));
    rmSync(path, { force: true });
    return new JobScratch(job, openScratch(path, LOCK_STEP_MS, job.maxBytes), file);
  }

  /**
   * Runs `change` once for the job, in one transaction on both stores. It returns the summary; or a plan or a problem, if it
   * has changed nothing.
   * @param checksReferences false if `change` makes sure itself that its rows refer to existing rows: for many rows that
   * is cheaper
   * @throws JobCancelled
   */
  applyOnce(change: () => Ending, checksReferences = true): Outcome {
    this.#attach();
    const apply = () => this.#with(change());
    const run = () =>
      immediate(
        this.db,
        () => this.#job.applyOnce(this.db, apply, "w"),
        LOCK_WAIT_MS,
        () => this.#job.trySaveSubject(),
      );
    return this.#kept(checksReferences || !this.#file ? run() : this.db.withoutForeignKeys(run));
  }

  /** Works on the scratch store with a snapshot of the workspace. Others may write to the workspace meanwhile. */
  withSnapshot<T>(work: () => T): T {
    this.#attach();
    return deferred(this.db, work);
  }

  /**
   * Writes to the workspace what nobody sees before the job is applied, in several short transactions. Others have their turn
   * between them. @param write does the next part. It returns whether there is more. @throws StoreBusyError
   */
  writeAhead(write: () => boolean): void {
    this.#attach();
    const run = () => {
      checkVersion(this.db, "workspace", currentVersion("workspace"), "w");
      return write();
    };
    for (let isMore = true; isMore; ) {
      const began = performance.now();
      isMore = immediate(this.db, run, LOCK_WAIT_MS);
      const took = performance.now() - began;
      this.#copyLog();
      pauseThread(Math.min(took, MAX_PAUSE_MS));
    }
  }

  /** Keeps the workspace's WAL short. */
  #copyLog(): void {
    try {
      this.#job.workspaces.copyGrown(this.#job.workspaceUid);
    } catch (error) {
      // The end of the job tries again.
      if (!isTransient(error)) throw error;
    }
  }

  /** Ends the job without a change: with a plan, or with a problem. Its rows are kept. */
  conclude(ending: Ending): Outcome {
    return this.#kept(this.#job.conclude({ ...ending, ...this.#with(ending) }));
  }

  /** Makes the rows of the plan that was approved readable as `approved_row (id, json)`. Not inside a transaction. @throws Error ENOENT */
  attachApproved({ file, rows }: ApprovedPlan): void {
    if (file !== null) {
      const path = resultPath(this.#job.dataDir, file);
      // SQLite would make an empty one.
      statSync(path);
      this.db.run("ATTACH ? AS approved", path);
      this.db.exec(`CREATE TEMP VIEW approved_row AS ${selectRows("approved")}`);
      return;
    }
    this.db.exec(`
      CREATE TABLE IF NOT EXISTS approved_row (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
      DELETE FROM approved_row;
    `);
    this.db.run("INSERT INTO approved_row (id, json) SELECT key + 1, value FROM json_each(?)", rows ?? "[]");
  }

  #attach(): void {
    if (!this.#file || this.#isAttached) return;
    // The outcome names this file. So the file must be on the disk before the workspace's transaction is.
    syncFolder(dirname(resultPath(this.#job.dataDir, this.#file)));
    this.#job.workspaces.attach(this.#job.workspaceUid, this.db);
    this.#isAttached = true;
  }

  #with(ending: Ending): Applied {
    if (this.#file) return { ...ending, resultFile: this.#file };
    const isApplied = !ending.plan && !ending.problem;
    return {
      ...ending,
      ...(isApplied && { result: this.#list("SELECT json FROM answer ORDER BY position") }),
      rows: this.#list(`SELECT json FROM (${selectRows("main")}) ORDER BY id`),
    };
  }

  #kept(outcome: Outcome): Outcome {
    this.#keepsFile = this.#file !== undefined && outcome.result_file === this.#file;
    return outcome;
  }

  #list(select: string): string {
    return `[${this.db.values<string>(select).join()}]`;
  }

  [Symbol.dispose](): void {
    if (!this.#file) return;
    this.db.close();
    if (!this.#keepsFile) rmSync(resultPath(this.#job.dataDir, this.#file), { force: true });
  }
}
