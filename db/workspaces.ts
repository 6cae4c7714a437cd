// Lends connections to workspace stores, one SQLite file each. The credentials choose the file, so no id in a request can
// reach another workspace's data.

import type { Reader, Writer } from "./connection.ts";
import { Doubt } from "./doubt.ts";
import { isFrozen } from "./frozen.ts";
import { Handles } from "./handles.ts";
import { attachWorkspace, openScratch } from "./open.ts";
import { recover } from "./recover.ts";
import { StoreRefusedError } from "./refused.ts";
import { Room } from "./room.ts";
import {
  createStore,
  explanationOf,
  migrateStore,
  openStore,
  storePath,
  type WorkspacesOptions,
  writeKnown,
} from "./store.ts";
import { isWalLong, isWalShort, WalGrowth } from "./wal-growth.ts";
import { whenFree } from "./when-free.ts";
import { immediate, isAway } from "./write.ts";

/** More stores are kept open only while they are written. */
const KEPT_STORES = 64;

/** So many of them are closed when nobody waits for that. */
const CLOSED_LATER = 4;

/** Small, because small jobs touch few database pages, and many workspaces may have a scratch store open. */
const SCRATCH_CACHE_KIB = 8000;

export class Workspaces {
  readonly #dataDir: string;
  readonly #options: WorkspacesOptions;
  readonly #maxOpen: number;
  readonly #room: Room;
  // A Map keeps the order of insertion, so its first entry is the least recently used.
  readonly #open = new Map<string, Handles>();
  readonly #growth = new WalGrowth();
  #closing: NodeJS.Immediate | undefined;

  constructor(dataDir: string, options: WorkspacesOptions) {
    this.#dataDir = dataDir;
    this.#options = options;
    this.#room = new Room(options.maxOpenStores ?? Number.POSITIVE_INFINITY);
    const { keptStores = KEPT_STORES, maxOpenStores = keptStores } = options;
    this.#maxOpen = Math.min(keptStores, maxOpenStores);
  }

  /** How many stores are open. */
  get openStores(): number {
    return this.#open.size;
  }

  /** The path of the store. */
  path(id: string): string {
    return storePath(this.#dataDir, id);
  }

  doubt(id: string): Doubt {
    return new Doubt(this.#dataDir, id);
  }

  /** Creates an empty store. It is on the disk when this returns. */
  create(id: string): void {
    createStore(this.path(id), id, this.#options);
  }

  /** Lends a reader to `read`. @throws StoreRefusedError, StoreStaleError, SchemaError */
  read<T>(id: string, read: (db: Reader) => T): T {
    const { reader } = this.#handles(id);
    return this.#explained(id, () => read(reader));
  }

  /** Runs `write` in one transaction. Waits for the lock as the options say. @throws StoreRefusedError, SchemaError */
  write<T>(id: string, write: (db: Writer) => T): T {
    const { writer } = this.#forWriting(id);
    return this.#explained(id, () => immediate(writer, () => writeKnown(writer, write), this.#options.lockWaitMs));
  }

  /**
   * Runs `write` in one transaction when the lock is free.
   * @throws StoreBusyError after `waitMs`, StoreRefusedError, SchemaError; StoreInDoubtError: perhaps it was written
   */
  async writeWhenFree<T>(id: string, waitMs: number, write: (db: Writer) => T): Promise<T> {
    if (this.#room.isFullFor(id)) await this.#room.wait(id, waitMs);
    const { handles, writer } = this.#forWriting(id);
    handles.users++;
    this.#room.enter(id);
    try {
      const result = await whenFree(writer, waitMs, () => this.#explained(id, () => writeKnown(writer, write)));
      if (this.#growth.count(id, this.path(id))) this.#options.onGrown?.(id);
      return result;
    } finally {
      handles.users--;
      this.#room.leave(id);
      if (handles.isRetired && !handles.users) handles.close();
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
      this.attach(id, scratch, SCRATCH_CACHE_KIB);
      scratches.set(kind, scratch);
    }
    return scratch;
  }

  /** Attaches the workspace to a scratch store, as `w`. @throws StoreRefusedError */
  attach(id: string, scratch: Writer, maxCacheKib?: number): void {
    // Opening it has shown that it is the right file.
    this.#handles(id);
    attachWorkspace(scratch, this.path(id), this.doubt(id), maxCacheKib);
    scratch.onHeld = this.#options.onHeld;
  }

  /** Brings one store up to date. @throws SchemaError, StoreRefusedError */
  migrate(id: string): void {
    migrateStore(this.path(id), id, { ...this.#options, busyTimeoutMs: 10_000, durable: "commit" });
  }

  /** Brings the store out of doubt, if it is in doubt. Blocks. @throws StoreLostError, or when it stays in doubt */
  recover(id: string): boolean {
    return recover(this.path(id), this.doubt(id));
  }

  /** Checkpoints the WAL, usually without blocking anyone. Truncates it if it is long. */
  checkpoint(id: string): void {
    this.#forWriting(id).writer.checkpoint("PASSIVE");
    this.trim(id);
  }

  /** Copies the WAL into the store if it has grown. Nobody waits for that. */
  copyGrown(id: string): void {
    if (!isWalShort(this.path(id))) this.#forWriting(id).writer.checkpointGrown();
  }

  /** Copies the WAL if it has grown. If it is long, truncates it: writers wait for that, but not for what was copied before. */
  trim(id: string): void {
    this.copyGrown(id);
    if (isWalLong(this.path(id)) && !isFrozen(this.path(id))) this.#forWriting(id).writer.checkpoint("TRUNCATE");
  }

  close(): void {
    clearImmediate(this.#closing);
    for (const handles of this.#open.values()) handles.close();
    this.#open.clear();
  }

  #handles(id: string): Handles {
    const known = this.#open.get(id);
    if (known?.isThere()) {
      if (this.#open.size > 1) {
        this.#open.delete(id);
        this.#open.set(id, known);
      }
      return known;
    }
    if (known) this.#retire(id, known);
    const handles = this.#openStore(id);
    this.#open.set(id, handles);
    if (this.#open.size > this.#maxOpen) this.#evict(id, this.#maxOpen);
    else if (this.#open.size > this.#maxOpen - CLOSED_LATER) this.#evictLater(id);
    return handles;
  }

  /** The connection that writes, and what it belongs to. */
  #forWriting(id: string): { handles: Handles; writer: Writer } {
    for (;;) {
      const handles = this.#handles(id);
      const writer = this.#explained(id, () => handles.openWriter());
      if (writer) return { handles, writer };
      // Another file has come to its place since it was opened.
      this.#retire(id, handles);
    }
  }

  #openStore(id: string): Handles {
    const { onStale, jobsOf, onOpened, ...options } = this.#options;
    const more = { doubt: this.doubt(id), jobs: jobsOf?.(id) ?? [] };
    const opened = this.#explained(id, () =>
      openStore(this.path(id), id, {
        ...options,
        ...more,
        onStale: onStale === "migrate" ? onStale : () => onStale(id),
      }),
    );
    onOpened?.(id);
    return new Handles(this.path(id), opened, { ...options, doubt: more.doubt });
  }

  /** Runs `act` on a store, and reports when the store is refused. */
  #explained<T>(id: string, act: () => T): T {
    try {
      return act();
    } catch (cause) {
      const error = explanationOf(cause, this.path(id));
      if (error instanceof StoreRefusedError) this.#options.onOpened?.(id, error);
      if (isAway(error)) this.forget(id);
      throw error;
    }
  }

  /** Opens the store anew when it is needed next: what was opened while it was away stays as it was then. */
  forget(id: string): void {
    const handles = this.#open.get(id);
    if (handles && !this.doubt(id).isRaised) this.#retire(id, handles);
  }

  /** SQLite leaves the WAL alone when it closes a file that was moved away. */
  #retire(id: string, handles: Handles): void {
    this.#open.delete(id);
    handles.isRetired = true;
    if (!handles.users) handles.close();
  }

  #evictLater(wanted: string): void {
    this.#closing ??= setImmediate(() => {
      this.#closing = undefined;
      this.#evict(wanted, this.#maxOpen - CLOSED_LATER);
    });
  }

  /** Closes the least recently used stores until there are `left`, but neither `wanted` nor a busy one. */
  #evict(wanted: string, left: number): void {
    for (const [id, handles] of this.#open) {
      if (this.#open.size <= left) return;
      // Closing the last connection checkpoints the WAL, and what is in doubt must not be copied.
      if (id === wanted || handles.users || this.doubt(id).isRaised) continue;
      // A long one is checkpointed elsewhere first.
      if (this.#options.onGrown && isWalLong(this.path(id))) {
        this.#options.onGrown(id);
        continue;
      }
      this.#open.delete(id);
      handles.close();
    }
  }
}
