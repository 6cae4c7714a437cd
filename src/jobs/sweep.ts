// Removes files that nobody needs any more: bodies in the spool and results of jobs, and exports that a killed process has left.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Reader } from "../../db/connection.ts";
import { findJob } from "./queries.ts";

/** Remove a file without a job after this time. A younger one may belong to a request that is still coming in. */
const ORPHAN_MS = 24 * 3_600_000;

/** Removes the files of jobs that have ended and do not need them, and old ones without a job. */
export function sweepFiles(dataDir: string, ledger: Reader, now = Date.now()): void {
  sweep(join(dataDir, "spool"), now, (name) => {
    const job = findJob(ledger, name);
    return job ? job.finished_at === null || job.status === "PLANNED" || job.body_until !== null : undefined;
  });
  sweep(join(dataDir, "results"), now, (name) => {
    const job = findJob(ledger, name.slice(0, 36));
    return job ? job.finished_at === null || name.startsWith(job.result_file ?? "?") : undefined;
  });
  sweep(join(dataDir, "tmp"), now, (name) => (name.endsWith(".xlsx") ? undefined : true));
}

/** Removes a folder's files that are not needed. A file without a job (undefined) is removed when it is old. */
function sweep(folder: string, now: number, isNeeded: (name: string) => boolean | undefined): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const needed = isNeeded(name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (needed === false || (needed === undefined && now - changed > ORPHAN_MS)) rmSync(path, { force: true });
  }
}
