// Reads a list page that takes too long for the event loop, such as one that needs a scan of all rows.

import { type ListResult, readPage } from "../../db/list.ts";
import { readLogPage } from "../../db/list-log.ts";
import type { LongRead } from "../resource.ts";
import type { SideTask } from "./side-task.ts";

export const readLongPage: SideTask<LongRead & { workspaceUid: string }, ListResult> = {
  name: "read-long-page",
  perform: ({ workspaces }, { workspaceUid, list, filters, page, parameters }) =>
    workspaces.read(workspaceUid, (db) =>
      "time" in list ? readLogPage(db, list, filters, page) : readPage(db, list, filters, page, parameters),
    ),
};
