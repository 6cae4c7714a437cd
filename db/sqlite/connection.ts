// A SQLite connection for the rest of the service. Its type, Reader or Writer, says what it may do.

import type { Database, RunResult, Statement } from "better-sqlite3";
import type { LRUCache } from "lru-cache";
import { type Doubt, isSyncFailure, type WalFlusher } from "./doubt.ts";
import { locate, Once, Reader, type SqlValue } from "./reader.ts";
import { LateRows, Sums } from "./sums.ts";

export { locate, OverlaidReader, Reader, type SqlValue } from "./reader.ts";

/** A WAL with more pages is copied into the store's file. */
export const MAX_UNCOPIED_PAGES = 1000;

/** How a writer's commits get to the disk. */
interface Durability {
  /** Commits are on the disk when this has flushed them. */
  wal?: WalFlusher | undefined;
  /** Whether a sync of the store has failed. */
  doubt?: Doubt | undefined;
  /** Commits are on the disk before they return. */
  isImmediate?: boolean;
}

/** A connection that may also write. Call `run` inside a transaction (db/sqlite/write.ts). */
export class Writer extends Reader {
  /** Called with how long a transaction has held the store's lock, in ms. */
  onHeld: ((ms: number) => void) | undefined;
  readonly #wal: WalFlusher | undefined;
  #doubt: Doubt | undefined;
  #isImmediate: boolean;
  #mayBeInDoubt = true;
  readonly #sums = new Sums((sql, ...values) => this.run(sql, ...values));
  readonly #once = new Once();
  readonly #late = new LateRows();
  #keepsLate = false;

  constructor(sqlite: Database, { wal, doubt, isImmediate = false }: Durability = {}) {
    super(sqlite);
    this.#wal = wal;
    this.#doubt = doubt;
    this.#isImmediate = isImmediate;
  }

  run(sql: string, ...values: SqlValue[]): RunResult {
    try {
      return this.prepare(sql).run(...values);
    } catch (error) {
      throw locate(error, this.path);
    }
  }

  /** Runs a script of statements that take no values. */
  exec(sql: string): void {
    this.#late.write();
    this.#sums.write();
    this.#once.forget();
    try {
      this.sqlite.exec(sql);
    } catch (error) {
      throw locate(error, this.path);
    }
  }

  /** The whole of a store in memory, as a file has it. */
  toFile(): Buffer {
    this.exec("VACUUM");
    return this.sqlite.serialize();
  }

  /** Runs `work`, with transactions of its own, without checking foreign keys row by row: `work` sees to them. */
  withoutForeignKeys<T>(work: () => T): T {
    // SQLite ignores this pragma inside a transaction.
    this.run("PRAGMA foreign_keys = OFF");
    try {
      return work();
    } finally {
      this.run("PRAGMA foreign_keys = ON");
    }
  }

  override once<T>(key: string, read: () => T): T {
    return this.#once.read(key, read);
  }

  /** Inside a transaction: adds to the sum of these values, in a table that is named so. @param sql takes them, and then the number */
  add(sql: string, values: SqlValue[], change: number): void {
    this.#sums.add({ sql, values, change });
  }

  /** Rows of the log of events that this transaction has yet to write. */
  get lateRows(): readonly unknown[] {
    return this.#late.rows;
  }

  /**
   * Inside a transaction: adds rows to the log of events, which `write` writes before the transaction ends, and before a statement that may find them.
   * In a savepoint they are written at once: it may be taken back.
   */
  writeLate<Row>(rows: readonly Row[], write: (rows: Row[]) => void): void {
    this.#late.add(rows, write);
    if (!this.#keepsLate) this.#late.write();
  }

  /** Call when a transaction has begun. */
  begun(): void {
    this.#keepsLate = true;
    this.#sums.begin();
    this.#once.begin();
  }

  commit(): void {
    this.#late.write();
    this.#sums.write();
    this.run("COMMIT");
    this.#ended();
  }

  /** Rolls a transaction back, unless SQLite has done so already, as after some errors (a full disk). */
  rollback(): void {
    this.#ended();
    if (this.inTransaction) this.run("ROLLBACK");
  }

  #ended(): void {
    this.#late.drop();
    this.#keepsLate = false;
    this.#sums.end();
    this.#once.end();
  }

  /** Inside a transaction: runs `work`. If that throws, what it has changed is taken back, and that alone. */
  savepoint<T>(work: () => T): T {
    this.#late.write();
    const keptLate = this.#keepsLate;
    this.#keepsLate = false;
    const takeBack = this.#sums.mark();
    this.run("SAVEPOINT one");
    try {
      const result = work();
      this.run("RELEASE one");
      return result;
    } catch (error) {
      this.#once.forget();
      if (this.inTransaction) {
        this.run("ROLLBACK TO one");
        this.run("RELEASE one");
        takeBack();
      }
      throw error;
    } finally {
      // Unless the whole transaction has ended meanwhile.
      this.#keepsLate = keptLate && this.inTransaction;
    }
  }

  protected override prepare(sql: string, cache?: LRUCache<string, Statement<SqlValue[]>>): Statement<SqlValue[]> {
    this.#late.writeFor(sql);
    this.#sums.writeFor(sql);
    this.#once.forgetFor(sql);
    return super.prepare(sql, cache);
  }

  /**
   * Resolves when all earlier commits are on the disk; at once unless the connection is `durable: "flush"`.
   * @throws StoreInDoubtError
   */
  async flush(): Promise<void> {
    try {
      await this.#wal?.flush();
    } catch (error) {
      this.#mayBeInDoubt = true;
      throw error;
    }
  }

  /** From now on commits also go to another store, which is attached. They are on the disk before they return. */
  attached(doubt: Doubt): void {
    this.#doubt = doubt;
    this.#isImmediate = true;
  }

  /** Call before a transaction. @throws StoreInDoubtError */
  assertWritable(): void {
    // It is looked up only after a failure: each look is a call of the system.
    if (!this.#mayBeInDoubt || !this.#doubt) return;
    if (this.#doubt.isRaised) throw this.#doubt.error();
    this.#mayBeInDoubt = false;
  }

  /** Call after a commit. @throws StoreInDoubtError when it may not be on the disk, though SQLite says so */
  assertDurable(): void {
    if (this.#isImmediate && this.#doubt?.isRaised) throw this.#doubt.error();
  }

  /** Call with the error of a transaction. */
  noteFailure(error: unknown): void {
    if (!isSyncFailure(error)) return;
    this.#mayBeInDoubt = true;
    this.#doubt?.raise("log");
  }

  /**
   * Copies the WAL into the store's file. `TRUNCATE` also waits for other connections, and empties it.
   * @returns false when another connection was in the way
   */
  checkpoint(mode: "PASSIVE" | "TRUNCATE"): boolean {
    // What is in the WAL may not be what was written to it.
    if (this.#doubt?.isRaised) throw this.#doubt.error();
    try {
      return this.get<{ busy: number }>(`PRAGMA wal_checkpoint(${mode})`)?.busy === 0;
    } catch (error) {
      if (isSyncFailure(error)) this.#doubt?.raise("file");
      throw error;
    }
  }

  /** Copies a WAL that has grown, as SQLite would do after a commit. But SQLite says nothing when a sync fails. */
  checkpointGrown(): void {
    const { log, checkpointed } = this.get<{ log: number; checkpointed: number }>("PRAGMA wal_checkpoint(NOOP)")!;
    if (log >= MAX_UNCOPIED_PAGES && checkpointed < log) this.checkpoint("PASSIVE");
  }

  override close(): void {
    super.close();
    this.#wal?.close();
  }

  get inTransaction(): boolean {
    return this.sqlite.inTransaction;
  }
}
