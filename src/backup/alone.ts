// A workspace alone: a folder that is laid out as an installation with one workspace. With a manifest it is a backup of that workspace.

import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openControl } from "../../db/control.ts";
import { lowerFence } from "../../db/fence.ts";
import { OFFLINE } from "../../db/profiles.ts";
import { makeFolder, makeFolders, syncFolder } from "../../db/sqlite/folders.ts";
import { copyStore } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { addLines, readLines } from "../erasure/list.ts";
import { insertWithSettings, type WorkspaceSettings } from "../workspaces/settings.ts";
import { hashFile, syncTree } from "./copy.ts";
import { COPY } from "./erase-again.ts";
import { LEDGER, type Manifest, PARTIAL, writeManifest } from "./manifest.ts";

type Alone = WorkspaceSettings & { uid: string };

/** Makes the ledger of such a folder, and the folder of the store. @returns the path for the store, and the id of the installation */
export function layOut(folder: string, workspace: Alone): { store: string; installation: string } {
  const control = openControl(folder, OFFLINE);
  try {
    immediate(control.writer, () => insertWithSettings(control.writer, workspace.uid, workspace, Date.now()));
    const store = storePath(folder, workspace.uid);
    makeFolder(dirname(store));
    return { store, installation: control.writer.value<string>("SELECT uid FROM installation")! };
  } finally {
    control.close();
  }
}

/**
 * Writes a backup of one workspace into a new folder. The list of those who were erased before is in it: they are in no store any more.
 * @param folder is not there yet, or is empty
 */
export async function backUpAlone(
  { dataDir, erasedDir }: { dataDir: string; erasedDir: string },
  workspace: Alone,
  folder: string,
): Promise<void> {
  const partial = join(dirname(folder), basename(folder) + PARTIAL);
  rmSync(partial, { recursive: true, force: true });
  makeFolders(partial, 0o700);
  const drafted = join(partial, "draft");
  mkdirSync(drafted);
  const { installation } = layOut(drafted, workspace);
  copyStore(join(drafted, LEDGER), join(partial, LEDGER));
  rmSync(drafted, { recursive: true });
  const mark = new Date().toISOString();
  const path = storePath("", workspace.uid);
  makeFolders(dirname(join(partial, path)));
  copyStore(storePath(dataDir, workspace.uid), join(partial, path));
  lowerFence(join(partial, path), OFFLINE.busyTimeoutMs);
  const lists = join(partial, COPY);
  makeFolder(lists);
  addLines(lists, workspace.uid, readLines(erasedDir, workspace.uid));
  const files = await Promise.all(
    [LEDGER, path].map(async (file) => ({ path: file, ...(await hashFile(join(partial, file))) })),
  );
  const manifest: Manifest = { format: 1, mark, installation, workspaces: [workspace.uid], files };
  writeManifest(partial, manifest);
  await syncTree(partial);
  renameSync(partial, folder);
  syncFolder(dirname(folder));
}
