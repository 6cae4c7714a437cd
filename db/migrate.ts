// Brings a file's schema up to date: numbered SQL, applied once, all or nothing.

import { readdirSync, readFileSync } from "node:fs";
import type { Reader, Writer } from "./connection.ts";
import { openWriter } from "./open.ts";
import { immediate } from "./write.ts";

export type StoreKind = "control" | "workspace";

/** This process can't work on the file. The message says why, and what to do. */
export class SchemaError extends Error {}

/** The file was written by a newer release than this process. */
export class SchemaTooNewError extends SchemaError {
  constructor(kind: StoreKind, found: number, known: number) {
    super(
      `This ${kind} store has schema version ${found}, and this release knows only version ${known}: ` +
        "start a release that is at least as new as the one that wrote it.",
    );
    this.name = "SchemaTooNewError";
  }
}

/** The file has a version that this process knows, but not the tables of that version. */
export class SchemaUnknownError extends SchemaError {
  constructor(kind: StoreKind, found: number, difference: string, options?: ErrorOptions) {
    super(
      `This ${kind} store has schema version ${found}, but no release wrote it (${difference}): ` +
        "start the version that wrote it, or put back a backup that a release wrote.",
      options,
    );
    this.name = "SchemaUnknownError";
  }
}

export interface Migration {
  /** What user_version becomes. */
  version: number;
  name: string;
  sql: string;
}

const loaded = new Map<StoreKind, Migration[]>();

/** The migrations of a kind of store, oldest first. */
export function migrationsOf(kind: StoreKind): Migration[] {
  let migrations = loaded.get(kind);
  if (!migrations) {
    const folder = new URL(`./${kind}/`, import.meta.url);
    migrations = readdirSync(folder)
      .filter((name) => /^\d{3}-.*\.sql$/.test(name))
      .sort()
      .map((name, index) => {
        const version = Number(name.slice(0, 3));
        if (version !== index + 1) throw new Error(`Migration ${kind}/${name} is out of sequence.`);
        return { version, name, sql: readFileSync(new URL(name, folder), "utf8") };
      });
    loaded.set(kind, migrations);
  }
  return migrations;
}

/** The schema version that this process writes. */
export function currentVersion(kind: StoreKind): number {
  return migrationsOf(kind).length;
}

/**
 * The file's schema version. `schema` is the name under which the file is attached.
 * @throws SchemaTooNewError when this process is older than the file.
 */
export function checkVersion(db: Writer, kind: StoreKind, known = currentVersion(kind), schema = "main"): number {
  const found = db.value<number>(`PRAGMA ${schema}.user_version`) ?? 0;
  if (found > known) throw new SchemaTooNewError(kind, found, known);
  return found;
}

/**
 * Brings the file up to date in one transaction, so that an interruption leaves the old schema or the new one.
 * @throws SchemaError when the file is too new, or does not have the tables that it should have
 */
export function migrate(db: Writer, kind: StoreKind, migrations: Migration[] = migrationsOf(kind)): void {
  if (checkVersion(db, kind, migrations.length) === migrations.length) return;
  immediate(db, () => {
    // Read again: another process may have migrated while this one waited for the lock.
    const from = checkVersion(db, kind, migrations.length);
    try {
      apply(db, migrations.slice(from));
    } catch (error) {
      // A statement that does not fit what it found. A full disk, say, has another code.
      if (!(error instanceof Error && "code" in error && error.code === "SQLITE_ERROR")) throw error;
      throw new SchemaUnknownError(kind, from, error.message, { cause: error });
    }
    const difference = from > 0 && findDifference(db, migrations);
    if (difference) throw new SchemaUnknownError(kind, from, difference);
  });
}

function apply(db: Writer, migrations: Migration[]): void {
  for (const { version, sql } of migrations) {
    if (isNeeded(db, sql)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${version}`);
  }
}

/** A migration that adds a column can say that it is for files without it: before 1.0.0, files changed in place. */
function isNeeded(db: Reader, sql: string): boolean {
  const [, table, column] = /^-- Only where missing: (\w+)\.(\w+)$/m.exec(sql) ?? [];
  if (!table || !column) return true;
  return db.value("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", table, column) === undefined;
}

const columns = new WeakMap<Migration[], Set<string>>();

/** What the file lacks of the columns that the migrations add up to, or has besides. Indexes do not matter here. */
function findDifference(db: Reader, migrations: Migration[]): string | undefined {
  let expected = columns.get(migrations);
  if (!expected) {
    const fresh = openWriter(":memory:", { busyTimeoutMs: 0, checkpoints: true });
    apply(fresh, migrations);
    expected = columnsOf(fresh);
    fresh.close();
    columns.set(migrations, expected);
  }
  const found = columnsOf(db);
  const [missing] = expected.difference(found);
  if (missing) return `it lacks ${missing}`;
  const [unknown] = found.difference(expected);
  return unknown && `it has ${unknown}`;
}

function columnsOf(db: Reader): Set<string> {
  return new Set(
    db.values<string>(
      `SELECT m.name || '.' || c.name || ' ' || c.type || iif(c."notnull", ' NOT NULL', '')
       FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`,
    ),
  );
}
