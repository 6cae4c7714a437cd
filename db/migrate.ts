// Brings a store's schema up to date with numbered SQL files. Each is applied once, all of them or none.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { EMPTY_STORE, ROOT } from "./root.ts";
import type { Reader, Writer } from "./sqlite/connection.ts";
import { openWriter } from "./sqlite/open.ts";
import { immediate } from "./sqlite/write.ts";

export type StoreKind = "control" | "workspace";

/** This process can't use the store. The message says why, and what to do. */
export class SchemaError extends Error {}

/** A newer release has migrated the store, and this one can't work with it any more. */
export class SchemaTooNewError extends SchemaError {
  readonly found: number;
  readonly known: number;

  constructor(kind: StoreKind, found: number, known: number) {
    super(
      `This ${kind} store has schema version ${found}, and this release knows only version ${known}: ` +
        "start a release that is at least as new as the one that wrote it.",
    );
    this.name = "SchemaTooNewError";
    this.found = found;
    this.known = known;
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

/** Versions from here on say that the store is fenced off (db/fence.ts). No release gets there. */
export const FENCED = 1_000_000;

/**
 * The store's schema version: higher than `known` when a newer release has migrated the store, and this one can still work
 * with it. `schema` is the name under which the store is attached.
 * @throws SchemaTooNewError when it can't
 */
export function checkVersion(db: Reader, kind: StoreKind, known = currentVersion(kind), schema = "main"): number {
  const found = db.value<number>(`PRAGMA ${schema}.user_version`) ?? 0;
  if (found > known && (found >= FENCED || oldestOf(db, schema) > known))
    throw new SchemaTooNewError(kind, found, known);
  return found;
}

/** The oldest schema version whose release can work with the store. Only of stores that are newer than this release. */
function oldestOf(db: Reader, schema: string): number {
  // No release has left it out, but other software may have set the version.
  if (!db.value(`SELECT 1 FROM ${schema}.sqlite_schema WHERE name = 'schema_oldest'`)) return Number.POSITIVE_INFINITY;
  return db.value<number>(`SELECT version FROM ${schema}.schema_oldest`) ?? Number.POSITIVE_INFINITY;
}

/** How far the migration of a store is. */
export interface MigrationStep {
  /** Schema versions. */
  from: number;
  at: number;
  to: number;
  /** It ends with DONE or FAILED. */
  state: "UNDER_WAY" | "DONE" | "FAILED";
  /** Since it has the lock. */
  ms: number;
  /** How large the store's file is, or will be when the WAL is copied into it. */
  bytes: number;
}

interface MigrateOptions {
  /** What else its transaction does. */
  finish?: (() => void) | undefined;
  /** Progress callback, before each migration, while the transaction holds the lock; and at the end, when it holds it no more. */
  onStep?: ((step: MigrationStep) => void) | undefined;
}

/**
 * Brings the store up to date in one transaction, so that an interruption leaves the old schema or the new one.
 * @throws SchemaError when the store is too new, or does not have the tables that it should have
 */
export function migrate(
  db: Writer,
  kind: StoreKind,
  migrations: Migration[] = migrationsOf(kind),
  { finish, onStep }: MigrateOptions = {},
): void {
  const last = lastOf(migrations);
  if (checkVersion(db, kind, last) >= last) return;
  let reached: MigrationStep | undefined;
  let started = 0;
  const report = (step: Pick<MigrationStep, "from" | "at" | "state" | "bytes">) => {
    reached = { ...step, to: last, ms: Math.round(performance.now() - started) };
    onStep?.(reached);
  };
  const bringUp = () => {
    // Read again: another process may have migrated while this one waited for the lock.
    const from = checkVersion(db, kind, last);
    if (from >= last) return;
    started = performance.now();
    try {
      apply(
        db,
        migrations.filter(({ version }) => version > from),
        (at) => report({ from, at, state: "UNDER_WAY", bytes: bytesOf(db) }),
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
  try {
    // A table that is made anew is dropped for a moment, while other tables refer to it.
    db.withoutForeignKeys(() => immediate(db, bringUp));
  } catch (error) {
    if (reached) report({ ...reached, state: "FAILED" });
    throw error;
  }
  if (reached) report({ ...reached, at: last, state: "DONE", bytes: bytesOf(db) });
}

function bytesOf(db: Reader): number {
  return db.value<number>("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")!;
}

function apply(db: Writer, migrations: Migration[], onStep?: (at: number) => void): void {
  for (const { version, sql } of migrations) {
    onStep?.(version - 1);
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
const fresh = new Map<StoreKind, Writer>();

/** An empty store of the present schema, in memory. */
export function freshStore(kind: StoreKind): Reader {
  return keptFresh(kind);
}

let emptyStore: Buffer | undefined;

/** Writes an empty workspace's store of the present schema into a file that is not there yet: in a moment, instead of with all migrations. */
export function writeEmpty(path: string): void {
  emptyStore ??= EMPTY_STORE ? readFileSync(EMPTY_STORE) : keptFresh("workspace").toFile();
  writeFileSync(path, emptyStore, { flag: "wx" });
}

/** Of a build: makes the file of which `writeEmpty` makes copies. All migrations take 50 ms. */
export function buildEmpty(path: string): void {
  const store = makeFresh(migrationsOf("workspace"));
  writeFileSync(path, store.toFile());
  store.close();
}

function keptFresh(kind: StoreKind): Writer {
  let store = fresh.get(kind);
  if (!store) {
    store = makeFresh(migrationsOf(kind));
    fresh.set(kind, store);
  }
  return store;
}

function makeFresh(migrations: Migration[]): Writer {
  const store = openWriter(":memory:", { busyTimeoutMs: 0, checkpoints: true });
  apply(store, migrations);
  return store;
}

/** A column that the migrations create and the store lacks, or the reverse. Indexes are not compared. */
function findDifference(db: Reader, migrations: Migration[]): string | undefined {
  let expected = columns.get(migrations);
  if (!expected) {
    const made = makeFresh(migrations);
    expected = columnsOf(made);
    made.close();
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
