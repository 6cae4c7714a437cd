// Counts what jobs do, and how long they wait, run, and hold locks.

import { Counter, Histogram, type Registry } from "prom-client";
import type { RunReport } from "../engine/ledger/reports.ts";
import type { PoolObserver } from "../engine/threads/pool.ts";

/** In seconds. */
const JOB_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];
const LOCK_BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

export class JobMetrics implements PoolObserver {
  readonly #waits: Histogram<"kind">;
  readonly #durations: Histogram<"kind">;
  readonly #ends: Counter<"kind" | "status">;
  readonly #rows: Counter<"kind">;
  readonly #retries: Counter<"kind">;
  readonly #crashes: Counter;
  readonly #locks: Histogram<"by">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#waits = new Histogram({
      name: "screening_job_wait_seconds",
      help: "Time from the acceptance of a job, or of the application of its plan, until its first run began. By kind.",
      labelNames: ["kind"],
      buckets: JOB_BUCKETS,
      registers,
    });
    this.#durations = new Histogram({
      name: "screening_job_duration_seconds",
      help: "Time from the acceptance of a job, or of the application of its plan, until it ended. By kind.",
      labelNames: ["kind"],
      buckets: JOB_BUCKETS,
      registers,
    });
    this.#ends = new Counter({
      name: "screening_jobs_ended_total",
      help: "Jobs that a run in this process has ended, by kind and status. PLANNED: the job is a plan that may be applied.",
      labelNames: ["kind", "status"],
      registers,
    });
    this.#rows = new Counter({
      name: "screening_job_rows_total",
      help: "Rows of imports and undos, and opened sessions, of jobs that have ended. By kind.",
      labelNames: ["kind"],
      registers,
    });
    this.#retries = new Counter({
      name: "screening_job_retries_total",
      help: "Runs of jobs that failed and are tried again, by kind.",
      labelNames: ["kind"],
      registers,
    });
    this.#crashes = new Counter({
      name: "screening_job_crashes_total",
      help: "Jobs that are queued again because their thread or their process has died, counted by the process that has noticed it.",
      registers,
    });
    this.#locks = new Histogram({
      name: "screening_write_lock_seconds",
      help: "Time that a transaction has held the write lock of a workspace's store. By: job, side_task (upkeep and the like), small_write (requests and webhooks).",
      labelNames: ["by"],
      buckets: LOCK_BUCKETS,
      registers,
    });
  }

  ran({ kind, status, error, figures }: RunReport): void {
    const { waitedMs, sinceAcceptedMs, rows } = figures;
    if (waitedMs !== undefined) this.#waits.observe({ kind }, waitedMs / 1000);
    if (status === "QUEUED") {
      if (error) this.#retries.inc({ kind });
      return;
    }
    this.#durations.observe({ kind }, sinceAcceptedMs / 1000);
    this.#ends.inc({ kind, status });
    if (rows) this.#rows.inc({ kind }, rows);
  }

  crashed(jobs: number): void {
    this.#crashes.inc(jobs);
  }

  held(by: "job" | "side_task" | "small_write", ms: number): void {
    this.#locks.observe({ by }, ms / 1000);
  }
}
