// Reads a list page that takes too long for the event loop, such as one that needs a scan of all rows.

import type { ListResult } from "../../../db/list/items.ts";
import { readPage } from "../../../db/list/list.ts";
import { readLogPage } from "../../../db/list/log.ts";
import { readMergedPage } from "../../../db/list/merged.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import type { LongRead } from "../../base/resource.ts";
import { readResultFile, resultPath } from "../files/result-file.ts";
import type { SideTask } from "./side-task.ts";

export const readLongPage: SideTask<LongRead & { workspaceUid: string }, ListResult> = {
  name: "read-long-page",
  perform({ dataDir, workspaces }, { workspaceUid, file, list, filters, page, parameters, sort }) {
    const read = (db: Reader) => {
      if ("ranges" in list) return readMergedPage(db, list, page, parameters);
      return "time" in list
        ? readLogPage(db, list, filters, page)
        : readPage(db, list, filters, page, parameters, sort);
    };
    if (file === undefined) return workspaces.read(workspaceUid, read);
    return readResultFile(resultPath(dataDir, file), read);
  },
};
