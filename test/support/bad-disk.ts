// A disk that fails when a test says so, under a process of the service: bad-disk.c, compiled and preloaded.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("./bad-disk.c", import.meta.url));

export interface Fault {
  on: "sync" | "open" | "write";
  code: keyof typeof constants.errno;
  /** A part of the paths that it hits. A dollar is their end. */
  path: string;
  /** Until it is healed. Without, it hits one call. */
  always?: true;
}

/** A moment at which a process is killed: before or after a sync, before a write to a file, or before it answers somebody. */
export type Moment = { on: "sync" | "synced" | "write"; path: string; nth: number } | { on: "answer"; nth: number };

let library: string | undefined;

/** Compiles the library that all bad disks of a test file share. @returns its path */
function compiled(): string {
  const folder = mkdtempSync(join(tmpdir(), "bad-disk-library-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "bad-disk.so");
  try {
    execFileSync("cc", ["-O1", "-shared", "-fPIC", "-o", path, SOURCE, "-ldl", "-lpthread"]);
  } catch (error) {
    throw new Error("The tests of failing disks need a C compiler: install build-essential (apt-get) or its like.", {
      cause: error,
    });
  }
  return path;
}

export class BadDisk {
  /** Its own, and that of who makes a fault. */
  readonly folder = mkdtempSync(join(tmpdir(), "bad-disk-"));
  readonly #dataDir: string;
  readonly #isShared: boolean;
  #faults = 0;

  /** It is removed with the test, or the file, that makes it. @param isShared whether several processes have it */
  constructor(dataDir: string, isShared = false) {
    this.#dataDir = dataDir;
    this.#isShared = isShared;
    after(() => rmSync(this.folder, { recursive: true, force: true }));
    library ??= compiled();
  }

  /** For a process of the service. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: library!,
      BAD_DISK: this.folder,
      BAD_DISK_UNDER: this.#dataDir,
      ...(this.#isShared && { BAD_DISK_SHARED: "1" }),
    };
  }

  /** From now on. @returns whether it has hit */
  fail({ on, code, path, always }: Fault): () => boolean {
    const file = this.#add(`${on} ${constants.errno[code]} ${always ? "always" : "once"} ${path}`);
    return () => !existsSync(file);
  }

  /** Kills the process that gets to this moment first, counted from now on. */
  kill(moment: Moment): void {
    this.#add(`${moment.on} 0 ${moment.nth} ${"path" in moment ? moment.path : "socket"}`);
  }

  #add(text: string): string {
    const number = this.#faults++;
    const file = join(this.folder, `fault-${number}`);
    // A process must not read half of it.
    const unnamed = join(this.folder, `new-${number}`);
    writeFileSync(unnamed, `${text}\n`);
    renameSync(unnamed, file);
    return file;
  }

  /** Ends all faults, or those of a part of paths. */
  heal(path?: string): void {
    for (const file of globSync(join(this.folder, "fault-*")))
      if (path === undefined || readFileSync(file, "utf8").endsWith(` ${path}\n`)) rmSync(file, { force: true });
  }

  /** The syncs so far: what was synced, or failed to be, with its path from the data directory. */
  get syncs(): { what: "sync" | "failed"; path: string }[] {
    const log = join(this.folder, "log");
    if (!existsSync(log)) return [];
    const lines = readFileSync(log, "utf8").trim().split("\n");
    return lines.map((line) => {
      const [what, path = ""] = line.split(" ");
      return { what: what as "sync" | "failed", path: path.slice(this.#dataDir.length + 1) };
    });
  }

  /** What a power cut leaves of the data directory, after its processes were killed. @returns the new folder's path */
  powerCut(): string {
    const left = mkdtempSync(join(tmpdir(), "screening-"));
    for (const path of globSync("**/*", { cwd: this.#dataDir, withFileTypes: true })) {
      const name = join(path.parentPath, path.name).slice(this.#dataDir.length + 1);
      if (!path.isFile() || name.endsWith("-shm") || /^(locks|in-doubt)\//.test(name)) continue;
      const kept = join(this.folder, "kept", name);
      if (!existsSync(kept)) continue;
      mkdirSync(dirname(join(left, name)), { recursive: true });
      cpSync(kept, join(left, name));
    }
    return left;
  }

  /** Leaves in the data directory what a power cut leaves there, after its processes were killed. */
  cutPower(): void {
    const left = this.powerCut();
    emptyFolder(this.#dataDir);
    cpSync(left, this.#dataDir, { recursive: true });
    rmSync(left, { recursive: true });
  }

  /** All that was written is on the disk now, as it is in time. For when no process writes. */
  settle(): void {
    const kept = join(this.folder, "kept");
    mkdirSync(kept, { recursive: true });
    emptyFolder(kept);
    cpSync(this.#dataDir, kept, { recursive: true, filter: (path) => !path.endsWith("-shm") });
  }
}

function emptyFolder(path: string): void {
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
}
