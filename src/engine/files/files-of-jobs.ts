// Removes the files of jobs that go with all that there is of them.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { spoolPath } from "./bodies.ts";

/** The length of the id that the names of results begin with. */
const ID_LENGTH = 36;

/** Removes bodies and results. @param jobs their ids */
export function removeFilesOf(dataDir: string, jobs: ReadonlySet<string>): void {
  for (const job of jobs) rmSync(spoolPath(dataDir, job), { force: true });
  const results = join(dataDir, "results");
  for (const name of existsSync(results) ? readdirSync(results) : [])
    if (jobs.has(name.slice(0, ID_LENGTH))) rmSync(join(results, name), { force: true });
}
