// Takes a backup while the service runs. Nobody waits for it.
//
// The ledger is copied first, then the workspaces' stores. So a job that is open in the copied ledger may already have its
// outcome in the copied store, and never the other way round: when it is queued again, its outcome is found. What the
// copied ledger and the copied stores need of the spool and the results is held from before until it is copied.

import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reader } from "../../db/sqlite/connection.ts";
import { makeFolders } from "../../db/sqlite/folders.ts";
import { copyStore, openReader, openScratchReader, openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { storePath } from "../../db/store.ts";
import { type BucketKeys, isBucket } from "../base/settings/bucket.ts";
import { type BadFile, checkFilesOf, filesOf } from "../engine/files/file-checks.ts";
import { noteBackup } from "../workspaces/installation.ts";
import { listWorkspaces } from "../workspaces/queries.ts";
import { BucketError } from "./bucket/client.ts";
import { bucketPlace } from "./bucket-place.ts";
import { copyFile, hashFile, sizeOf } from "./copy.ts";
import { listErased } from "./erase-again.ts";
import { Hold } from "./hold.ts";
import { withBucket } from "./in-bucket.ts";
import { type BackupFile, hasSameStamp, LEDGER, type Manifest, stampOf } from "./manifest.ts";
import { type Outcome, outcomesIn } from "./outcomes.ts";
import { type Draft, folderPlace, type Place, touching } from "./place.ts";

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

interface Installation {
  dataDir: string;
  erasedDir: string;
}

type OnTaken = (progress: Progress) => void;

/**
 * Takes a backup into a new folder below `target`, which may be a bucket.
 * @throws BucketError; Error when the ledger can't be copied. A workspace that can't be copied is in `failed`, and is not in the backup
 */
export async function takeBackup(
  { dataDir, erasedDir, bucketKeys }: Installation & { bucketKeys: BucketKeys | undefined },
  target: string,
  onProgress: OnTaken,
): Promise<Taken> {
  const control = join(dataDir, "control.sqlite");
  if (!existsSync(control)) throw new Error(`${dataDir} has no control.sqlite: DATA_DIR is not an installation.`);
  if (sizeOf(control) === 0) throw new Error(`${control} is empty: put it back, or restore it from a backup.`);
  if (!isBucket(target)) return takeInto(folderPlace(target), { dataDir, erasedDir }, onProgress);
  return withBucket(target, bucketKeys, async (bucket) =>
    takeInto(await bucketPlace(bucket), { dataDir, erasedDir }, onProgress),
  );
}

async function takeInto(place: Place, { dataDir, erasedDir }: Installation, onProgress: OnTaken): Promise<Taken> {
  const hold = new Hold(dataDir, `backup-${place.name}`);
  let draft: Draft | undefined;
  try {
    draft = place.begin(hold.folder);
    const endTouching = touching(draft);
    const taken = await new Backup({ dataDir, erasedDir }, draft, hold, place.known)
      .take(onProgress)
      .finally(endTouching);
    const folder = await draft.complete(taken.manifest, erasedDir);
    return { ...taken, folder, isNoted: isNoted(join(dataDir, LEDGER), taken.failed.length) };
  } catch (error) {
    await draft?.cancel();
    throw error;
  } finally {
    hold.release();
  }
}

class Backup {
  readonly #dataDir: string;
  readonly #erasedDir: string;
  readonly #draft: Draft;
  readonly #hold: Hold;
  readonly #known: Place["known"];
  readonly #files: BackupFile[] = [];
  /** Of the workspaces: the jobs that have a result, and its file. */
  readonly #outcomes: Outcome[] = [];
  #unchanged = 0;

  constructor({ dataDir, erasedDir }: Installation, draft: Draft, hold: Hold, known: Place["known"]) {
    this.#dataDir = dataDir;
    this.#erasedDir = erasedDir;
    this.#draft = draft;
    this.#hold = hold;
    this.#known = known;
  }

  async take(onProgress: (progress: Progress) => void): Promise<Omit<Taken, "folder" | "isNoted">> {
    this.#hold.take();
    const mark = new Date().toISOString();
    const folder = this.#draft.folder;
    const ledgerPath = join(folder, LEDGER);
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
          if (error instanceof BucketError) throw error;
          failed.push({ workspace: uid, reason: error instanceof Error ? error.message : String(error) });
        }
        done += sizes.get(uid)!;
      }
      onProgress({ done, total });
      // Results of jobs that have ended since the ledger was copied.
      this.#hold.take();
      await this.#copyHeld(ledger);
      const control = { path: LEDGER, ...(await hashFile(ledgerPath)) };
      await this.#draft.take(control, true);
      this.#files.unshift(control);
      const lost = new Set(failed.map(({ workspace }) => workspace));
      const workspaces = all.filter((uid) => !lost.has(uid));
      const manifest: Manifest = { format: 1, mark, installation, workspaces, files: this.#files };
      const bad = workspaces.flatMap((uid) => checkFilesOf(folder, uid, filesOf(ledger, uid)));
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
    if (hasSameStamp(known, stamp) && (await this.#keepStore(known, from))) return;
    const to = join(this.#draft.folder, path);
    makeFolders(dirname(to));
    try {
      copyStore(from, to);
      const file = { path, ...(await hashFile(to)), ...(stamp && { stamp }) };
      listErased(this.#erasedDir, uid, to);
      const outcomes = outcomesIn(openScratchReader(to));
      if (await this.#draft.take(file, false)) this.#unchanged++;
      this.#files.push(file);
      this.#outcomes.push(...outcomes);
    } catch (error) {
      rmSync(to, { force: true });
      throw error;
    }
  }

  /** Takes a store from the backup before, if it is still the same after its results were read. */
  async #keepStore(known: BackupFile, from: string): Promise<boolean> {
    const outcomes = outcomesIn(openReader(from, { busyTimeoutMs: 10_000, checkpoints: false }));
    if (!hasSameStamp(known, stampOf(from)) || !(await this.#draft.keep(known))) return false;
    this.#files.push(known);
    this.#outcomes.push(...outcomes);
    this.#unchanged++;
    return true;
  }

  /** Copies the bodies of unfinished jobs and of those that may be retried, and the results that the copied ledger and stores name. */
  async #copyHeld(ledger: Reader): Promise<void> {
    const open = ledger.values<string>(
      "SELECT uid FROM job WHERE finished_at IS NULL OR status = 'PLANNED' ORDER BY id",
    );
    const kept = ledger.values<string>("SELECT uid FROM job WHERE body_until IS NOT NULL ORDER BY id");
    for (const uid of [...open, ...kept]) await this.#copyFrom("spool", uid);
    const results = new Set(ledger.values<string>("SELECT result_file FROM job WHERE result_file IS NOT NULL"));
    const isOpen = new Set(open);
    for (const { job_uid, result_file } of this.#outcomes) if (isOpen.has(job_uid)) results.add(result_file);
    for (const name of results) await this.#copyFrom("results", name);
  }

  async #copyFrom(folder: "spool" | "results", name: string): Promise<void> {
    const held = this.#hold.find(folder, name);
    if (!held) return;
    const path = `${folder}/${name}`;
    const known = this.#known.get(path);
    // An erasure changes results, and their sizes stay.
    const stamp = stampOf(held);
    if (hasSameStamp(known, stamp) && (await this.#draft.keep(known))) {
      this.#files.push(known);
      this.#unchanged++;
      return;
    }
    const copied = await copyFile(held, join(this.#draft.folder, path));
    const file = { path, ...copied, ...(stamp && { stamp }) };
    if (await this.#draft.take(file, true)) this.#unchanged++;
    this.#files.push(file);
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
