// A SQLite connection for the rest of the service. Its type, Reader or Writer, says what it may do.

import type { Database, RunResult, Statement } from "better-sqlite3";
import { LRUCache } from "lru-cache";
import { type Doubt, isSyncFailure } from "./doubt.ts";
import type { WalFlusher } from "./wal-flusher.ts";

export type SqlValue = string | number | bigint | null | Uint8Array;

/** A WAL with more pages is copied into the store's file. */
export const MAX_UNCOPIED_PAGES = 1000;

/** Limits the cache, because each combination of filters is a statement of its own. */
const MAX_STATEMENTS = 300;

/** Errors that are about a file, and not about a statement. */
const ABOUT_FILES = /^SQLITE_(IOERR|CANTOPEN|READONLY|FULL|CORRUPT|NOTADB)/;

/** Says in the error which file it is about, if it is about one. SQLite does not. */
export function locate(error: unknown, path: string): unknown {
  if (error instanceof Error && "code" in error && !("path" in error) && ABOUT_FILES.test(String(error.code))) {
    error.message += ` (${path})`;
    Object.assign(error, { path });
  }
  return error;
}

/**
 * A connection that may only read. Statements are prepared once and kept in a cache. All methods are synchronous.
 * @throws SqliteError of better-sqlite3
 */
export class Reader {
  protected readonly sqlite: Database;
  // Two caches, because pluck() changes a statement: these give rows, and `#plucks` give the first column.
  readonly #statements = new LRUCache<string, Statement<SqlValue[]>>({ max: MAX_STATEMENTS });
  readonly #plucks = new LRUCache<string, Statement<SqlValue[]>>({ max: MAX_STATEMENTS });

  constructor(sqlite: Database) {
    this.sqlite = sqlite;
  }

  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.prepare(sql).get(...values) as Row | undefined;
    } catch (error) {
      throw locate(error, this.sqlite.name);
    }
  }

  /** All rows. Limit the query: this blocks until the last row. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    try {
      return this.prepare(sql).all(...values) as Row[];
    } catch (error) {
      throw locate(error, this.sqlite.name);
    }
  }

  /** The first column of the first row, or undefined. */
  value<Value>(sql: string, ...values: SqlValue[]): Value | undefined {
    try {
      return this.prepare(sql, this.#plucks).get(...values) as Value | undefined;
    } catch (error) {
      throw locate(error, this.sqlite.name);
    }
  }

  /** The first column of every row. */
  values<Value>(sql: string, ...values: SqlValue[]): Value[] {
    try {
      return this.prepare(sql, this.#plucks).all(...values) as Value[];
    } catch (error) {
      throw locate(error, this.sqlite.name);
    }
  }

  /** Runs `read` in one read transaction, so that all its queries see the same state. */
  snapshot<T>(read: () => T): T {
    if (this.sqlite.inTransaction) return read();
    this.prepare("BEGIN").run();
    try {
      return read();
    } finally {
      this.prepare("COMMIT").run();
    }
  }

  close(): void {
    this.sqlite.close();
  }

  protected prepare(sql: string, cache = this.#statements): Statement<SqlValue[]> {
    let statement = cache.get(sql);
    if (!statement) {
      statement = this.sqlite.prepare<SqlValue[]>(hideParameters(sql));
      if (cache === this.#plucks) statement.pluck();
      cache.set(sql, statement);
    }
    return statement;
  }
}

/**
 * A connection with temporary views over tables. Statements find these by the plain names of the tables, and can't name an index of
 * a view.
 */
export class OverlaidReader extends Reader {
  protected override prepare(sql: string, cache?: LRUCache<string, Statement<SqlValue[]>>): Statement<SqlValue[]> {
    return super.prepare(sql.replaceAll(/\bmain\.(?=\w)| (?:INDEXED BY \w+|NOT INDEXED)\b/g, ""), cache);
  }
}

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
      throw locate(error, this.sqlite.name);
    }
  }

  /** Runs a script of statements that take no values. */
  exec(sql: string): void {
    try {
      this.sqlite.exec(sql);
    } catch (error) {
      throw locate(error, this.sqlite.name);
    }
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

/**
 * The statement with a plus before each parameter. A plus changes no value, but hides it from the planner. Without it
 * SQLite, compiled with STAT4 here, prepares a join again each time a value is bound; that takes ten times as long as
 * running it.
 */
function hideParameters(sql: string): string {
  return sql.replace(/'[^']*'|\?/g, (piece) => (piece === "?" ? "+?" : piece));
}
