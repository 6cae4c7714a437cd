// Ends threads that hang. A thread is ended when its job has made no progress for an hour. That counts as a crash of the job.

import type { Reader } from "../../../db/sqlite/connection.ts";
import { howFar } from "../ledger/queue.ts";

/** The longest statement of an ordinary job takes minutes. */
const MAX_SILENT_MS = 3_600_000;

/** How often the jobs are looked at. */
const LOOK_MS = 10_000;

interface Watched {
  /** How far its job is, and since when, by a clock that only rises. */
  to: string | undefined;
  at: number;
  thread: AbortController;
}

/** Watches the jobs that a process runs. */
export class Silence {
  readonly #ledger: Reader;
  readonly #runner: string;
  readonly #watched = new Map<string, Watched>();
  readonly #timer: NodeJS.Timeout;

  /** @param runner the name of the process's lock file */
  constructor(ledger: Reader, runner: string) {
    this.#ledger = ledger;
    this.#runner = runner;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Watches a job until `forget`. @returns a function that ends its thread: inside a statement, the thread ends after it */
  watch(uid: string): AbortSignal {
    const thread = new AbortController();
    this.#watched.set(uid, { to: undefined, at: performance.now(), thread });
    return thread.signal;
  }

  forget(uid: string): void {
    this.#watched.delete(uid);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    try {
      for (const [uid, watched] of this.#watched) {
        const to = howFar(this.#ledger, uid, this.#runner);
        if (to === undefined || to !== watched.to) Object.assign(watched, { to, at: performance.now() });
        else if (performance.now() - watched.at > MAX_SILENT_MS) watched.thread.abort();
      }
    } catch {
      // The ledger can't be read now. The next look tries again.
    }
  }
}
