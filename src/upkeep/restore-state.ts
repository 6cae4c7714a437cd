// What commands have under way that suspend a workspace: a restore in place, and `workspace accept-store`. It is on the disk, so that the next
// run, the service and `doctor` know what was interrupted, and which suspension is the command's own.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder, syncFolder } from "../../db/sqlite/folders.ts";
import { isProcessAlive, Presence } from "../../db/sqlite/lock.ts";
import { isBusy } from "../../db/sqlite/write.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";

/** Where the stores come to that replace others, and what is known of such runs. */
export const RESTORING = "restoring";
const ACCEPTING = "accepting";

export interface Switching {
  /** The folder where the former store is kept. null: there was none. */
  kept: string | null;
  isListThere: boolean;
  /** The people who were erased since, and are erased again. */
  erased: number;
}

/** What a command has suspended. */
interface Suspending {
  /** When its suspension begins, in ms since 1970. One of another time is somebody else's. */
  suspendedAt: number;
}

export interface State extends Partial<Suspending> {
  plan: string;
  /** In place of the time, as it was first written: whether the workspace was suspended before. */
  wasSuspended?: boolean;
  /** Set as soon as the files may have changed places. */
  switching?: Switching;
}

/** A restore in place that has not ended. */
interface OpenRestore {
  workspace: string;
  /** Whether its command is running. If not, it was interrupted. */
  isRunning: boolean;
  /** undefined: it has suspended nothing yet. */
  state: State | undefined;
}

const lockOf = (uid: string) => `restore-${uid}`;

type Suspended = Pick<WorkspaceRow, "suspended_at">;

/** When the suspension of a restore began. 0: that of the workspace is somebody else's. */
export function suspensionOf({ suspendedAt, wasSuspended }: State, row: Suspended): number {
  return suspendedAt ?? (wasSuspended === false ? (row.suspended_at ?? 0) : 0);
}

/**
 * Whether all of a restore is done, and it was interrupted before it had removed its folder. It lets the workspace in with its last change; until
 * then nobody does.
 */
export function isDone(state: State | undefined, row: Suspended | undefined): boolean {
  return state?.switching !== undefined && row?.suspended_at === null;
}

/** Another command is at work on the workspace. */
export class NotAlone extends Error {}

/** Only one of these commands at a time works on a workspace. @throws NotAlone */
export function aloneWith(dataDir: string, uid: string): Disposable {
  try {
    const presence = new Presence(dataDir, lockOf(uid));
    return { [Symbol.dispose]: () => presence.close() };
  } catch (error) {
    throw isBusy(error)
      ? new NotAlone("Another command restores the workspace at this moment.", { cause: error })
      : error;
  }
}

export function listOpenRestores(dataDir: string): OpenRestore[] {
  const all = join(dataDir, RESTORING);
  return namesIn(all).flatMap((workspace) => {
    const isRunning = isProcessAlive(dataDir, lockOf(workspace));
    const folder = join(all, workspace);
    // One that has ended since is none any more.
    return existsSync(folder) ? [{ workspace, isRunning, state: readState(folder) }] : [];
  });
}

/** The workspaces whose `accept-store` has not ended. */
export function listOpenAccepts(dataDir: string): Pick<OpenRestore, "workspace" | "isRunning">[] {
  return namesIn(join(dataDir, ACCEPTING)).flatMap((name) => {
    const workspace = basename(name, ".json");
    const isRunning = isProcessAlive(dataDir, lockOf(workspace));
    return name.endsWith(".json") && existsSync(acceptOf(dataDir, workspace)) ? [{ workspace, isRunning }] : [];
  });
}

/** When the suspensions began that are those of such commands. */
export function suspensionsOf(dataDir: string, row: WorkspaceRow): number[] {
  const [restore, accept] = [readState(join(dataDir, RESTORING, row.uid)), readAccept(dataDir, row.uid)];
  return [...(restore ? [suspensionOf(restore, row)] : []), ...(accept ? [accept.suspendedAt] : [])];
}

const stateOf = (folder: string) => join(folder, "state.json");
const acceptOf = (dataDir: string, uid: string) => join(dataDir, ACCEPTING, `${uid}.json`);

export function readState(folder: string): State | undefined {
  return read(stateOf(folder)) as State | undefined;
}

export function writeState(folder: string, state: State): void {
  write(stateOf(folder), state);
}

export function readAccept(dataDir: string, uid: string): Suspending | undefined {
  return read(acceptOf(dataDir, uid)) as Suspending | undefined;
}

export function writeAccept(dataDir: string, uid: string, state: Suspending): void {
  makeFolder(join(dataDir, ACCEPTING));
  write(acceptOf(dataDir, uid), state);
}

export function removeAccept(dataDir: string, uid: string): void {
  rmSync(acceptOf(dataDir, uid), { force: true });
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${path} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

/** It is there as a whole, or as it was before. */
function write(path: string, state: object): void {
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
