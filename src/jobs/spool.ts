// The spool: the request bodies of unfinished jobs, as they came in. The API neither parses them nor keeps them in memory.

import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, syncPath } from "../../db/folders.ts";

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

/**
 * Writes `body` to the spool. It is on the disk when this resolves. A body that breaks off leaves no file.
 * @returns the SHA-256 of the body, in hexadecimal
 */
export async function spoolBody(body: AsyncIterable<Uint8Array>, path: string): Promise<string> {
  const file = await open(path, "wx");
  const hash = createHash("sha256");
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      // Not write(), which may write only a part of the chunk.
      await file.appendFile(chunk);
    }
    await file.datasync();
    await file.close();
    // A new file survives a power failure only if its folder is on the disk, too.
    await syncPath(dirname(path));
    return hash.digest("hex");
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}
