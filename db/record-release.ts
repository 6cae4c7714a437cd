// Records new migrations in released.json, under the version in package.json. From then on they must not change.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { migrationsOf } from "./migrate.ts";

/** By release: the SHA-256 of each migration that came with it, by path below db/. */
type Released = Record<string, Record<string, string>>;

const FILE = new URL("./released.json", import.meta.url);

export function readReleased(): Released {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

/** The SHA-256 of every migration, by path below db/. */
export function hashMigrations(): Record<string, string> {
  const hashes = (["control", "workspace"] as const).flatMap((kind) =>
    migrationsOf(kind).map(({ name, sql }) => [`${kind}/${name}`, createHash("sha256").update(sql).digest("hex")]),
  );
  return Object.fromEntries(hashes);
}

/** A sentence for each released migration that was changed or removed. */
export function findChanged(released: Released, hashes: Record<string, string>): string[] {
  return Object.entries(released).flatMap(([version, files]) =>
    Object.entries(files).flatMap(([path, hash]) => {
      if (hashes[path] === hash) return [];
      const change = hashes[path] ? "has changed" : "is gone";
      return [`db/${path} ${change} since release ${version}: put it back, and add a new migration instead.`];
    }),
  );
}

/** Adds the migrations that no release had yet, under `version`. @throws Error when a released one changed */
export function recordRelease(released: Released, version: string, hashes: Record<string, string>): Released {
  if (version.includes("-")) throw new Error(`${version} is no release: set the version first.`);
  const changed = findChanged(released, hashes);
  if (changed.length) throw new Error(changed.join("\n"));
  if (released[version]) throw new Error(`Release ${version} is recorded already: give package.json a new version.`);
  const known = new Set(Object.values(released).flatMap((files) => Object.keys(files)));
  const added = Object.entries(hashes).filter(([path]) => !known.has(path));
  return { ...released, [version]: Object.fromEntries(added) };
}

if (import.meta.main) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  try {
    const released = recordRelease(readReleased(), version, hashMigrations());
    writeFileSync(FILE, `${JSON.stringify(released, null, 2)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
