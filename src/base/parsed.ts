// Caches JSON that never changes, parsed.

import { LRUCache } from "lru-cache";
import type { Reader } from "../../db/sqlite/connection.ts";

/** In characters of JSON, of all that is cached together. */
const MAX_LENGTH = 32 * 1024 * 1024;

export class Parsed {
  readonly #cache = new LRUCache<string, { value: unknown; length: number }>({
    maxSize: MAX_LENGTH,
    // One that is larger than the cache is cached alone.
    sizeCalculation: ({ length }) => Math.min(length, MAX_LENGTH),
  });

  /** What the JSON of a store says. Another store may say something else under the same id: it may be a copy that somebody has changed. @param load is called when it is not in the cache */
  read(db: Reader, uid: string, load: () => string): unknown {
    const key = `${db.path} ${uid}`;
    const cached = this.#cache.get(key);
    if (cached) return cached.value;
    const json = load();
    const value = JSON.parse(json);
    this.#cache.set(key, { value, length: json.length });
    return value;
  }
}
