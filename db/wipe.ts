// Removes what a store's file and its WAL still have of what was deleted.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { rewriteAnswerSearch } from "./answer-search.ts";
import { rewriteSearch } from "./people-search.ts";
import { OVERWRITE } from "./root.ts";
import type { Writer } from "./sqlite/connection.ts";
import { isFrozen } from "./sqlite/frozen.ts";
import { openWriter } from "./sqlite/open.ts";
import { immediate, StoreBusyError, truncateWal } from "./sqlite/write.ts";
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

/** How the program ends when others were in the way. */
const BUSY = 75;

/**
 * Overwrites what is left in unused parts of the pages of these files, which may be in use: copies of rows that SQLite has moved. All that
 * was deleted must be committed. Blocks: 0.1 s, and up to 0.5 s for each 100 MB. @throws StoreBusyError
 */
export function overwriteUnused(paths: readonly string[]): void {
  const free = paths.filter((path) => !isFrozen(path));
  if (!free.length) return;
  try {
    execFileSync(process.execPath, [fileURLToPath(OVERWRITE)], {
      input: free.join("\n"),
      env: {},
      stdio: ["pipe", "ignore", "pipe"],
    });
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === BUSY) throw new StoreBusyError();
    throw error;
  }
}
