// Removes files that nobody needs any more: bodies in the spool and results of jobs, and exports that a killed process has left.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Reader } from "../../../db/sqlite/connection.ts";
import { isProcessAlive } from "../../../db/sqlite/lock.ts";
import { forEach } from "../files/each.ts";
import { findJob } from "./queries.ts";

/** Remove a file without a job after this time. A younger one may belong to a request that is still coming in. */
const ORPHAN_MS = 24 * 3_600_000;

/** Removes the files of jobs that have ended and do not need them, and old ones without a job. */
export function sweepFiles(dataDir: string, ledger: Reader, now = Date.now()): void {
  forEach(
    [
      () =>
        sweep(join(dataDir, "spool"), now, (name) => {
          const job = findJob(ledger, name);
          return job ? job.finished_at === null || job.status === "PLANNED" || job.body_until !== null : undefined;
        }),
      () =>
        sweep(join(dataDir, "results"), now, (name) => {
          const job = findJob(ledger, name.slice(0, 36));
          return job ? job.finished_at === null || name.startsWith(job.result_file ?? "?") : undefined;
        }),
      () => sweepHeld(dataDir),
      () => sweep(join(dataDir, "tmp"), now, (name) => (/\.(xlsx|zip)$/.test(name) ? undefined : true)),
    ],
    (step) => step(),
  );
}

/** Removes a folder's files that are not needed. A file without a job (undefined) is removed when it is old. */
function sweep(folder: string, now: number, isNeeded: (name: string) => boolean | undefined): void {
  if (!existsSync(folder)) return;
  forEach(readdirSync(folder), (name) => {
    const path = join(folder, name);
    const needed = isNeeded(name);
    const found = statSync(path, { throwIfNoEntry: false });
    // A folder is not ours: lost+found, where this is a disk of its own.
    if (!found?.isFile()) return;
    if (needed === false || (needed === undefined && now - found.mtimeMs > ORPHAN_MS)) rmSync(path, { force: true });
  });
}

/** Second names of files, left by a backup that was killed (backup/hold.ts). */
function sweepHeld(dataDir: string): void {
  const held = join(dataDir, "held");
  if (!existsSync(held)) return;
  for (const name of readdirSync(held))
    if (!isProcessAlive(dataDir, name)) rmSync(join(held, name), { recursive: true, force: true });
}
