// The index on the names of participants: to build it takes a fifteenth of an import of new people. So a large import drops it
// (src/imports/apply.ts), and it is built when the import has ended. Until then a search scans.

import { keepSearch } from "./people-search.ts";
import type { Reader } from "./sqlite/connection.ts";
import { isTransient } from "./sqlite/write.ts";
import type { Workspaces } from "./workspaces.ts";

export const LATE_INDEX = "participant_name";

/** What filters and the index compare. */
export const LATE_COLUMN = "name COLLATE NOCASE";

/** Builds the index if it is not there: up to two seconds for a million people, in which nobody else writes. Blocks. */
export function buildLateIndex(workspaces: Workspaces, workspaceUid: string): void {
  try {
    if (workspaces.read(workspaceUid, hasLateIndex)) return;
    workspaces.write(workspaceUid, (db) =>
      db.exec(`CREATE INDEX IF NOT EXISTS ${LATE_INDEX} ON participant (${LATE_COLUMN})`),
    );
    // All of it is in the WAL.
    workspaces.trim(workspaceUid);
  } catch (error) {
    // The next job, or the upkeep, builds it.
    if (!isTransient(error)) throw error;
  }
}

/** A search has time to compare so many people one by one. To add them takes a transaction. */
const MAX_BEHIND = 500;

/** What waits until imports have ended: the index, and the search for people where it is behind. Stops when it must. Blocks. */
export function catchUp(workspaces: Workspaces, workspaceUid: string, mustStop: () => boolean): void {
  buildLateIndex(workspaces, workspaceUid);
  if (workspaces.read(workspaceUid, isBehind)) keepSearch(workspaces, workspaceUid, mustStop);
}

function isBehind(db: Reader): boolean {
  return (
    db.value(
      `SELECT coalesce((SELECT max(id) FROM participant), 0) > indexed_until + ${MAX_BEHIND}
         OR EXISTS (SELECT 1 FROM participant_reindex LIMIT 1 OFFSET ${MAX_BEHIND}) FROM participant_search_state`,
    ) === 1
  );
}

function hasLateIndex(db: Reader): boolean {
  return db.value("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?", LATE_INDEX) === 1;
}
