// Takes back a restore in place that was interrupted before the files changed places: the workspace is served as before. The service does it by
// itself within a minute; a restore that came further is gone on with by its command.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Control } from "../../db/control.ts";
import { lowerFence } from "../../db/fence.ts";
import { SchemaTooNewError } from "../../db/migrate.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { isDamage, StoreRefusedError } from "../../db/sqlite/refused.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { forEach } from "../engine/files/each.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import { endSuspension } from "../workspaces/lives.ts";
import { findWorkspace, type WorkspaceRow } from "../workspaces/queries.ts";
import {
  aloneWith,
  isDone,
  listOpenRestores,
  NotAlone,
  RESTORING,
  readState,
  type State,
  suspensionOf,
} from "./restore-state.ts";

const WAIT_MS = 10_000;

/** Whether there is one that can be taken back, or of which only the folder is left. */
export function isAnyToTakeBack(dataDir: string, reader: Reader): boolean {
  return listOpenRestores(dataDir).some(
    ({ isRunning, state, workspace }) =>
      !isRunning && (!state?.switching || isDone(state, findWorkspace(reader, workspace))),
  );
}

/** Takes back what was interrupted. @returns the ids of the workspaces */
export const takeBackInterrupted: SideTask<undefined, string[]> = {
  name: "take-back-restores",
  perform({ control, dataDir }) {
    const takenBack: string[] = [];
    // One that can't be taken back keeps no other from it.
    forEach(listOpenRestores(dataDir), ({ workspace, isRunning, state }) => {
      const row = findWorkspace(control.reader, workspace);
      if (isRunning || !row || (state?.switching && !isDone(state, row))) return;
      try {
        if (takeBack(control, row, dataDir)) takenBack.push(workspace);
      } catch (error) {
        // A command, or another process, has begun with it.
        if (error instanceof NotAlone) return;
        if (error instanceof Error) error.message = `Workspace ${workspace}: ${error.message}`;
        throw error;
      }
    });
    return takenBack;
  },
};

/** Takes back what an interrupted run has left, if the files have not changed places yet. @returns whether there was any @throws Error if they may have; NotAlone */
export function takeBack(control: Control, row: WorkspaceRow, dataDir: string): boolean {
  const folder = join(dataDir, RESTORING, row.uid);
  if (!existsSync(folder)) return false;
  using _alone = aloneWith(dataDir, row.uid);
  // Only now nobody else changes it.
  if (!existsSync(folder)) return false;
  const state = readState(folder);
  // The workspace is served already, as it was restored.
  if (isDone(state, findWorkspace(control.reader, row.uid))) rmSync(folder, { recursive: true, force: true });
  else if (state?.switching) throw interrupted(state.plan);
  else letIn(control, row, dataDir, state);
  return true;
}

/** The workspace is served as before, unless somebody else has suspended it; and nothing is left of the run. The files must not have changed places. */
export function letIn({ writer }: Control, row: WorkspaceRow, dataDir: string, state: State | undefined): void {
  orRefused(() => lowerFence(storePath(dataDir, row.uid), WAIT_MS));
  if (state) immediate(writer, () => endSuspension(writer, row.id, suspensionOf(state, row)), WAIT_MS);
  rmSync(join(dataDir, RESTORING, row.uid), { recursive: true, force: true });
}

export function interrupted(plan: string): Error {
  return new Error(
    `A restore of the workspace was interrupted while its files changed places. Go on with it: --apply ${plan}`,
  );
}

/** Does something to the store that is there, if it can be read. */
export function orRefused(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof StoreRefusedError || error instanceof SchemaTooNewError || isDamage(error))) throw error;
  }
}
