// Brings stores out of doubt (db/sqlite/doubt.ts) in a thread, as soon as a process has found that a sync has failed.

import { listDoubts } from "../../db/sqlite/doubt.ts";
import type { Log } from "../base/log.ts";
import { endAtOnce } from "../engine/threads/end-at-once.ts";
import type { Pool } from "../engine/threads/pool.ts";
import { recoverStore } from "./housekeeping.ts";

/** The pause after a store could not be brought out of doubt. */
const AGAIN_MS = 5000;

export class Doubts {
  readonly #dataDir: string;
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #running = new Map<string, Promise<void>>();
  readonly #failedAt = new Map<string, number>();

  constructor(dataDir: string, pool: Pool, log: Log) {
    this.#dataDir = dataDir;
    this.#pool = pool;
    this.#log = log;
  }

  /** Begins with every store that is in doubt. */
  settle(): void {
    for (const name of listDoubts(this.#dataDir)) {
      if (this.#running.has(name) || performance.now() - (this.#failedAt.get(name) ?? -AGAIN_MS) < AGAIN_MS) continue;
      const running = this.#recover(name).finally(() => this.#running.delete(name));
      this.#running.set(name, running);
    }
  }

  /** Ends the process at once when a store stays in doubt: closing it would copy what may not be on the disk. */
  async close(): Promise<void> {
    this.#failedAt.clear();
    this.settle();
    await Promise.all(this.#running.values());
    const left = listDoubts(this.#dataDir);
    if (left.length)
      endAtOnce(this.#log, `The process ends without closing its stores: in doubt are ${left.join(", ")}.`);
  }

  async #recover(name: string): Promise<void> {
    if (!this.#failedAt.has(name))
      this.#log.error({ store: name }, "a sync has failed; nothing is acknowledged until the store is written anew");
    try {
      if (await this.#pool.ask(recoverStore, name)) this.#log.info({ store: name }, "the store is out of doubt");
      this.#failedAt.delete(name);
    } catch (error) {
      if (!this.#failedAt.has(name)) this.#log.error({ store: name, err: error }, "the store stays in doubt");
      this.#failedAt.set(name, performance.now());
    }
  }
}
