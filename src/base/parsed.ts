// Caches JSON that never changes, parsed.

import { LRUCache } from "lru-cache";

/** In characters of JSON, of all that is cached together. */
const MAX_LENGTH = 32 * 1024 * 1024;

export class Parsed {
  readonly #cache = new LRUCache<string, { value: unknown; length: number }>({
    maxSize: MAX_LENGTH,
    // One that is larger than the cache is cached alone.
    sizeCalculation: ({ length }) => Math.min(length, MAX_LENGTH),
  });

  /** What the JSON says. @param uid where several workspaces have it, they came from one, and it says the same @param load is called when it is not in the cache */
  read(uid: string, load: () => string): unknown {
    const cached = this.#cache.get(uid);
    if (cached) return cached.value;
    const json = load();
    const value = JSON.parse(json);
    this.#cache.set(uid, { value, length: json.length });
    return value;
  }
}
