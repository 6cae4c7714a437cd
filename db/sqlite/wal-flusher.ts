// Puts commits on the disk that SQLite has only written.

import { type FileHandle, open } from "node:fs/promises";
import type { Doubt } from "./doubt.ts";

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
