// A job that is being run: what its handler knows of it, how it reports progress, and how it is applied only once.

import type { Writer } from "../../db/connection.ts";
import type { Control } from "../../db/control.ts";
import { checkVersion, currentVersion } from "../../db/migrate.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { isTransient } from "../../db/write.ts";
import type { Actor } from "../workspaces/credentials.ts";
import { decideOutcome, findOutcome } from "./outcome.ts";
import { beginApply, type JobRow, type Outcome, updateProgress } from "./queries.ts";

const PROGRESS_EVERY_MS = 200;

/** What a thread runs jobs with. */
export interface Runtime {
  dataDir: string;
  /** The name of the process's lock (db/lock.ts). */
  runner: string;
  control: Control;
  workspaces: Workspaces;
}

/** What a handler has done. */
export interface Applied {
  summary?: object;
  /** The job's answer, as JSON text. */
  result?: string;
  /** Or the name of a file below results/ that holds it (jobs/result.ts). */
  resultFile?: string;
}

/** The job was cancelled, or given to another runner, before it changed anything. */
export class JobCancelled extends Error {}

export class JobRun {
  readonly uid: string;
  readonly attempt: number;
  readonly workspaceUid: string;
  readonly actor: Actor;
  readonly dataDir: string;
  readonly workspaces: Workspaces;
  readonly #ledger: Writer;
  readonly #runner: string;
  #reported = 0;

  constructor({ dataDir, runner, control, workspaces }: Runtime, job: JobRow) {
    this.uid = job.uid;
    this.attempt = job.attempts;
    this.workspaceUid = job.workspace_uid;
    this.actor = { type: job.actor_type, uid: job.actor_uid, name: job.actor_name };
    this.dataDir = dataDir;
    this.workspaces = workspaces;
    this.#ledger = control.writer;
    this.#runner = runner;
  }

  /**
   * Reports how far the job is: rows done, of how many (null: not known yet). Cheap; written a few times a second.
   * @throws JobCancelled
   */
  progress(phase: string, done: number, total: number | null): void {
    const now = performance.now();
    if (now - this.#reported < PROGRESS_EVERY_MS) return;
    this.#reported = now;
    try {
      if (!updateProgress(this.#ledger, this.uid, this.#runner, { phase, done, total })) throw new JobCancelled();
    } catch (error) {
      // The ledger may be busy. That is no reason to stop.
      if (!isTransient(error)) throw error;
    }
  }

  /**
   * Runs `change` once in the job's life, inside a transaction that the caller has begun on `db`, and decides the
   * outcome with it. `schema` is the workspace's name there. @throws JobCancelled
   */
  applyOnce(db: Writer, change: () => Applied, schema = "main"): Outcome {
    checkVersion(db, "workspace", currentVersion("workspace"), schema);
    const decided = findOutcome(db, this.uid, schema);
    if (decided) return decided;
    // We hold the lock. From here on the job cannot be cancelled.
    if (!beginApply(this.#ledger, this.uid)) throw new JobCancelled();
    const { summary, result, resultFile } = change();
    const outcome: Outcome = {
      summary: summary ? JSON.stringify(summary) : null,
      result: result ?? null,
      result_file: resultFile ?? null,
      problem: null,
    };
    decideOutcome(db, this.uid, outcome, schema);
    return outcome;
  }
}
