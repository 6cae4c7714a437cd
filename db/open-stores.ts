// The workspaces' stores that are open: what is open on each, which of them are closed to open others, how many are written at the same
// time, and which have WALs so long that they are due for a checkpoint.

import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MAX_UNCOPIED_PAGES, type Reader, type Writer } from "./sqlite/connection.ts";
import { MAX_WAL_BYTES, type OpenOptions, openWriter } from "./sqlite/open.ts";
import { StoreBusyError } from "./sqlite/write.ts";
import { type FileIdentity, isThere, type OpenStore } from "./store.ts";

/** A store that is open may be moved. It is looked for after this time. */
export const LOOK_AGAIN_MS = 100;

/**
 * What is open on a store. The connection that writes is opened when something is written: many stores are only read, and each
 * connection reads the whole schema.
 */
export class Handles {
  readonly reader: Reader;
  /** It is not migrated yet: it is lent to be read alone. */
  readonly isEarlier: boolean;
  /** By kind of job. */
  readonly scratches = new Map<string, Writer>();
  /** How many writes wait for a lock or run: the store must not be closed meanwhile. */
  users = 0;
  /** It is not lent any more, and is closed after its last write. */
  isRetired = false;
  readonly #path: string;
  readonly #identity: FileIdentity;
  readonly #options: OpenOptions;
  #writer: Writer | undefined;
  /** When it was last seen that its path leads to it. */
  #seenAt = performance.now();

  constructor(path: string, { reader, isEarlier, ...identity }: OpenStore, options: OpenOptions) {
    this.#path = path;
    this.reader = reader;
    this.isEarlier = isEarlier;
    this.#identity = identity;
    this.#options = options;
  }

  /** Whether its path still leads to it, or did so a moment ago. */
  isThere(): boolean {
    const now = performance.now();
    if (now - this.#seenAt < LOOK_AGAIN_MS) return true;
    this.#seenAt = now;
    return isThere(this.#path, this.#identity);
  }

  /** The connection that writes; undefined when its path leads to another file by now. */
  openWriter(): Writer | undefined {
    if (this.#writer) return this.#writer;
    const writer = openWriter(this.#path, this.#options, true);
    if (isThere(this.#path, this.#identity)) this.#writer = writer;
    else writer.close();
    return this.#writer;
  }

  /**
   * The connection that writes, where it is open: it still has the pages that it has written, while any other connection reads them anew after each
   * commit. On an event loop it is in no transaction.
   */
  get nearest(): Reader {
    return this.#writer ?? this.reader;
  }

  close(): void {
    for (const scratch of this.scratches.values()) scratch.close();
    this.reader.close();
    this.#writer?.close();
  }
}

/** How many are closed when nobody waits for that. */
const CLOSED_LATER = 4;

/** Closes those that were not used for the longest time. */
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

const STEP_MS = 5;

/** Limits how many are written: a store that is written can't be closed to make room for another one. */
export class Room {
  readonly #max: number;
  /** How many writes wait for the lock of a store or run. */
  readonly #writes = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  isFullFor(id: string): boolean {
    return this.#writes.size >= this.#max && !this.#writes.has(id);
  }

  /** Waits until there is room. @throws StoreBusyError after `waitMs` */
  async wait(id: string, waitMs: number): Promise<void> {
    for (const deadline = performance.now() + waitMs; this.isFullFor(id); await sleep(STEP_MS)) {
      if (performance.now() >= deadline) throw new StoreBusyError();
    }
  }

  enter(id: string): void {
    this.#writes.set(id, (this.#writes.get(id) ?? 0) + 1);
  }

  leave(id: string): void {
    const left = (this.#writes.get(id) ?? 1) - 1;
    if (left) this.#writes.set(id, left);
    else this.#writes.delete(id);
  }
}

/** SQLite's own, and that of every store. */
const PAGE_BYTES = 4096;

/** A checkpoint is due after this many small writes, even if the WAL is short. */
const WRITES_PER_CHECKPOINT = 500;
/** After this many small writes the size of the WAL is read. */
const WRITES_PER_SIZE_CHECK = 20;

/** Counts the small writes to each store, to find out when its WAL is due for a checkpoint. */
export class WalGrowth {
  readonly #writes = new Map<string, number>();

  /** Counts one write. @returns whether a checkpoint is due */
  count(id: string, path: string): boolean {
    const writes = (this.#writes.get(id) ?? 0) + 1;
    const isDue = writes === WRITES_PER_CHECKPOINT || (writes % WRITES_PER_SIZE_CHECK === 0 && isWalLong(path));
    this.#writes.set(id, isDue ? 0 : writes);
    return isDue;
  }
}

/** Whether the WAL of a store is so long that it should be truncated. */
export function isWalLong(path: string): boolean {
  return bytesOfWal(path) > MAX_WAL_BYTES;
}

/** Whether the WAL of a store is too short to be copied for its length. */
export function isWalShort(path: string): boolean {
  return bytesOfWal(path) < MAX_UNCOPIED_PAGES * PAGE_BYTES;
}

function bytesOfWal(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
