// The spool: the long bodies of unfinished jobs, as they came in. The API neither parses them nor keeps them in memory.

import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, syncPath } from "../../../db/sqlite/folders.ts";

export function spoolPath(dataDir: string, jobUid: string): string {
  return join(dataDir, "spool", jobUid);
}

/** Makes the spool's folder. Not at each body: a spool that is away must not be replaced by an empty one. */
export function makeSpool(dataDir: string): void {
  makeFolder(join(dataDir, "spool"));
}

/** Whether the spool's folder is there. */
export function isSpoolThere(dataDir: string): boolean {
  return existsSync(join(dataDir, "spool"));
}

/** Removes the body of a job, if it has one. */
export function removeSpooled(dataDir: string, jobUid: string): void {
  rmSync(spoolPath(dataDir, jobUid), { force: true });
}

/** A body that has come in. */
interface Received {
  /** SHA-256, in hexadecimal. */
  hash: string;
  bytes: number;
  /** The body, if it is short. Else it is in the spool. */
  short: Buffer | undefined;
}

/**
 * Takes a body in. If it is longer than `maxShort` bytes, it goes to the spool, and is on the disk when this resolves. A body
 * that breaks off leaves no file.
 */
export async function receiveBody(body: AsyncIterable<Uint8Array>, path: string, maxShort: number): Promise<Received> {
  const hash = createHash("sha256");
  const start: Uint8Array[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes <= maxShort) {
        start.push(chunk);
        continue;
      }
      if (!file) {
        file = await open(path, "wx");
        for (const earlier of start.splice(0)) await file.appendFile(earlier);
      }
      // Not write(), which may write only a part of the chunk.
      await file.appendFile(chunk);
    }
    if (file) {
      await file.datasync();
      await file.close();
      // A new file survives a power failure only if its folder is on the disk, too.
      await syncPath(dirname(path));
    }
    return { hash: hash.digest("hex"), bytes, short: file ? undefined : Buffer.concat(start) };
  } catch (error) {
    if (file) {
      await file.close().catch(() => {});
      await rm(path, { force: true });
    }
    throw error;
  }
}
