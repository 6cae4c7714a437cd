// The state of the installation, as every process sees it: versions, workers, jobs that wait, the last backup, and what is wrong.

import { readFileSync } from "node:fs";
import { currentVersion } from "../../db/migrate.ts";
import { ROOT } from "../../db/root.ts";
import type { Context } from "../context.ts";
import type { Finding } from "../findings.ts";
import { countUnfinished } from "../jobs/figures.ts";
import { type LastBackup, lastBackup } from "../workspaces/installation.ts";

export interface SystemState {
  findings: Finding[];
  backup: LastBackup | undefined;
  /** Of what: the version. */
  versions: [of: string, version: string][];
  /** Processes that run jobs. */
  workers: number;
  unfinishedJobs: number;
  /** Since when the oldest of them waits, in ms since 1970; null: there is none that counts. */
  oldestJobAt: number | null;
}

const SERVICE: string = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")).version;

/** The state now. */
export async function systemState(context: Context): Promise<SystemState> {
  const { control, carrier, findings } = context;
  const [current, unfinished, redis] = await Promise.all([
    findings.current(),
    countUnfinished(control.reader),
    carrier.version?.(),
  ]);
  const oldest = Math.min(...unfinished.map(({ oldestAt }) => oldestAt));
  return {
    findings: current,
    backup: lastBackup(control.reader),
    versions: [
      ["Service", SERVICE],
      ["Node", process.version],
      ["SQLite", control.reader.value<string>("SELECT sqlite_version()")!],
      ["Schema of the control store", String(currentVersion("control"))],
      ["Schema of workspaces", String(currentVersion("workspace"))],
      ...(redis === undefined ? [] : ([["Redis", redis]] as [string, string][])),
    ],
    workers: context.countWorkers(),
    unfinishedJobs: unfinished.reduce((sum, { count }) => sum + count, 0),
    oldestJobAt: Number.isFinite(oldest) ? oldest : null,
  };
}
