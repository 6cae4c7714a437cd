// The threads in which jobs run, and a list of the jobs that this process runs. A single node and every worker process
// have one each.

import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { Piscina } from "piscina";
import { threadFile } from "../../../db/root.ts";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { immediate, isTransient } from "../../../db/sqlite/write.ts";
import type { Config } from "../../base/config.ts";
import type { Log } from "../../base/log.ts";
import { Problem } from "../../base/problems.ts";
import type { MigrationLine } from "../../workspaces/store-migrations.ts";
import { damagedResult } from "../files/result-file.ts";
import { findLine, logRun, type RunReport } from "../ledger/reports.ts";
import { requeueCrashed, requeueFailed, requeueRunning } from "../ledger/states.ts";
import { UNKNOWN_KIND } from "../run/run.ts";
import { endAtOnce } from "./end-at-once.ts";
import { closeLoading, type LoadingState, newLoadingState } from "./loading.ts";
import type { SideCall, SideTask, Stores } from "./side-task.ts";
import { Silence } from "./silence.ts";
import { DAMAGED, isMarked, LOST, TRANSIENT } from "./thread-errors.ts";

/** What a thread gets when it starts (workers/thread.ts). */
export interface ThreadSettings extends Omit<Stores, "control" | "workspaces" | "expiring"> {
  /** The name of the process's lock file. */
  runner: string;
  maxOpenStores: number;
  loading: LoadingState;
}

/** What a thread is asked to do: run a job, by its id, or a side task. */
export type ThreadTask = { run: string } | SideCall;

/** What a thread answers. */
export interface ThreadReply {
  answer: unknown;
  /** How long each of its transactions has held the lock of a workspace's store, in ms. */
  held: number[];
}

/** Is notified of what threads do, and counts it. */
export interface PoolObserver {
  /** A job has run, but not one of a kind that this process does not know. */
  ran(report: RunReport): void;
  /** Jobs are queued again because their thread or process has died. */
  crashed(jobs: number): void;
  /** The lock of a workspace's store was held. */
  held(by: "job" | "side_task", ms: number): void;
}

/** Several, because upkeep may wait for locked stores, and authors should not wait for upkeep. */
export const MAX_SIDE_THREADS = 3;

/** The limit for the young objects of a thread, which take three times as much. An import is slower with less, and not faster with more. */
const MAX_SEMI_SPACE_MB = 8;

const SILENT = "worker thread was ended: its job did not move on";

/** How long a process that ends may wait for the ledger's lock. */
const REQUEUE_WAIT_MS = 250;
/** How long the process waits for its threads at its end. */
const END_WAIT_MS = 1000;

export class Pool {
  readonly #threads: Piscina<ThreadTask, ThreadReply>;
  readonly #side: Piscina<ThreadTask, ThreadReply>;
  readonly #running = new Map<string, Promise<RunReport | undefined>>();
  readonly #silence: Silence;
  readonly #loading = newLoadingState();
  // Jobs whose run failed, and that could not be put back in the queue because the ledger could not be written.
  readonly #lost = new Map<string, "crashed" | "failed">();
  /** Jobs of kinds that this process does not know. */
  readonly #unknown = new Set<string>();
  readonly #ledger: Writer;
  readonly #runner: string;
  readonly #log: Log;
  readonly #observer: PoolObserver | undefined;
  #closing = false;

  constructor(
    config: Config,
    runner: string,
    ledger: Writer,
    log: Log,
    options: { threads: number; maxOpenStores: number; observer?: PoolObserver | undefined; onEnd(): void },
  ) {
    const { threads, maxOpenStores, observer, onEnd } = options;
    const { dataDir, erasedDir, jobResultTtlHours, eventsTtlDays, resultsMaxBytes, workspaceResultsMaxBytes } = config;
    const limits = { resultsMaxBytes, workspaceResultsMaxBytes };
    const own = { runner, maxOpenStores, loading: this.#loading };
    const settings: ThreadSettings = { dataDir, erasedDir, jobResultTtlHours, eventsTtlDays, ...limits, ...own };
    this.#ledger = ledger;
    this.#runner = runner;
    this.#log = log;
    this.#observer = observer;
    // What limits the young objects of the API's process (npm start) would limit those of its threads, too.
    setFlagsFromString(`--max-semi-space-size=${MAX_SEMI_SPACE_MB}`);
    const createPool = (minThreads: number, maxThreads: number) => {
      const pool = new Piscina<ThreadTask, ThreadReply>({
        filename: threadFile("thread").href,
        name: "perform",
        minThreads,
        maxThreads,
        idleTimeout: 60_000,
        workerData: settings,
      });
      // A thread that dies while idle is replaced, so the process need not end.
      pool.on("error", (error: unknown) => log.error({ err: error }, "worker thread failed"));
      // No log line: a job has ended, and its thread tidies up.
      pool.on("message", (line?: MigrationLine) => (line ? log.info(line) : onEnd()));
      return pool;
    };
    // A thread takes 23 MB, and 0.1 s to start. One is there before the first job: if there were none, tasks behind a
    // thread that dies would wait until the next task comes.
    this.#threads = createPool(Math.min(1, threads), Math.max(threads, 1));
    this.#side = createPool(0, MAX_SIDE_THREADS);
    this.#silence = new Silence(ledger, runner);
  }

  /** Runs a queued job, unless this pool runs it already. Never rejects: the ledger says how the run went. */
  run(uid: string): Promise<RunReport | undefined> {
    let running = this.#running.get(uid);
    if (!running) {
      running = this.#run(uid).finally(() => this.#running.delete(uid));
      this.#running.set(uid, running);
    }
    return running;
  }

  /** Performs a side task. @throws Problem 503 when the store is unavailable or the process is ending */
  async ask<Input, Answer>({ name }: SideTask<Input, Answer>, input: Input): Promise<Answer> {
    const unavailable = (cause?: unknown) =>
      new Problem("store_unavailable", { headers: { "Retry-After": "1" }, cause });
    if (this.#closing) throw unavailable();
    try {
      return (await this.#perform(this.#side, "side_task", { side: name, input })) as Answer;
    } catch (error) {
      this.#endIfLost(error);
      if (isMarked(error, DAMAGED)) throw damagedResult(error.message, error);
      throw isMarked(error, TRANSIENT) ? unavailable(error) : error;
    }
  }

  has(uid: string): boolean {
    return this.#running.has(uid);
  }

  /** Tries again to put back jobs that could not be put back before. */
  async requeueLost(): Promise<void> {
    for (const [uid, reason] of this.#lost) {
      try {
        await this.#requeue(uid, reason);
        this.#lost.delete(uid);
      } catch (error) {
        if (!isTransient(error)) throw error;
        return;
      }
    }
  }

  /** Waits up to `graceMs` for running jobs, and puts the others back in the queue. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    this.#silence.close();
    await Promise.race([Promise.allSettled(this.#running.values()), sleep(graceMs, undefined, { ref: false })]);
    this.requeueRunning();
    await closeLoading(this.#loading, END_WAIT_MS);
    // A thread inside a long statement ends only after it. The process does not wait for that.
    const ended = Promise.all([this.#threads.destroy(), this.#side.destroy()]);
    await Promise.race([ended, sleep(END_WAIT_MS, undefined, { ref: false })]);
    // A thread may have taken a job before it ended.
    this.requeueRunning();
  }

  /** Puts all jobs that this process has taken back in the queue. */
  requeueRunning(): void {
    try {
      // This waits for the lock, because a thread may be writing its progress.
      immediate(this.#ledger, () => requeueRunning(this.#ledger, this.#runner), REQUEUE_WAIT_MS);
    } catch {
      // Other processes will find that this one is dead, and put its jobs back.
    }
  }

  async #perform(
    threads: Piscina<ThreadTask, ThreadReply>,
    by: "job" | "side_task",
    task: ThreadTask,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { answer, held } = await threads.run(task, signal && { signal });
    for (const ms of held) this.#observer?.held(by, ms);
    return answer;
  }

  async #run(uid: string): Promise<RunReport | undefined> {
    const ended = this.#silence.watch(uid);
    try {
      const report = (await this.#perform(this.#threads, "job", { run: uid }, ended)) as RunReport | undefined;
      if (report) this.#logReport(report);
      if (report && report.code !== UNKNOWN_KIND) this.#observer?.ran(report);
      return report;
    } catch (error) {
      this.#endIfLost(error);
      if (this.#closing) return undefined;
      const reason = isMarked(error, TRANSIENT) ? "failed" : "crashed";
      if (reason === "crashed") this.#observer?.crashed(1);
      this.#log.error(
        { ...findLine(this.#ledger, uid), err: error },
        ended.aborted ? SILENT : reason === "failed" ? "job could not be put back" : "worker thread crashed",
      );
      await this.#requeue(uid, reason).catch(() => this.#lost.set(uid, reason));
      return undefined;
    } finally {
      this.#silence.forget(uid);
    }
  }

  async #requeue(uid: string, reason: "crashed" | "failed"): Promise<void> {
    await whenFree(this.#ledger, 1000, () => {
      if (reason === "crashed") requeueCrashed(this.#ledger, this.#runner, uid);
      else {
        const failed = { code: "store_unavailable", now: Date.now(), tookMs: 0, pauseMs: 1000 };
        requeueFailed(this.#ledger, uid, this.#runner, failed);
      }
    });
  }

  #endIfLost(error: unknown): void {
    if (isMarked(error, LOST)) endAtOnce(this.#log, error.message);
  }

  #logReport(report: RunReport): void {
    if (report.code !== UNKNOWN_KIND) {
      logRun(this.#log, report);
      return;
    }
    const { uid, kind } = report;
    // It is delivered again every few seconds, until a worker that knows its kind takes it.
    if (!this.#unknown.has(uid)) this.#log.warn({ job: uid, kind }, "job waits for a newer worker");
    this.#unknown.add(uid);
  }
}
