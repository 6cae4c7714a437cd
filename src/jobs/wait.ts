// Waits for jobs to end, by looking at the ledger. Not at Redis: what it says may come late, twice or never.

import type { Reader } from "../../db/connection.ts";
import { findJob, type JobRow } from "./queries.ts";

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
  #since = 0;
  #latest = Number.POSITIVE_INFINITY;

  constructor(ledger: Reader) {
    this.#ledger = ledger;
  }

  /** The job when it has ended, or undefined when it has not within `seconds`. */
  wait(uid: string, seconds: number): Promise<JobRow | undefined> {
    return new Promise((resolve) => {
      const now = performance.now();
      this.#waiting.add({ uid, deadline: Math.min(now + seconds * 1000, this.#latest), resolve });
      this.#since = now;
      this.#seen = undefined;
      this.#schedule(0);
    });
  }

  /** Lets nobody wait for longer than `ms` from now on. */
  hurry(ms: number): void {
    this.#latest = performance.now() + ms;
    for (const waiting of this.#waiting) waiting.deadline = Math.min(waiting.deadline, this.#latest);
    this.#since = performance.now();
    this.#schedule(0);
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size) this.#timer = setTimeout(() => this.#look(), delay);
  }

  #look(): void {
    const now = performance.now();
    try {
      this.#settle(now);
    } catch {
      // The ledger can't be read at the moment; whoever waits too long for it gets the job, and can poll.
      this.#seen = undefined;
      for (const waiting of this.#waiting) {
        if (now < waiting.deadline) continue;
        this.#waiting.delete(waiting);
        waiting.resolve(undefined);
      }
    }
    // Often for those who have just come, because most jobs are short; less often for those who wait long.
    this.#schedule(Math.min(Math.max((now - this.#since) / 20, 1), 50));
  }

  #settle(now: number): void {
    // Cheap: it changes with every commit of another connection, and with nothing else.
    const version = this.#ledger.value<number>("PRAGMA data_version")!;
    const changed = version !== this.#seen;
    this.#seen = version;
    for (const waiting of this.#waiting) {
      const late = now >= waiting.deadline;
      if (!changed && !late) continue;
      const job = findJob(this.#ledger, waiting.uid);
      if (!late && job && job.finished_at === null) continue;
      this.#waiting.delete(waiting);
      waiting.resolve(job?.finished_at === null ? undefined : job);
    }
  }
}
