// What a transaction has read of tables that seldom change: many writes that share one read it once.

/** No trigger writes these, and none of their rows goes with a row of another table. */
export const STEADY_TABLES = ["actor", "page_words", "reference_key", "screener", "screener_publication", "tag_set"];

const WRITES_STEADY = new RegExp(
  `^\\s*(?:INSERT|UPDATE|DELETE|REPLACE|WITH)\\b[^]*\\b(?:${STEADY_TABLES.join("|")})\\b`,
  "i",
);

/** So many statements are known by whether they may write one of them. */
const MAX_KNOWN = 300;

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
