// The code of releases, to run processes of two of them side by side.

import { execFileSync } from "node:child_process";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { currentVersion } from "../../../db/migrate.ts";
import { readReleased } from "../../../db/record-release.ts";
import { newFolder } from "../folder.ts";

/** What the processes of a release are made of. A build needs all of it. */
export const CODE = ["db", "src", "workers", "package.json", "package-lock.json", "tsconfig.json"];

/** The newest release. */
export const LAST_RELEASE = Object.keys(readReleased()).at(-1)!;

/** The root of the last release's code, with the libraries of today. @param root the folder for it; without, one that is removed with the test */
export function lastRelease(root = newFolder()): URL {
  addPackages(root);
  execFileSync("tar", ["-xJf", `test/support/releases/${LAST_RELEASE}-code.tar.xz`, "-C", root]);
  return pathToFileURL(`${root}/`);
}

/**
 * The root of the code of today, with one more migration of each store: so the next release has one in any case, of each kind that
 * expands. It is removed with the test.
 */
export function nextRelease(): URL {
  const root = copyOfCode();
  const add = (kind: "control" | "workspace", sql: string) => {
    const number = String(currentVersion(kind) + 1).padStart(3, "0");
    writeFileSync(join(root, `db/${kind}/${number}-next.sql`), `-- Of a test.\n-- Expands.\n\n${sql}`);
  };
  const expand = (table: string) => `
    CREATE TABLE next_${table} (id INTEGER PRIMARY KEY, uid TEXT NOT NULL) STRICT;
    INSERT INTO next_${table} (id, uid) SELECT id, uid FROM ${table};
    ALTER TABLE ${table} ADD COLUMN next TEXT;
    ALTER TABLE ${table} ADD COLUMN next_count INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX ${table}_next ON ${table} (next);
    CREATE TRIGGER ${table}_next AFTER INSERT ON ${table} BEGIN
      UPDATE ${table} SET next_count = next_count + 1 WHERE id = new.id;
    END;`;
  add("control", ["job", "workspace"].map(expand).join("\n"));
  add("workspace", ["participant", "screener_participant", "screener_session", "event"].map(expand).join("\n"));
  return pathToFileURL(`${root}/`);
}

/** A folder with the code of today, and further files or folders of the project. It is removed with the test. */
export function copyOfCode(...more: string[]): string {
  const root = newFolder();
  addPackages(root);
  for (const name of [...CODE, ...more]) cpSync(name, join(root, name), { recursive: true });
  return root;
}

function addPackages(root: string): void {
  symlinkSync(join(process.cwd(), "node_modules"), join(root, "node_modules"));
}
