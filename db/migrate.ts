// Brings a store's schema up to date with numbered SQL files. Each is applied once, all of them or none.

import { readdirSync, readFileSync } from "node:fs";
import type { Reader, Writer } from "./connection.ts";
import { openWriter } from "./open.ts";
import { ROOT } from "./root.ts";
import { immediate } from "./write.ts";

export type StoreKind = "control" | "workspace";

/** This process can't use the store. The message says why, and what to do. */
export class SchemaError extends Error {}

/** A newer release than this process wrote the store. */
export class SchemaTooNewError extends SchemaError {
  constructor(kind: StoreKind, found: number, known: number) {
    super(
      `This ${kind} store has schema version ${found}, and this release knows only version ${known}: ` +
        "start a release that is at least as new as the one that wrote it.",
    );
    this.name = "SchemaTooNewError";
  }
}

/** The store has a version that this process knows, but not the tables of that version. */
export class SchemaUnknownError extends SchemaError {
  constructor(kind: StoreKind, found: number, difference: string, options?: ErrorOptions) {
    super(
      `This ${kind} store has schema version ${found}, but no release wrote it (${difference}): ` +
        "start the version that wrote it, or restore a backup that a release wrote.",
      options,
    );
    this.name = "SchemaUnknownError";
  }
}

export interface Migration {
  /** The value of `user_version` after this migration. */
  version: number;
  name: string;
  sql: string;
}

const loaded = new Map<StoreKind, Migration[]>();

/** The migrations of a kind of store, oldest first. @throws Error when a number is missing */
export function migrationsOf(kind: StoreKind): Migration[] {
  let migrations = loaded.get(kind);
  if (!migrations) {
    const folder = new URL(`db/${kind}/`, ROOT);
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
  return lastOf(migrationsOf(kind));
}

function lastOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/**
 * The store's schema version. `schema` is the name under which the store is attached.
 * @throws SchemaTooNewError when the version is higher than `known`
 */
export function checkVersion(db: Reader, kind: StoreKind, known = currentVersion(kind), schema = "main"): number {
  const found = db.value<number>(`PRAGMA ${schema}.user_version`) ?? 0;
  if (found > known) throw new SchemaTooNewError(kind, found, known);
  return found;
}

/**
 * Brings the store up to date in one transaction, so that an interruption leaves the old schema or the new one.
 * @param finish what else this transaction does
 * @throws SchemaError when the store is too new, or does not have the tables that it should have
 */
export function migrate(
  db: Writer,
  kind: StoreKind,
  migrations: Migration[] = migrationsOf(kind),
  finish?: () => void,
): void {
  const last = lastOf(migrations);
  if (checkVersion(db, kind, last) === last) return;
  const bringUp = () => {
    // Read again: another process may have migrated while this one waited for the lock.
    const from = checkVersion(db, kind, last);
    try {
      apply(
        db,
        migrations.filter(({ version }) => version > from),
      );
    } catch (error) {
      // This code means that a statement does not fit the tables. A full disk, for example, has another code.
      if (!(error instanceof Error && "code" in error && error.code === "SQLITE_ERROR")) throw error;
      throw new SchemaUnknownError(kind, from, error.message, { cause: error });
    }
    const difference = from > 0 && findDifference(db, migrations);
    if (difference) throw new SchemaUnknownError(kind, from, difference);
    finish?.();
  };
  // A table that is made anew is dropped for a moment, while other tables refer to it.
  db.withoutForeignKeys(() => immediate(db, bringUp));
}

function apply(db: Writer, migrations: Migration[]): void {
  for (const { version, sql } of migrations) {
    if (isNeeded(db, sql)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${version}`);
  }
}

/** A migration can say that it is only for stores without a certain column: before 1.0.0, migrations were edited. */
function isNeeded(db: Reader, sql: string): boolean {
  const [, table, column] = /^-- Only where missing: (\w+)\.(\w+)$/m.exec(sql) ?? [];
  if (!table || !column) return true;
  return db.value("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", table, column) === undefined;
}

const columns = new WeakMap<Migration[], Set<string>>();

/** A column that the migrations create and the store lacks, or the reverse. Indexes are not compared. */
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
