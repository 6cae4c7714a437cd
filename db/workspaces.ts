// One SQLite file a workspace, lent and taken back: the credentials choose the file, so no id can reach another's.

import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reader, Writer } from "./connection.ts";
import { checkVersion, currentVersion, migrate } from "./migrate.ts";
import { attachWorkspace, type OpenOptions, openReader, openScratch, openWriter } from "./open.ts";
import { immediate, whenFree } from "./write.ts";

/** The file is being brought up to date by another thread. */
export class StoreStaleError extends Error {
  constructor() {
    super("The workspace's store is being brought up to date.");
    this.name = "StoreStaleError";
  }
}

export interface WorkspacesOptions extends OpenOptions {
  /**
   * What to do with a file of an older schema: bring it up to date on the spot, or (where that would hold an
   * event loop) tell someone who can, and throw StoreStaleError meanwhile.
   */
  onStale: "migrate" | ((workspaceId: string) => void);
  /** How long a write waits for the lock, in steps of `busyTimeoutMs`. Without: one step. */
  lockWaitMs?: number;
  /** Where commits don't copy the log into the file: told when that is due. */
  onGrown?: (workspaceId: string) => void;
}

interface Handles {
  reader: Reader;
  writer: Writer;
  /** By the kind of job that they belong to. */
  scratches: Map<string, Writer>;
}

// An open file costs three descriptors, and there are two connections each.
const MAX_OPEN_STORES = 64;

/** How long a log may be that is left as it is. */
const TRIM_BYTES = 16 * 1024 * 1024;

/** Small jobs touch few pages, and many workspaces may have theirs open. */
const SCRATCH_CACHE_KIB = 8000;

/** After how many small writes somebody is told that the log has grown, however short it is; and when its length is looked at. */
const WRITES_BETWEEN = 500;
const WRITES_BETWEEN_LOOKS = 20;

export class Workspaces {
  readonly #dataDir: string;
  readonly #options: WorkspacesOptions;
  // A Map keeps the order of insertion: the first one is the one that was used longest ago.
  readonly #open = new Map<string, Handles>();
  // Writers that wait for a lock must not be closed under way.
  readonly #busy = new Map<string, number>();
  readonly #writes = new Map<string, number>();

  constructor(dataDir: string, options: WorkspacesOptions) {
    this.#dataDir = dataDir;
    this.#options = options;
  }

  /** Where the workspace's file is. By the id's end, because the beginning of a UUIDv7 is the time. */
  path(id: string): string {
    return join(this.#dataDir, "workspaces", id.slice(-2), `${id}.sqlite`);
  }

  /** Makes an empty workspace file. */
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

  /** Lends a reading handle for as long as `read` takes. */
  read<T>(id: string, read: (db: Reader) => T): T {
    return read(this.#handles(id).reader);
  }

  /** Runs `write` in one transaction. Waits for the lock as long as these options say. @throws SchemaTooNewError */
  write<T>(id: string, write: (db: Writer) => T): T {
    const { writer } = this.#handles(id);
    return immediate(writer, () => writeKnown(writer, write), this.#options.lockWaitMs);
  }

  /** Runs `write` in one transaction when the lock is free. @throws StoreBusyError after `waitMs`, SchemaTooNewError */
  async writeWhenFree<T>(id: string, waitMs: number, write: (db: Writer) => T): Promise<T> {
    const { writer } = this.#handles(id);
    this.#busy.set(id, (this.#busy.get(id) ?? 0) + 1);
    try {
      const result = await whenFree(writer, waitMs, () => writeKnown(writer, write));
      this.#grow(id);
      return result;
    } finally {
      const left = (this.#busy.get(id) ?? 1) - 1;
      if (left) this.#busy.set(id, left);
      else this.#busy.delete(id);
    }
  }

  /**
   * A store in memory with the workspace attached as `w`, for small jobs of one kind to work in. It is kept, and its
   * statements with it: the next job of that kind finds what the last one left there.
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

  /** Brings one file up to date. */
  migrate(id: string): void {
    const db = openWriter(this.#existing(id), { ...this.#options, busyTimeoutMs: 10_000 });
    try {
      migrate(db, "workspace");
    } finally {
      db.close();
    }
  }

  /** Copies the log into the file, for which nobody waits as a rule; and cuts it back when it is long. */
  checkpoint(id: string): void {
    this.#handles(id).writer.get("PRAGMA wal_checkpoint(PASSIVE)");
    this.trim(id);
  }

  /** Cuts back a log that has grown long. Writers wait meanwhile, for as long as a copy takes. */
  trim(id: string): void {
    if (this.#isLong(id)) this.#handles(id).writer.get("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    for (const handles of this.#open.values()) closeAll(handles);
    this.#open.clear();
  }

  #grow(id: string): void {
    const writes = (this.#writes.get(id) ?? 0) + 1;
    const isDue = writes === WRITES_BETWEEN || (writes % WRITES_BETWEEN_LOOKS === 0 && this.#isLong(id));
    this.#writes.set(id, isDue ? 0 : writes);
    if (isDue) this.#options.onGrown?.(id);
  }

  #isLong(id: string): boolean {
    return (statSync(`${this.path(id)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > TRIM_BYTES;
  }

  /** The path of a file that must be there: what is gone must not look like what is empty. */
  #existing(id: string): string {
    const path = this.path(id);
    if (!existsSync(path)) throw new Error(`The workspace ${id} has no file.`);
    return path;
  }

  #handles(id: string): Handles {
    const known = this.#open.get(id);
    if (known) {
      // The common case, one workspace at a time, needs no reordering.
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

  /** Closes those that were used longest ago; not `wanted`, not even when all others are in use. */
  #evict(wanted: string): void {
    for (const [id, handles] of this.#open) {
      if (id === wanted || this.#busy.has(id)) continue;
      // Who closes a file copies what is left in its log. If that is long, someone else does it first.
      if (this.#options.onGrown && this.#isLong(id)) {
        this.#options.onGrown(id);
        continue;
      }
      this.#open.delete(id);
      closeAll(handles);
      if (this.#open.size <= MAX_OPEN_STORES) return;
    }
  }
}

/** Writes, unless a newer release has changed the file since it was opened. */
function writeKnown<T>(writer: Writer, write: (db: Writer) => T): T {
  checkVersion(writer, "workspace");
  return write(writer);
}

function closeAll({ reader, writer, scratches }: Handles): void {
  for (const scratch of scratches.values()) scratch.close();
  reader.close();
  writer.close();
}
