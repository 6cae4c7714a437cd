// Removes what stores still have of what was deleted. Since 1.1.0 deleted data is overwritten at once (db/sqlite/open.ts); a store
// of an earlier release is rewritten the first time.

import type { Control } from "../../../db/control.ts";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { immediate } from "../../../db/sqlite/write.ts";
import { wipe } from "../../../db/wipe.ts";

/** Whether deleted data was always overwritten in the store of a workspace. */
export function isOverwritten(db: Reader, workspaceId: number): boolean {
  return db.value<number>("SELECT is_overwritten FROM workspace WHERE id = ?", workspaceId) === 1;
}

/** Wipes the control store, after the store of a workspace was wiped. */
export function wipeControl({ reader, writer }: Control, workspaceId: number): void {
  const isClean = reader.value<number>("SELECT is_overwritten FROM installation") === 1;
  // First, so that a run which is interrupted does it again.
  if (!isClean) wipe(writer, true);
  if (!isClean || !isOverwritten(reader, workspaceId)) {
    immediate(writer, () => {
      writer.run("UPDATE installation SET is_overwritten = 1");
      writer.run("UPDATE workspace SET is_overwritten = 1 WHERE id = ?", workspaceId);
    });
  }
  wipe(writer, false);
}
