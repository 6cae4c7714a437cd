// Writes of the event loop. Those that come while the commit before them is flushed, and up to 2 ms later while each turn brings one, share a
// transaction and its flush, each in a savepoint of its own: one that fails takes nothing with it.
// Of what a small write costs, the transaction is more than half; and of what a larger one costs, the savepoint is up to a tenth, because SQLite
// copies each page there. So where all that wait may run twice they have none: if one of them fails, all are rolled back, and run again with
// savepoints.

import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Writer } from "./connection.ts";
import { begin, isBusy, StoreBusyError } from "./write.ts";

/** A transaction takes no further writes after this time, so that it does not hold the event loop. */
const MAX_TURN_MS = 5;

/** A transaction waits no longer for further writes, while each turn of the event loop brings one. */
const MAX_GATHER_MS = 2;

const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 50;

interface Waiting {
  write(): unknown;
  /** Whether it changes nothing but the store, and has not run yet. */
  mayRunAgain: boolean;
  /** By performance.now(). */
  deadline: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The result of a write. Its caller gets it when the transaction is on the disk. */
type Done = Pick<Waiting, "resolve" | "reject"> & ({ result: unknown } | { error: unknown });

const groups = new WeakMap<Writer, Group>();

/**
 * Runs `write` in a transaction as soon as the lock is free, and resolves when it is on the disk. Neither wait blocks the
 * event loop. If it throws, its changes are rolled back. @param mayRunAgain whether `write` changes nothing but the store: then it may run a second
 * time, with all that the first one did rolled back @throws StoreBusyError after `waitMs`
 */
export function whenFree<T>(db: Writer, waitMs: number, write: () => T, mayRunAgain = false): Promise<T> {
  let group = groups.get(db);
  if (!group) {
    group = new Group(db);
    groups.set(db, group);
  }
  return group.add(waitMs, write, mayRunAgain);
}

class Group {
  readonly #db: Writer;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(db: Writer) {
    this.#db = db;
  }

  /** Resolves when the write is on the disk. */
  add<T>(waitMs: number, write: () => T, mayRunAgain: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + waitMs;
      this.#waiting.push({ write, mayRunAgain, deadline, resolve: resolve as Waiting["resolve"], reject });
      if (!this.#isRunning) this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let pause = FIRST_PAUSE_MS;
    // Others of this turn may follow.
    await setImmediate();
    while (this.#waiting.length) {
      await this.#gather();
      const committed = this.#commit();
      if (committed) {
        pause = FIRST_PAUSE_MS;
        await committed;
        await setImmediate();
        continue;
      }
      // Jitter, so that the processes that wait for one lock do not all try again at once.
      const next = Math.min(...this.#waiting.map(({ deadline }) => deadline)) - performance.now();
      await sleep(Math.min(Math.max(next, 0), pause * (0.5 + Math.random())));
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
    this.#isRunning = false;
  }

  /** Waits as long as each turn of the event loop brings another write: more of them share what a transaction costs. */
  async #gather(): Promise<void> {
    const until = performance.now() + MAX_GATHER_MS;
    for (let before = 0; this.#waiting.length > before && performance.now() < until; ) {
      before = this.#waiting.length;
      await setImmediate();
    }
  }

  /** Commits what waits, or a part of it. Resolves when it is on the disk. @returns undefined when another connection holds the lock */
  #commit(): Promise<void> | undefined {
    try {
      begin(this.#db);
    } catch (error) {
      if (isBusy(error)) {
        this.#giveUp();
        return undefined;
      }
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return Promise.resolve();
    }
    const taken: Waiting[] = [];
    const done: Done[] = [];
    const since = performance.now();
    // Alone, the transaction is its own: if it fails, all of it is rolled back.
    const isAlone = this.#waiting.length === 1;
    const isWhole = isAlone || this.#waiting.every(({ mayRunAgain }) => mayRunAgain);
    let isWritten = false;
    try {
      const until = since + MAX_TURN_MS;
      do {
        const one = this.#waiting.shift()!;
        taken.push(one);
        done.push(
          isWhole ? { resolve: one.resolve, reject: one.reject, result: one.write() } : this.#performInSavepoint(one),
        );
      } while (this.#waiting.length && performance.now() < until);
      isWritten = true;
      this.#db.commit();
      this.#db.assertDurable();
    } catch (error) {
      this.#db.rollback();
      this.#db.noteFailure(error);
      // It is not known yet which of them fails by itself.
      if (isWhole && !isAlone && !isWritten)
        this.#waiting.unshift(...taken.map((one) => ({ ...one, mayRunAgain: false })));
      else for (const { reject } of taken) reject(error);
      return Promise.resolve();
    } finally {
      this.#db.onHeld?.(performance.now() - since);
    }
    return this.#settle(done);
  }

  async #settle(done: Done[]): Promise<void> {
    let failure: { error: unknown } | undefined;
    try {
      await this.#db.flush();
    } catch (error) {
      failure = { error };
    }
    for (const one of done) {
      if ("error" in one) one.reject(one.error);
      else if (failure) one.reject(failure.error);
      else one.resolve(one.result);
    }
  }

  #performInSavepoint({ write, resolve, reject }: Waiting): Done {
    try {
      return { resolve, reject, result: this.#db.savepoint(write) };
    } catch (error) {
      if (!this.#db.inTransaction) throw error;
      this.#db.noteFailure(error);
      return { resolve, reject, error };
    }
  }

  #giveUp(): void {
    const now = performance.now();
    const [late, others] = [[] as Waiting[], [] as Waiting[]];
    for (const one of this.#waiting) (now >= one.deadline ? late : others).push(one);
    this.#waiting = others;
    for (const { reject } of late) reject(new StoreBusyError());
  }
}
