// Where a backup is restored from: a folder, or a bucket.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type BucketKeys, isBucket } from "../base/settings/bucket.ts";
import type { Hashed } from "./bucket/hashing.ts";
import { copyFile } from "./copy.ts";
import { COPY, copiesOf } from "./erase-again.ts";
import { type FoundInBucket, fetchLists, findInBucket, keyOf, withBucket } from "./in-bucket.ts";
import { findBackup, type Manifest, readManifest, writeManifest } from "./manifest.ts";
import { withScratch } from "./scratch.ts";
import { compareHashes, type Finding, type OnProgress } from "./verify.ts";

export interface Source {
  /** How it is called. */
  folder: string;
  manifest: Manifest;
  /** Folders that may have lists of the erased. */
  lists: readonly string[];
  /** What is wrong with its files, before one is copied. */
  check(onProgress: OnProgress): Promise<Finding[]>;
  /** Copies a file to a new path. @returns undefined: it is not there */
  copy(path: string, to: string): Promise<Hashed | undefined>;
}

/** Lends a backup, or the newest one in a folder or bucket. @throws Error when there is none */
export async function withSource<T>(
  from: string,
  keys: BucketKeys | undefined,
  onProgress: OnProgress,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  if (!isBucket(from)) return work(folderSource(from));
  return withBucket(from, keys, (bucket) =>
    withScratch(async (scratch) => work(await bucketSource(await findInBucket(bucket), scratch, onProgress))),
  );
}

function folderSource(from: string): Source {
  if (!existsSync(from)) throw new Error(`${from} is not there.`);
  const folder = findBackup(from);
  const manifest = readManifest(folder);
  return {
    folder,
    manifest,
    lists: copiesOf(folder),
    check: (onProgress) => compareHashes(folder, manifest, onProgress),
    copy: (path, to) => copyFile(join(folder, path), to),
  };
}

/** Files are read once: their hashes are compared while they are copied. */
async function bucketSource(found: FoundInBucket, scratch: string, onProgress: OnProgress): Promise<Source> {
  const { bucket, name, manifest, address, sizes } = found;
  const lists = join(scratch, COPY);
  const counting = countingOf(manifest.files, onProgress);
  return {
    folder: address,
    manifest,
    lists: (await fetchLists(bucket, lists)).length ? [lists] : [],
    check: async () => wrongSizes(manifest, sizes),
    copy: (path, to) => bucket.fetch(keyOf(name, path), to, counting),
  };
}

/** What is known of files without reading them. */
function wrongSizes({ files }: Manifest, sizes: FoundInBucket["sizes"]): Finding[] {
  return files.flatMap(({ path, bytes }): Finding[] => {
    const found = sizes.get(path);
    if (found === undefined) return [{ level: "error", path, message: "it is not there" }];
    return found === bytes ? [] : [{ level: "error", path, message: "it is not the file that was backed up" }];
  });
}

/**
 * Brings files of a backup in a bucket into a folder, as those of one in a folder, with the lists of the erased beside them.
 * @returns its folder there
 */
export async function bring(
  { bucket, name, manifest }: FoundInBucket,
  into: string,
  paths: readonly string[],
  onProgress: OnProgress,
): Promise<string> {
  const files = manifest.files.filter(({ path }) => paths.includes(path));
  const counting = countingOf(files, onProgress);
  const folder = join(into, name);
  // One that is not there is found to be missing afterwards.
  for (const { path } of files) await bucket.fetch(keyOf(name, path), join(folder, path), counting);
  writeManifest(folder, manifest);
  await fetchLists(bucket, join(into, COPY));
  return folder;
}

function countingOf(files: Manifest["files"], onProgress: OnProgress): (bytes: number) => void {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress(done, total);
  };
}
