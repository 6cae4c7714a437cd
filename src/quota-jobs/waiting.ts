// How many people wait for a place in a quota: those who were turned away, and those who have finished before it was there. A thread
// looks, because there may be a million.

import { Problem } from "../base/problems.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { countOffers } from "./offer-plan.ts";
import { countUncounted } from "./recount.ts";

export interface Waiting {
  /** How many would get an offer now, and how many would not. Null: the screener takes no answers. */
  offers: { offered: number; skipped: number } | null;
  /** How many completed sessions a recount would look at. 0 if there was one. */
  uncounted: number;
}

/** @throws Problem screener_quota_not_found */
export const lookWhoWaits: SideTask<{ workspaceUid: string; quotaUid: string }, Waiting> = {
  name: "look-who-waits",
  perform: ({ workspaces }, { workspaceUid, quotaUid }) =>
    workspaces.read(workspaceUid, (db) =>
      db.snapshot(() => {
        const uncounted = countUncounted(db, quotaUid);
        try {
          return { offers: countOffers(db, quotaUid), uncounted };
        } catch (error) {
          if (error instanceof Problem && ["screener_closed", "link_expired"].includes(error.code))
            return { offers: null, uncounted };
          throw error;
        }
      }),
    ),
};
