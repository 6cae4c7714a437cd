// Removes what a store's file and its WAL still have of what was deleted.

import { rewriteAnswerSearch } from "./answer-search.ts";
import { rewriteSearch } from "./people-search.ts";
import type { Writer } from "./sqlite/connection.ts";
import { isFrozen } from "./sqlite/frozen.ts";
import { openWriter } from "./sqlite/open.ts";
import { immediate, truncateWal } from "./sqlite/write.ts";
import type { Workspaces } from "./workspaces.ts";

/** Blocks. @param rewrites also what earlier releases left. @throws StoreBusyError */
export function wipe(db: Writer, rewrites: boolean): void {
  if (rewrites) db.exec("VACUUM");
  truncateWal(db);
}

/** Wipes the store of a workspace. Blocks. @throws as above */
export function wipeWorkspace(workspaces: Workspaces, id: string, rewrites: boolean): void {
  const doubt = workspaces.doubt(id);
  const db = openWriter(workspaces.path(id), { busyTimeoutMs: 250, checkpoints: false, doubt });
  try {
    rewriteSearch((work) => immediate(db, () => work(db)));
    rewriteAnswerSearch((work) => immediate(db, () => work(db)));
    // Its WAL is truncated as soon as it has been copied.
    if (!isFrozen(workspaces.path(id))) wipe(db, rewrites);
  } finally {
    db.close();
  }
}
