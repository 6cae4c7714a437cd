// Finds the session that waits longest for a review, in all workspaces. It opens their stores, so a thread does it.

import type { SideTask } from "../engine/threads/side-task.ts";
import { oldestPendingAt } from "../nouns/sessions/queries.ts";
import { listWorkspaces } from "../workspaces/queries.ts";

/** In ms since 1970; null: nobody waits. A store that can't be read is left out: it is a finding. */
export const lookWhoIsReviewed: SideTask<undefined, number | null> = {
  name: "look-who-is-reviewed",
  perform({ control, workspaces }) {
    let oldest: string | null = null;
    for (const { uid, suspended_at } of listWorkspaces(control.reader)) {
      if (suspended_at !== null) continue;
      try {
        const at = workspaces.read(uid, oldestPendingAt);
        if (at !== null && (oldest === null || at < oldest)) oldest = at;
      } catch {}
    }
    return oldest === null ? null : Date.parse(oldest);
  },
};
