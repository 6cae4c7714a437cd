// Lends connections to workspace stores, one SQLite file each. The credentials choose the file, so no id in a request can
// reach another workspace's data.

import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reader, Writer } from "./connection.ts";
import { checkVersion, currentVersion, migrate } from "./migrate.ts";
import { attachWorkspace, MAX_WAL_BYTES, type OpenOptions, openReader, openScratch, openWriter } from "./open.ts";
import { immediate, truncateWal, whenFree } from "./write.ts";

/** Another thread is bringing the store up to date. */
export class StoreStaleError extends Error {
  constructor() {
    super("The workspace's store is being brought up to date.");
    this.name = "StoreStaleError";
  }
}

export interface WorkspacesOptions extends OpenOptions {
  /**
   * What to do with a store of an older schema: migrate it at once; or, where that would block an event loop, call this
   * and throw StoreStaleError.
   */
  onStale: "migrate" | ((workspaceId: string) => void);
  /** How long a write waits for the lock, in steps of `busyTimeoutMs`. Default: one step. */
  lockWaitMs?: number;
  /** Called when a checkpoint is due, for connections whose commits don't checkpoint. */
  onGrown?: (workspaceId: string) => void;
}

interface Handles {
  reader: Reader;
  writer: Writer;
  /** By kind of job. */
  scratches: Map<string, Writer>;
}

// A connection needs three file descriptors, and each store has two connections.
const MAX_OPEN_STORES = 64;

/** Small, because small jobs touch few database pages, and many workspaces may have a scratch store open. */
const SCRATCH_CACHE_KIB = 8000;

/** A checkpoint is due after this many small writes, even if the WAL is short. */
const WRITES_PER_CHECKPOINT = 500;
/** After this many small writes the size of the WAL is read. */
const WRITES_PER_SIZE_CHECK = 20;

export class Workspaces {
  readonly #dataDir: string;
  readonly #options: WorkspacesOptions;
  // A Map keeps the order of insertion, so its first entry is the least recently used.
  readonly #open = new Map<string, Handles>();
  // How many writes wait for a lock or run: the store must not be closed meanwhile.
  readonly #busy = new Map<string, number>();
  readonly #writes = new Map<string, number>();

  constructor(dataDir: string, options: WorkspacesOptions) {
    this.#dataDir = dataDir;
    this.#options = options;
  }

  /** The path of the store. Its folder is the end of the id, because a UUIDv7 begins with the time. */
  path(id: string): string {
    return join(this.#dataDir, "workspaces", id.slice(-2), `${id}.sqlite`);
  }

  /** Creates an empty store. */
  create(id: string): void {
    const path = this.path(id);
    mkdirSync(dirname(path), { recursive: true });
    const db = openWriter(path, this.#options);
    try {
      migrate(db, "workspace");
    } finally {
      db.close();
    }
  }

  /** Lends a reader to `read`. @throws StoreStaleError, SchemaError */
  read<T>(id: string, read: (db: Reader) => T): T {
    return read(this.#handles(id).reader);
  }

  /** Runs `write` in one transaction. Waits for the lock as the options say. @throws SchemaError */
  write<T>(id: string, write: (db: Writer) => T): T {
    const { writer } = this.#handles(id);
    return immediate(writer, () => writeKnown(writer, write), this.#options.lockWaitMs);
  }

  /** Runs `write` in one transaction when the lock is free. @throws StoreBusyError after `waitMs`, SchemaError */
  async writeWhenFree<T>(id: string, waitMs: number, write: (db: Writer) => T): Promise<T> {
    const { writer } = this.#handles(id);
    this.#busy.set(id, (this.#busy.get(id) ?? 0) + 1);
    try {
      const result = await whenFree(writer, waitMs, () => writeKnown(writer, write));
      this.#countWrite(id);
      return result;
    } finally {
      const left = (this.#busy.get(id) ?? 1) - 1;
      if (left) this.#busy.set(id, left);
      else this.#busy.delete(id);
    }
  }

  /**
   * A scratch store in memory with the workspace attached as `w`, for small jobs of one kind. It is kept with its
   * prepared statements: the next job of that kind finds the rows that the last one left there.
   */
  scratch(id: string, kind: string, busyTimeoutMs: number): Writer {
    const { scratches } = this.#handles(id);
    let scratch = scratches.get(kind);
    if (!scratch) {
      scratch = openScratch(":memory:", busyTimeoutMs);
      attachWorkspace(scratch, this.path(id), SCRATCH_CACHE_KIB);
      scratches.set(kind, scratch);
    }
    return scratch;
  }

  /** Brings one store up to date. @throws SchemaError */
  migrate(id: string): void {
    const db = openWriter(this.#existing(id), { ...this.#options, busyTimeoutMs: 10_000 });
    try {
      migrate(db, "workspace");
    } finally {
      db.close();
    }
  }

  /** Checkpoints the WAL, usually without blocking anyone. Truncates it if it is long. */
  checkpoint(id: string): void {
    this.#handles(id).writer.get("PRAGMA wal_checkpoint(PASSIVE)");
    this.trim(id);
  }

  /** Truncates the WAL if it is long. Writers wait until it is checkpointed. */
  trim(id: string): void {
    if (this.#isWalLong(id)) this.#handles(id).writer.get("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  exists(id: string): boolean {
    return existsSync(this.path(id));
  }

  /** Removes a store. Another process that has it open sees it until it closes it. */
  remove(id: string): void {
    const handles = this.#open.get(id);
    this.#open.delete(id);
    if (handles) closeAll(handles);
    // The WAL last: without its file it is nothing, but the file without it lacks what was written last.
    for (const suffix of ["", "-shm", "-wal"]) rmSync(this.path(id) + suffix, { force: true });
  }

  /** Removes what the file and its WAL still have of what was deleted. @param rewrites also what earlier releases left */
  wipe(id: string, rewrites: boolean): void {
    const { writer } = this.#handles(id);
    if (rewrites) writer.exec("VACUUM");
    truncateWal(writer);
  }

  close(): void {
    for (const handles of this.#open.values()) closeAll(handles);
    this.#open.clear();
  }

  #countWrite(id: string): void {
    const writes = (this.#writes.get(id) ?? 0) + 1;
    const isDue = writes === WRITES_PER_CHECKPOINT || (writes % WRITES_PER_SIZE_CHECK === 0 && this.#isWalLong(id));
    this.#writes.set(id, isDue ? 0 : writes);
    if (isDue) this.#options.onGrown?.(id);
  }

  #isWalLong(id: string): boolean {
    return (statSync(`${this.path(id)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > MAX_WAL_BYTES;
  }

  /** The path of a store that must exist: a lost store must not become an empty one. */
  #existing(id: string): string {
    const path = this.path(id);
    if (!existsSync(path)) throw new Error(`The workspace ${id} has no file.`);
    return path;
  }

  #handles(id: string): Handles {
    const known = this.#open.get(id);
    if (known) {
      // A single entry, the usual case, needs no reordering.
      if (this.#open.size > 1) {
        this.#open.delete(id);
        this.#open.set(id, known);
      }
      return known;
    }
    const handles = this.#openStore(id);
    this.#open.set(id, handles);
    if (this.#open.size > MAX_OPEN_STORES) this.#evict(id);
    return handles;
  }

  #openStore(id: string): Handles {
    const path = this.#existing(id);
    const writer = openWriter(path, this.#options);
    try {
      if (checkVersion(writer, "workspace") < currentVersion("workspace")) {
        if (this.#options.onStale !== "migrate") {
          this.#options.onStale(id);
          throw new StoreStaleError();
        }
        migrate(writer, "workspace");
      }
      return { writer, reader: openReader(path, this.#options), scratches: new Map() };
    } catch (error) {
      writer.close();
      throw error;
    }
  }

  /** Closes the least recently used stores, but neither `wanted` nor a busy one. */
  #evict(wanted: string): void {
    for (const [id, handles] of this.#open) {
      if (id === wanted || this.#busy.has(id)) continue;
      // Closing the last connection checkpoints the WAL. A long one is checkpointed elsewhere first.
      if (this.#options.onGrown && this.#isWalLong(id)) {
        this.#options.onGrown(id);
        continue;
      }
      this.#open.delete(id);
      closeAll(handles);
      if (this.#open.size <= MAX_OPEN_STORES) return;
    }
  }
}

/** Writes, unless a newer release has migrated the store since it was opened. @throws SchemaTooNewError */
function writeKnown<T>(writer: Writer, write: (db: Writer) => T): T {
  checkVersion(writer, "workspace");
  return write(writer);
}

function closeAll({ reader, writer, scratches }: Handles): void {
  for (const scratch of scratches.values()) scratch.close();
  reader.close();
  writer.close();
}
