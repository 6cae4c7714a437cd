// A disk that fails when a test says so, under a process of the service: bad-disk.c, compiled and preloaded.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

export class BadDisk {
  readonly #folder = mkdtempSync(join(tmpdir(), "bad-disk-"));
  readonly #dataDir: string;
  readonly #library: string;
  #faults = 0;

  /** It is removed with the test, or the file, that makes it. */
  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.#library = join(this.#folder, "bad-disk.so");
    after(() => rmSync(this.#folder, { recursive: true, force: true }));
    try {
      execFileSync("cc", ["-O1", "-shared", "-fPIC", "-o", this.#library, SOURCE, "-ldl", "-lpthread"]);
    } catch (error) {
      throw new Error("The tests of failing disks need a C compiler: install build-essential (apt-get) or its like.", {
        cause: error,
      });
    }
  }

  /** For a process of the service. */
  get env(): Record<string, string> {
    return { LD_PRELOAD: this.#library, BAD_DISK: this.#folder, BAD_DISK_UNDER: this.#dataDir };
  }

  /** From now on. @returns whether it has hit */
  fail({ on, code, path, always }: Fault): () => boolean {
    const file = join(this.#folder, `fault-${this.#faults++}`);
    const text = `${on} ${constants.errno[code]} ${always ? "always" : "once"} ${path}\n`;
    // A process must not read half of it.
    writeFileSync(`${file}.new`.replace("fault-", "new-"), text);
    execFileSync("mv", [`${file}.new`.replace("fault-", "new-"), file]);
    return () => !existsSync(file);
  }

  heal(): void {
    for (const file of globSync(join(this.#folder, "fault-*"))) rmSync(file, { force: true });
  }

  /** The syncs so far: what was synced, or failed to be, with its path from the data directory. */
  get syncs(): { what: "sync" | "failed"; path: string }[] {
    const log = join(this.#folder, "log");
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
      const kept = join(this.#folder, "kept", name);
      if (!existsSync(kept)) continue;
      mkdirSync(dirname(join(left, name)), { recursive: true });
      cpSync(kept, join(left, name));
    }
    return left;
  }
}
