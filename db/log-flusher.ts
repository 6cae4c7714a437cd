// Brings a log to the disk without holding the event loop: a sync takes a tenth of a millisecond on an idle disk, and
// a hundred where an import keeps it busy.

import { type FileHandle, open } from "node:fs/promises";

export class LogFlusher {
  readonly #path: string;
  #file: FileHandle | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param path of the log, which is there from the first commit on */
  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when everything that was committed before the call is on the disk. */
  flush(): Promise<void> {
    if (!this.#running) return this.#start();
    // The one under way may have begun before the latest commit. All who come meanwhile share the next.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  close(): void {
    // After what is under way. SQLite's locks are on other files, so closing this one lets go of none.
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
    await this.#file.datasync();
  }
}
