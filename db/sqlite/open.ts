// Opens SQLite files and sets their pragmas. No other file does that.

import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { locate, OverlaidReader, Reader, Writer } from "./connection.ts";
import { type Doubt, WalFlusher } from "./doubt.ts";
import { addMailFunctions } from "./mail-functions.ts";
import { addOpaqueUuids } from "./opaque.ts";
import { addSearch } from "./words.ts";

export interface OpenOptions {
  /** How long a statement waits for a lock. 0 on an event loop, which would be blocked meanwhile. */
  busyTimeoutMs: number;
  /** Whether a commit may checkpoint the WAL. Off where that could take longer than a request may. */
  checkpoints: boolean;
  /**
   * When a commit is on the disk. `commit` (the default): before it returns. `flush`: when `Writer.flush` resolves.
   * `later`: at some time; a power failure may lose the newest commits, so their data must also be elsewhere.
   */
  durable?: "commit" | "flush" | "later";
  /** Of the control store and of workspaces' stores. */
  doubt?: Doubt;
  /** Called with how long a transaction has held the store's lock, in ms. */
  onHeld?: (ms: number) => void;
}

/** A WAL that is larger than this is truncated. */
export const MAX_WAL_BYTES = 16 * 1024 * 1024;

/**
 * What is deleted or moved is overwritten with zeros. Without it, a file keeps copies of what was deleted, which nobody can
 * find later. On every connection: a copy may be older than the connection that deletes.
 */
const OVERWRITES = "secure_delete = ON";

/** Opens a file for reading. It must exist. */
export function openReader(path: string, options: OpenOptions): Reader {
  // Not `readonly`: a reader must be able to recover the WAL that a killed writer left behind.
  return new Reader(openFile(path, options, { fileMustExist: true, isReader: true }));
}

/** Opens a file for reading, with temporary tables and views over it that hide what it has. @param overlayOf the statements that make them */
export function openOverlaid(path: string, options: OpenOptions, overlayOf: (db: Reader) => string): Reader {
  const sqlite = openFile(path, options, { fileMustExist: true, isReader: true });
  try {
    const overlay = overlayOf(new Reader(sqlite));
    sqlite.exec(`PRAGMA query_only = OFF; ${overlay}; PRAGMA query_only = ON;`);
    return new OverlaidReader(sqlite);
  } catch (error) {
    sqlite.close();
    throw locate(error, path);
  }
}

/** Opens a file for writing. Creates it if it does not exist, unless it must. */
export function openWriter(path: string, options: OpenOptions, mustExist = false): Writer {
  const sqlite = openFile(path, options, { fileMustExist: mustExist, isReader: false });
  const { durable = "commit", doubt, onHeld } = options;
  const writer = new Writer(sqlite, {
    doubt,
    wal: durable === "flush" ? new WalFlusher(`${path}-wal`, doubt) : undefined,
    isImmediate: durable === "commit",
  });
  writer.onHeld = onHeld;
  return writer;
}

/** Rows are written and read in their order, so few pages come again. It is also what a sort keeps in memory. */
const SCRATCH_CACHE_KIB = 8000;

/**
 * Opens a job's scratch store. After a crash it is useless until its job is committed, so nothing waits for the disk yet
 * and the journal is in memory. (`journal_mode = OFF` is refused: better-sqlite3 opens files in defensive mode.)
 * @param maxBytes how long the file may become. Past it, SQLITE_FULL
 */
export function openScratch(path: string, busyTimeoutMs: number, maxBytes?: number): Writer {
  const sqlite = new Database(path, { timeout: busyTimeoutMs });
  // For a workspace that is attached.
  addOpaqueUuids(sqlite);
  addMailFunctions(sqlite);
  sqlite.pragma("journal_mode = MEMORY");
  sqlite.pragma("synchronous = OFF");
  // Nor of a workspace that is attached: SQLite would say nothing when that fails (Writer.checkpointGrown).
  sqlite.pragma("wal_autocheckpoint = 0");
  sqlite.pragma(`cache_size = -${SCRATCH_CACHE_KIB}`);
  // The sorts of a large job need files.
  if (path === ":memory:") sqlite.pragma("temp_store = MEMORY");
  if (maxBytes !== undefined) {
    const pageBytes = sqlite.pragma("page_size", { simple: true }) as number;
    sqlite.pragma(`max_page_count = ${Math.max(1, Math.min(Math.floor(maxBytes / pageBytes), 2 ** 32 - 2))}`);
  }
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  sqlite.pragma(OVERWRITES);
  return new Writer(sqlite);
}

// Rows of a workspace are looked up in no order: its pages come again. But a new one has few.
const MIN_WORKSPACE_CACHE_KIB = 16_000;
const MAX_WORKSPACE_CACHE_KIB = 128_000;

/**
 * Attaches a workspace's file to a scratch connection, as `w`. From here on each commit puts the scratch store on the
 * disk, because the job's result is read from it after the workspace is committed.
 */
export function attachWorkspace(
  scratch: Writer,
  path: string,
  doubt: Doubt,
  maxCacheKib = MAX_WORKSPACE_CACHE_KIB,
): void {
  const cacheKib = Math.min(Math.max(Math.ceil(statSync(path).size / 1024), MIN_WORKSPACE_CACHE_KIB), maxCacheKib);
  scratch.run("ATTACH ? AS w", path);
  scratch.attached(doubt);
  scratch.exec(
    `PRAGMA main.synchronous = FULL; PRAGMA w.synchronous = FULL; PRAGMA w.cache_size = -${cacheKib}; PRAGMA w.journal_size_limit = ${MAX_WAL_BYTES}; PRAGMA w.${OVERWRITES}`,
  );
}

/** Many callers may read results at the same time, each with a connection of its own, and from the beginning to the end. */
const RESULT_CACHE_KIB = 256;

/** Opens the scratch file of a finished job for reading. */
export function openScratchReader(path: string): Reader {
  const sqlite = new Database(path, { readonly: true, fileMustExist: true });
  sqlite.pragma(`cache_size = -${RESULT_CACHE_KIB}`);
  return new Reader(sqlite);
}

/** Opens the scratch file of a finished job, to remove something from it. Others may read it meanwhile. */
export function openScratchWriter(path: string): Writer {
  const sqlite = new Database(path, { fileMustExist: true, timeout: 10_000 });
  sqlite.pragma("trusted_schema = OFF");
  sqlite.pragma(OVERWRITES);
  return new Writer(sqlite);
}

/** Copies a store, as it is now, into a new file. Others may read and write it meanwhile. */
export function copyStore(from: string, to: string): void {
  const sqlite = new Database(from, { fileMustExist: true, timeout: 10_000 });
  try {
    // A checkpoint when it is closed could take long, and is the service's business.
    sqlite.pragma("wal_autocheckpoint = 0");
    sqlite.prepare("VACUUM INTO ?").run(to);
  } finally {
    sqlite.close();
  }
}

/** Opens a lock file (db/sqlite/lock.ts): no WAL, no waiting. */
export function openLock(path: string): Writer {
  return new Writer(new Database(path, { timeout: 0 }));
}

/** Closing the last other connection takes an exclusive lock for a moment; wait this long. */
const OPEN_WAIT_MS = 50;

function openFile(
  path: string,
  options: OpenOptions,
  { fileMustExist, isReader }: { fileMustExist: boolean; isReader: boolean },
): Database.Database {
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(path, { fileMustExist, timeout: Math.max(options.busyTimeoutMs, OPEN_WAIT_MS) });
    addOpaqueUuids(sqlite);
    addMailFunctions(sqlite);
    addSearch(sqlite);
    sqlite.exec(pragmasOf(options) + (isReader ? "PRAGMA query_only = ON;" : ""));
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw locate(error, path);
  }
}

/** As one text, because preparing each of them takes longer than running it. The first one opens the WAL. */
function pragmasOf({ busyTimeoutMs, checkpoints, durable = "commit" }: OpenOptions): string {
  return `
    PRAGMA journal_mode = WAL;
    PRAGMA busy_timeout = ${busyTimeoutMs};
    PRAGMA synchronous = ${durable === "commit" ? "FULL" : "NORMAL"};
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA mmap_size = 0;
    PRAGMA ${OVERWRITES};
    PRAGMA journal_size_limit = ${MAX_WAL_BYTES};
    ${checkpoints ? "" : "PRAGMA wal_autocheckpoint = 0;"}
    ${durable === "flush" ? "PRAGMA temp_store = MEMORY;" : ""}`;
}
