// The id of the log. A reader that remembers the log's id and the last sequence sees when a backup was restored.

import type { Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";

/** SQL expression for the id of the log. Until a backup is restored it is the workspace's id. */
export const LOG_ID = "(SELECT coalesce(log_uid, workspace_uid) FROM store)";

/** Gives the log a new id: events that came after a restored copy are lost, or nothing is as it was. */
export function renewLog(db: Writer): void {
  db.run("UPDATE store SET log_uid = ?", newId());
}
