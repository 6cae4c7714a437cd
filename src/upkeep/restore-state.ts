// How far a restore in place is: on the disk, so that the next run and `doctor` know, and whether its command is running.

import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncFolder } from "../../db/sqlite/folders.ts";
import { isProcessAlive, Presence } from "../../db/sqlite/lock.ts";
import { isBusy } from "../../db/sqlite/write.ts";
import { RESTORING } from "./former-stores.ts";

export interface Switching {
  /** The folder where the former store is kept. null: there was none. */
  kept: string | null;
  isListThere: boolean;
  /** The people who were erased since, and are erased again. */
  erased: number;
}

export interface State {
  plan: string;
  wasSuspended: boolean;
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

/** Only one command at a time restores a workspace. @throws Error */
export function aloneWith(dataDir: string, uid: string): Disposable {
  try {
    const presence = new Presence(dataDir, lockOf(uid));
    return { [Symbol.dispose]: () => presence.close() };
  } catch (error) {
    throw isBusy(error) ? new Error("Another command restores the workspace at this moment.", { cause: error }) : error;
  }
}

export function listOpenRestores(dataDir: string): OpenRestore[] {
  const all = join(dataDir, RESTORING);
  return (existsSync(all) ? readdirSync(all) : []).flatMap((workspace) => {
    const isRunning = isProcessAlive(dataDir, lockOf(workspace));
    const folder = join(all, workspace);
    // One that has ended since is none any more.
    return existsSync(folder) ? [{ workspace, isRunning, state: readState(folder) }] : [];
  });
}

const stateOf = (folder: string) => join(folder, "state.json");

export function readState(folder: string): State | undefined {
  const path = stateOf(folder);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

export function writeState(folder: string, state: State): void {
  const path = stateOf(folder);
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}
