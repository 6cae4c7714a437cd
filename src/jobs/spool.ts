// The spool: the bodies of jobs that are not done yet, as they came in.

import { rmSync } from "node:fs";
import { join } from "node:path";

/** Where the body of a job is kept until the job is done. */
export function spoolPath(dataDir: string, jobUid: string): string {
  return join(dataDir, "spool", jobUid);
}

/** Removes the body of a job that is done, if it has one. */
export function removeSpooled(dataDir: string, jobUid: string): void {
  rmSync(spoolPath(dataDir, jobUid), { force: true });
}
