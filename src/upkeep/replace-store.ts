// Puts the store of a backup in the place of a workspace's store, while the service runs. Users, keys, settings and jobs stay as the control
// store has them. A run that was interrupted is repeated: until the files change places nothing is different, and from then on it goes on.
//
//   1. copy     the store of the backup, into DATA_DIR/restoring/<workspace>/copy/
//   2. suspend  nothing of the workspace is served any more, and its job has ended
//   3. keep     the former store, as a backup of its own in DATA_DIR/replaced/
//   4. erase    from the copy, who was erased since
//   5. switch   the files; then jobs that the store does not know have failed, and the log says that it was restored

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Control } from "../../db/control.ts";
import { lowerFence, raiseFence } from "../../db/fence.ts";
import { SchemaTooNewError } from "../../db/migrate.ts";
import { COMMAND_LINE } from "../../db/profiles.ts";
import { Doubt } from "../../db/sqlite/doubt.ts";
import { makeFolder, syncFile, syncFolder } from "../../db/sqlite/folders.ts";
import { isDamage, StoreRefusedError } from "../../db/sqlite/refused.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { removeStore, storePath } from "../../db/store.ts";
import { Workspaces } from "../../db/workspaces.ts";
import { type Comparison, compare, planOf } from "../backup/compare.ts";
import type { BackedUp } from "../backup/one-workspace.ts";
import { copyBack, eraseFromCopy, type Return, takeLists } from "../backup/returning.ts";
import { acceptStore } from "../engine/run/stores.ts";
import { pendEvent } from "../events/outbox.ts";
import { suspendWorkspace } from "../workspaces/lives.ts";
import { noteWorkspace } from "../workspaces/noted.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { forgetCheck, recordFinding } from "../workspaces/store-findings.ts";
import { keepFormer, RESTORING } from "./former-stores.ts";
import { aloneWith, readState, type State, type Switching, writeState } from "./restore-state.ts";
import { suspendAndWait } from "./suspend.ts";

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
  const before = readState(folder);
  if (before?.switching && before.plan !== plan) throw interrupted(before.plan);
  const wasSuspended = before?.wasSuspended ?? row.suspended_at !== null;
  const switching = before?.switching ?? (await prepare(control, row, source, way, { plan, wasSuspended }, folder));
  switchFiles(way.dataDir, row.uid, copyIn(folder));
  const lostJobs = settle(control, row, source, way, wasSuspended);
  rmSync(folder, { recursive: true, force: true });
  return { ...switching, lostJobs };
}

/** Takes back what an interrupted run has left, if the files have not changed places yet. @throws Error if they may have */
export function takeBack(control: Control, row: WorkspaceRow, dataDir: string): void {
  const folder = join(dataDir, RESTORING, row.uid);
  if (!existsSync(folder)) return;
  using _alone = aloneWith(dataDir, row.uid);
  const state = readState(folder);
  if (state?.switching) throw interrupted(state.plan);
  letIn(control, row, dataDir, state?.wasSuspended ?? true);
}

/** The workspace is served as before, and nothing is left of the run. The files must not have changed places. */
function letIn({ writer }: Control, row: WorkspaceRow, dataDir: string, wasSuspended: boolean): void {
  orRefused(() => lowerFence(storePath(dataDir, row.uid), WAIT_MS));
  if (!wasSuspended) immediate(writer, () => suspendWorkspace(writer, row.id, null));
  rmSync(join(dataDir, RESTORING, row.uid), { recursive: true, force: true });
}

function interrupted(plan: string): Error {
  return new Error(
    `A restore of the workspace was interrupted while its files changed places. Go on with it: --apply ${plan}`,
  );
}

/** All before the files change places. If it fails, the workspace is served as before. */
async function prepare(
  control: Control,
  row: WorkspaceRow,
  source: BackedUp,
  way: Return,
  { plan, wasSuspended }: State,
  folder: string,
): Promise<Switching> {
  const { dataDir } = way;
  const isListThere = takeLists(source, way);
  requirePlan(compare({ ...way, control }, source), source, plan);
  makeFolder(folder);
  // First: what an earlier run has suspended must not look as if somebody else had.
  writeState(folder, { plan, wasSuspended });
  try {
    await copyBack(source, copyIn(folder));
    suspendAndWait(dataDir, control, row.id);
    fence(dataDir, row.uid);
    requirePlan(compare({ ...way, control }, source), source, plan);
    const kept = await keepFormer(control.reader, row.uid, way, folder);
    const erased = eraseFromCopy(source, copyIn(folder), way);
    const switching = { kept, isListThere, erased };
    writeState(folder, { plan, wasSuspended, switching });
    return switching;
  } catch (error) {
    letIn(control, row, dataDir, wasSuspended);
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

/** Does something to the store that is there, if it can be read. */
function orRefused(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof StoreRefusedError || error instanceof SchemaTooNewError || isDamage(error))) throw error;
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
  wasSuspended: boolean,
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
      if (!wasSuspended) suspendWorkspace(writer, row.id, null);
    });
    return lost;
  } finally {
    workspaces.close();
  }
}

/** Where in the folder of a run its copy of the store is. */
const copyIn = (folder: string) => join(folder, "copy");
