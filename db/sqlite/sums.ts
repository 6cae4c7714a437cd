// What a transaction keeps, and writes before it ends: additions to sums, so that many to one sum are one statement (of what a small write
// costs, its counts were a tenth); and rows of the log of events, so that many who share a transaction need few statements (of what somebody
// costs who joins a study, a statement for each one's events was more than the events themselves).

import type { SqlValue } from "./reader.ts";

/** A number that a statement adds to a sum. */
interface Addition {
  /** It takes the values, and then the number. */
  sql: string;
  values: SqlValue[];
  change: number;
}

/** Tables of sums are named so. */
const OF_SUMS = /_(?:block|part)\b/;

/** So many statements are known by whether they name something. */
const MAX_KNOWN = 300;

/** Remembers which statements name something: to look through the text of each one, each time, would take longer than to write. */
class Naming {
  readonly #pattern: RegExp;
  readonly #known = new Map<string, boolean>();

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  isIn(sql: string): boolean {
    let is = this.#known.get(sql);
    if (is === undefined) {
      is = this.#pattern.test(sql);
      if (this.#known.size < MAX_KNOWN) this.#known.set(sql, is);
    }
    return is;
  }
}

export class Sums {
  readonly #run: (sql: string, ...values: SqlValue[]) => unknown;
  /** Undefined: no transaction keeps any. */
  #kept: Addition[] | undefined;
  readonly #naming = new Naming(OF_SUMS);

  constructor(run: (sql: string, ...values: SqlValue[]) => unknown) {
    this.#run = run;
  }

  /** A transaction begins. */
  begin(): void {
    this.#kept = [];
  }

  /** A transaction ends. What was not written is dropped. */
  end(): void {
    this.#kept = undefined;
  }

  add(addition: Addition): void {
    if (this.#kept) this.#kept.push(addition);
    else this.#run(addition.sql, ...addition.values, addition.change);
  }

  /** Call before a statement: it finds all that was added. */
  writeFor(sql: string): void {
    if (this.#kept?.length && this.#naming.isIn(sql)) this.write();
  }

  write(): void {
    const kept = this.#kept;
    if (!kept?.length) return;
    // By statement first, whose text is long.
    const sums = new Map<string, Map<string, Addition>>();
    for (const { sql, values, change } of kept) {
      let ofStatement = sums.get(sql);
      if (!ofStatement) {
        ofStatement = new Map();
        sums.set(sql, ofStatement);
      }
      const key = values.join("\n");
      const sum = ofStatement.get(key);
      if (sum) sum.change += change;
      else ofStatement.set(key, { sql, values, change });
    }
    // Its own statements name tables of sums.
    this.#kept = undefined;
    for (const ofStatement of sums.values())
      for (const { sql, values, change } of ofStatement.values()) if (change) this.#run(sql, ...values, change);
    this.#kept = [];
  }

  /** @returns what takes back all that is added from now on, also if it was written meanwhile and SQLite has taken that back */
  mark(): () => void {
    const kept = this.#kept;
    const length = kept?.length ?? 0;
    return () => {
      if (kept) kept.length = length;
      this.#kept = kept;
    };
  }
}

/** Statements that may find them name the log, or a table that has its name in it. */
const OF_LOG = /\bevent\b/;

/** Rows that are added to the log of events. */
export class LateRows {
  #rows: unknown[] = [];
  #write: ((rows: never[]) => void) | undefined;
  readonly #naming = new Naming(OF_LOG);

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
    if (this.#rows.length && this.#naming.isIn(sql)) this.write();
  }

  write(): void {
    if (!this.#rows.length) return;
    const rows = this.#rows;
    // Its own statement names the log.
    this.#rows = [];
    this.#write!(rows as never[]);
  }
}
