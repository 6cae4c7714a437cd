// One workspace of a backup: whether it is there, sound, and of a form that this release knows.

import { join } from "node:path";
import { checkVersion, FENCED, SchemaTooNewError } from "../../db/migrate.ts";
import { openScratchReader } from "../../db/sqlite/open.ts";
import { storePath } from "../../db/store.ts";
import type { WorkspaceSettings } from "../workspaces/settings.ts";
import { findBackup, LEDGER, listBackups, type Manifest, readManifest } from "./manifest.ts";
import { BadBackup } from "./restore.ts";
import { compareHashes, type OnProgress } from "./verify.ts";

/** A workspace in a backup. */
export interface BackedUp {
  /** The backup. */
  folder: string;
  /** How it is called: the folder, or what it was brought from. */
  said: string;
  /** As of when it is: ISO-8601. */
  mark: string;
  /** As the backup's ledger knows it. */
  workspace: WorkspaceSettings & { uid: string };
  /** The store's path there, and its SHA-256. */
  store: string;
  sha256: string;
}

/**
 * Finds a workspace in a backup, or in the newest one in a directory, and compares the hashes of what is read of it.
 * @param uid undefined: the only one in it @throws Error that says what is wrong
 */
export async function findBackedUp(dir: string, uid: string | undefined, onProgress: OnProgress): Promise<BackedUp> {
  const folder = findBackup(dir);
  const manifest = readManifest(folder);
  const found = uid?.toLowerCase() ?? onlyOneOf(folder, manifest);
  const store = storePath("", found);
  const files = manifest.files.filter(({ path }) => path === LEDGER || path === store);
  const file = files.find(({ path }) => path === store);
  if (!file) throw new Error(absence(dir, folder, found));
  const findings = await compareHashes(folder, { ...manifest, files }, onProgress);
  if (findings.length) throw new BadBackup(folder, findings);
  const path = join(folder, store);
  assertKnown(path);
  const workspace = readSettings(folder, found);
  return { folder, said: folder, mark: manifest.mark, workspace, store: path, sha256: file.sha256 };
}

function onlyOneOf(folder: string, { workspaces }: Manifest): string {
  const [only, ...others] = workspaces;
  if (only === undefined) throw new Error(`${folder} has no workspace.`);
  if (others.length)
    throw new Error(`${folder} is a backup of ${workspaces.length} workspaces: \`restore\` takes one of them.`);
  return only;
}

function absence(dir: string, folder: string, uid: string): string {
  const others = folder === dir ? [] : listBackups(dir).filter((one) => readManifest(one).workspaces.includes(uid));
  return absentFrom(folder, uid, others.at(-1));
}

/** @param last the last backup that has the workspace */
export function absentFrom(folder: string, uid: string, last: string | undefined): string {
  return `${folder} has no workspace ${uid}.${last === undefined ? "" : ` The last backup that has it is ${last}.`}`;
}

/** Whether this release can work with the store. One that was fenced off, because its workspace was being moved, is let in again. @throws Error */
function assertKnown(path: string): void {
  const db = openScratchReader(path);
  try {
    checkVersion(db, "workspace");
  } catch (error) {
    if (!(error instanceof SchemaTooNewError)) throw error;
    if (error.found >= FENCED) return;
    throw new Error(
      `The backup is of a newer release: its store has schema version ${error.found}, and this release knows only version ${error.known}. ` +
        "Nothing was restored. Install that release first.",
      { cause: error },
    );
  } finally {
    db.close();
  }
}

/** The ledger may be of another release: of its columns, those that are there count. */
function readSettings(folder: string, uid: string): BackedUp["workspace"] {
  const ledger = openScratchReader(join(folder, LEDGER));
  try {
    const row = ledger.get<Partial<WorkspaceSettings> & { name: string }>("SELECT * FROM workspace WHERE uid = ?", uid);
    if (!row) throw new Error(`The ledger of ${folder} does not know the workspace ${uid}.`);
    const { name, max_removals = null, answers_months = null, unassigned_days = null } = row;
    const { requires_two_factor = 0, is_sandbox = 0 } = row;
    return { uid, name, max_removals, answers_months, unassigned_days, requires_two_factor, is_sandbox };
  } finally {
    ledger.close();
  }
}
