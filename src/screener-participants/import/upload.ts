// Takes an import's body in, as it comes, into a file of the spool. The API neither parses nor holds it.

import { createHash } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";

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
