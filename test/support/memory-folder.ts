// A folder in memory for the files of tests. They make thousands of stores, and each sync, new file and removal costs the system
// less there. What disks do is tested where they are broken, killed or full: test/faults.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** What statfs says of a file system in memory. */
const TMPFS = 0x01021994;
const GIB = 2 ** 30;

/** @returns a new folder, which goes with the process. undefined: there is no room for it, or no program runs from there */
export function memoryFolder(): string | undefined {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    if (type !== TMPFS || bavail * bsize < 4 * GIB || freemem() < 6 * GIB) return undefined;
    const folder = mkdtempSync(join(MEMORY, "screening-tests-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    // A proxy's own user has to reach its files.
    chmodSync(folder, 0o711);
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    execFileSync(program);
    return folder;
  } catch {
    return undefined;
  }
}
