// Waits for jobs to end by polling the ledger. A process that ends one notifies the others, but notifications may come late, twice or
// never.

import type { Reader } from "../../../db/sqlite/connection.ts";
import { findJob, type JobRow } from "./queries.ts";

const MIN_PAUSE_MS = 5;
const MAX_PAUSE_MS = 50;

interface Waiting {
  uid: string;
  deadline: number;
  resolve(job: JobRow | undefined): void;
}

export class JobWaiter {
  readonly #ledger: Reader;
  readonly #waiting = new Set<Waiting>();
  #seen: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: NodeJS.Immediate | undefined;
  #since = 0;
  #latest = Number.POSITIVE_INFINITY;

  constructor(ledger: Reader) {
    this.#ledger = ledger;
  }

  /** Resolves with the job when it has ended, or with undefined after `seconds`. Never rejects. */
  wait(uid: string, seconds: number): Promise<JobRow | undefined> {
    return new Promise((resolve) => {
      const now = performance.now();
      this.#waiting.add({ uid, deadline: Math.min(now + seconds * 1000, this.#latest), resolve });
      this.#since = now;
      this.#seen = undefined;
      this.#schedule(0);
    });
  }

  /** Looks at once, because a job has ended; once for all that end together. */
  look(): void {
    if (!this.#waiting.size) return;
    this.#looking ??= setImmediate(() => {
      this.#looking = undefined;
      clearTimeout(this.#timer);
      if (this.#waiting.size) this.#poll();
    });
  }

  /** From now on no wait lasts longer than `ms`. */
  hurry(ms: number): void {
    this.#latest = performance.now() + ms;
    for (const waiting of this.#waiting) waiting.deadline = Math.min(waiting.deadline, this.#latest);
    this.#since = performance.now();
    this.#schedule(0);
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size) this.#timer = setTimeout(() => this.#poll(), delay);
  }

  #poll(): void {
    const now = performance.now();
    try {
      this.#settle(now);
    } catch {
      // The ledger can't be read now. At its deadline a request is answered with the job, and the caller can poll it.
      this.#seen = undefined;
      for (const waiting of this.#waiting) {
        if (now < waiting.deadline) continue;
        this.#waiting.delete(waiting);
        waiting.resolve(undefined);
      }
    }
    // Polls often at first, because most jobs are short, and less often later. Usually a notification comes first.
    this.#schedule(Math.min(Math.max((now - this.#since) / 20, MIN_PAUSE_MS), MAX_PAUSE_MS));
  }

  #settle(now: number): void {
    // It is cheap to read, and changes only when another connection commits.
    const version = this.#ledger.value<number>("PRAGMA data_version")!;
    const isChanged = version !== this.#seen;
    this.#seen = version;
    for (const waiting of this.#waiting) {
      const isLate = now >= waiting.deadline;
      if (!isChanged && !isLate) continue;
      const job = findJob(this.#ledger, waiting.uid);
      // The workspace has moved, so another cell will run the job.
      if (!isLate && job && job.finished_at === null && job.moving !== "MOVED") continue;
      this.#waiting.delete(waiting);
      waiting.resolve(job?.finished_at === null ? undefined : job);
    }
  }
}
