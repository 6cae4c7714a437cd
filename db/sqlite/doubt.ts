// Remembers that a sync of a store has failed. The kernel says so once, forgets what it could not write, and calls the next
// sync a success. So nothing that is written to the store may be acknowledged until db/sqlite/recover.ts has written it anew.
//
// The mark is a file, so that all processes see it, also one that starts later. It need not be on the disk: after a power
// failure the kernel has nothing in memory that the disk does not have.

import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "./folders.ts";

/** A sync of the store has failed. What was committed since may or may not be there after a power failure. */
export class StoreInDoubtError extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`A sync of the store ${name} has failed, and what it has in memory is not on the disk yet.`, options);
    this.name = "StoreInDoubtError";
  }
}

/** What may not be on the disk: pages of the WAL; or also pages of the file that were copied from the WAL. */
type Extent = "log" | "file";

/** The name of the control store here. That of a workspace's store is the workspace's id. */
export const CONTROL = "control";

const folderOf = (dataDir: string) => join(dataDir, "in-doubt");

/** The names of the stores that are in doubt. */
export function listDoubts(dataDir: string): string[] {
  const folder = folderOf(dataDir);
  return existsSync(folder) ? readdirSync(folder) : [];
}

export class Doubt {
  readonly name: string;
  readonly #folder: string;
  readonly #path: string;
  /** The mark could not be written. It is tried again. */
  #unwritten: Extent | undefined;

  constructor(dataDir: string, name: string) {
    this.name = name;
    this.#folder = folderOf(dataDir);
    this.#path = join(this.#folder, name);
  }

  get isRaised(): boolean {
    if (this.#unwritten) this.raise(this.#unwritten);
    return this.#unwritten !== undefined || existsSync(this.#path);
  }

  raise(extent: Extent): void {
    try {
      makeFolders(this.#folder);
      appendFileSync(this.#path, `${extent}\n`);
      this.#unwritten = undefined;
    } catch {
      this.#unwritten = this.#unwritten === "file" ? "file" : extent;
    }
  }

  /** The mark: a line for each failed sync. Empty when there is none. */
  read(): string {
    return existsSync(this.#path) ? readFileSync(this.#path, "utf8") : "";
  }

  /** Removes the mark, unless another sync has failed since it was read. */
  clear(read: string): void {
    if (this.read() === read) rmSync(this.#path, { force: true });
  }

  error(cause?: unknown): StoreInDoubtError {
    return new StoreInDoubtError(this.name, { cause });
  }
}

/** Whether `error` says that SQLite could not sync a file. */
export function isSyncFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(String(error.code));
}
