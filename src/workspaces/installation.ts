// The installation: one data directory. Its id separates it from others on the same Redis.

import type { Reader, Writer } from "../../db/connection.ts";
import { whenFree } from "../../db/write.ts";

export function installationId(db: Reader): string {
  return db.value<string>("SELECT uid FROM installation")!;
}

/** Finds out whether the control store can be written, by writing one row. */
export class WriteProbe {
  readonly #writer: Writer;
  #last: { at: number; trouble: Promise<string | undefined> } | undefined;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Why the store can't be written, or undefined. Each check writes and any client may ask, so a result is kept for a second. */
  trouble(): Promise<string | undefined> {
    if (this.#last && performance.now() - this.#last.at < KEEP_MS) return this.#last.trouble;
    const trouble = whenFree(this.#writer, MAX_WAIT_MS, () => this.#touch()).then(
      () => undefined,
      (error: unknown) => `The store can't be written: ${error instanceof Error ? error.message : error}.`,
    );
    this.#last = { at: performance.now(), trouble };
    return trouble;
  }

  #touch(): void {
    this.#writer.run("UPDATE installation SET checked_at = ?", Date.now());
  }
}

const KEEP_MS = 1000;
const MAX_WAIT_MS = 500;
