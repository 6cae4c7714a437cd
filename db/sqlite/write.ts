// Write transactions. Except in `deferred` they are IMMEDIATE: they take the lock at the start or fail.

import type { Writer } from "./connection.ts";
import { StoreInDoubtError } from "./doubt.ts";
import { StoreRefusedError } from "./refused.ts";

/** The store was locked for longer than the caller wanted to wait. */
export class StoreBusyError extends Error {
  constructor() {
    super("The store is busy with another write.");
    this.name = "StoreBusyError";
  }
}

/**
 * Runs `write` in one transaction: all of it, or nothing. Waits for the lock in steps of the connection's busy timeout
 * until `waitMs` have passed. A thread can be ended between two steps, but not while it waits inside SQLite.
 * @param onWait called before each step but the first
 * @throws SqliteError SQLITE_BUSY
 */
export function immediate<T>(db: Writer, write: () => T, waitMs = 0, onWait?: () => void): T {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      begin(db);
      break;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      onWait?.();
    }
  }
  const since = performance.now();
  try {
    return complete(db, write);
  } finally {
    db.onHeld?.(performance.now() - since);
  }
}

function complete<T>(db: Writer, write: () => T): T {
  let result: T;
  try {
    result = write();
    db.commit();
  } catch (error) {
    db.rollback();
    db.noteFailure(error);
    throw error;
  }
  db.assertDurable();
  return result;
}

/** Runs `write` in one transaction that takes each lock when it first needs it. */
export function deferred<T>(db: Writer, write: () => T): T {
  db.assertWritable();
  db.run("BEGIN");
  db.begun();
  return complete(db, write);
}

/** Begins a transaction that holds the lock. @throws SqliteError SQLITE_BUSY */
export function begin(db: Writer): void {
  db.assertWritable();
  // Not a prepared statement: one from before a file was attached would not lock that file.
  db.exec("BEGIN IMMEDIATE");
  db.begun();
}

/** Blocks the thread. Never on an event loop that serves requests. */
export function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** How long a thread waits until nobody reads or writes, to truncate a WAL. */
const TRUNCATE_WAIT_MS = 5000;

/** Truncates the WAL, which has what was deleted since. Blocks. @throws StoreBusyError */
export function truncateWal(db: Writer): void {
  const deadline = performance.now() + TRUNCATE_WAIT_MS;
  while (!db.checkpoint("TRUNCATE")) {
    if (performance.now() >= deadline) throw new StoreBusyError();
    pauseThread(20);
  }
}

/** Whether `error` says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error).startsWith("SQLITE_BUSY");
}

/** Whether a later try may succeed: a lock, a full disk, an exhausted machine, or what is away (below). */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof StoreBusyError ||
    /^(SQLITE_(BUSY|FULL|NOMEM|LOCKED)|ENOSPC|EDQUOT|EAGAIN|ENOENT)/.test(sqliteCode(error)) ||
    isAway(error)
  );
}

/** Whether something is out of reach: a folder that is not mounted, a store that is not the right one, no descriptors. */
export function isAway(error: unknown): boolean {
  return (
    error instanceof StoreRefusedError ||
    error instanceof StoreInDoubtError ||
    /^(SQLITE_(IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)|EMFILE|ENFILE|EIO|EROFS|EACCES|EPERM|ENOTDIR|ESTALE)/.test(
      sqliteCode(error),
    )
  );
}

/** Whether `error` says that the disk is full. */
export function isFull(error: unknown): boolean {
  return /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(sqliteCode(error));
}

function sqliteCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
