// Verifies a backup, or the data directory of an installation, whether it runs or not.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { currentVersion } from "../../db/migrate.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { openReader, openScratchReader } from "../../db/sqlite/open.ts";
import { storePath } from "../../db/store.ts";
import { checkFilesOf, type FilesOf, filesOf } from "../engine/files/file-checks.ts";
import { listWorkspaces } from "../workspaces/queries.ts";
import { checkCounts, checkJobs, checkLog, checkStore, jobsOf, type KnownJob, type Level } from "./check.ts";
import { hashFile } from "./copy.ts";
import { findBackup, hasManifest, listBackups, type Manifest, readManifest } from "./manifest.ts";

/** Something that is wrong. `path` is that of the file, from the folder. */
export interface Finding {
  level: Level;
  path: string;
  message: string;
}

interface Verified {
  folder: string;
  /** Stores that were checked. */
  stores: number;
  /** Files whose hashes were compared: only of a backup. */
  files: number;
  findings: Finding[];
}

export type OnProgress = (done: number, total: number) => void;

/** Verifies a backup, the newest backup in a folder, or a data directory. @throws Error when it is none of them */
export async function verify(folder: string, onProgress: OnProgress): Promise<Verified> {
  if (!existsSync(folder)) throw new Error(`${folder} is not there.`);
  if (hasManifest(folder) || listBackups(folder).length) return verifyBackup(findBackup(folder), onProgress);
  if (!existsSync(join(folder, "control.sqlite")))
    throw new Error(`${folder} is neither a backup nor a data directory.`);
  const open = (path: string) => openReader(path, { busyTimeoutMs: 10_000, checkpoints: false });
  return { folder, files: 0, ...verifyStores(folder, open, undefined, onProgress) };
}

async function verifyBackup(folder: string, onProgress: OnProgress): Promise<Verified> {
  const manifest = readManifest(folder);
  const findings = await compareHashes(folder, manifest, onProgress);
  const files = manifest.files.length;
  // What is in a file that is not the one that was written says nothing.
  if (findings.length) return { folder, files, stores: 0, findings };
  return { folder, files, ...verifyStores(folder, openScratchReader, manifest, onProgress) };
}

/** Compares the files with the manifest's hashes. */
export async function compareHashes(folder: string, { files }: Manifest, onProgress: OnProgress): Promise<Finding[]> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const findings: Finding[] = [];
  let done = 0;
  for (const { path, sha256 } of files) {
    const full = join(folder, path);
    if (!existsSync(full)) findings.push({ level: "error", path, message: "it is not there" });
    else {
      const found = await hashFile(full, (bytes) => {
        done += bytes;
        onProgress(done, total);
      });
      if (found.sha256 !== sha256)
        findings.push({ level: "error", path, message: "it is not the file that was backed up" });
    }
  }
  return findings;
}

/** Opens the ledger before the stores, so that each store is newer. */
function verifyStores(
  folder: string,
  open: (path: string) => Reader,
  manifest: Manifest | undefined,
  onProgress: OnProgress,
): Pick<Verified, "stores" | "findings"> {
  const findings: Finding[] = [];
  const within = (path: string, check: (db: Reader) => (string | Omit<Finding, "path">)[]) => {
    try {
      const db = open(join(folder, path));
      try {
        const found = check(db).map((one) =>
          typeof one === "string" ? { level: "error" as const, message: one } : one,
        );
        findings.push(...found.map(({ level, message }) => ({ level, path, message })));
      } finally {
        db.close();
      }
    } catch (error) {
      findings.push({
        level: "error",
        path,
        message: `it can't be read: ${error instanceof Error ? error.message : error}`,
      });
    }
  };
  const files = new Map<string, FilesOf[]>();
  const workspaces: { id: number; uid: string; jobs: KnownJob[] }[] = [];
  within("control.sqlite", (ledger) =>
    ledger.snapshot(() => {
      for (const { uid } of listWorkspaces(ledger)) files.set(uid, filesOf(ledger, uid));
      workspaces.push(...listWorkspaces(ledger).map(({ id, uid }) => ({ id, uid, jobs: jobsOf(ledger, id) })));
      return checkStore(ledger, "control");
    }),
  );
  for (const [index, { id, uid, jobs }] of workspaces.entries()) {
    onProgress(index, workspaces.length);
    const path = storePath("", uid);
    if (!existsSync(join(folder, path))) {
      const message = manifest && !manifest.workspaces.includes(uid) ? "it could not be backed up" : "it is not there";
      findings.push({ level: "error", path, message });
      continue;
    }
    within(path, (store) =>
      store.snapshot(() => {
        const found = checkStore(store, "workspace");
        // An older store is brought up to date when it is first used.
        const isCurrent = store.value<number>("PRAGMA user_version")! >= currentVersion("workspace");
        return found.length || !isCurrent ? found : [...checkCounts(store), ...checkLog(store)];
      }),
    );
    for (const { path: file, message } of checkFilesOf(folder, uid, files.get(uid) ?? []))
      findings.push({ level: "error", path: file, message });
    within(path, (store) => {
      const found = checkJobs(store, folder, jobs);
      if (!found.length) return [];
      // While the service runs, a job may have moved on since the ledger was read.
      const ledger = open(join(folder, "control.sqlite"));
      try {
        const now = new Set(jobsOf(ledger, id).map((job) => JSON.stringify(job)));
        return found.filter(({ job }) => now.has(JSON.stringify(job)));
      } finally {
        ledger.close();
      }
    });
  }
  onProgress(workspaces.length, workspaces.length);
  return { stores: workspaces.length + 1, findings };
}
