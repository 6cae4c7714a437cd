// Folders among the temporary files of the machine, for what commands bring from a bucket: people's data. What killed commands have left is removed
// by the next one.

import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProcessAlive, Presence } from "../../db/sqlite/lock.ts";

const START = "screening-fetched-";

/** In each folder, the name of the lock of its command. */
const COMMAND = "command";

/** A command may not hold its lock yet. Then it has brought nothing, either. */
const NEW_MS = 60_000;
const LOCKS = "locks";

/** Lends a folder, which is removed afterwards. */
export async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  removeLeft();
  const folder = mkdtempSync(join(tmpdir(), START));
  const presence = new Presence(folder, COMMAND);
  try {
    return await work(folder);
  } finally {
    presence.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of commands that are not alive any more. Those of other users stay. */
function removeLeft(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(START)) continue;
    const folder = join(tmpdir(), name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (!found?.isDirectory() || found.uid !== process.geteuid?.()) continue;
    try {
      const isNew = Date.now() - found.ctimeMs < NEW_MS && readdirSync(folder).every((one) => one === LOCKS);
      if (!isNew && !isProcessAlive(folder, COMMAND)) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Its command, or another one, removes it at this moment. Else the next one tries again.
    }
  }
}
