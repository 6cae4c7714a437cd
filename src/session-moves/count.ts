// Counts the sessions that a move would move. A thread does it, because there may be a million.

import type { SideTask } from "../engine/threads/side-task.ts";
import { countMovable } from "./plan.ts";

/** @returns undefined when the screener has no active publication. @throws Problem screener_not_found */
export const countMoves: SideTask<{ workspaceUid: string; screenerUid: string }, number | undefined> = {
  name: "count-moves",
  perform: ({ workspaces }, { workspaceUid, screenerUid }) =>
    workspaces.read(workspaceUid, (db) => db.snapshot(() => countMovable(db, screenerUid))),
};
