// Rows that many who share a transaction add to the log of events: kept, and written with a few statements before it ends. Of what somebody costs
// who joins a study, a statement for each one's events was more than the events themselves.

/** Statements that may find them name the log, or a table that has its name in it. */
const OF_LOG = /\bevent\b/;

/** So many statements are known by whether they may. */
const MAX_KNOWN = 300;

export class LateRows {
  #rows: unknown[] = [];
  #write: ((rows: never[]) => void) | undefined;
  readonly #known = new Map<string, boolean>();

  /** Those that are not written yet, in their order. */
  get rows(): readonly unknown[] {
    return this.#rows;
  }

  /** @param write writes all that were added since it was last called */
  add<Row>(rows: readonly Row[], write: (rows: Row[]) => void): void {
    this.#write = write;
    this.#rows.push(...rows);
  }

  /** The transaction ends without them. */
  drop(): void {
    this.#rows = [];
  }

  /** Call before a statement: it finds all that was added. */
  writeFor(sql: string): void {
    if (!this.#rows.length) return;
    let finds = this.#known.get(sql);
    if (finds === undefined) {
      finds = OF_LOG.test(sql);
      if (this.#known.size < MAX_KNOWN) this.#known.set(sql, finds);
    }
    if (finds) this.write();
  }

  write(): void {
    if (!this.#rows.length) return;
    const rows = this.#rows;
    // Its own statement names the log.
    this.#rows = [];
    this.#write!(rows as never[]);
  }
}
