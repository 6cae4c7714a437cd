// What was read of the control store, kept until anyone commits to it.

import { LRUCache } from "lru-cache";
import type { Reader } from "../../db/sqlite/connection.ts";

/** How much is kept at a time. */
const MAX_KEPT = 1000;

/** Valid until another connection commits. `reader` itself must never commit: its own commits don't show. */
export class Remembered<Value extends object> {
  readonly #reader: Reader;
  readonly #kept = new LRUCache<string, Value>({ max: MAX_KEPT });
  #version: number | undefined;
  #isChecked = false;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  get(key: string): Value | undefined {
    this.#forgetWhenStale();
    return this.#kept.get(key);
  }

  /** Call it after `get`, in the same round of the event loop. */
  set(key: string, value: Value): void {
    this.#kept.set(key, value);
  }

  /** Checks once for all requests in the same round of the event loop. */
  #forgetWhenStale(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    setImmediate(() => {
      this.#isChecked = false;
    });
    // It changes with every commit of another connection.
    const version = this.#reader.value<number>("PRAGMA data_version");
    if (version === this.#version) return;
    this.#kept.clear();
    this.#version = version;
  }
}
