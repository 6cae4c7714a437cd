// Shows which processes are alive. Each process holds an exclusive lock on a file of its own. The kernel releases the
// lock when the process dies, for whatever reason. This needs no clock, no heartbeat and no process ids.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Writer } from "./connection.ts";
import { makeFolders } from "./folders.ts";
import { openLock } from "./open.ts";
import { isReadOnly, ReadOnlyError } from "./read-only.ts";
import { isBusy } from "./write.ts";

/** A running process. Others know it by the name of its lock file. */
export class Presence {
  readonly name: string;
  readonly #folder: string;
  readonly #lock: Writer;

  constructor(dataDir: string, name: string) {
    this.name = name;
    this.#folder = join(dataDir, "locks");
    makeFolders(this.#folder);
    this.#lock = lockIn(dataDir, join(this.#folder, name));
    // Others try to lock it for a moment, to see whether this process is alive.
    this.#lock.exec("PRAGMA busy_timeout = 2000");
    // A journal file in this folder would look like another process.
    this.#lock.exec("PRAGMA journal_mode = MEMORY");
    this.#lock.run("BEGIN EXCLUSIVE");
  }

  /** Whether the process with this lock file is alive. Removes the file if it is not. */
  isAlive(name: string): boolean {
    return name === this.name || isAliveIn(this.#folder, name);
  }

  /** Whether any process is alive whose name begins with this word. */
  isAnyAlive(word: string): boolean {
    return this.#names(`${word}-`).some((name) => name === this.name || this.#isHeld(name));
  }

  /** How many processes are alive whose names begin with this word. Removes old files of the others. */
  countAlive(word: string): number {
    const [alive, dead] = [[] as string[], [] as string[]];
    for (const name of this.#names(`${word}-`)) (name === this.name || this.#isHeld(name) ? alive : dead).push(name);
    for (const name of dead) if (this.#isOld(name)) rmSync(join(this.#folder, name), { force: true });
    return alive.length;
  }

  #names(start: string): string[] {
    // A journal is left for a moment by the `isAlive` of another process.
    return readdirSync(this.#folder).filter((name) => name.startsWith(start) && !name.endsWith("-journal"));
  }

  /** A new process may not hold its lock yet. */
  #isOld(name: string): boolean {
    const modified = statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    return Date.now() - modified > 60_000;
  }

  #isHeld(name: string): boolean {
    return isHeld(join(this.#folder, name));
  }

  /** Removes the lock files of dead processes, but new ones. */
  sweep(): void {
    for (const name of this.#names("")) if (this.#isOld(name)) this.isAlive(name);
  }

  close(): void {
    if (this.#lock.inTransaction) this.#lock.run("ROLLBACK");
    this.#lock.close();
    rmSync(join(this.#folder, this.name), { force: true });
  }
}

function lockIn(dataDir: string, path: string): Writer {
  try {
    return openLock(path);
  } catch (cause) {
    if (isReadOnly(dataDir)) throw new ReadOnlyError(dataDir, { cause });
    throw cause;
  }
}

/** Whether the process with this lock file is alive, for one that has none itself. Removes the file if it is not. */
export function isProcessAlive(dataDir: string, name: string): boolean {
  return isAliveIn(join(dataDir, "locks"), name);
}

function isAliveIn(folder: string, name: string): boolean {
  // A store that comes from elsewhere may have any name: none leads out of the folder.
  if (!/^[\w-]+$/.test(name)) return false;
  const path = join(folder, name);
  if (!existsSync(path)) return false;
  const isAlive = isHeld(path);
  if (!isAlive) rmSync(path, { force: true });
  return isAlive;
}

function isHeld(path: string): boolean {
  const probe = openLock(path);
  try {
    probe.run("BEGIN EXCLUSIVE");
    probe.run("ROLLBACK");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    probe.close();
  }
}
