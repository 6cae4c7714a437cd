// Stamps of files: while they are the same, nothing was written, and the file of the backup before is taken again.

import { statSync } from "node:fs";
import type { BackupFile } from "./manifest.ts";

/** A store that was written to a moment ago may be written to again without looking different. */
const SETTLED_MS = 2000;

export function isSameStamp(known: BackupFile | undefined, stamp: string[] | undefined): known is BackupFile {
  return known?.stamp !== undefined && stamp !== undefined && String(known.stamp) === String(stamp);
}

/** How the files of a store, or a file, look; undefined when they changed a moment ago. */
export function stampOf(path: string): string[] | undefined {
  const files = [path, `${path}-wal`].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  const settledUntil = BigInt(Date.now() - SETTLED_MS);
  if (files.some((file) => file && file.mtimeMs > settledUntil)) return undefined;
  return files.map((file) => (file ? `${file.ino} ${file.size} ${file.mtimeNs}` : "-"));
}
