// Folders of a test.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** A new folder, which goes with the test, or with the file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "screening-"));
  after(() => removeFolder(folder));
  return folder;
}

/** Removes a folder and what is in it, also while a process that has just been killed still writes to it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
