// Writes of the event loop. Those that come in the same turn of the loop share a transaction and its commit, each in a
// savepoint of its own: one that fails takes nothing with it. Of what a small write costs, the transaction is more than half.

import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Writer } from "./connection.ts";
import { begin, isBusy, StoreBusyError } from "./write.ts";

/** A transaction takes no further writes after this time, so that it does not hold the event loop. */
const MAX_TURN_MS = 5;

const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 50;

interface Waiting {
  write(): unknown;
  /** By performance.now(). */
  deadline: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How a write went, which is told when its transaction is committed. */
type Told = () => void;

const groups = new WeakMap<Writer, Group>();

/**
 * Runs `write` in a transaction as soon as the lock is free, and resolves when it is on the disk. Neither wait blocks the
 * event loop. If it throws, its changes are rolled back. @throws StoreBusyError after `waitMs`
 */
export async function whenFree<T>(db: Writer, waitMs: number, write: () => T): Promise<T> {
  let group = groups.get(db);
  if (!group) {
    group = new Group(db);
    groups.set(db, group);
  }
  const result = await group.add(waitMs, write);
  await db.flush();
  return result;
}

class Group {
  readonly #db: Writer;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(db: Writer) {
    this.#db = db;
  }

  /** Resolves when the write is committed. */
  add<T>(waitMs: number, write: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + waitMs;
      this.#waiting.push({ write, deadline, resolve: resolve as Waiting["resolve"], reject });
      if (!this.#isRunning) this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let pause = FIRST_PAUSE_MS;
    // Others of this turn may follow.
    await setImmediate();
    while (this.#waiting.length) {
      if (this.#commit()) {
        pause = FIRST_PAUSE_MS;
        if (this.#waiting.length) await setImmediate();
        continue;
      }
      // Jitter, so that the processes that wait for one lock do not all try again at once.
      const next = Math.min(...this.#waiting.map(({ deadline }) => deadline)) - performance.now();
      await sleep(Math.min(Math.max(next, 0), pause * (0.5 + Math.random())));
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
    this.#isRunning = false;
  }

  /** Commits what waits, or a part of it. @returns false when another connection holds the lock */
  #commit(): boolean {
    try {
      begin(this.#db);
    } catch (error) {
      if (!isBusy(error)) for (const { reject } of this.#waiting.splice(0)) reject(error);
      else this.#giveUp();
      return !isBusy(error);
    }
    const told: Told[] = [];
    const taken: Waiting[] = [];
    try {
      const until = performance.now() + MAX_TURN_MS;
      const isAlone = this.#waiting.length === 1;
      do {
        const one = this.#waiting.shift()!;
        taken.push(one);
        told.push(isAlone ? this.#perform(one) : this.#performInSavepoint(one));
      } while (this.#waiting.length && performance.now() < until);
      this.#db.run("COMMIT");
      this.#db.assertDurable();
    } catch (error) {
      // After some errors (a full disk) SQLite has rolled back already.
      if (this.#db.inTransaction) this.#db.run("ROLLBACK");
      this.#db.noteFailure(error);
      for (const { reject } of taken) reject(error);
      return true;
    }
    for (const tell of told) tell();
    return true;
  }

  /** The transaction is its own: if it fails, all of it is rolled back. */
  #perform({ write, resolve }: Waiting): Told {
    const result = write();
    return () => resolve(result);
  }

  /** @throws what has ended the whole transaction */
  #performInSavepoint({ write, resolve, reject }: Waiting): Told {
    this.#db.run("SAVEPOINT one");
    try {
      const result = write();
      this.#db.run("RELEASE one");
      return () => resolve(result);
    } catch (error) {
      if (!this.#db.inTransaction) throw error;
      this.#db.run("ROLLBACK TO one");
      this.#db.run("RELEASE one");
      this.#db.noteFailure(error);
      return () => reject(error);
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
