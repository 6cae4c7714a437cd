// Lends connections to workspace stores, one SQLite file each. The credentials choose the file, so no id in a request can
// reach another workspace's data.

import { setTimeout as sleep } from "node:timers/promises";
import { Handles, isWalLong, isWalShort, OpenStores, Room, WalGrowth } from "./open-stores.ts";
import type { Reader, Writer } from "./sqlite/connection.ts";
import { Doubt } from "./sqlite/doubt.ts";
import { isFrozen } from "./sqlite/frozen.ts";
import { attachWorkspace, openScratch } from "./sqlite/open.ts";
import { recover } from "./sqlite/recover.ts";
import { StoreRefusedError } from "./sqlite/refused.ts";
import { whenFree } from "./sqlite/when-free.ts";
import { immediate, isAway } from "./sqlite/write.ts";
import {
  createStore,
  explanationOf,
  isMigrated,
  migrateStore,
  openStore,
  StoreStaleError,
  storePath,
  type WorkspacesOptions,
  writeKnown,
} from "./store.ts";

/** More stores are kept open only while they are written. */
const KEPT_STORES = 64;

/** How often a write looks whether the store is migrated by now. */
const MIGRATED_POLL_MS = 20;

/** Small, because small jobs touch few database pages, and many workspaces may have a scratch store open. */
const SCRATCH_CACHE_KIB = 8000;

export class Workspaces {
  readonly #dataDir: string;
  readonly #options: WorkspacesOptions;
  readonly #room: Room;
  readonly #open: OpenStores;
  readonly #growth = new WalGrowth();

  constructor(dataDir: string, options: WorkspacesOptions) {
    this.#dataDir = dataDir;
    this.#options = options;
    this.#room = new Room(options.maxOpenStores ?? Number.POSITIVE_INFINITY);
    const { keptStores = KEPT_STORES, maxOpenStores = keptStores } = options;
    this.#open = new OpenStores(Math.min(keptStores, maxOpenStores), (id) => this.#mustStay(id));
  }

  /** How many stores are open. */
  get openStores(): number {
    return this.#open.size;
  }

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

  /** Lends a reader, also while the store is being migrated. @param isToWrite see `Handles.nearest` @throws StoreRefusedError, StoreStaleError, SchemaError */
  read<T>(id: string, read: (db: Reader) => T, isToWrite = false): T {
    const handles = this.#handles(id);
    return this.#explained(id, () => {
      const { reader, isEarlier } = handles;
      if (!isEarlier) return read(isToWrite ? handles.nearest : reader);
      const done = reader.snapshot(() => (isMigrated(reader) ? undefined : { result: read(reader) }));
      if (done) return done.result;
      this.#open.retire(id, handles);
      return this.read(id, read);
    });
  }

  /** Runs `write` in one transaction. Waits for the lock as the options say. @throws StoreRefusedError, SchemaError */
  write<T>(id: string, write: (db: Writer) => T): T {
    const { writer } = this.#forWriting(id);
    return this.#explained(id, () => immediate(writer, () => writeKnown(writer, write), this.#options.lockWaitMs));
  }

  /**
   * Runs `write` in one transaction when the lock is free.
   * @param mayRunAgain whether `write` changes nothing but the store: then it may run a second time, with all that the first one did rolled back
   * @throws StoreBusyError after `waitMs`, StoreRefusedError, SchemaError; StoreInDoubtError: perhaps it was written
   */
  async writeWhenFree<T>(id: string, waitMs: number, write: (db: Writer) => T, mayRunAgain = false): Promise<T> {
    const until = performance.now() + waitMs;
    if (this.#room.isFullFor(id)) await this.#room.wait(id, waitMs);
    const { handles, writer } = await this.#enter(id, until);
    try {
      const inWriter = () => this.#explained(id, () => writeKnown(writer, write));
      const result = await whenFree(writer, Math.max(until - performance.now(), 0), inWriter, mayRunAgain);
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
    const { scratches } = this.#handles(id, true);
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
    this.#handles(id, true);
    attachWorkspace(scratch, this.path(id), this.doubt(id), maxCacheKib);
    scratch.onHeld = this.#options.onHeld;
  }

  /** Brings one store up to date. @throws SchemaError, StoreRefusedError */
  migrate(id: string): void {
    migrateStore(this.path(id), id, { ...this.#options, busyTimeoutMs: 10_000, durable: "commit" });
  }

  /** Brings the store out of doubt, if it is in doubt. Blocks. @throws StoreLostError, or when it stays in doubt */
  recover(id: string): boolean {
    const doubt = this.doubt(id);
    return doubt.isRaised && recover(this.path(id), doubt);
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

  /** Copies the WAL if it has grown. If it is long, or has what was removed, truncates it: writers wait for that, but not for what was copied before. */
  trim(id: string, hasRemoved = false): void {
    this.copyGrown(id);
    if ((hasRemoved || isWalLong(this.path(id))) && !isFrozen(this.path(id)))
      this.#forWriting(id).writer.checkpoint("TRUNCATE");
  }

  close(): void {
    this.#open.close();
  }

  /** What writes, once the store is migrated. Nobody closes it. @throws StoreStaleError when it is not until then */
  async #enter(id: string, until: number): Promise<{ handles: Handles; writer: Writer }> {
    for (;;) {
      try {
        const found = this.#forWriting(id);
        found.handles.users++;
        this.#room.enter(id);
        return found;
      } catch (error) {
        if (!(error instanceof StoreStaleError) || performance.now() >= until) throw error;
        await sleep(MIGRATED_POLL_MS);
      }
    }
  }

  /** @param toWrite a store that is not migrated yet is not enough */
  #handles(id: string, toWrite = false): Handles {
    let known = this.#open.find(id);
    if (known?.isEarlier && (toWrite || isMigrated(known.reader))) {
      this.#open.retire(id, known);
      known = undefined;
    }
    if (known?.isThere()) {
      if (known.isEarlier && this.#options.onStale !== "migrate") this.#options.onStale(id);
      this.#open.touch(id, known);
      return known;
    }
    if (known) this.#open.retire(id, known);
    const handles = this.#openStore(id, toWrite);
    this.#open.add(id, handles);
    return handles;
  }

  /** The connection that writes, and what it belongs to. */
  #forWriting(id: string): { handles: Handles; writer: Writer } {
    for (;;) {
      const handles = this.#handles(id, true);
      const writer = this.#explained(id, () => handles.openWriter());
      if (writer) return { handles, writer };
      // It was replaced by another file since it was opened.
      this.#open.retire(id, handles);
    }
  }

  #openStore(id: string, toWrite: boolean): Handles {
    const { onStale, jobsOf, onOpened, ...options } = this.#options;
    const more = { doubt: this.doubt(id), jobs: jobsOf?.(id) ?? [] };
    const opened = this.#explained(id, () =>
      openStore(this.path(id), id, {
        ...options,
        ...more,
        maybeEarlier: !toWrite,
        onStale: onStale === "migrate" ? onStale : () => onStale(id),
      }),
    );
    onOpened?.(id, opened.closed, opened.reader);
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
    const handles = this.#open.find(id);
    if (handles && !this.doubt(id).isRaised) this.#open.retire(id, handles);
  }

  /** Closing the last connection checkpoints the WAL: what is in doubt must not be copied, and a long one is checkpointed elsewhere first. */
  #mustStay(id: string): boolean {
    if (this.doubt(id).isRaised) return true;
    if (!this.#options.onGrown || !isWalLong(this.path(id))) return false;
    this.#options.onGrown(id);
    return true;
  }
}
