// Holds files that jobs may remove while a backup runs: the bodies of jobs, and their results. A second name for each, in a
// folder of its own, keeps it until the backup has copied it.

import { existsSync, linkSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../db/sqlite/folders.ts";
import { Presence } from "../../db/sqlite/lock.ts";

const FOLDERS = ["spool", "results"] as const;

export class Hold {
  readonly #dataDir: string;
  readonly #presence: Presence;

  /** Removes what backups left that were killed. @param name of this backup: letters, digits and hyphens */
  constructor(dataDir: string, name: string) {
    this.#dataDir = dataDir;
    this.#presence = new Presence(dataDir, name);
    const all = join(dataDir, "held");
    makeFolders(all);
    for (const other of readdirSync(all)) {
      if (!this.#presence.isAlive(other)) rmSync(join(all, other), { recursive: true, force: true });
    }
    for (const folder of FOLDERS) makeFolders(this.#path(folder));
  }

  /** A folder for what the backup needs meanwhile: when it is killed, the next one removes it, too. */
  get folder(): string {
    return this.#path();
  }

  /** Holds all files that are there now. */
  take(): void {
    for (const folder of FOLDERS) {
      const held = new Set(readdirSync(this.#path(folder)));
      for (const name of namesIn(join(this.#dataDir, folder))) {
        if (!held.has(name)) this.#hold(folder, name);
      }
    }
  }

  /** The path by which a file is held; undefined when it was gone before. */
  find(folder: (typeof FOLDERS)[number], name: string): string | undefined {
    const path = this.#path(folder, name);
    return existsSync(path) ? path : undefined;
  }

  release(): void {
    rmSync(this.#path(), { recursive: true, force: true });
    this.#presence.close();
  }

  #hold(folder: string, name: string): void {
    try {
      linkSync(join(this.#dataDir, folder, name), join(this.#path(folder), name));
    } catch (error) {
      // A job has removed it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }

  #path(...names: string[]): string {
    return join(this.#dataDir, "held", this.#presence.name, ...names);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
