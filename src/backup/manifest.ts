// A backup: a folder with copies of an installation's files, laid out as in its data directory, and a manifest. The
// manifest is written last, so a folder without one is no backup.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as v from "valibot";

export const FILE = "manifest.json";

/** The ledger in it. */
export const LEDGER = "control.sqlite";

/** How a store's files looked when it was copied. While they look the same, nothing was written. */
const Stamp = v.array(v.string());

const BackupFile = v.object({
  /** From the backup's folder, with slashes: `workspaces/7b/….sqlite`. */
  path: v.pipe(v.string(), v.regex(/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/)),
  bytes: v.number(),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  stamp: v.optional(Stamp),
});

const Manifest = v.object({
  format: v.literal(1),
  /** Everything that was acknowledged before this time is in the backup. */
  mark: v.pipe(v.string(), v.isoTimestamp()),
  /** The installation that it is of. */
  installation: v.string(),
  /** The workspaces, by their ids. */
  workspaces: v.array(v.pipe(v.string(), v.uuid())),
  files: v.array(BackupFile),
});

export type BackupFile = v.InferOutput<typeof BackupFile>;
export type Manifest = v.InferOutput<typeof Manifest>;

export function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** The manifest of a backup. @throws Error that says what is wrong with it */
export function readManifest(folder: string): Manifest {
  const path = join(folder, FILE);
  return parseManifest(path, () => readFileSync(path, "utf8"));
}

/** @param path how it is called @throws Error that says what is wrong with it */
export function parseManifest(path: string, read: () => string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(read());
  } catch (error) {
    throw new Error(`${path} can't be read: ${error instanceof Error ? error.message : error}.`, { cause: error });
  }
  const { success, output, issues } = v.safeParse(Manifest, json);
  if (success) return output;
  throw new Error(`${path} is not the manifest of a backup: ${v.getDotPath(issues[0]) ?? ""} ${issues[0].message}.`);
}

/** The complete backups below a folder, the oldest first. */
export function listBackups(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith(PARTIAL) && hasManifest(join(folder, entry.name)))
    .map(({ name }) => join(folder, name))
    .sort();
}

/** The end of the name of a backup that is not complete. */
export const PARTIAL = ".partial";

/** The folder itself if it is a backup, or else the newest backup in it. @throws Error when there is none */
export function findBackup(folder: string): string {
  if (!existsSync(folder)) throw new Error(`${folder} is not there.`);
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no folder with a backup.`);
  const found = hasManifest(folder) ? folder : listBackups(folder).at(-1);
  if (found === undefined) throw new Error(`${folder} has no backup.`);
  return found;
}

export function hasManifest(folder: string): boolean {
  return readdirSync(folder).includes(FILE);
}

/** The name of a new backup in a folder. */
export function nameOf(now: Date, target: string): string {
  return nameAmong(now, new Set(readdirSync(target).map((name) => basename(name, PARTIAL))));
}

/** The name of a new backup: the time, in characters that any file system takes. A second backup in a second gets a number. */
export function nameAmong(now: Date, taken: ReadonlySet<string>): string {
  const base = now.toISOString().slice(0, 19).replaceAll(":", "-");
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${base}Z` : `${base}Z-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** A store that was written to a moment ago may be written to again without looking different. */
const SETTLED_MS = 2000;

export function hasSameStamp(known: BackupFile | undefined, stamp: string[] | undefined): known is BackupFile {
  return known?.stamp !== undefined && stamp !== undefined && String(known.stamp) === String(stamp);
}

/** How the files of a store, or a file, look; undefined when they changed a moment ago. */
export function stampOf(path: string): string[] | undefined {
  const files = [path, `${path}-wal`].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  const settledUntil = BigInt(Date.now() - SETTLED_MS);
  if (files.some((file) => file && file.mtimeMs > settledUntil)) return undefined;
  return files.map((file) => (file ? `${file.ino} ${file.size} ${file.mtimeNs}` : "-"));
}
