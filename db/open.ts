// The only place where a SQLite file is opened, and where its pragmas are.

import Database from "better-sqlite3";
import { Reader, Writer } from "./connection.ts";
import { LogFlusher } from "./log-flusher.ts";

export interface OpenOptions {
  /** How long a statement waits for a lock, in ms. 0 where an event loop would stand still meanwhile. */
  busyTimeoutMs: number;
  /** Whether a commit may copy the log into the file. Off where that could take longer than a request may. */
  checkpoints: boolean;
  /**
   * When a commit is on the disk: before it returns (the default); with `flush`, for which an event loop can wait; or
   * some time, so that the newest commits may be lost when the power fails, which suits what is written down elsewhere.
   */
  durable?: "commit" | "flush" | "later";
}

// A workspace's log is cut back to this after a checkpoint, in bytes.
const MAX_JOURNAL_BYTES = 16 * 1024 * 1024;

/** Opens a file for reading. It must exist. */
export function openReader(path: string, options: OpenOptions): Reader {
  // Not `readonly`: a reader must be able to recover the log that a killed writer left behind.
  const sqlite = new Database(path, { fileMustExist: true, timeout: options.busyTimeoutMs });
  common(sqlite, options);
  sqlite.pragma("query_only = ON");
  return new Reader(sqlite);
}

/** Opens a file for writing, and makes it when it is not there. */
export function openWriter(path: string, options: OpenOptions): Writer {
  const sqlite = new Database(path, { timeout: options.busyTimeoutMs });
  common(sqlite, options);
  return new Writer(sqlite, options.durable === "flush" ? new LogFlusher(`${path}-wal`) : undefined);
}

/**
 * Opens an import's scratch file, which is worth nothing after a crash until its job is committed. So its journal is in
 * memory (OFF is refused: better-sqlite3 opens everything in defensive mode), and nothing waits for the disk yet.
 */
export function openScratch(path: string, busyTimeoutMs: number): Writer {
  const sqlite = new Database(path, { timeout: busyTimeoutMs });
  sqlite.pragma("journal_mode = MEMORY");
  sqlite.pragma("synchronous = OFF");
  sqlite.pragma("cache_size = -64000");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  return new Writer(sqlite);
}

/**
 * Attaches a workspace's file to a scratch connection, as `w`. From here on the scratch is on the disk with each commit,
 * because the job's answer is read from it once the workspace is committed.
 */
export function attachWorkspace(scratch: Writer, path: string, cacheKib = 128_000): void {
  scratch.run("ATTACH ? AS w", path);
  scratch.exec(
    `PRAGMA main.synchronous = FULL; PRAGMA w.synchronous = FULL; PRAGMA w.cache_size = -${cacheKib}; PRAGMA w.journal_size_limit = ${MAX_JOURNAL_BYTES}`,
  );
}

/** Opens a finished scratch file for reading. */
export function openScratchReader(path: string): Reader {
  return new Reader(new Database(path, { readonly: true, fileMustExist: true }));
}

/** Opens a lock file (db/lock.ts): no log, no waiting. */
export function openLock(path: string): Writer {
  return new Writer(new Database(path, { timeout: 0 }));
}

/** How long to wait for who closes the file's last other connection at this very moment, and is alone with it. */
const OPEN_WAIT_MS = 50;

function common(sqlite: Database.Database, options: OpenOptions): void {
  sqlite.pragma(`busy_timeout = ${Math.max(options.busyTimeoutMs, OPEN_WAIT_MS)}`);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma(`busy_timeout = ${options.busyTimeoutMs}`);
  sqlite.pragma(`synchronous = ${(options.durable ?? "commit") === "commit" ? "FULL" : "NORMAL"}`);
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  sqlite.pragma("mmap_size = 0");
  sqlite.pragma(`journal_size_limit = ${MAX_JOURNAL_BYTES}`);
  if (!options.checkpoints) sqlite.pragma("wal_autocheckpoint = 0");
}
