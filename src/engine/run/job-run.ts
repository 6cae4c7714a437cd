// A running job, as its handler sees it. It reports progress, and is applied only once.

import type { Control } from "../../../db/control.ts";
import { checkVersion, currentVersion } from "../../../db/migrate.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { isTransient } from "../../../db/sqlite/write.ts";
import type { Workspaces } from "../../../db/workspaces.ts";
import type { Forget, Person } from "../../erasure/person.ts";
import type { Actor } from "../../events/actors.ts";
import { type NewEvent, recordEvent } from "../../events/record.ts";
import { type Body, openBody } from "../files/bodies.ts";
import { causeOfJob, type EndEvents, type EventDetails, eventOfEnd } from "../ledger/events.ts";
import { type Applied, decideFailure, decideOutcome, type Ended, findOutcome, outcomeOf } from "../ledger/outcome.ts";
import {
  beginApply,
  describeJob,
  findJob,
  type JobRow,
  type Outcome,
  type Subject,
  updateProgress,
} from "../ledger/queries.ts";
import { forgetCrashes } from "../ledger/states.ts";
import { type Forgotten, forgetFinishedJobs, forgetInJobs, forgetScreenerInJobs } from "./forget.ts";

const PROGRESS_EVERY_MS = 200;
const FIRST_PROGRESS_MS = 20;

/** What a thread needs to run jobs. */
export interface Runtime {
  dataDir: string;
  /** Where the list of the erased is. */
  erasedDir: string;
  /** The name of the process's lock file (db/sqlite/lock.ts). */
  runner: string;
  control: Control;
  workspaces: Workspaces;
  /** The limit for the file of a job, in bytes. */
  workspaceResultsMaxBytes: number;
  /** Called when the ledger says how a job has ended. Its files are not removed yet. */
  onEnd?(): void;
}

/** What somebody approved: the rows of the plan, in a file below results/ or as JSON. */
export interface ApprovedPlan {
  file: string | null;
  rows: string | null;
}

/** It was cancelled, or another runner took it, before it changed anything. */
export class JobCancelled extends Error {}

export class JobRun {
  readonly uid: string;
  /** In ms since 1970. */
  readonly acceptedAt: number;
  readonly attempt: number;
  readonly workspaceUid: string;
  readonly actor: Actor;
  readonly dataDir: string;
  /** Where the list of the erased is. */
  readonly erasedDir: string;
  readonly workspaces: Workspaces;
  /** The limit for its file, in bytes. */
  readonly maxBytes: number;
  /** Set when the job is to apply its plan. */
  readonly approved: ApprovedPlan | undefined;
  /** The workspace's limit for removals, as JSON. */
  readonly workspaceMaxRemovals: string | null;
  readonly control: Control;
  readonly #runner: string;
  readonly #began = performance.now();
  /** A short job does not report: that would be a commit of its own. */
  #reported = this.#began - PROGRESS_EVERY_MS + FIRST_PROGRESS_MS;
  #unsaved: Subject | undefined;
  readonly #job: JobRow;
  readonly #kind: EndEvents;
  readonly #workspaceId: number;
  /** By kind of job. */
  readonly #forgets: ReadonlyMap<string, Forget>;

  constructor(
    { dataDir, erasedDir, runner, control, workspaces, workspaceResultsMaxBytes }: Runtime,
    job: JobRow,
    kind: EndEvents,
    forgets: ReadonlyMap<string, Forget>,
  ) {
    this.#job = job;
    this.#kind = kind;
    this.uid = job.uid;
    this.acceptedAt = job.created_at;
    this.attempt = job.attempts;
    this.workspaceUid = job.workspace_uid;
    this.actor = { type: job.actor_type, uid: job.actor_uid, name: job.actor_name };
    this.dataDir = dataDir;
    this.erasedDir = erasedDir;
    this.workspaces = workspaces;
    this.maxBytes = workspaceResultsMaxBytes;
    this.approved = job.plan === null ? undefined : { file: job.result_file, rows: job.rows };
    this.workspaceMaxRemovals = job.max_removals;
    this.control = control;
    this.#runner = runner;
    this.#workspaceId = job.workspace_id;
    this.#forgets = forgets;
  }

  /**
   * Reports how many rows are done, of how many (null: not known yet). Writes to the ledger at most 5 times a second.
   * @throws JobCancelled
   */
  progress(phase: string, done: number, total: number | null): void {
    const now = performance.now();
    if (now - this.#began >= FIRST_PROGRESS_MS) this.trySaveSubject();
    if (now - this.#reported < PROGRESS_EVERY_MS) return;
    this.#reported = now;
    this.#unlessBusy(() => {
      if (!updateProgress(this.control.writer, this.uid, this.#runner, { phase, done, total }))
        throw new JobCancelled();
    });
  }

  /** The job continues even if the ledger is busy. */
  #unlessBusy(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
  }

  /** Opens the job's body. @throws Error ENOENT when it is not there */
  openBody(): Body {
    return openBody(this.control.writer, this.dataDir, this.uid);
  }

  /** Says what the job is about, as soon as its handler knows. It is kept if the job fails, too. */
  about(subject: Subject): void {
    this.#job.screener_uid = subject.screenerUid ?? this.#job.screener_uid;
    this.#unsaved = subject;
    // A short job writes it with its next statement: that saves a commit.
    if (performance.now() - this.#began >= FIRST_PROGRESS_MS) this.saveSubject();
  }

  /** Writes to the ledger what the job is about, if that was not done yet. */
  saveSubject(): void {
    if (this.#unsaved) describeJob(this.control.writer, this.uid, this.#unsaved);
    this.#unsaved = undefined;
  }

  /** The same, or later if the ledger is busy now. */
  trySaveSubject(): void {
    this.#unlessBusy(() => this.saveSubject());
  }

  /**
   * Removes what the workspace's jobs have kept of people, and ends plans that name one of them. May be interrupted and
   * repeated.
   */
  forget(people: readonly Person[]): Forgotten {
    const forgotten = forgetInJobs({ ...this.#jobs, except: this.uid }, this.#forgets, people);
    // This job may name them, too.
    const { request_id, trace_id, note, cause } = findJob(this.control.writer, this.uid)!;
    Object.assign(this.#job, { request_id, trace_id, note, cause });
    return forgotten;
  }

  /** Removes the results of a screener's jobs. May be interrupted and repeated. @returns the ids of the jobs */
  forgetScreener(screenerUid: string): string[] {
    return forgetScreenerInJobs(this.#jobs, screenerUid);
  }

  /**
   * Removes the jobs of the workspace that have ended, plans among them, with all that is kept of them. May be interrupted and repeated.
   * @returns the ids of the others
   */
  forgetAll(): string[] {
    return forgetFinishedJobs(this.#jobs);
  }

  /** Where the workspace's jobs are. */
  get #jobs() {
    return { ledger: this.control.writer, dataDir: this.dataDir, workspaceId: this.#workspaceId };
  }

  /** From here on the job can't be cancelled: it changes data before it is applied. @throws JobCancelled */
  begin(): void {
    if (!beginApply(this.control.writer, this.uid, this.#unsaved)) throw new JobCancelled();
    this.#unsaved = undefined;
  }

  /** Says that a part is done that no further run repeats. Crashes before it do not count. */
  partDone(): void {
    if (this.#job.crashes) forgetCrashes(this.control.writer, this.uid);
  }

  /** Adds an event of a change that comes before the job is applied. Call it in the transaction that makes the change. */
  record(db: Writer, event: NewEvent): void {
    recordEvent(db, causeOfJob(this.#job), event);
  }

  /**
   * Runs `change` at most once for the job, and records the outcome, both in the transaction that the caller has begun
   * on `db`. `schema` is the name under which the workspace store is attached. @throws JobCancelled, SchemaTooNewError
   */
  applyOnce(db: Writer, change: () => Applied, schema = "main"): Outcome {
    checkVersion(db, "workspace", currentVersion("workspace"), schema);
    const decided = findOutcome(db, this.uid, schema);
    if (decided) return decided;
    // We hold the lock. From here on the job cannot be cancelled.
    this.begin();
    const applied = change();
    const outcome = outcomeOf(applied);
    // A plan is no outcome: the job may still be applied.
    if (outcome.plan !== null) return outcome;
    decideOutcome(db, this.uid, outcome, this.#endOf(outcome, applied.event), schema);
    for (const event of applied.following ?? []) recordEvent(db, causeOfJob(this.#job), event, schema);
    return outcome;
  }

  /** Ends the job without a change: with a plan, or with a problem. */
  conclude(ending: Applied): Outcome {
    const outcome = outcomeOf(ending);
    this.saveSubject();
    if (outcome.plan !== null) return outcome;
    return this.workspaces.write(this.workspaceUid, (db) =>
      decideFailure(db, this.uid, outcome, this.#endOf(outcome, ending.event)),
    );
  }

  #endOf(outcome: Outcome, details?: EventDetails): Ended {
    const about = this.#kind.resourceOf?.(JSON.parse(this.#job.payload));
    const event = eventOfEnd(this.#kind.events, this.#job, outcome, { about, ...(details && { details }) });
    return { cause: causeOfJob(this.#job), event };
  }
}
