// The spool: the bodies of jobs that are not done yet, as they came in. The API neither parses nor holds them.

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";

/** Where the body of a job is kept until the job is done. */
export function spoolPath(dataDir: string, jobUid: string): string {
  return join(dataDir, "spool", jobUid);
}

/** Removes the body of a job that is done, if it has one. */
export function removeSpooled(dataDir: string, jobUid: string): void {
  rmSync(spoolPath(dataDir, jobUid), { force: true });
}

/**
 * Writes `body` to the spool, and has it on the disk before it returns. A body that fails leaves no file.
 * @returns the SHA-256 of the body, in hexadecimal
 */
export async function spoolBody(body: Readable, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "wx");
  const hash = createHash("sha256");
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      // Not write(), which may take a part of it and call that done.
      await file.appendFile(chunk);
    }
    await file.datasync();
    await file.close();
    await syncFolder(dirname(path));
    return hash.digest("hex");
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}

/** A file that is on the disk is found again only when its folder is, too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.datasync();
  } finally {
    await folder.close();
  }
}
