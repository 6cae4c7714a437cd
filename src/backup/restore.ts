// Restores a backup into an empty data directory. The ledger comes last: without it, the directory is no installation.

import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { SchemaError, SchemaTooNewError } from "../../db/migrate.ts";
import { OFFLINE } from "../../db/profiles.ts";
import { makeFolders, syncPath } from "../../db/sqlite/folders.ts";
import { Presence } from "../../db/sqlite/lock.ts";
import { openScratchReader, openWriter } from "../../db/sqlite/open.ts";
import { StoreRefusedError } from "../../db/sqlite/refused.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { migrateStore, storePath } from "../../db/store.ts";
import { newId } from "../base/ids.ts";
import type { BucketKeys } from "../base/settings/bucket.ts";
import { requeueRestored } from "../engine/ledger/states.ts";
import type { AnyJobKind } from "../engine/run/define-job.ts";
import { renewLog } from "../events/log.ts";
import { pendEvent } from "../events/outbox.ts";
import type { Cause } from "../events/record.ts";
import { holdRestored } from "../mail/later.ts";
import { listWorkspaces } from "../workspaces/queries.ts";
import { syncTree } from "./copy.ts";
import { type ErasedAgain, eraseAgain, findLists, gatherLists } from "./erase-again.ts";
import { LEDGER, type Manifest } from "./manifest.ts";
import { type Source, withSource } from "./source.ts";
import type { Finding, OnProgress } from "./verify.ts";

interface Restored {
  /** The backup. */
  folder: string;
  manifest: Manifest;
  /** How many jobs are queued again. */
  queued: number;
  /** The workspaces that the backup lacks. */
  missing: string[];
  /** The participants who were erased since the backup, and are erased again. */
  erased: ErasedAgain;
}

/** What is restored, and where. */
export interface Target {
  dataDir: string;
  /** Where the list of the erased is, and other folders with one. */
  erasedDir: string;
  otherLists: readonly string[];
  /** Whether it is all right that there is no list. */
  isListNeedless?: boolean;
  kinds: readonly AnyJobKind[];
}

/** The backup is damaged. Nothing was restored. */
export class BadBackup extends Error {
  readonly findings: Finding[];

  constructor(folder: string, findings: Finding[]) {
    const list = findings.map(({ path, message }) => `\n  ${path}: ${message}`).join("");
    super(`${folder} is damaged, and nothing was restored:${list}`);
    this.findings = findings;
  }
}

type Renewed = Pick<Restored, "queued" | "missing" | "erased">;

/** @param from a folder or a bucket @throws BadBackup; Error when there is no backup, or `dataDir` is not empty */
export async function restoreBackup(
  from: string,
  target: Target,
  keys: BucketKeys | undefined,
  cause: Cause,
  onProgress: OnProgress,
): Promise<Restored> {
  return withSource(from, keys, onProgress, (source) => restoreFrom(source, target, cause, onProgress));
}

async function restoreFrom(source: Source, target: Target, cause: Cause, onProgress: OnProgress): Promise<Restored> {
  const { dataDir } = target;
  const { folder, manifest } = source;
  const whole = { ...target, otherLists: [...target.otherLists, ...source.lists] };
  findLists(whole);
  // A list of the erased may have been put there first.
  const isOther = (name: string) => resolve(dataDir, name) !== resolve(target.erasedDir);
  if (existsSync(dataDir) && readdirSync(dataDir).some(isOther))
    throw new Error(`${dataDir} (DATA_DIR) is not empty: a backup is restored only into an empty directory.`);
  const findings = await source.check(onProgress);
  if (findings.length) throw new BadBackup(folder, findings);
  makeFolders(dataDir);
  const coming = `${LEDGER}.restoring`;
  try {
    for (const { path, sha256 } of manifest.files) {
      const copied = await source.copy(path, join(dataDir, path === LEDGER ? coming : path));
      const message = "it is not the file that was backed up, or has changed while it was restored";
      if (copied?.sha256 !== sha256) throw new BadBackup(folder, [{ level: "error", path, message }]);
    }
    const renewed = renew(whole, join(dataDir, coming), manifest, cause);
    await syncTree(dataDir);
    renameSync(join(dataDir, coming), join(dataDir, LEDGER));
    await syncPath(dataDir);
    return { folder, manifest, ...renewed };
  } catch (error) {
    for (const name of readdirSync(dataDir).filter(isOther))
      rmSync(join(dataDir, name), { recursive: true, force: true });
    throw error;
  }
}

/**
 * Makes the stores that another program has put into `dataDir` an installation of its own. Nothing may run on it.
 * @param mark as of when they are: ISO-8601 @throws Error when they are not there
 */
export function renewInstallation(target: Target, mark: string, cause: Cause): Renewed {
  const { dataDir } = target;
  const path = join(dataDir, LEDGER);
  if (!existsSync(path)) throw new Error(`${dataDir} (DATA_DIR) has no ${LEDGER}: restore the stores first.`);
  const presence = new Presence(dataDir, newId());
  const isUsed = ["web", "worker", "mover"].some((word) => presence.isAnyAlive(word));
  presence.close();
  if (isUsed)
    throw new Error(
      `A process of the service runs on ${dataDir} (DATA_DIR): this is for stores that were just restored.`,
    );
  findLists(target);
  const ledger = openScratchReader(path);
  const all = listWorkspaces(ledger).map(({ uid }) => uid);
  ledger.close();
  return renew(target, path, { mark, workspaces: all.filter((uid) => existsSync(storePath(dataDir, uid))) }, cause);
}

/**
 * Makes the ledger that of a new installation: on the same Redis, it must not take the jobs of the one that was backed up.
 * Jobs that ran are queued again. The log of each workspace says that it was restored.
 */
function renew(
  target: Target,
  ledger: string,
  { workspaces, mark }: Pick<Manifest, "workspaces" | "mark">,
  cause: Cause,
): Renewed {
  const { dataDir, erasedDir, kinds } = target;
  const isListThere = findLists(target);
  for (const uid of workspaces) renewLogOf(storePath(dataDir, uid), uid);
  gatherLists(target);
  const erased = { isListThere, ...eraseAgain({ dataDir, erasedDir, ledger, workspaces, kinds, cause }) };
  const db = openWriter(ledger, { busyTimeoutMs: 0, checkpoints: true });
  try {
    return immediate(db, () => {
      db.run("UPDATE installation SET uid = ?", newId());
      // Where their workspaces are, the other cells know by now.
      db.run("UPDATE workspace_move SET is_restored = 1 WHERE finished_at IS NULL");
      db.run(
        "UPDATE workspace SET moving = 'STOPPED' WHERE uid IN (SELECT workspace_uid FROM workspace_move WHERE status = 'COPYING')",
      );
      requeueRestored(db);
      const queued = db.value<number>("SELECT count(*) FROM job WHERE finished_at IS NULL")!;
      const missing = db.values<string>(
        "SELECT uid FROM workspace WHERE uid NOT IN (SELECT value FROM json_each(?)) ORDER BY id",
        JSON.stringify(workspaces),
      );
      for (const uid of workspaces) {
        const resource = { type: "Workspace", uid };
        pendEvent(db, uid, cause, { type: "workspace.restored", resource, summary: { backupOf: mark } });
      }
      return { queued, missing, erased };
    });
  } finally {
    db.close();
  }
}

/** Gives the log of a store another id. A store that can't be opened has no readers: it stays as it is, and is found by `verify`. */
function renewLogOf(path: string, uid: string): void {
  try {
    migrateStore(path, uid, OFFLINE);
  } catch (error) {
    // One that was fenced off, because its workspace was being moved, may be let in again.
    const isFenced = error instanceof SchemaTooNewError;
    if (!isFenced && (error instanceof StoreRefusedError || error instanceof SchemaError)) return;
    if (!isFenced) throw error;
  }
  const db = openWriter(path, OFFLINE, true);
  try {
    immediate(db, () => {
      renewLog(db);
      holdRestored(db);
    });
  } finally {
    db.close();
  }
}
