// Makes folders, and puts on the disk which files are in them. A file that was synced is found after a power failure only
// if its folder was synced after the file was made.

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

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

/**
 * Makes a folder, and those above it that are not there. Node's own way (`recursive`) never ends where a folder takes no other one: it
 * makes those above it again and again, as in /proc.
 * @returns the first one that was made; undefined: all were there
 */
export function makeFolders(path: string, mode?: number): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !isFolder(at); at = dirname(at)) {
    // A file is in the way, which this says. What was not there a moment ago may be a folder that another process has made.
    if (existsSync(at) && !isFolder(at)) mkdirSync(path);
    missing.unshift(at);
  }
  for (const folder of missing) {
    try {
      mkdirSync(folder, mode);
    } catch (error) {
      // Another process may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(folder)) throw error;
    }
  }
  return missing[0];
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Makes a folder, and those above it, so that they are on the disk. */
export function makeFolder(path: string): void {
  const first = makeFolders(path);
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}
