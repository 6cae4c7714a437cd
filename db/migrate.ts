// Brings a file's schema up to date: numbered SQL, applied once, all or nothing.

import { readdirSync, readFileSync } from "node:fs";
import type { Writer } from "./connection.ts";
import { immediate } from "./write.ts";

export type StoreKind = "control" | "workspace";

/** The file was written by a newer release than this process. */
export class SchemaTooNewError extends Error {
  constructor(kind: StoreKind, found: number, known: number) {
    super(
      `This ${kind} store has schema version ${found}, and this release knows only version ${known}: ` +
        "start a release that is at least as new as the one that wrote it.",
    );
    this.name = "SchemaTooNewError";
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

/** Brings the file up to date in one transaction, so that an interruption leaves the old schema or the new one. */
export function migrate(db: Writer, kind: StoreKind, migrations: Migration[] = migrationsOf(kind)): void {
  if (checkVersion(db, kind, migrations.length) === migrations.length) return;
  immediate(db, () => {
    // Read again: another process may have migrated while this one waited for the lock.
    const from = checkVersion(db, kind, migrations.length);
    for (const { version, sql } of migrations.slice(from)) {
      db.exec(sql);
      db.exec(`PRAGMA user_version = ${version}`);
    }
  });
}
