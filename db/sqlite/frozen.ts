// A store whose bytes can be copied while others write to it. A read transaction that stays open keeps the WAL from being
// begun anew, so the file and the whole WAL, read after one another, are a state that SQLite recovers as after a crash.

import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import type { Writer } from "./connection.ts";
import type { Doubt } from "./doubt.ts";
import { openWriter } from "./open.ts";

/** A file beside a store that is frozen. A process that would truncate its WAL would wait in vain, with the lock that writers need. */
const markOf = (path: string) => `${path}-frozen`;

/** Whether a store is being copied. */
export function isFrozen(path: string): boolean {
  return existsSync(markOf(path));
}

/** Takes away the mark that a killed process may have left, and truncates the WAL if nobody is in the way. */
export function thaw(path: string): void {
  rmSync(markOf(path), { force: true });
  if (!existsSync(path)) return;
  const db = openWriter(path, { busyTimeoutMs: TRUNCATE_MS, checkpoints: false }, true);
  try {
    db.checkpoint("TRUNCATE");
  } finally {
    db.close();
  }
}

/** How long writers may have to wait for that. */
const TRUNCATE_MS = 100;

/** Not for long: meanwhile the WAL only grows. */
export class FrozenStore {
  readonly #path: string;
  readonly #db: Writer;
  readonly #files: number[] = [];

  /** @throws SqliteError; StoreInDoubtError */
  constructor(path: string, doubt: Doubt) {
    this.#path = path;
    this.#db = openWriter(path, { busyTimeoutMs: 2000, checkpoints: false, doubt }, true);
    try {
      // What is in the file need not be copied a second time from the WAL.
      this.#db.checkpoint("TRUNCATE");
      writeFileSync(markOf(path), "");
      this.#db.exec("BEGIN");
      this.#db.value("SELECT count(*) FROM sqlite_schema");
    } catch (error) {
      rmSync(markOf(path), { force: true });
      this.#db.close();
      throw error;
    }
  }

  /** Opens the store's file, or its WAL, to be read as bytes. It is closed with the store. */
  open(which: "file" | "wal"): number {
    const file = openSync(which === "wal" ? `${this.#path}-wal` : this.#path, "r");
    this.#files.push(file);
    return file;
  }

  close(): void {
    this.#db.exec("ROLLBACK");
    this.#db.close();
    // Not earlier: when a process closes a file, it loses all its locks on that file.
    for (const file of this.#files) closeSync(file);
    thaw(this.#path);
  }

  /** The version of its schema. */
  get version(): number {
    return this.#db.value<number>("PRAGMA user_version")!;
  }
}
