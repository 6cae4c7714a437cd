// A SQLite connection that may only read.

import type { Database, Statement } from "better-sqlite3";
import { LRUCache } from "lru-cache";

export type SqlValue = string | number | bigint | null | Uint8Array;

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

/** No trigger writes these, and none of their rows goes with a row of another table. */
export const STEADY_TABLES = ["actor", "page_words", "reference_key", "screener", "screener_publication", "tag_set"];

const WRITES_STEADY = new RegExp(
  `^\\s*(?:INSERT|UPDATE|DELETE|REPLACE|WITH)\\b[^]*\\b(?:${STEADY_TABLES.join("|")})\\b`,
  "i",
);

/** So many statements are known by whether they may write one of them. */
const MAX_KNOWN = 300;

/** What a transaction has read of tables that seldom change: many writes that share one read it once. */
export class Once {
  /** Undefined: there is no transaction. */
  #kept: Map<string, unknown> | undefined;
  readonly #known = new Map<string, boolean>();

  /** A transaction begins. */
  begin(): void {
    this.#kept = new Map();
  }

  /** A transaction ends. */
  end(): void {
    this.#kept = undefined;
  }

  /** Call where a statement may have written anything. */
  forget(): void {
    this.#kept?.clear();
  }

  /** Call before a statement. */
  forgetFor(sql: string): void {
    if (!this.#kept?.size) return;
    let writes = this.#known.get(sql);
    if (writes === undefined) {
      writes = WRITES_STEADY.test(sql);
      if (this.#known.size < MAX_KNOWN) this.#known.set(sql, writes);
    }
    if (writes) this.#kept.clear();
  }

  read<T>(key: string, read: () => T): T {
    const kept = this.#kept;
    if (!kept) return read();
    const known = kept.get(key);
    if (known !== undefined) return known as T;
    const found = read();
    kept.set(key, found);
    return found;
  }
}

/**
 * A connection that may only read. Statements are prepared once and kept in a cache. All methods are synchronous.
 * @throws SqliteError of better-sqlite3
 */
export class Reader {
  /** Of its file. */
  readonly path: string;
  protected readonly sqlite: Database;
  // Two caches, because pluck() changes a statement: these give rows, and `#plucks` give the first column.
  readonly #statements = new LRUCache<string, Statement<SqlValue[]>>({ max: MAX_STATEMENTS });
  readonly #plucks = new LRUCache<string, Statement<SqlValue[]>>({ max: MAX_STATEMENTS });

  constructor(sqlite: Database) {
    this.sqlite = sqlite;
    this.path = sqlite.name;
  }

  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.prepare(sql).get(...values) as Row | undefined;
    } catch (error) {
      throw locate(error, this.path);
    }
  }

  /** All rows. Limit the query: this blocks until the last row. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    try {
      return this.prepare(sql).all(...values) as Row[];
    } catch (error) {
      throw locate(error, this.path);
    }
  }

  /** The first column of the first row, or undefined. */
  value<Value>(sql: string, ...values: SqlValue[]): Value | undefined {
    try {
      return this.prepare(sql, this.#plucks).get(...values) as Value | undefined;
    } catch (error) {
      throw locate(error, this.path);
    }
  }

  /** The first column of every row. */
  values<Value>(sql: string, ...values: SqlValue[]): Value[] {
    try {
      return this.prepare(sql, this.#plucks).all(...values) as Value[];
    } catch (error) {
      throw locate(error, this.path);
    }
  }

  /**
   * What `read` finds in tables that seldom change (`STEADY_TABLES`). Inside a transaction that writes, it is read once, until one of them is
   * written: nobody changes what it gives. @param key names it, with all that it depends on
   */
  once<T>(_key: string, read: () => T): T {
    return read();
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

/**
 * The statement with a plus before each parameter. A plus changes no value, but hides it from the planner. Without it
 * SQLite, compiled with STAT4 here, prepares a join again each time a value is bound; that takes ten times as long as
 * running it.
 */
function hideParameters(sql: string): string {
  return sql.replace(/'[^']*'|\?/g, (piece) => (piece === "?" ? "+?" : piece));
}

/** The texts of statements that take several rows of values. Each is made once: a new text is hashed to find its statement. */
const made = new Map<string, string[]>();

/**
 * `before`, so many rows of so many parameters, and `after`. Each `before` is kept for ever: it is a text of the code, which always comes with the
 * same number of `columns` and the same `after`.
 */
export function withRows(before: string, columns: number, count: number, after = ""): string {
  let known = made.get(before);
  if (!known) {
    known = [];
    made.set(before, known);
  }
  known[count] ??= `${before} VALUES ${Array(count).fill(rowOf(columns)).join(", ")} ${after}`;
  return known[count];
}

const rowOf = (columns: number) => `(${Array(columns).fill("?").join(", ")})`;
