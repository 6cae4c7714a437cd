// How many people wait for a place in a quota: those who were turned away, and those who have finished before it was there. A thread
// looks, because there may be a million.

import type { Reader } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { countOffers } from "./offer-plan.ts";
import { countUncounted } from "./recount.ts";

export interface Waiting {
  /** How many people were turned away, and how many of them would get an offer now. Null: the screener takes no answers. */
  offers: { offered: number; people: number } | null;
  /** How many completed sessions a recount would look at. 0 if there was one. */
  uncounted: number;
}

/** The answer as JSON, so that it can be kept. @throws Problem screener_quota_not_found */
export const lookWhoWaits: SideTask<{ workspaceUid: string; quotaUid: string }, { json: string }> = {
  name: "look-who-waits",
  perform: ({ workspaces }, { workspaceUid, quotaUid }) =>
    workspaces.read(workspaceUid, (db) => db.snapshot(() => ({ json: JSON.stringify(waitingFor(db, quotaUid)) }))),
};

function waitingFor(db: Reader, quotaUid: string): Waiting {
  const uncounted = countUncounted(db, quotaUid);
  try {
    return { offers: countOffers(db, quotaUid), uncounted };
  } catch (error) {
    if (error instanceof Problem && ["screener_closed", "link_expired"].includes(error.code))
      return { offers: null, uncounted };
    throw error;
  }
}
