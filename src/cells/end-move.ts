// The ends of a move, in the cell that the workspace comes from. Each may be interrupted and repeated.

import { rmSync } from "node:fs";
import { controlPath } from "../../db/control.ts";
import { lowerFence } from "../../db/fence.ts";
import { CONTROL, Doubt } from "../../db/sqlite/doubt.ts";
import { thaw } from "../../db/sqlite/frozen.ts";
import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { removeStore, storePath } from "../../db/store.ts";
import { removeSpooled } from "../engine/files/bodies.ts";
import { removeChosenFiles } from "../engine/files/chosen-files.ts";
import { resultPath } from "../engine/files/result-file.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { filesOf } from "./ledger.ts";
import { cancel, forget, isOpen, type MoveRow, noteArrival } from "./moves.ts";

const WAIT_MS = 10_000;

/**
 * What was copied stays here for so long, after it is served there: for a caller that is still reading a list, and until the replica of
 * the other cell has it.
 */
export const KEPT_MS = 120_000;

type Ending = "CANCEL" | "ARRIVE" | "CLEAN";

/** Ends a move. In a thread: it waits for locks. */
export const endMove: SideTask<{ move: MoveRow; ending: Ending }, void> = {
  name: "end-move",
  perform: ({ dataDir }, { move, ending }) => performEnding(dataDir, move, ending),
};

/**
 * CANCEL: the workspace stays here. ARRIVE: the other cell serves it; requests are passed on from now on. CLEAN, after that:
 * removes what is still here. A move that has ended is left alone. Blocks.
 */
export function performEnding(dataDir: string, move: MoveRow, ending: Ending): void {
  const path = storePath(dataDir, move.workspace_uid);
  const doubt = new Doubt(dataDir, CONTROL);
  const control = openWriter(controlPath(dataDir), { busyTimeoutMs: WAIT_MS, checkpoints: false, doubt }, true);
  try {
    if (!isOpen(control, move.uid)) return;
    switch (ending) {
      case "ARRIVE":
        immediate(control, () => noteArrival(control, move));
        break;
      case "CANCEL":
        // In the transaction: no other move begins before both are done.
        immediate(control, () => {
          if (!isOpen(control, move.uid)) return;
          lowerFence(path, WAIT_MS);
          cancel(control, move);
        });
        thaw(path);
        break;
      case "CLEAN": {
        const { spool, results } = filesOf(control, dataDir, move.workspace_uid);
        for (const job of spool) removeSpooled(dataDir, job);
        for (const name of results) rmSync(resultPath(dataDir, name), { force: true });
        removeChosenFiles(dataDir, move.workspace_uid);
        removeStore(path, new Doubt(dataDir, move.workspace_uid));
        thaw(path);
        immediate(control, () => forget(control, move));
      }
    }
  } finally {
    control.close();
  }
}
