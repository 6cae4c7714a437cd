// Reads a list page that takes too long for the event loop, such as one that needs a scan of all rows.

import type { Reader } from "../../db/connection.ts";
import { type ListResult, readPage } from "../../db/list.ts";
import { readLogPage } from "../../db/list-log.ts";
import { openScratchReader } from "../../db/open.ts";
import type { LongRead } from "../resource.ts";
import { resultPath } from "./result.ts";
import type { SideTask } from "./side-task.ts";

export const readLongPage: SideTask<LongRead & { workspaceUid: string }, ListResult> = {
  name: "read-long-page",
  perform({ dataDir, workspaces }, { workspaceUid, file, list, filters, page, parameters }) {
    const read = (db: Reader) =>
      "time" in list ? readLogPage(db, list, filters, page) : readPage(db, list, filters, page, parameters);
    if (file === undefined) return workspaces.read(workspaceUid, read);
    const db = openScratchReader(resultPath(dataDir, file));
    try {
      return read(db);
    } finally {
      db.close();
    }
  },
};
