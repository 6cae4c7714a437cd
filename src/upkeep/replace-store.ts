// Puts the store of a backup in the place of a workspace's store, while the service runs. Users, keys, settings and jobs stay as the control
// store has them. A run that was interrupted is repeated: until the files change places nothing is different, and from then on it goes on.
//
//   1. copy     the store of the backup, into DATA_DIR/restoring/<workspace>/copy/
//   2. erase    from the copy, who was erased since
//   3. suspend  nothing of the workspace is served any more, and its job has ended
//   4. keep     the former store, as a backup of its own in DATA_DIR/replaced/
//   5. switch   the files; then jobs that the store does not know have failed, and the log says that it was restored

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Control } from "../../db/control.ts";
import { raiseFence } from "../../db/fence.ts";
import { LOOK_AGAIN_MS } from "../../db/open-stores.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { Doubt } from "../../db/sqlite/doubt.ts";
import { makeFolder, syncFile, syncFolder } from "../../db/sqlite/folders.ts";
import { immediate, pauseThread } from "../../db/sqlite/write.ts";
import { removeStore, storePath } from "../../db/store.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { type Comparison, compare, planOf } from "../backup/compare.ts";
import type { BackedUp } from "../backup/one-workspace.ts";
import { copyBack, eraseFromCopy, type Return, takeLists } from "../backup/returning.ts";
import { acceptStore } from "../engine/run/stores.ts";
import { pendEvent } from "../events/outbox.ts";
import { endSuspension } from "../workspaces/lives.ts";
import { noteWorkspace } from "../workspaces/noted.ts";
import { findWorkspace, type WorkspaceRow } from "../workspaces/queries.ts";
import { forgetCheck, recordFinding } from "../workspaces/store-findings.ts";
import { keepFormer } from "./former-stores.ts";
import {
  aloneWith,
  isDone,
  RESTORING,
  readState,
  type State,
  type Switching,
  suspensionOf,
  writeState,
} from "./restore-state.ts";
import { suspendAndWait } from "./suspend.ts";
import { interrupted, letIn, orRefused } from "./take-back.ts";

interface Replaced extends Switching {
  /** The ids of the jobs that are lost. */
  lostJobs: string[];
}

const WAIT_MS = 10_000;

/** @throws Error when the plan is out of date, or a job does not end. Then the workspace is as before */
export async function replaceStore(
  control: Control,
  row: WorkspaceRow,
  source: BackedUp,
  way: Return,
  plan: string,
): Promise<Replaced> {
  using _alone = aloneWith(way.dataDir, row.uid);
  const folder = join(way.dataDir, RESTORING, row.uid);
  let before = readState(folder);
  const now = findWorkspace(control.reader, row.uid) ?? row;
  if (before?.switching && isDone(before, now)) {
    rmSync(folder, { recursive: true, force: true });
    if (before.plan === plan) return { ...before.switching, lostJobs: [] };
    before = undefined;
  }
  if (before?.switching && before.plan !== plan) throw interrupted(before.plan);
  const suspendedAt = before ? suspensionOf(before, now) : Date.now();
  const switching = before?.switching ?? (await prepare(control, row, source, way, { plan, suspendedAt }, folder));
  switchFiles(way.dataDir, row.uid, copyIn(folder));
  // A process that has looked just before goes on reading the former one for so long.
  pauseThread(LOOK_AGAIN_MS);
  const lostJobs = settle(control, row, source, way, suspendedAt);
  rmSync(folder, { recursive: true, force: true });
  return { ...switching, lostJobs };
}

/** All before the files change places. If it fails, the workspace is served as before. */
async function prepare(
  control: Control,
  row: WorkspaceRow,
  source: BackedUp,
  way: Return,
  state: State & { suspendedAt: number },
  folder: string,
): Promise<Switching> {
  const { dataDir } = way;
  const isListThere = takeLists(source, way);
  requirePlan(compare({ ...way, control }, source), source, state.plan);
  makeFolder(folder);
  // First: what it suspends must not look as if somebody else had.
  writeState(folder, state);
  try {
    await copyBack(source, copyIn(folder));
    // While the workspace is still served. If somebody is erased meanwhile, the plan is out of date.
    const erased = eraseFromCopy(source, copyIn(folder), way);
    suspendAndWait(dataDir, control, row.id, "", state.suspendedAt);
    fence(dataDir, row.uid);
    requirePlan(compare({ ...way, control }, source), source, state.plan);
    const kept = await keepFormer(control.reader, row.uid, way, folder);
    const switching = { kept, isListThere, erased };
    writeState(folder, { ...state, switching });
    return switching;
  } catch (error) {
    letIn(control, row, dataDir, state);
    throw error;
  }
}

function requirePlan(comparison: Comparison, source: BackedUp, plan: string): void {
  if (planOf(comparison, source) === plan) return;
  throw new Error(
    "The plan is out of date: what would be lost is not what it showed. Nothing was changed. Look at a new plan; " +
      "where people are answering all the time, `workspace suspend` first.",
  );
}

/** No process that has the store open writes to it any more. One that can't be read can't be written either. */
function fence(dataDir: string, uid: string): void {
  const workspaces = new Workspaces(dataDir, COMMAND_LINE);
  try {
    orRefused(() => {
      workspaces.migrate(uid);
      raiseFence(workspaces.path(uid), WAIT_MS);
    });
  } finally {
    workspaces.close();
  }
}

/** May be interrupted and repeated: what is there already has come before. */
function switchFiles(dataDir: string, uid: string, folder: string): void {
  const [from, to] = [storePath(folder, uid), storePath(dataDir, uid)];
  if (!existsSync(from)) return;
  makeFolder(dirname(to));
  // First the former one with its WAL: that must never come to the other file.
  removeStore(to, new Doubt(dataDir, uid));
  renameSync(from, to);
  syncFile(to);
  syncFolder(dirname(to));
}

/** The ledger after the switch; and the workspace is served again. @returns the jobs that are lost */
function settle(
  control: Control,
  row: WorkspaceRow,
  { mark }: BackedUp,
  { dataDir, kinds, cause }: Return,
  suspendedAt: number,
): string[] {
  const { writer } = control;
  const workspaces = new Workspaces(dataDir, COMMAND_LINE);
  try {
    const lost = acceptStore(control, workspaces, row.uid, { cause, kinds });
    immediate(writer, () => {
      recordFinding(writer, row.uid, "OPENING", null);
      forgetCheck(writer, row.uid);
      for (const table of ["mail_workspace", "webhook_workspace"] as const) noteWorkspace(writer, table, row.uid);
      const resource = { type: "Workspace", uid: row.uid };
      pendEvent(writer, row.uid, cause, { type: "workspace.restored", resource, summary: { backupOf: mark } });
      endSuspension(writer, row.id, suspendedAt);
    });
    return lost;
  } finally {
    workspaces.close();
  }
}

/** Where in the folder of a run its copy of the store is. */
const copyIn = (folder: string) => join(folder, "copy");
