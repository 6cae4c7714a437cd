// Opens SQLite files and sets their pragmas. No other file does that.

import Database from "better-sqlite3";
import { Reader, Writer } from "./connection.ts";
import { WalFlusher } from "./wal-flusher.ts";

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
}

/** A WAL that is larger than this is truncated. */
export const MAX_WAL_BYTES = 16 * 1024 * 1024;

/** Opens a file for reading. It must exist. */
export function openReader(path: string, options: OpenOptions): Reader {
  // Not `readonly`: a reader must be able to recover the WAL that a killed writer left behind.
  const sqlite = new Database(path, { fileMustExist: true, timeout: options.busyTimeoutMs });
  configure(sqlite, options);
  sqlite.pragma("query_only = ON");
  return new Reader(sqlite);
}

/** Opens a file for writing. Creates it if it does not exist. */
export function openWriter(path: string, options: OpenOptions): Writer {
  const sqlite = new Database(path, { timeout: options.busyTimeoutMs });
  configure(sqlite, options);
  return new Writer(sqlite, options.durable === "flush" ? new WalFlusher(`${path}-wal`) : undefined);
}

/**
 * Opens a job's scratch store. After a crash it is useless until its job is committed, so nothing waits for the disk yet
 * and the journal is in memory. (`journal_mode = OFF` is refused: better-sqlite3 opens files in defensive mode.)
 * @param maxBytes how long the file may become. Past it, SQLITE_FULL
 */
export function openScratch(path: string, busyTimeoutMs: number, maxBytes?: number): Writer {
  const sqlite = new Database(path, { timeout: busyTimeoutMs });
  sqlite.pragma("journal_mode = MEMORY");
  sqlite.pragma("synchronous = OFF");
  sqlite.pragma("cache_size = -64000");
  if (maxBytes !== undefined) {
    const pageBytes = sqlite.pragma("page_size", { simple: true }) as number;
    sqlite.pragma(`max_page_count = ${Math.max(1, Math.min(Math.floor(maxBytes / pageBytes), 2 ** 32 - 2))}`);
  }
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  return new Writer(sqlite);
}

/**
 * Attaches a workspace's file to a scratch connection, as `w`. From here on each commit puts the scratch store on the
 * disk, because the job's result is read from it after the workspace is committed.
 */
export function attachWorkspace(scratch: Writer, path: string, cacheKib = 128_000): void {
  scratch.run("ATTACH ? AS w", path);
  scratch.exec(
    `PRAGMA main.synchronous = FULL; PRAGMA w.synchronous = FULL; PRAGMA w.cache_size = -${cacheKib}; PRAGMA w.journal_size_limit = ${MAX_WAL_BYTES}`,
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

/** Opens a lock file (db/lock.ts): no WAL, no waiting. */
export function openLock(path: string): Writer {
  return new Writer(new Database(path, { timeout: 0 }));
}

/** Closing the last other connection takes an exclusive lock for a moment; wait this long. */
const OPEN_WAIT_MS = 50;

function configure(sqlite: Database.Database, options: OpenOptions): void {
  sqlite.pragma(`busy_timeout = ${Math.max(options.busyTimeoutMs, OPEN_WAIT_MS)}`);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma(`busy_timeout = ${options.busyTimeoutMs}`);
  sqlite.pragma(`synchronous = ${(options.durable ?? "commit") === "commit" ? "FULL" : "NORMAL"}`);
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  sqlite.pragma("mmap_size = 0");
  sqlite.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`);
  if (!options.checkpoints) sqlite.pragma("wal_autocheckpoint = 0");
}
