// A SQLite connection as the rest of the service sees it: what a handle may do is its type.

import type { Database, RunResult, Statement } from "better-sqlite3";
import { LRUCache } from "lru-cache";
import type { LogFlusher } from "./log-flusher.ts";

export type SqlValue = string | number | bigint | null | Uint8Array;

/** Filters can be combined in very many ways, and each way is a statement of its own. */
const MAX_STATEMENTS = 300;

/**
 * A connection that can be read. Statements are prepared once and live as long as the connection.
 * All methods are synchronous and throw better-sqlite3's SqliteError.
 */
export class Reader {
  protected readonly sqlite: Database;
  // Those that give rows, and those that give a first column: of one statement there may be both.
  readonly #statements = new LRUCache<string, Statement<SqlValue[]>>({ max: MAX_STATEMENTS });
  readonly #plucks = new LRUCache<string, Statement<SqlValue[]>>({ max: MAX_STATEMENTS });

  constructor(sqlite: Database) {
    this.sqlite = sqlite;
  }

  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  /** Every row. Bound what you ask for: this blocks until the last one. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  /** The first column of the first row, or undefined. */
  value<Value>(sql: string, ...values: SqlValue[]): Value | undefined {
    return this.#pluck(sql).get(...values) as Value | undefined;
  }

  /** The first column of every row. */
  values<Value>(sql: string, ...values: SqlValue[]): Value[] {
    return this.#pluck(sql).all(...values) as Value[];
  }

  /** Runs `read` on one snapshot, so that what it reads fits together. */
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

  protected prepare(sql: string): Statement<SqlValue[]> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.sqlite.prepare<SqlValue[]>(unpeeked(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #pluck(sql: string): Statement<SqlValue[]> {
    let statement = this.#plucks.get(sql);
    if (!statement) {
      statement = this.sqlite.prepare<SqlValue[]>(unpeeked(sql)).pluck();
      this.#plucks.set(sql, statement);
    }
    return statement;
  }
}

/** A connection that may also write. `run` belongs inside a transaction (db/write.ts). */
export class Writer extends Reader {
  readonly #log: LogFlusher | undefined;

  constructor(sqlite: Database, log?: LogFlusher) {
    super(sqlite);
    this.#log = log;
  }

  run(sql: string, ...values: SqlValue[]): RunResult {
    return this.prepare(sql).run(...values);
  }

  /** Runs a script of statements that take no values. */
  exec(sql: string): void {
    this.sqlite.exec(sql);
  }

  /** Resolves when what was committed is on the disk, where a commit alone does not see to that. */
  async flush(): Promise<void> {
    await this.#log?.flush();
  }

  override close(): void {
    super.close();
    this.#log?.close();
  }

  get inTransaction(): boolean {
    return this.sqlite.inTransaction;
  }
}

/**
 * The statement with a plus before each parameter. It changes no value, but hides it from the planner: SQLite as it is
 * compiled here (STAT4) else prepares a join anew each time that something is bound to it, which takes ten times as
 * long as running it.
 */
function unpeeked(sql: string): string {
  return sql.replace(/'[^']*'|\?/g, (piece) => (piece === "?" ? "+?" : piece));
}
