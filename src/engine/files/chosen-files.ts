// Files that people have chosen for an import. They are kept until it is applied, at most a day. A workspace has a folder of them. They are no
// part of the workspace's data: no backup has them, and they do not move with it.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../db/sqlite/folders.ts";
import { forEach } from "./each.ts";

/** How long one is kept. */
const KEPT_MS = 24 * 3_600_000;

/** The folder of a workspace's chosen files. */
export function chosenFilesPath(dataDir: string, workspaceUid: string): string {
  return join(dataDir, "chosen", workspaceUid);
}

/** Makes the folder of a workspace. */
export function makeChosenFiles(dataDir: string, workspaceUid: string): void {
  makeFolder(chosenFilesPath(dataDir, workspaceUid));
}

/** The names of a workspace's chosen files, and their bytes together. */
export async function listChosenFiles(
  dataDir: string,
  workspaceUid: string,
): Promise<{ names: string[]; bytes: number }> {
  const folder = chosenFilesPath(dataDir, workspaceUid);
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { names, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Removes all chosen files of a workspace. */
export function removeChosenFiles(dataDir: string, workspaceUid: string): void {
  rmSync(chosenFilesPath(dataDir, workspaceUid), { recursive: true, force: true });
}

/** Removes the chosen files that are too old. */
export function sweepChosenFiles(dataDir: string, now: number): void {
  const all = join(dataDir, "chosen");
  if (!existsSync(all)) return;
  const folders = readdirSync(all, { withFileTypes: true }).filter((one) => one.isDirectory());
  forEach(folders, ({ name: workspace }) => {
    const folder = join(all, workspace);
    forEach(readdirSync(folder), (name) => {
      const changed = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - changed > KEPT_MS) rmSync(join(folder, name), { force: true });
    });
  });
}
