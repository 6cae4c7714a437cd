// Brings a backup from a bucket into a folder, for commands that read one there. It is removed afterwards.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../db/sqlite/folders.ts";
import { Presence } from "../../db/sqlite/lock.ts";
import { storePath } from "../../db/store.ts";
import { RESTORING } from "../backup/as-new.ts";
import { findInBucket, withBucket } from "../backup/in-bucket.ts";
import { LEDGER } from "../backup/manifest.ts";
import { absentFrom, type BackedUp, findBackedUp } from "../backup/one-workspace.ts";
import { withScratch } from "../backup/scratch.ts";
import { bring } from "../backup/source.ts";
import { verify } from "../backup/verify.ts";
import { configOrExit } from "../base/config.ts";
import { newId } from "../base/ids.ts";
import { isBucket } from "../base/settings/bucket.ts";
import type { Bar } from "./running/bar.ts";

/** Lends a workspace of a backup, which is checked. @param uid undefined: the only one that is there; in a bucket there are backups of installations alone */
export async function withBackedUp<T>(
  dir: string,
  uid: string | undefined,
  bar: Bar,
  work: (source: BackedUp) => Promise<T>,
): Promise<T> {
  const checking = (done: number, total: number) => bar.show("Checking", done, total);
  if (!isBucket(dir) || uid === undefined) return work(await findBackedUp(dir, uid, checking));
  const { dataDir, bucketKeys } = configOrExit();
  if (!existsSync(join(dataDir, LEDGER))) throw new Error(`${dataDir} (DATA_DIR) is not an installation.`);
  // What a killed command has left is removed by the next one.
  const presence = new Presence(dataDir, RESTORING + newId());
  const scratch = join(dataDir, "tmp", presence.name);
  try {
    makeFolders(scratch, 0o700);
    const [folder, said] = await withBucket(dir, bucketKeys, async (bucket) => {
      const newest = await findInBucket(bucket);
      const has = (workspaces: readonly string[]) => workspaces.includes(uid.toLowerCase());
      if (!has(newest.manifest.workspaces)) {
        const last = await findInBucket(bucket, ({ workspaces }) => has(workspaces)).catch(() => undefined);
        throw new Error(absentFrom(newest.address, uid, last?.address));
      }
      const paths = [LEDGER, storePath("", uid.toLowerCase())];
      const onProgress = (done: number, total: number) => bar.show("Fetching", done, total);
      return [await bring(newest, scratch, paths, onProgress), newest.address];
    });
    return await called(folder, said, async () => work({ ...(await findBackedUp(folder, uid, checking)), said }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    presence.close();
  }
}

/** Verifies a backup in a bucket: all of it is brought into a folder for temporary files. */
export function verifyInBucket(dir: string, bar: Bar): ReturnType<typeof verify> {
  return withBucket(dir, configOrExit().bucketKeys, async (bucket) => {
    return withScratch(async (scratch) => {
      const found = await findInBucket(bucket);
      const paths = found.manifest.files.map(({ path }) => path);
      const folder = await bring(found, scratch, paths, (done, total) => bar.show("Fetching", done, total));
      const checking = (done: number, total: number) => bar.show("Checking", done, total);
      const verified = await called(folder, found.address, () => verify(folder, checking));
      return { ...verified, folder: found.address };
    });
  });
}

/** What is said of the folder is said of what it was brought from. */
async function called<T>(folder: string, said: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(folder, said);
    throw error;
  }
}
