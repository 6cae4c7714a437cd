// Keeps a data directory to its owner: folders 0700, files 0600, whatever the umask of who starts the process.

import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

const FOLDER = 0o700;
const FILE = 0o600;

/**
 * Everything that this process makes from here on is its owner's alone. SQLite gives `-wal` and `-shm` the mode of their
 * store. Threads can't set this, and need not: it belongs to the process.
 */
export function keepPrivate(): void {
  if (isMainThread) process.umask(0o077);
}

/** Takes what is in the data directory from everybody else. @returns the paths that could not be changed, and why */
export function closeToOthers(dataDir: string): { path: string; error: Error }[] {
  const failed: { path: string; error: Error }[] = [];
  const attempt = (path: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      // Another process may have removed it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") failed.push({ path, error: error as Error });
    }
  };
  const close = (path: string): void =>
    attempt(path, () => {
      const stat = lstatSync(path);
      const isFolder = stat.isDirectory();
      if (!isFolder && !stat.isFile()) return;
      const mode = isFolder ? FOLDER : FILE;
      if ((stat.mode & 0o777) !== mode) attempt(path, () => chmodSync(path, mode));
      if (isFolder) for (const name of readdirSync(path)) close(join(path, name));
    });
  close(dataDir);
  return failed;
}
