// Makes folders, and puts on the disk which files are in them. A file that was synced is found after a power failure only
// if its folder was synced after the file was made.

import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

/** Puts on the disk which files are in the folder. */
export function syncFolder(path: string): void {
  syncFile(path);
}

/** Puts on the disk what a file has. */
export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a file, or the names in a folder, on the disk. Does not block the event loop. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a folder, and those above it, so that they are on the disk. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}
