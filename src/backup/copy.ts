// Copies files and computes their hashes, and puts what was written on the disk.

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { syncPath } from "../../db/sqlite/folders.ts";
import type { BackupFile } from "./manifest.ts";

/** What is known of a file that was read. */
export type Hashed = Pick<BackupFile, "bytes" | "sha256">;

/** The size and the SHA-256 of a file. @param onBytes called with the number of bytes of each piece */
export function hashFile(path: string, onBytes?: (bytes: number) => void): Promise<Hashed> {
  return hashed(path, undefined, onBytes);
}

/** The bytes of a file; one that is not there has none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Copies a file to a new path. It is on the disk when this resolves. */
export async function copyFile(from: string, to: string, onBytes?: (bytes: number) => void): Promise<Hashed> {
  await mkdir(dirname(to), { recursive: true });
  const copied = await hashed(from, to, onBytes);
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

async function hashed(
  from: string,
  to: string | undefined,
  onBytes: (bytes: number) => void = () => {},
): Promise<Hashed> {
  const hash = createHash("sha256");
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(chunk.length);
      done(null, to === undefined ? undefined : chunk);
    },
  });
  if (to === undefined) await pipeline(createReadStream(from, { highWaterMark: CHUNK_BYTES }), count.resume());
  else
    await pipeline(
      createReadStream(from, { highWaterMark: CHUNK_BYTES }),
      count,
      createWriteStream(to, { flags: "wx" }),
    );
  return { bytes, sha256: hash.digest("hex") };
}

const CHUNK_BYTES = 1024 * 1024;
