// Counts the sessions that a move would move. A thread does it, because there may be a million.

import type { SideTask } from "../engine/threads/side-task.ts";
import { countMovable } from "./plan.ts";

/** The count as JSON, so that it can be kept. @throws Problem screener_not_found */
export const countMoves: SideTask<{ workspaceUid: string; screenerUid: string }, { json: string }> = {
  name: "count-moves",
  perform: ({ workspaces }, { workspaceUid, screenerUid }) =>
    workspaces.read(workspaceUid, (db) => db.snapshot(() => ({ json: JSON.stringify(countMovable(db, screenerUid)) }))),
};
