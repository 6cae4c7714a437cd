// The stores that are open, and which of them are closed to open others: those that were not used for the longest time.

import type { Handles } from "./handles.ts";

/** How many are closed when nobody waits for that. */
const CLOSED_LATER = 4;

export class OpenStores {
  readonly #max: number;
  readonly #mustStay: (id: string) => boolean;
  // A Map keeps the order of insertion, so its first entry is the least recently used.
  readonly #open = new Map<string, Handles>();
  #closing: NodeJS.Immediate | undefined;

  /** @param mustStay whether the store can't be closed now */
  constructor(max: number, mustStay: (id: string) => boolean) {
    this.#max = max;
    this.#mustStay = mustStay;
  }

  get size(): number {
    return this.#open.size;
  }

  find(id: string): Handles | undefined {
    return this.#open.get(id);
  }

  /** It is used again. */
  touch(id: string, handles: Handles): void {
    if (this.#open.size <= 1) return;
    this.#open.delete(id);
    this.#open.set(id, handles);
  }

  add(id: string, handles: Handles): void {
    this.#open.set(id, handles);
    if (this.#open.size > this.#max) this.#evict(id, this.#max);
    else if (this.#open.size > this.#max - CLOSED_LATER) this.#evictLater(id);
  }

  /** It is not lent any more. SQLite leaves the WAL alone when it closes a file that was moved away. */
  retire(id: string, handles: Handles): void {
    this.#open.delete(id);
    handles.isRetired = true;
    if (!handles.users) handles.close();
  }

  close(): void {
    clearImmediate(this.#closing);
    for (const handles of this.#open.values()) handles.close();
    this.#open.clear();
  }

  #evictLater(wanted: string): void {
    this.#closing ??= setImmediate(() => {
      this.#closing = undefined;
      this.#evict(wanted, this.#max - CLOSED_LATER);
    });
  }

  /** Closes the least recently used stores until there are `left`, but neither `wanted` nor a busy one. */
  #evict(wanted: string, left: number): void {
    for (const [id, handles] of this.#open) {
      if (this.#open.size <= left) return;
      if (id === wanted || handles.users || this.#mustStay(id)) continue;
      this.#open.delete(id);
      handles.close();
    }
  }
}
