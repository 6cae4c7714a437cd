// Opens a workspace's store, if it is the one that it should be. A store that is lost must never look like an empty one.

import { rmSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { canBeRead, overlayOf } from "./earlier.ts";
import { checkVersion, currentVersion, type MigrationStep, migrate, writeEmpty } from "./migrate.ts";
import type { Reader, Writer } from "./sqlite/connection.ts";
import type { Doubt } from "./sqlite/doubt.ts";
import { makeFolder, syncFile, syncFolder } from "./sqlite/folders.ts";
import { type OpenOptions, openOverlaid, openReader, openWriter } from "./sqlite/open.ts";
import { whyClosed } from "./sqlite/owner.ts";
import { isDamage, StoreRefusedError } from "./sqlite/refused.ts";
import { immediate, isAway, isBusy } from "./sqlite/write.ts";

/** Another thread is bringing the store up to date. */
export class StoreStaleError extends Error {
  constructor() {
    super("The workspace's store is being brought up to date.");
    this.name = "StoreStaleError";
  }
}

/** Which file a path has led to. */
export interface FileIdentity {
  ino: number;
  dev: number;
}

/** A store that is open to be read. What writes opens a connection of its own. */
export interface OpenStore extends FileIdentity {
  reader: Reader;
  /** What can be read, and not written, is read. */
  closed: StoreRefusedError | undefined;
  /** It is not migrated yet, and read as if it were (db/earlier.ts). */
  isEarlier: boolean;
}

export interface WorkspacesOptions extends OpenOptions {
  /**
   * What to do with a store of an older schema: migrate it at once; or, where that would block an event loop, call this
   * and throw StoreStaleError.
   */
  onStale: "migrate" | ((workspaceId: string) => void);
  /** How long a write waits for the lock, in steps of `busyTimeoutMs`. Default: one step. */
  lockWaitMs?: number;
  /** How many stores may be open, because file descriptors are limited. */
  maxOpenStores?: number;
  /** How many stores are kept open for the next one who needs them. Default: 64. Each takes a quarter of a megabyte or more. */
  keptStores?: number;
  /** Called when a checkpoint is due, for connections whose commits don't checkpoint. */
  onGrown?: (workspaceId: string) => void;
  /** The jobs of which the ledger knows that they have succeeded, at least the last ones: their outcomes must be there. */
  jobsOf?: (workspaceId: string) => readonly string[];
  /** Called when a store was refused; and without an error, but with what reads it, when one was opened. */
  onOpened?: (workspaceId: string, refused?: StoreRefusedError, opened?: Reader) => void;
  /** Called while a store is migrated, and at the end. */
  onMigration?: (workspaceId: string, step: MigrationStep) => void;
}

interface StoreOptions extends OpenOptions, Pick<WorkspacesOptions, "onMigration"> {
  /** What to do with a store of an older schema: migrate it at once; or call this and throw StoreStaleError. */
  onStale: "migrate" | (() => void);
  /** Whether a store that somebody is migrating, or that is to be migrated, may be opened to be read alone. */
  maybeEarlier: boolean;
  /** Jobs that have succeeded: their outcomes must be in the store. */
  jobs: readonly string[];
}

/** The path of a workspace's store. Its folder is the end of the id, because a UUIDv7 begins with the time. */
export function storePath(dataDir: string, id: string): string {
  return join(dataDir, "workspaces", id.slice(-2), `${id}.sqlite`);
}

/** Opens the store of a workspace. @throws StoreRefusedError, StoreStaleError, SchemaError; SqliteError when somebody else migrates it */
export function openStore(path: string, workspaceId: string, options: StoreOptions): OpenStore {
  const { ino, dev } = identify(path);
  return explained(path, () => {
    let reader = openReader(path, options);
    try {
      const isEarlier = !tryToBringUpToDate(reader, path, workspaceId, options);
      if (isEarlier) {
        reader.close();
        reader = openOverlaid(path, options, (db) => overlayOf(db, workspaceId));
      }
      const found = reader.value<string>("SELECT workspace_uid FROM store");
      if (found !== workspaceId) throw new StoreRefusedError("foreign", path);
      if (lacksOutcome(reader, options.jobs)) throw new StoreRefusedError("older", path);
      return { ino, dev, reader, isEarlier, closed: closedStore(path) };
    } catch (error) {
      reader.close();
      throw error;
    }
  });
}

/** Makes a new store. It is on the disk when this returns. */
export function createStore(path: string, workspaceId: string, options: OpenOptions): void {
  makeFolder(dirname(path));
  writeEmpty(path);
  const db = openWriter(path, { ...options, durable: "commit" }, true);
  try {
    immediate(db, () => {
      // What a migration has drawn is the same in all copies.
      db.run("UPDATE reference_key SET key = randomblob(16)");
      identifyAs(db, workspaceId);
    });
  } finally {
    db.close();
  }
  syncFile(path);
  syncFolder(dirname(path));
}

/** Brings a store up to date. @throws SchemaError, StoreRefusedError */
export function migrateStore(
  path: string,
  workspaceId: string,
  options: OpenOptions & Pick<WorkspacesOptions, "onMigration">,
): void {
  identify(path);
  explained(path, () => {
    const db = openReader(path, options);
    try {
      bringUpToDate(db, path, workspaceId, { ...options, onStale: "migrate" });
    } finally {
      db.close();
    }
  });
}

/** The file that is there now. @throws StoreRefusedError when it is missing or empty */
function identify(path: string): Stats {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new StoreRefusedError("missing", path);
  if (stats.size === 0) throw new StoreRefusedError("empty", path);
  return stats;
}

/** Whether the path still leads to the file that was opened. */
export function isThere(path: string, { ino, dev }: FileIdentity): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.ino === ino && stats.dev === dev && stats.size > 0;
}

/** @returns false when the store is not migrated yet, but can be read */
function tryToBringUpToDate(db: Reader, path: string, workspaceId: string, options: StoreOptions): boolean {
  try {
    bringUpToDate(db, path, workspaceId, options);
    return true;
  } catch (error) {
    if (!(error instanceof StoreStaleError || isBusy(error))) throw error;
    // Whoever held the lock may have migrated it.
    if (isMigrated(db)) return true;
    if (!options.maybeEarlier || !canBeRead(checkVersion(db, "workspace"))) throw error;
    return false;
  }
}

/** Whether somebody has migrated the store by now. */
export function isMigrated(db: Reader): boolean {
  return checkVersion(db, "workspace") >= currentVersion("workspace");
}

function bringUpToDate(
  db: Reader,
  path: string,
  workspaceId: string,
  { onStale, onMigration, ...options }: OpenOptions & Pick<StoreOptions, "onStale" | "onMigration">,
): void {
  const version = checkVersion(db, "workspace");
  // Only `createStore` makes a store of nothing.
  if (version === 0) throw new StoreRefusedError("empty", path);
  if (version >= currentVersion("workspace")) return;
  if (onStale !== "migrate") {
    onStale();
    throw new StoreStaleError();
  }
  const writer = openWriter(path, options, true);
  try {
    // An earlier release did not write the workspace's id into its store.
    migrate(writer, "workspace", undefined, {
      finish: () => identifyAs(writer, workspaceId),
      onStep: (step) => onMigration?.(workspaceId, step),
    });
  } finally {
    writer.close();
  }
}

function identifyAs(db: Writer, workspaceId: string): void {
  db.run("INSERT OR IGNORE INTO store (id, workspace_uid) VALUES (1, ?)", workspaceId);
}

function lacksOutcome(db: Reader, jobs: readonly string[]): boolean {
  if (!jobs.length) return false;
  const found = db.value<number>(
    "SELECT count(*) FROM json_each(?) AS j CROSS JOIN job_outcome AS o ON o.job_uid = j.value",
    JSON.stringify(jobs),
  );
  return found !== jobs.length;
}

/** Runs `act` on a store. @throws StoreRefusedError when it is damaged, or belongs to somebody else */
function explained<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw explanationOf(error, path);
  }
}

/** What an error says of a store: StoreRefusedError when it is damaged, or belongs to somebody else. */
export function explanationOf(error: unknown, path: string): unknown {
  if (isDamage(error)) return new StoreRefusedError("damaged", path, { cause: error });
  if (error instanceof StoreRefusedError || !isAway(error)) return error;
  return closedStore(path, error) ?? error;
}

/** The error of a store that this process may not read and write; undefined when it may. */
function closedStore(path: string, cause?: unknown): StoreRefusedError | undefined {
  const closed = whyClosed(path);
  if (!closed) return undefined;
  return new StoreRefusedError("unreadable", path, { what: `${closed.what}. What to do: ${closed.advice}`, cause });
}

/** Removes a store's files. Another process that has it open sees it until it closes it. */
export function removeStore(path: string, doubt: Doubt): void {
  // The WAL last: without its file it is nothing, but the file without it lacks what was written last.
  for (const suffix of ["", "-shm", "-wal"]) rmSync(path + suffix, { force: true });
  doubt.clear(doubt.read());
}

/** Writes, unless a newer release has changed the store since it was opened so that this one can't. @throws SchemaTooNewError */
export function writeKnown<T>(writer: Writer, write: (db: Writer) => T): T {
  checkVersion(writer, "workspace");
  return write(writer);
}
