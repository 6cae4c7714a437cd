// The backups in a bucket: which there are, how one is brought here, and which are removed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Keep } from "../base/settings/backup.ts";
import type { BucketKeys } from "../base/settings/bucket.ts";
import { Bucket, BucketError } from "./bucket/client.ts";
import { COPY } from "./erase-again.ts";
import { DAY_MS, dayOf, outdated } from "./keep.ts";
import { FILE, type Manifest, parseManifest } from "./manifest.ts";

/** What is in a bucket, by the names of the backups. */
export class Shelf {
  /** The complete ones, the oldest first. */
  readonly complete: readonly string[];
  /** All that look like the beginning of one. */
  readonly names: ReadonlySet<string>;
  /** Whether the address is that of one backup. */
  readonly isBackup: boolean;
  readonly objects: Awaited<ReturnType<Bucket["list"]>>;

  private constructor(objects: Shelf["objects"]) {
    this.objects = objects;
    this.isBackup = objects.some(({ key }) => key === FILE);
    const [names, complete] = [new Set<string>(), new Set<string>()];
    for (const { key } of objects) {
      const [name, file, ...more] = key.split("/") as [string, ...string[]];
      // No backup of ours is named so, and a path that ends in it leads elsewhere.
      if (file === undefined || /^\.{0,2}$/.test(name)) continue;
      names.add(name);
      if (file === FILE && !more.length) complete.add(name);
    }
    this.names = names;
    this.complete = [...complete].sort();
  }

  static async look(bucket: Bucket): Promise<Shelf> {
    return new Shelf(await bucket.list());
  }
}

/** Lends the bucket of an address to `work`. @throws BucketError */
export async function withBucket<T>(
  text: string,
  keys: BucketKeys | undefined,
  work: (bucket: Bucket) => Promise<T>,
): Promise<T> {
  const bucket = await Bucket.open(text, keys);
  try {
    return await work(bucket);
  } finally {
    await bucket.close();
  }
}

/** The key of a file of a backup. @param name of the backup; empty: the bucket itself is one */
export const keyOf = (name: string, path: string): string => (name ? `${name}/${path}` : path);

/** The manifest of a backup. @param name empty: the address is that of the backup @throws BucketError; Error that says what is wrong with it */
export async function readManifestIn(bucket: Bucket, name: string): Promise<Manifest> {
  const key = keyOf(name, FILE);
  const text = await bucket.read(key);
  if (text === undefined) throw new BucketError(`${bucket.address.of(key)} is not there any more.`);
  return parseManifest(bucket.address.of(key), () => text);
}

const MAX_LOOKS = 5;

/** Writes the lists of the erased into a folder that is not there. @returns what there is, however short: none, where nobody has kept a list */
export async function fetchLists(bucket: Bucket, into: string): ReturnType<Bucket["list"]> {
  for (let attempt = 1; ; attempt++) {
    const lists = await bucket.list(`${COPY}/`);
    let isWhole = true;
    for (const { key } of lists) {
      const name = key.slice(COPY.length + 1);
      const path = join(into, name);
      // A backup that is being taken may remove one, after it has written another one with all of its lines.
      if (/^[\w-]+$/.test(name) && !existsSync(path)) isWhole = Boolean(await bucket.fetch(key, path)) && isWhole;
    }
    if (isWhole) return lists;
    if (attempt === MAX_LOOKS)
      throw new BucketError(`${bucket.address.of(COPY)} changes all the time, or can't be read.`);
  }
}

/** A backup in a bucket. */
export interface FoundInBucket {
  /** The bucket at the folder that the backup is in. */
  bucket: Bucket;
  name: string;
  manifest: Manifest;
  /** How it is called. */
  address: string;
  /** The sizes of its files, by their paths. */
  sizes: ReadonlyMap<string, number>;
}

/** Finds the backup that the address is of, or else the newest one there that fits. @throws BucketError when there is none */
export async function findInBucket(
  at: Bucket,
  fits: (manifest: Manifest) => boolean = () => true,
): Promise<FoundInBucket> {
  const shelf = await Shelf.look(at);
  const [bucket, only] = shelf.isBackup ? at.up() : [at, undefined];
  for (const name of only === undefined ? [...shelf.complete].reverse() : [only]) {
    const manifest = await readManifestIn(bucket, name);
    const start = only === undefined ? `${name}/` : "";
    const of = shelf.objects.filter(({ key }) => key.startsWith(start));
    const sizes = new Map(of.map(({ key, bytes }) => [key.slice(start.length), bytes]));
    if (fits(manifest)) return { bucket, name, manifest, address: bucket.address.of(name), sizes };
  }
  throw new BucketError(`${at.address.of("")} has no backup.`);
}

/** Removes the backups that are not kept any more, and what was begun a day ago and is not complete. @returns the backups */
export async function removeOutdatedIn(bucket: Bucket, keep: Keep, now = Date.now()): Promise<string[]> {
  const { objects, names, complete } = await Shelf.look(bucket);
  const old = outdated(complete, keep);
  // What is removed in part is no backup.
  await bucket.remove(old.map((name) => `${name}/${FILE}`));
  const last = new Map<string, number>();
  for (const { key, at } of objects) last.set(topOf(key), Math.max(last.get(topOf(key)) ?? 0, at));
  const isLeft = (name: string) =>
    !complete.includes(name) && dayOf(name) !== undefined && last.get(name)! < now - DAY_MS;
  const gone = new Set([...old, ...[...names].filter(isLeft)]);
  const rest = objects.filter(({ key }) => gone.has(topOf(key)) && key !== `${topOf(key)}/${FILE}`);
  await bucket.remove(rest.map(({ key }) => key));
  return old.map((name) => bucket.address.of(name));
}

const topOf = (key: string) => key.split("/", 1)[0]!;
