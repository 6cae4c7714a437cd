// A SQLite connection for the rest of the service. Its type, Reader or Writer, says what it may do.

import type { Database, RunResult, Statement } from "better-sqlite3";
import { LRUCache } from "lru-cache";
import type { WalFlusher } from "./wal-flusher.ts";

export type SqlValue = string | number | bigint | null | Uint8Array;

/** Limits the cache, because each combination of filters is a statement of its own. */
const MAX_STATEMENTS = 300;

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
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  /** All rows. Limit the query: this blocks until the last row. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  /** The first column of the first row, or undefined. */
  value<Value>(sql: string, ...values: SqlValue[]): Value | undefined {
    return this.prepare(sql, this.#plucks).get(...values) as Value | undefined;
  }

  /** The first column of every row. */
  values<Value>(sql: string, ...values: SqlValue[]): Value[] {
    return this.prepare(sql, this.#plucks).all(...values) as Value[];
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

/** A connection that may also write. Call `run` inside a transaction (db/write.ts). */
export class Writer extends Reader {
  readonly #wal: WalFlusher | undefined;

  constructor(sqlite: Database, wal?: WalFlusher) {
    super(sqlite);
    this.#wal = wal;
  }

  run(sql: string, ...values: SqlValue[]): RunResult {
    return this.prepare(sql).run(...values);
  }

  /** Runs a script of statements that take no values. */
  exec(sql: string): void {
    this.sqlite.exec(sql);
  }

  /** Resolves when all earlier commits are on the disk; at once unless the connection is `durable: "flush"`. */
  async flush(): Promise<void> {
    await this.#wal?.flush();
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
