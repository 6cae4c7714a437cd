// The sizes of the stores and of the disk. An installation may have thousands of stores, so they are measured at most once a
// minute, some at a time: a scrape gets what was measured last, at once.

import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { controlPath } from "../../db/control.ts";
import type { Log } from "../base/log.ts";

/** What stores take. */
interface StoreSizes {
  storeBytes: number;
  walBytes: number;
  longestWalBytes: number;
}

interface Measured {
  control: StoreSizes;
  workspaces: StoreSizes;
  freeBytes: number;
  diskBytes: number;
}

const KEEP_MS = 60_000;

export class Sizes {
  readonly #dataDir: string;
  readonly #log: Log;
  #latest: Measured | undefined;
  /** When it was last measured, or begun to be. */
  #begunAt = Number.NEGATIVE_INFINITY;

  /** Begins to measure. */
  constructor(dataDir: string, log: Log) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.latest();
  }

  /** What was measured last. undefined: nothing yet, or it could not be measured. */
  latest(): Measured | undefined {
    const now = performance.now();
    if (now - this.#begunAt >= KEEP_MS) {
      this.#begunAt = now;
      measure(this.#dataDir).then(
        (measured) => {
          this.#latest = measured;
        },
        (error: unknown) => {
          this.#latest = undefined;
          this.#log.warn({ err: error }, "sizes could not be measured");
        },
      );
    }
    return this.#latest;
  }
}

async function measure(dataDir: string): Promise<Measured> {
  const { bsize, blocks, bavail } = await statfs(dataDir);
  const folder = join(dataDir, "workspaces");
  const workspaces: StoreSizes = { storeBytes: 0, walBytes: 0, longestWalBytes: 0 };
  // Before the first workspace there is no folder.
  for (const name of await readdir(folder).catch(() => [])) {
    // A few hundred folders, each with a few stores.
    const stores = await readdir(join(folder, name)).catch(() => []);
    for (const one of await Promise.all(stores.map((store) => sizeOf(join(folder, name, store))))) add(workspaces, one);
  }
  const control: StoreSizes = { storeBytes: 0, walBytes: 0, longestWalBytes: 0 };
  const path = controlPath(dataDir);
  for (const one of await Promise.all([path, `${path}-wal`].map(sizeOf))) add(control, one);
  return { control, workspaces, freeBytes: bavail * bsize, diskBytes: blocks * bsize };
}

async function sizeOf(path: string): Promise<{ path: string; bytes: number }> {
  // It may have been removed since.
  const stats = await stat(path).catch(() => undefined);
  return { path, bytes: stats?.size ?? 0 };
}

function add(sizes: StoreSizes, { path, bytes }: { path: string; bytes: number }): void {
  if (path.endsWith(".sqlite")) sizes.storeBytes += bytes;
  if (!path.endsWith("-wal")) return;
  sizes.walBytes += bytes;
  sizes.longestWalBytes = Math.max(sizes.longestWalBytes, bytes);
}
