// Takes a backup while the service runs. Nobody waits for it.
//
// The ledger is copied first, then the workspaces' stores. So a job that is open in the copied ledger may already have its
// outcome in the copied store, and never the other way round: when it is queued again, its outcome is found. What the
// copied ledger and the copied stores need of the spool and the results is held from before until it is copied.

import { existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reader } from "../../db/sqlite/connection.ts";
import { makeFolder, syncPath } from "../../db/sqlite/folders.ts";
import { copyStore, openScratchReader, openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { type BadFile, checkFilesOf, filesOf } from "../engine/files/file-checks.ts";
import { mergeLists } from "../erasure/list.ts";
import { noteBackup } from "../workspaces/installation.ts";
import { listWorkspaces } from "../workspaces/queries.ts";
import { copyFile, hashFile, sizeOf, syncTree } from "./copy.ts";
import { COPY, listErased } from "./erase-again.ts";
import { Hold } from "./hold.ts";
import {
  type BackupFile,
  hasSameStamp,
  listBackups,
  type Manifest,
  manifestPath,
  nameOf,
  PARTIAL,
  readManifest,
  stampOf,
} from "./manifest.ts";

/** What a backup has done so far. */
export interface Progress {
  done: number;
  /** Bytes of all stores; the spool and the results are not among them. */
  total: number;
}

interface Taken {
  folder: string;
  manifest: Manifest;
  /** Files that are as they were in the backup before. They take no more space. */
  unchanged: number;
  /** The workspaces that could not be copied, and why. */
  failed: { workspace: string; reason: string }[];
  /** Results and bodies that are in it as they are, and can't be read. */
  bad: BadFile[];
  /** Whether the installation knows of it: /console/system shows its age. */
  isNoted: boolean;
}

/**
 * Takes a backup into a new folder below `target`.
 * @throws Error when the ledger can't be copied. A workspace that can't be copied is in `failed`, and is not in the backup
 */
export async function takeBackup(
  { dataDir, erasedDir }: { dataDir: string; erasedDir: string },
  target: string,
  onProgress: (progress: Progress) => void,
): Promise<Taken> {
  const control = join(dataDir, "control.sqlite");
  if (!existsSync(control)) throw new Error(`${dataDir} has no control.sqlite: DATA_DIR is not an installation.`);
  if (sizeOf(control) === 0) throw new Error(`${control} is empty: put it back, or restore it from a backup.`);
  mkdirSync(target, { recursive: true });
  const [before] = listBackups(target).slice(-1);
  const name = nameOf(new Date(), target);
  const folder = join(target, name + PARTIAL);
  mkdirSync(folder);
  const hold = new Hold(dataDir, `backup-${name}`);
  try {
    const backup = new Backup({ dataDir, erasedDir }, folder, hold, before);
    const taken = await backup.take(onProgress);
    // Beside the backups, and in none of them. What one of both has lost, it gets back.
    const copy = join(target, COPY);
    makeFolder(copy);
    mergeLists(copy, erasedDir);
    mergeLists(erasedDir, copy);
    await syncTree(folder);
    renameSync(folder, join(target, name));
    await syncPath(target);
    return { ...taken, folder: join(target, name), isNoted: isNoted(control, taken.failed.length) };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    hold.release();
  }
}

class Backup {
  readonly #dataDir: string;
  readonly #erasedDir: string;
  readonly #folder: string;
  readonly #hold: Hold;
  /** The backup before this one, and its files by path. */
  readonly #before: string | undefined;
  readonly #known: Map<string, BackupFile>;
  readonly #files: BackupFile[] = [];
  #unchanged = 0;

  constructor(
    { dataDir, erasedDir }: { dataDir: string; erasedDir: string },
    folder: string,
    hold: Hold,
    before: string | undefined,
  ) {
    this.#dataDir = dataDir;
    this.#erasedDir = erasedDir;
    this.#folder = folder;
    this.#hold = hold;
    this.#before = before;
    this.#known = new Map(before ? readManifest(before).files.map((file) => [file.path, file]) : []);
  }

  async take(onProgress: (progress: Progress) => void): Promise<Omit<Taken, "folder" | "isNoted">> {
    this.#hold.take();
    const mark = new Date().toISOString();
    const ledgerPath = join(this.#folder, "control.sqlite");
    copyStore(join(this.#dataDir, "control.sqlite"), ledgerPath);
    this.#hold.take();
    this.#endWhatHasEnded(ledgerPath);
    const ledger = openScratchReader(ledgerPath);
    try {
      const installation = ledger.value<string>("SELECT uid FROM installation")!;
      const all = listWorkspaces(ledger).map(({ uid }) => uid);
      const sizes = new Map(all.map((uid) => [uid, sizeOf(storePath(this.#dataDir, uid))]));
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      const failed: Taken["failed"] = [];
      let done = 0;
      for (const uid of all) {
        onProgress({ done, total });
        try {
          await this.#copyWorkspace(uid);
        } catch (error) {
          failed.push({ workspace: uid, reason: error instanceof Error ? error.message : String(error) });
        }
        done += sizes.get(uid)!;
      }
      onProgress({ done, total });
      // Results of jobs that have ended since the ledger was copied.
      this.#hold.take();
      await this.#copyHeld(ledger, all);
      this.#files.unshift({ path: "control.sqlite", ...(await hashFile(ledgerPath)) });
      const lost = new Set(failed.map(({ workspace }) => workspace));
      const workspaces = all.filter((uid) => !lost.has(uid));
      const manifest: Manifest = { format: 1, mark, installation, workspaces, files: this.#files };
      writeFileSync(manifestPath(this.#folder), `${JSON.stringify(manifest, null, 2)}\n`);
      const bad = workspaces.flatMap((uid) => checkFilesOf(this.#folder, uid, filesOf(ledger, uid)));
      return { manifest, unchanged: this.#unchanged, failed, bad };
    } finally {
      ledger.close();
    }
  }

  /** A job that is open in the copied ledger and whose body could not be held has ended since: takes over how. */
  #endWhatHasEnded(ledgerPath: string): void {
    const db = openWriter(join(this.#dataDir, "control.sqlite"), { busyTimeoutMs: 10_000, checkpoints: false });
    try {
      db.run("ATTACH ? AS copied", ledgerPath);
      const open = db.values<string>("SELECT uid FROM copied.job WHERE finished_at IS NULL OR status = 'PLANNED'");
      const gone = open.filter((uid) => !this.#hold.find("spool", uid));
      const columns = db.values<string>("SELECT name FROM pragma_table_info('job') WHERE name <> 'id'").join(", ");
      db.run(
        `UPDATE copied.job SET (${columns}) = (SELECT ${columns} FROM main.job AS now WHERE now.uid = copied.job.uid)
         WHERE uid IN (SELECT value FROM json_each(?))
           AND EXISTS (SELECT 1 FROM main.job AS now WHERE now.uid = copied.job.uid AND now.finished_at IS NOT NULL)`,
        JSON.stringify(gone),
      );
    } finally {
      db.close();
    }
  }

  async #copyWorkspace(uid: string): Promise<void> {
    const from = storePath(this.#dataDir, uid);
    const path = storePath("", uid);
    const stamp = stampOf(from);
    const known = this.#known.get(path);
    if (hasSameStamp(known, stamp)) return this.#keep(known);
    const to = join(this.#folder, path);
    mkdirSync(dirname(to), { recursive: true });
    try {
      copyStore(from, to);
      this.#files.push({ path, ...(await hashFile(to)), ...(stamp && { stamp }) });
      listErased(this.#erasedDir, uid, to);
    } catch (error) {
      rmSync(to, { force: true });
      throw error;
    }
  }

  /** Copies the bodies of unfinished jobs and of those that may be retried, and the results that the copied ledger and stores name. */
  async #copyHeld(ledger: Reader, workspaces: readonly string[]): Promise<void> {
    const open = ledger.values<string>(
      "SELECT uid FROM job WHERE finished_at IS NULL OR status = 'PLANNED' ORDER BY id",
    );
    const kept = ledger.values<string>("SELECT uid FROM job WHERE body_until IS NOT NULL ORDER BY id");
    for (const uid of [...open, ...kept]) await this.#copyFrom("spool", uid);
    const results = new Set(ledger.values<string>("SELECT result_file FROM job WHERE result_file IS NOT NULL"));
    const isOpen = new Set(open);
    for (const uid of workspaces) {
      const path = join(this.#folder, storePath("", uid));
      if (!existsSync(path)) continue;
      const store = openScratchReader(path);
      try {
        const outcomes = store.all<{ job_uid: string; result_file: string }>(
          "SELECT job_uid, result_file FROM job_outcome WHERE result_file IS NOT NULL",
        );
        for (const { job_uid, result_file } of outcomes) if (isOpen.has(job_uid)) results.add(result_file);
      } finally {
        store.close();
      }
    }
    for (const name of results) await this.#copyFrom("results", name);
  }

  async #copyFrom(folder: "spool" | "results", name: string): Promise<void> {
    const held = this.#hold.find(folder, name);
    if (!held) return;
    const path = `${folder}/${name}`;
    const known = this.#known.get(path);
    // An erasure changes results, and their sizes stay.
    const stamp = stampOf(held);
    if (hasSameStamp(known, stamp)) return this.#keep(known);
    this.#files.push({ path, ...(await copyFile(held, join(this.#folder, path))), ...(stamp && { stamp }) });
  }

  /** Takes a file from the backup before, by a second name for it. */
  #keep(file: BackupFile): void {
    const to = join(this.#folder, file.path);
    mkdirSync(dirname(to), { recursive: true });
    linkSync(join(this.#before!, file.path), to);
    this.#files.push(file);
    this.#unchanged++;
  }
}

/** Notes in the installation that a backup was taken. @returns false where the store is busy, or of an earlier release */
function isNoted(control: string, failed: number): boolean {
  const db = openWriter(control, { busyTimeoutMs: 10_000, checkpoints: false });
  try {
    immediate(db, () => noteBackup(db, { at: Date.now(), failed }));
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}
