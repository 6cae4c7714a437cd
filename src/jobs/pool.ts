// The threads in which jobs run, and the process's record of what it has under way. The same in the one process of a
// single node and in every worker process.

import { Piscina } from "piscina";
import type { Writer } from "../../db/connection.ts";
import { immediate, isTransient, whenFree } from "../../db/write.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { Problem } from "../problems.ts";
import { handBack, requeueCrashed, requeueFailed } from "./queries.ts";
import { type RunReport, UNKNOWN_KIND } from "./run.ts";
import type { SideCall, SideTask } from "./side-task.ts";

/** The cause of an error of a thread that may go away by itself: of an error only text and cause reach this side. */
export const TRANSIENT = "transient";

/** What a thread is told when it starts (workers/thread.ts). */
export interface ThreadSettings {
  dataDir: string;
  jobResultTtlDays: number;
  /** The name of the process's lock. */
  runner: string;
}

/** What a thread is asked to do: to run a job, or a side task. */
export type ThreadTask = { run: string } | SideCall;

/** How long the process may wait for the ledger before it ends. */
const HAND_BACK_MS = 250;

export class Pool {
  readonly #threads: Piscina<ThreadTask, unknown>;
  readonly #side: Piscina<ThreadTask, unknown>;
  readonly #running = new Map<string, Promise<RunReport | undefined>>();
  // Jobs that could not be put back when their run failed, because the ledger could not be written.
  readonly #lost = new Map<string, "crashed" | "failed">();
  /** Jobs of kinds that this process does not know. */
  readonly #unknown = new Set<string>();
  readonly #ledger: Writer;
  readonly #runner: string;
  readonly #log: Log;
  #closing = false;

  constructor(config: Config, runner: string, ledger: Writer, log: Log, threads: number) {
    const settings: ThreadSettings = { dataDir: config.dataDir, jobResultTtlDays: config.jobResultTtlDays, runner };
    this.#ledger = ledger;
    this.#runner = runner;
    this.#log = log;
    const open = (minThreads: number, maxThreads: number) => {
      const filename = new URL("../../workers/thread.ts", import.meta.url).href;
      const pool = new Piscina<ThreadTask, unknown>({
        filename,
        minThreads,
        maxThreads,
        idleTimeout: 60_000,
        workerData: settings,
      });
      // A thread that dies while it has nothing to do is replaced; its error is no reason to end the process.
      pool.on("error", (error: unknown) => log.error({ err: error }, "worker thread failed"));
      return pool;
    };
    this.#threads = open(Math.min(2, threads), Math.max(threads, 1));
    // Upkeep may wait for stores that are locked, and authors should not wait for it.
    this.#side = open(0, 3);
  }

  /** Runs a job that is queued, unless it is under way here. Never throws: the ledger tells how it went. */
  run(uid: string): Promise<RunReport | undefined> {
    let running = this.#running.get(uid);
    if (!running) {
      running = this.#run(uid).finally(() => this.#running.delete(uid));
      this.#running.set(uid, running);
    }
    return running;
  }

  /** Performs a side task. @throws Problem 503 when the store can't be had, or the process is ending */
  async ask<Input, Answer>({ name }: SideTask<Input, Answer>, input: Input): Promise<Answer> {
    const unavailable = (cause?: unknown) =>
      new Problem("store_unavailable", { headers: { "Retry-After": "1" }, cause });
    if (this.#closing) throw unavailable();
    try {
      return (await this.#side.run({ side: name, input })) as Answer;
    } catch (error) {
      throw isPassing(error) ? unavailable(error) : error;
    }
  }

  has(uid: string): boolean {
    return this.#running.has(uid);
  }

  /** Puts back what could not be put back before. */
  async settle(): Promise<void> {
    for (const [uid, how] of this.#lost) {
      try {
        await this.#putBack(uid, how);
        this.#lost.delete(uid);
      } catch (error) {
        if (!isTransient(error)) throw error;
        return;
      }
    }
  }

  /** Lets what runs come to its end for up to `graceMs`, and puts the rest back. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    await Promise.race([Promise.allSettled(this.#running.values()), delay(graceMs)]);
    this.handBack();
    // A thread inside a long statement ends after it; the process does not wait for that.
    await Promise.race([Promise.all([this.#threads.destroy(), this.#side.destroy()]), delay(1000)]);
    // What a thread took between the two lines above.
    this.handBack();
  }

  /** Puts back everything that this process has taken. */
  handBack(): void {
    try {
      // A thread may be telling how far it is at this very moment.
      immediate(this.#ledger, () => handBack(this.#ledger, this.#runner), HAND_BACK_MS);
    } catch {
      // Then the others find that this process is gone, and put it back.
    }
  }

  async #run(uid: string): Promise<RunReport | undefined> {
    try {
      const report = (await this.#threads.run({ run: uid })) as RunReport | undefined;
      if (report) this.#logReport(report);
      return report;
    } catch (error) {
      if (this.#closing) return undefined;
      const how = isPassing(error) ? "failed" : "crashed";
      this.#log.error(
        { job: uid, err: error },
        how === "failed" ? "job could not be put back" : "worker thread crashed",
      );
      await this.#putBack(uid, how).catch(() => this.#lost.set(uid, how));
      return undefined;
    }
  }

  async #putBack(uid: string, how: "crashed" | "failed"): Promise<void> {
    await whenFree(this.#ledger, 1000, () => {
      if (how === "crashed") requeueCrashed(this.#ledger, this.#runner, uid);
      else requeueFailed(this.#ledger, uid, this.#runner, Date.now() + 1000);
    });
  }

  #logReport({ error, uid, ms, ...report }: RunReport): void {
    if (report.code === UNKNOWN_KIND) {
      // It comes again every few seconds, until a worker that knows its kind has it.
      if (!this.#unknown.has(uid)) this.#log.warn({ job: uid, kind: report.kind }, "job waits for a newer worker");
      this.#unknown.add(uid);
      return;
    }
    const line = { job: uid, ...report, ms: Math.round(ms), ...(error && { err: error }) };
    if (error) this.#log.warn(line, "job");
    else this.#log.info(line, "job");
  }
}

/** Whether an error of a thread may go away by itself. */
function isPassing(error: unknown): boolean {
  return error instanceof Error && error.cause === TRANSIENT;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
