// Where a new backup comes to: a folder (here), or a bucket (bucket-place.ts).

import { linkSync, mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder, makeFolders, syncPath } from "../../db/sqlite/folders.ts";
import { mergeLists } from "../erasure/list.ts";
import { syncTree } from "./copy.ts";
import { COPY } from "./erase-again.ts";
import {
  type BackupFile,
  listBackups,
  type Manifest,
  nameOf,
  PARTIAL,
  readManifest,
  writeManifest,
} from "./manifest.ts";

/** Where backups are. */
export interface Place {
  /** The files of the newest backup by their paths: what has not changed since is taken from there. */
  readonly known: ReadonlyMap<string, BackupFile>;
  /** The name of the new one. */
  readonly name: string;
  /** Begins it. @param work a folder for files on their way, which is removed afterwards */
  begin(work: string): Draft;
}

/** A backup that is not complete. */
export interface Draft {
  /** Where its files are written, laid out as it will be. */
  readonly folder: string;
  /** Takes a file as it is in the backup before. @returns whether it could: or else it is to be written */
  keep(file: BackupFile): Promise<boolean>;
  /** Takes a file that was written. @param isRead whether it is read here until the backup is complete @returns whether it is the same as in the backup before */
  take(file: BackupFile, isRead: boolean): Promise<boolean>;
  /** Says that it is under way: what nothing was heard of for a day counts as left behind. */
  touch(): Promise<void>;
  /** From here on it is a backup. Merges the lists of the erased there and here. @returns where it is */
  complete(manifest: Manifest, erasedDir: string): Promise<string>;
  /** Removes what there is of it. */
  cancel(): Promise<void>;
}

/** Says every hour that a backup is under way: one file may take a day to send. @returns what ends that */
export function touching(draft: Pick<Draft, "touch">, everyMs = TOUCH_MS): () => Promise<void> {
  let last = Promise.resolve();
  const timer = setInterval(() => {
    // Where that fails, the backup says so itself, or goes on.
    last = last.then(() => draft.touch()).catch(() => undefined);
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return last;
  };
}

const TOUCH_MS = 3_600_000;

export function folderPlace(target: string): Place {
  makeFolders(target);
  const [before] = listBackups(target).slice(-1);
  const known = new Map(before ? readManifest(before).files.map((file) => [file.path, file]) : []);
  const name = nameOf(new Date(), target);
  return { known, name, begin: () => new FolderDraft(join(target, name + PARTIAL), before) };
}

class FolderDraft implements Draft {
  readonly folder: string;
  readonly #before: string | undefined;

  constructor(folder: string, before: string | undefined) {
    this.folder = folder;
    this.#before = before;
    mkdirSync(folder);
  }

  /** By a second name. It takes no more space. */
  async keep({ path }: BackupFile): Promise<boolean> {
    const to = join(this.folder, path);
    makeFolders(dirname(to));
    linkSync(join(this.#before!, path), to);
    return true;
  }

  async take(): Promise<boolean> {
    return false;
  }

  async touch(): Promise<void> {
    utimesSync(this.folder, new Date(), new Date());
  }

  async complete(manifest: Manifest, erasedDir: string): Promise<string> {
    writeManifest(this.folder, manifest);
    const target = dirname(this.folder);
    // Beside the backups, and in none of them. What one of both has lost, it gets back.
    const copy = join(target, COPY);
    makeFolder(copy);
    mergeLists(copy, erasedDir);
    mergeLists(erasedDir, copy);
    await syncTree(this.folder);
    const folder = join(target, basename(this.folder, PARTIAL));
    renameSync(this.folder, folder);
    await syncPath(target);
    return folder;
  }

  async cancel(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
