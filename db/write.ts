// Writing transactions. Every one is IMMEDIATE: the lock is taken at the start or not at all.

import { setTimeout as sleep } from "node:timers/promises";
import type { Writer } from "./connection.ts";

/** The store stayed locked for longer than the caller wanted to wait. */
export class StoreBusyError extends Error {
  constructor() {
    super("The store is busy with another write.");
    this.name = "StoreBusyError";
  }
}

/**
 * Runs `write` in one transaction: all of it, or nothing. Waits for the lock as long as the connection does, and again
 * until `waitMs` have passed: a thread that waits within SQLite can't be ended, and between two waits it can.
 */
export function immediate<T>(db: Writer, write: () => T, waitMs = 0): T {
  begin(db, performance.now() + waitMs);
  return complete(db, write);
}

function complete<T>(db: Writer, write: () => T): T {
  try {
    const result = write();
    db.run("COMMIT");
    return result;
  } catch (error) {
    // Some errors (a full disk) have rolled back already.
    if (db.inTransaction) db.run("ROLLBACK");
    throw error;
  }
}

/** Runs `write` in one transaction that locks only what it touches, when it does. */
export function deferred<T>(db: Writer, write: () => T): T {
  db.run("BEGIN");
  return complete(db, write);
}

function begin(db: Writer, deadline: number): void {
  for (;;) {
    try {
      // Compiled each time: one that was kept from before a file was attached would not lock that file.
      db.exec("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
  }
}

/**
 * Runs `write` in one transaction as soon as the lock is free, and resolves when it is on the disk. Neither holds the
 * event loop. @throws StoreBusyError after `waitMs`.
 */
export async function whenFree<T>(db: Writer, waitMs: number, write: () => T): Promise<T> {
  const result = await commitWhenFree(db, waitMs, write);
  await db.flush();
  return result;
}

async function commitWhenFree<T>(db: Writer, waitMs: number, write: () => T): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      return immediate(db, write);
    } catch (error) {
      if (!isBusy(error)) throw error;
      const left = deadline - performance.now();
      if (left <= 0) throw new StoreBusyError();
      // Jitter, so that those who wait for one lock do not all come back at once.
      await sleep(Math.min(left, pause * (0.5 + Math.random())));
    }
  }
}

/** Whether `error` says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error).startsWith("SQLITE_BUSY");
}

/** Whether `error` may go away by itself: a lock, a full disk, an exhausted machine. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof StoreBusyError ||
    /^(SQLITE_(BUSY|FULL|IOERR|CANTOPEN|NOMEM|LOCKED)|ENOSPC|EDQUOT|EMFILE|ENFILE|EIO|EAGAIN)/.test(sqliteCode(error))
  );
}

/** Whether `error` says that there is no space left. */
export function isFull(error: unknown): boolean {
  return /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(sqliteCode(error));
}

function sqliteCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
