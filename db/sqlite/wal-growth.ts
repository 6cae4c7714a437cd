// Finds out when a WAL has grown so much that it is due for a checkpoint.

import { statSync } from "node:fs";
import { MAX_UNCOPIED_PAGES } from "./connection.ts";
import { MAX_WAL_BYTES } from "./open.ts";

/** SQLite's own, and that of every store. */
const PAGE_BYTES = 4096;

/** A checkpoint is due after this many small writes, even if the WAL is short. */
const WRITES_PER_CHECKPOINT = 500;
/** After this many small writes the size of the WAL is read. */
const WRITES_PER_SIZE_CHECK = 20;

/** Counts the small writes to each store. */
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
