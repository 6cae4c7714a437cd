// A new backup in a bucket. It is laid out as one in a folder, so the bucket can be copied into one. Each file is written here first, and sent
// at once; what has not changed, the bucket copies by itself. The manifest comes last: without it, there is no backup.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listedWorkspaces, mergeLists, partOf, workspaceOfPart } from "../erasure/list.ts";
import { type Bucket, BucketError } from "./bucket/client.ts";
import { COPY } from "./erase-again.ts";
import { fetchLists, readManifestIn, Shelf } from "./in-bucket.ts";
import { DAY_MS } from "./keep.ts";
import { type BackupFile, FILE, type Manifest, nameAmong } from "./manifest.ts";
import type { Draft, Place } from "./place.ts";

/** Says that there is a list of the erased, though nobody is on it: a bucket has no empty folders. */
const LIST_IS_HERE = `${COPY}/is-here`;

/** Written anew as long as a backup is taken. */
const UNDER_WAY = "under-way";

/** @throws BucketError */
export async function bucketPlace(bucket: Bucket): Promise<Place> {
  const shelf = await Shelf.look(bucket);
  const before = shelf.complete.at(-1);
  const files = before === undefined ? [] : (await readManifestIn(bucket, before)).files;
  const known = new Map(files.map((file) => [file.path, file]));
  const name = nameAmong(new Date(), shelf.names);
  return { known, name, begin: (work) => new BucketDraft(bucket, name, work, before, known) };
}

class BucketDraft implements Draft {
  readonly folder: string;
  readonly #bucket: Bucket;
  readonly #name: string;
  readonly #work: string;
  readonly #before: string | undefined;
  readonly #known: Place["known"];

  constructor(bucket: Bucket, name: string, work: string, before: string | undefined, known: Place["known"]) {
    this.folder = join(work, "copy");
    this.#bucket = bucket;
    this.#name = name;
    this.#work = work;
    this.#before = before;
    this.#known = known;
    mkdirSync(this.folder);
  }

  async keep(file: BackupFile): Promise<boolean> {
    // Small ones are read here: whether they can be.
    return file.path.endsWith(".sqlite") && this.#copy(file);
  }

  async take(file: BackupFile, isRead: boolean): Promise<boolean> {
    const known = this.#known.get(file.path);
    const path = join(this.folder, file.path);
    const isCopied = known?.sha256 === file.sha256 && (await this.#copy(file));
    if (!isCopied) await this.#bucket.send(path, `${this.#name}/${file.path}`);
    if (!isRead) rmSync(path);
    return isCopied;
  }

  async touch(): Promise<void> {
    await this.#bucket.write(`${this.#name}/${UNDER_WAY}`, "");
  }

  async complete(manifest: Manifest, erasedDir: string): Promise<string> {
    await this.#exchangeLists(erasedDir);
    await this.#compare(manifest);
    await this.#bucket.remove([`${this.#name}/${UNDER_WAY}`]);
    await this.#bucket.write(`${this.#name}/${FILE}`, `${JSON.stringify(manifest, null, 2)}\n`);
    return this.#bucket.address.of(this.#name);
  }

  /** What can't be removed is no backup, and is removed after a day. */
  async cancel(): Promise<void> {
    try {
      // The manifest may have arrived, though no answer has: first it goes, so that the rest is no backup.
      await this.#bucket.remove([`${this.#name}/${FILE}`]);
      const left = await this.#bucket.list(`${this.#name}/`);
      await this.#bucket.remove(left.map(({ key }) => key));
    } catch (error) {
      if (!(error instanceof BucketError)) throw error;
    }
  }

  #copy({ path, bytes }: BackupFile): Promise<boolean> {
    return this.#bucket.copy(`${this.#before}/${path}`, `${this.#name}/${path}`, bytes);
  }

  /** Whatever was answered: they are there, and whole. */
  async #compare({ files }: Manifest): Promise<void> {
    const there = new Map((await this.#bucket.list(`${this.#name}/`)).map(({ key, bytes }) => [key, bytes]));
    const bad = files.find(({ path, bytes }) => there.get(`${this.#name}/${path}`) !== bytes);
    if (bad)
      throw new BucketError(
        `${this.#bucket.address.of(this.#name)} is not whole: ${bad.path} has not arrived as it was sent.`,
      );
  }

  /**
   * What one of both has lost, it gets back. Another backup may do the same at this moment: so nothing is written over. Each list has the
   * name of its lines, and one whose lines another one has goes after a day: until then somebody may be about to read it.
   */
  async #exchangeLists(erasedDir: string): Promise<void> {
    const copy = join(this.#work, COPY);
    const lists = await fetchLists(this.#bucket, copy);
    mergeLists(copy, erasedDir);
    const there = new Map(lists.map(({ key, at }) => [key, at]));
    for (const uid of listedWorkspaces(erasedDir)) {
      const { name, text } = partOf(erasedDir, uid);
      const key = `${COPY}/${name}`;
      if (!there.has(key)) await this.#bucket.write(key, text);
      there.delete(key);
    }
    if (!lists.some(({ key }) => key === LIST_IS_HERE)) await this.#bucket.write(LIST_IS_HERE, "");
    const isOver = ([key, at]: [string, number]) =>
      at < Date.now() - DAY_MS && workspaceOfPart(key.slice(COPY.length + 1)) !== undefined;
    await this.#bucket.remove([...there].filter(isOver).map(([key]) => key));
  }
}
