// The former store of a workspace that was restored in place: it is kept until somebody removes it, or the workspace is deleted.

import { copyFileSync, existsSync, globSync, renameSync, rmSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Reader } from "../../db/sqlite/connection.ts";
import { makeFolder, syncFolder } from "../../db/sqlite/folders.ts";
import { isDamage } from "../../db/sqlite/refused.ts";
import { storePath } from "../../db/store.ts";
import { backUpAlone } from "../backup/alone.ts";
import { syncTree } from "../backup/copy.ts";
import { nameOf } from "../backup/manifest.ts";
import { findSettings } from "../workspaces/settings.ts";
import { RESTORING, removeAccept } from "./restore-state.ts";

/** Where former stores are kept. */
export const REPLACED = "replaced";

/**
 * Keeps the former store: as a backup, or its files as they are if it can't be read. @param run the folder of the restore, which has what is not whole
 * yet @returns where it is kept; null: there is none
 */
export async function keepFormer(
  ledger: Reader,
  uid: string,
  where: { dataDir: string; erasedDir: string },
  run: string,
): Promise<string | null> {
  const store = storePath(where.dataDir, uid);
  if (!existsSync(store)) return null;
  const draft = join(run, "former");
  rmSync(draft, { recursive: true, force: true });
  let end = "";
  try {
    await backUpAlone(where, { ...findSettings(ledger, uid)!, uid }, draft);
  } catch (error) {
    if (!isDamage(error)) throw error;
    end = "-damaged";
    await keepAsItIs(store, draft);
  }
  const all = join(where.dataDir, REPLACED);
  makeFolder(all);
  const kept = join(all, nameOf(new Date(), all) + end);
  renameSync(draft, kept);
  syncFolder(all);
  return kept;
}

async function keepAsItIs(store: string, folder: string): Promise<void> {
  makeFolder(folder);
  for (const end of ["", "-wal"])
    if (existsSync(store + end)) copyFileSync(store + end, join(folder, basename(store) + end));
  // Afterwards it is the only one.
  await syncTree(folder);
}

/** Removes all former stores of a workspace, and what a restore has left: it is deleted. */
export function removeReplaced(dataDir: string, uid: string): void {
  rmSync(join(dataDir, RESTORING, uid), { recursive: true, force: true });
  removeAccept(dataDir, uid);
  const all = join(dataDir, REPLACED);
  for (const file of globSync(`*/**/${uid}.sqlite`, { cwd: all }))
    rmSync(join(all, file.split(sep)[0]!), { recursive: true, force: true });
}
