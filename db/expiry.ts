// What a workspace's store keeps for a time only. Each folder declares how its own goes, src/main/registry.ts has the list, and the upkeep
// removes it.

import type { Reader, Writer } from "./sqlite/connection.ts";
import type { Workspaces } from "./workspaces.ts";

/** In ms since 1970. */
export interface Times {
  now: number;
  /** The ledger has the jobs that have ended since. */
  jobsSince: number;
  /** The log has the events since. */
  eventsSince: number;
}

export interface Expiry {
  /** Whether some of it has expired. Most stores have nothing to remove, and are only read. */
  isDue(db: Reader, times: Times): boolean;
  /** Removes some of what has expired, in one transaction. @returns whether there may be more */
  remove(db: Writer, times: Times): boolean;
}

/** Removes all of it from a store. @returns whether there was any */
export function removeExpired(workspaces: Workspaces, uid: string, expiring: readonly Expiry[], times: Times): boolean {
  let isChanged = false;
  for (const { isDue, remove } of expiring) {
    if (!workspaces.read(uid, (db) => isDue(db, times))) continue;
    isChanged = true;
    while (workspaces.write(uid, (db) => remove(db, times)));
  }
  return isChanged;
}
