// Which log it is. A reader that remembers the log's id and the last sequence sees when a backup was restored.

import type { Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";

/** SQL expression for the id of the log. As long as nothing was restored it is the workspace's. */
export const LOG_ID = "(SELECT coalesce(log_uid, workspace_uid) FROM store)";

/** The log is another one from now on: what came after the copy that was restored is lost. */
export function renewLog(db: Writer): void {
  db.run("UPDATE store SET log_uid = ?", newId());
}
