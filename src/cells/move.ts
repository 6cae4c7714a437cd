// Moves a workspace to another cell. It is whole on exactly one side at each moment:
//
//   1. copy   while it runs: the store, results and bodies. Then its jobs wait, until the one that runs has ended.
//   2. stop   the store is fenced off; what is missing is copied; the other cell checks all of it.
//   3. switch one transaction says that it is there (HANDED_OVER). Then the other cell activates it, and requests are passed on.
//
// Before 3 the workspace is here, whatever happens: settle.ts cancels the move of a process that died. After it, the workspace is
// there; if the other cell knows nothing of the move, it never will, and the workspace is here again.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { currentVersion } from "../../db/migrate.ts";
import { Doubt } from "../../db/sqlite/doubt.ts";
import { Presence } from "../../db/sqlite/lock.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { newId } from "../base/ids.ts";
import type { Cause } from "../events/record.ts";
import { cellOf } from "../workspaces/installation.ts";
import { SCRATCH } from "./arrivals.ts";
import { performEnding } from "./end-move.ts";
import { type Copied, Mover, type OnStep, type Stores } from "./mover.ts";
import { insertMove, type MoveRow, noteTarget } from "./moves.ts";
import { Target, TargetRefusal } from "./target.ts";
import { issueTicket } from "./tickets.ts";
import type { Begun } from "./wire.ts";

interface Moved extends Copied {
  workspace: string;
  from: string;
  to: string;
}

/**
 * Moves a workspace, whose files are in `dataDir`, to the cell `to`.
 * @throws Error that says why it did not move. Then it is here, as before
 */
export async function moveWorkspace(
  stores: Stores,
  workspaceUid: string,
  { to, redisUrl, cause, onStep }: { to: string; redisUrl: string; cause: Cause; onStep: OnStep },
): Promise<Moved> {
  const { dataDir, control } = stores;
  const from = cellOf(control.reader);
  if (from === null) throw new Error("This installation has no name: set CELL, and start its processes once.");
  const doubt = new Doubt(dataDir, workspaceUid);
  if (doubt.isRaised) throw doubt.error();
  const presence = new Presence(dataDir, `mover-${newId()}`);
  const folder = mkdtempSync(join(dataDir, "tmp", SCRATCH));
  const { writer } = control;
  const row = { uid: newId(), workspace_uid: workspaceUid, url: to, mover: presence.name };
  try {
    if (!immediate(writer, () => insertMove(writer, row))) throw new Error("The workspace is being moved already.");
    const open: MoveRow = { ...row, cell: "", token: "", status: "COPYING", is_restored: 0, is_away: 0 };
    const begin = async () => {
      onStep("asking the other cell");
      const begun = await begunAt(stores, open, from, { to, redisUrl, cause });
      immediate(writer, () => noteTarget(writer, row.uid, begun));
      return { ...open, ...begun };
    };
    const known = await begin().catch((error) => {
      performEnding(dataDir, open, "CANCEL");
      throw error;
    });
    const moved = await new Mover(stores, known, folder, onStep).move(presence);
    return { workspace: workspaceUid, from, to: known.cell, ...moved };
  } catch (error) {
    throw error instanceof TargetRefusal
      ? new Error(`The other cell refuses it: ${error.message}`, { cause: error })
      : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    presence.close();
  }
}

/** Begins the move in the other cell. */
async function begunAt(
  { dataDir, directory }: Stores,
  { uid, workspace_uid }: MoveRow,
  from: string,
  { to, redisUrl, cause }: { to: string; redisUrl: string; cause: Cause },
): Promise<Begun> {
  const ticket = await issueTicket(redisUrl, workspace_uid);
  const actor = cause.actor === "participant" ? { uid: "", name: "" } : cause.actor;
  const path = storePath(dataDir, workspace_uid);
  return Target.begin(directory, to, ticket, {
    move: uid,
    workspace: workspace_uid,
    from,
    schema: { control: currentVersion("control"), workspace: currentVersion("workspace") },
    bytes: [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    by: { uid: actor.uid, name: actor.name, note: cause.note },
  });
}
