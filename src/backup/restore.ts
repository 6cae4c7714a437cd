// Restores a backup into an empty data directory. The ledger comes last: without it, the directory is no installation.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "../../db/folders.ts";
import { Presence } from "../../db/lock.ts";
import { openScratchReader, openWriter } from "../../db/open.ts";
import { storePath } from "../../db/store.ts";
import { immediate } from "../../db/write.ts";
import { pendEvent } from "../events/outbox.ts";
import type { Cause } from "../events/record.ts";
import { newId } from "../ids.ts";
import { listWorkspaces } from "../workspaces/queries.ts";
import { copyFile, syncTree } from "./copy.ts";
import { findBackup, type Manifest, readManifest } from "./manifest.ts";
import { compareHashes, type Finding, type OnProgress } from "./verify.ts";

export interface Restored {
  /** The backup. */
  folder: string;
  manifest: Manifest;
  /** How many jobs are queued again. */
  queued: number;
  /** The workspaces that the backup lacks. */
  missing: string[];
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

const LEDGER = "control.sqlite";

/** @throws BadBackup; Error when there is no backup, or `dataDir` is not empty */
export async function restoreBackup(
  from: string,
  dataDir: string,
  cause: Cause,
  onProgress: OnProgress,
): Promise<Restored> {
  if (!existsSync(from)) throw new Error(`${from} is not there.`);
  const folder = findBackup(from);
  const manifest = readManifest(folder);
  if (existsSync(dataDir) && readdirSync(dataDir).length)
    throw new Error(`${dataDir} (DATA_DIR) is not empty: a backup is restored only into an empty directory.`);
  const findings = await compareHashes(folder, manifest, onProgress);
  if (findings.length) throw new BadBackup(folder, findings);
  mkdirSync(dataDir, { recursive: true });
  const coming = `${LEDGER}.restoring`;
  try {
    for (const { path, sha256 } of manifest.files) {
      const copied = await copyFile(join(folder, path), join(dataDir, path === LEDGER ? coming : path));
      if (copied.sha256 !== sha256)
        throw new BadBackup(folder, [{ level: "error", path, message: "it has changed while it was restored" }]);
    }
    const { queued, missing } = renew(join(dataDir, coming), manifest, cause);
    await syncTree(dataDir);
    renameSync(join(dataDir, coming), join(dataDir, LEDGER));
    await syncPath(dataDir);
    return { folder, manifest, queued, missing };
  } catch (error) {
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
    throw error;
  }
}

/**
 * Makes the stores that another program has put into `dataDir` an installation of its own. Nothing may run on it.
 * @param mark as of when they are: ISO-8601 @throws Error when they are not there
 */
export function renewInstallation(dataDir: string, mark: string, cause: Cause): Pick<Restored, "queued" | "missing"> {
  const path = join(dataDir, LEDGER);
  if (!existsSync(path)) throw new Error(`${dataDir} (DATA_DIR) has no ${LEDGER}: restore the stores first.`);
  const presence = new Presence(dataDir, newId());
  const isUsed = ["web", "worker", "mover"].some((word) => presence.isAnyAlive(word));
  presence.close();
  if (isUsed)
    throw new Error(
      `A process of the service runs on ${dataDir} (DATA_DIR): this is for stores that were just restored.`,
    );
  const ledger = openScratchReader(path);
  const all = listWorkspaces(ledger).map(({ uid }) => uid);
  ledger.close();
  return renew(path, { mark, workspaces: all.filter((uid) => existsSync(storePath(dataDir, uid))) }, cause);
}

/**
 * Makes the ledger that of a new installation: on the same Redis, it must not take the jobs of the one that was backed up.
 * Jobs that ran are queued again. The log of each workspace says that it was restored.
 */
function renew(
  ledger: string,
  { workspaces, mark }: Pick<Manifest, "workspaces" | "mark">,
  cause: Cause,
): Pick<Restored, "queued" | "missing"> {
  const db = openWriter(ledger, { busyTimeoutMs: 0, checkpoints: true });
  try {
    return immediate(db, () => {
      db.run("UPDATE installation SET uid = ?", newId());
      // Where their workspaces are, the other cells know by now.
      db.run("UPDATE workspace_move SET is_restored = 1 WHERE finished_at IS NULL");
      db.run(
        "UPDATE workspace SET moving = 'STOPPED' WHERE uid IN (SELECT workspace_uid FROM workspace_move WHERE status = 'COPYING')",
      );
      db.run("UPDATE job SET status = 'QUEUED', runner = NULL, available_at = 0 WHERE finished_at IS NULL");
      const queued = db.value<number>("SELECT count(*) FROM job WHERE finished_at IS NULL")!;
      const missing = db.values<string>(
        "SELECT uid FROM workspace WHERE uid NOT IN (SELECT value FROM json_each(?)) ORDER BY id",
        JSON.stringify(workspaces),
      );
      for (const uid of workspaces) {
        const resource = { type: "Workspace", uid };
        pendEvent(db, uid, cause, { type: "workspace.restored", resource, summary: { backupOf: mark } });
      }
      return { queued, missing };
    });
  } finally {
    db.close();
  }
}
