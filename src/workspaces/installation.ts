// The installation: this data directory, as others that share a Redis with it must be told apart.

import type { Reader, Writer } from "../../db/connection.ts";
import { whenFree } from "../../db/write.ts";

/** The installation's id. */
export function installationId(db: Reader): string {
  return db.value<string>("SELECT uid FROM installation")!;
}

/** Tells whether the control store can be written, by writing one row. */
export class WriteProbe {
  readonly #writer: Writer;
  #last: { at: number; trouble: Promise<string | undefined> } | undefined;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Why the store can't be written, if it can't. Anybody may ask, and each look writes: an answer holds for a second. */
  trouble(): Promise<string | undefined> {
    if (this.#last && performance.now() - this.#last.at < HOLDS_MS) return this.#last.trouble;
    const trouble = whenFree(this.#writer, WAIT_MS, () => this.#touch()).then(
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

const HOLDS_MS = 1000;
const WAIT_MS = 500;
