// Counts whom an offer of places would reach now. A thread does it, because there may be a million.

import type { SideTask } from "../engine/threads/side-task.ts";
import { countOffers as count } from "./offer-plan.ts";

/** @throws Problem screener_quota_not_found, screener_closed, link_expired */
export const countOffers: SideTask<{ workspaceUid: string; quotaUid: string }, { offered: number; skipped: number }> = {
  name: "count-offers",
  perform: ({ workspaces }, { workspaceUid, quotaUid }) =>
    workspaces.read(workspaceUid, (db) => db.snapshot(() => count(db, quotaUid))),
};
