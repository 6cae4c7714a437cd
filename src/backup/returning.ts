// A workspace's store on its way back from a backup: a copy in a folder of its own, made ready before anybody is served from it.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { lowerFence } from "../../db/fence.ts";
import { OFFLINE } from "../../db/profiles.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { makeFolders } from "../../db/sqlite/folders.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { migrateStore } from "../../db/store.ts";
import type { AnyJobKind } from "../engine/run/define-job.ts";
import { mergeLists } from "../erasure/list.ts";
import { renewLog } from "../events/log.ts";
import type { Cause } from "../events/record.ts";
import { holdRestored } from "../mail/later.ts";
import { layOut } from "./alone.ts";
import { copyFile } from "./copy.ts";
import { copiesOf, eraseReturned, findLists } from "./erase-again.ts";
import { LEDGER } from "./manifest.ts";
import type { BackedUp } from "./one-workspace.ts";
import { BadBackup } from "./restore.ts";

/** Where it comes to, and how. */
export interface Return {
  dataDir: string;
  erasedDir: string;
  otherLists: readonly string[];
  isListNeedless: boolean;
  kinds: readonly AnyJobKind[];
  cause: Cause;
}

/** Gathers what the lists of the erased have of the workspace in `into`. @returns whether there is a list @throws NoList */
export function takeLists(
  { folder, workspace: { uid } }: BackedUp,
  { erasedDir, otherLists, isListNeedless }: Return,
  into = erasedDir,
): boolean {
  const lists = { erasedDir, otherLists: [...otherLists, ...copiesOf(folder)], isListNeedless };
  const isThere = findLists(lists);
  for (const from of [erasedDir, ...lists.otherLists]) mergeLists(from, into, uid);
  return isThere;
}

/** Copies the store into `folder`, which is made anew. Mail that waited there does not leave. @returns the store's path */
export async function copyBack(
  { folder: backup, store: from, sha256, workspace }: BackedUp,
  folder: string,
): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  makeFolders(folder, 0o700);
  const { store } = layOut(folder, workspace);
  const copied = await copyFile(from, store);
  if (copied.sha256 !== sha256)
    throw new BadBackup(backup, [{ level: "error", path: from, message: "it has changed while it was restored" }]);
  lowerFence(store, OFFLINE.busyTimeoutMs);
  migrateStore(store, workspace.uid, OFFLINE);
  changeStore(store, (db) => {
    renewLog(db);
    holdRestored(db);
  });
  return store;
}

/** Erases from the copy those who were erased since the backup. @returns how many */
export function eraseFromCopy({ workspace }: BackedUp, folder: string, { erasedDir, kinds, cause }: Return): number {
  const ledger = join(folder, LEDGER);
  return eraseReturned({ dataDir: folder, erasedDir, ledger, kinds, cause }, workspace.uid).participants;
}

/** Changes the copy in one transaction. When it returns, all is in the file. */
export function changeStore<T>(store: string, change: (db: Writer) => T): T {
  const db = openWriter(store, OFFLINE, true);
  try {
    return immediate(db, () => change(db));
  } finally {
    db.close();
  }
}
