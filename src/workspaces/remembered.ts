// What was read of the control store, kept until anyone commits to it.

import { LRUCache } from "lru-cache";
import type { Reader } from "../../db/sqlite/connection.ts";

/** How much is kept at a time. */
const MAX_KEPT = 1000;

/** Whether anyone has committed to a store, asked once for all requests in the same round of the event loop, and for all that is remembered of it. */
class Commits {
  static readonly #ofReaders = new WeakMap<Reader, Commits>();
  readonly #reader: Reader;
  #version: number | undefined;
  #isChecked = false;

  private constructor(reader: Reader) {
    this.#reader = reader;
  }

  static of(reader: Reader): Commits {
    const commits = Commits.#ofReaders.get(reader) ?? new Commits(reader);
    Commits.#ofReaders.set(reader, commits);
    return commits;
  }

  /** It changes with every commit of another connection. */
  version(): number | undefined {
    if (this.#isChecked) return this.#version;
    this.#isChecked = true;
    setImmediate(() => {
      this.#isChecked = false;
    });
    this.#version = this.#reader.value<number>("PRAGMA data_version");
    return this.#version;
  }
}

/** Valid until another connection commits. `reader` itself must never commit: its own commits don't show. */
export class Remembered<Value extends object> {
  readonly #commits: Commits;
  readonly #kept = new LRUCache<string, Value>({ max: MAX_KEPT });
  #version: number | undefined;

  constructor(reader: Reader) {
    this.#commits = Commits.of(reader);
  }

  get(key: string): Value | undefined {
    const version = this.#commits.version();
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    return this.#kept.get(key);
  }

  /** Call it after `get`, in the same round of the event loop. */
  set(key: string, value: Value): void {
    this.#kept.set(key, value);
  }
}
