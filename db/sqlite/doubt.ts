// Puts commits on the disk that SQLite has only written, and remembers that a sync of a store has failed. The kernel says so once,
// forgets what it could not write, and calls the next sync a success. So nothing that is written to the store may be acknowledged
// until db/sqlite/recover.ts has written it anew.
//
// The mark is a file, so that all processes see it, also one that starts later. It need not be on the disk: after a power
// failure the kernel has nothing in memory that the disk does not have.

import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
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

/**
 * Flushes a WAL to the disk without blocking the event loop. A sync takes 0.1 ms on an idle disk, and 100 ms while an import keeps the
 * disk busy.
 */
export class WalFlusher {
  readonly #path: string;
  readonly #doubt: Doubt | undefined;
  #file: FileHandle | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param path of the WAL. It exists from the first commit on. */
  constructor(path: string, doubt?: Doubt) {
    this.#path = path;
    this.#doubt = doubt;
  }

  /** Resolves when all commits before the call are on the disk. @throws StoreInDoubtError when they may never be */
  flush(): Promise<void> {
    if (!this.#running) return this.#start();
    // The running sync may have begun before the latest commit. All callers that wait for it share the next one.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  close(): void {
    // The file closes after a running sync. SQLite's locks are on other files, so this releases none of them.
    this.#file?.close().catch(() => {});
  }

  #start(): Promise<void> {
    this.#running = this.#sync().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sync(): Promise<void> {
    this.#file ??= await open(this.#path, "r");
    try {
      await this.#file.datasync();
    } catch (error) {
      this.#doubt?.raise("log");
      throw this.#doubt?.error(error) ?? error;
    }
    // The sync of another process may have failed. Then the kernel may have dropped pages of this write, and reports that only there.
    if (this.#doubt?.isRaised) throw this.#doubt.error();
  }
}
