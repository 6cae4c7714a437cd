// Who is alive. A process holds an exclusive lock on a file of its own for as long as it lives; the kernel lets
// go of it at the moment of death, however the process died. No clock, no heartbeat, no process ids.

import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Writer } from "./connection.ts";
import { openLock } from "./open.ts";
import { isBusy } from "./write.ts";

/** A running process, known to the others by the name of its lock. */
export class Presence {
  readonly name: string;
  readonly #folder: string;
  readonly #lock: Writer;

  constructor(dataDir: string, name: string) {
    this.name = name;
    this.#folder = locksFolder(dataDir);
    mkdirSync(this.#folder, { recursive: true });
    this.#lock = openLock(join(this.#folder, name));
    // No journal beside it, which would look like one more process.
    this.#lock.exec("PRAGMA journal_mode = MEMORY");
    this.#lock.run("BEGIN EXCLUSIVE");
  }

  /** Whether the process that goes by `name` still lives. Tidies up after one that does not. */
  isAlive(name: string): boolean {
    if (name === this.name) return true;
    if (!/^[\w-]+$/.test(name)) return false;
    const path = join(this.#folder, name);
    const probe = openLock(path);
    try {
      probe.run("BEGIN EXCLUSIVE");
      probe.run("ROLLBACK");
      rmSync(path, { force: true });
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      probe.close();
    }
  }

  /** Removes the lock files of the dead. Not of the newborn, who may not hold theirs yet. */
  sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      // Of another who looks.
      if (name.endsWith("-journal")) continue;
      const born = statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - born > 60_000) this.isAlive(name);
    }
  }

  close(): void {
    if (this.#lock.inTransaction) this.#lock.run("ROLLBACK");
    this.#lock.close();
    rmSync(join(this.#folder, this.name), { force: true });
  }
}

function locksFolder(dataDir: string): string {
  return join(dataDir, "locks");
}
