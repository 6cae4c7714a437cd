// Copies files and computes their hashes, and puts what was written on the disk.

import { createReadStream, createWriteStream, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { makeFolders, syncPath } from "../../db/sqlite/folders.ts";
import { type Hashed, hashing } from "./bucket/hashing.ts";

/** The size and the SHA-256 of a file. @param onBytes called with the number of bytes of each piece */
export function hashFile(path: string, onBytes?: (bytes: number) => void): Promise<Hashed> {
  return readThrough(path, undefined, onBytes);
}

/** The bytes of a file; one that is not there has none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Copies a file to a new path. It is on the disk when this resolves. */
export async function copyFile(from: string, to: string, onBytes?: (bytes: number) => void): Promise<Hashed> {
  makeFolders(dirname(to));
  const copied = await readThrough(from, to, onBytes);
  await syncPath(to);
  return copied;
}

/** Puts all files and folders on the disk. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else await syncPath(path);
  }
  await syncPath(folder);
}

async function readThrough(from: string, to: string | undefined, onBytes?: (bytes: number) => void): Promise<Hashed> {
  const { stream, hashed } = hashing(onBytes, to === undefined);
  if (to === undefined) await pipeline(createReadStream(from, { highWaterMark: CHUNK_BYTES }), stream.resume());
  else
    await pipeline(
      createReadStream(from, { highWaterMark: CHUNK_BYTES }),
      stream,
      createWriteStream(to, { flags: "wx" }),
    );
  return hashed();
}

const CHUNK_BYTES = 1024 * 1024;
