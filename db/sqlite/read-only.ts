// Whether a data directory is on a file system that can only be read, such as one that the kernel has remounted after an error.

import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Tries it: the rights of the files, and of the mount, say nothing of it. */
export function isReadOnly(dataDir: string): boolean {
  const path = join(dataDir, `try-${randomUUID()}`);
  try {
    closeSync(openSync(path, "wx"));
    rmSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EROFS";
  }
}

/** The error of a process that can't begin because of it. */
export class ReadOnlyError extends Error {
  constructor(dataDir: string, options?: ErrorOptions) {
    super(
      `${dataDir} is on a file system that can only be read: look at the disk and at the kernel's log, and mount it so that it can be written.`,
      options,
    );
    this.name = "ReadOnlyError";
  }
}
