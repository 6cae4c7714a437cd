// The state of the installation, as every process sees it: versions, workers, jobs that wait, the last backup, and what is wrong.

import type { Finding } from "../../base/findings.ts";
import { RELEASE } from "../../base/release.ts";
import { countUnfinished } from "../../engine/ledger/reports.ts";
import type { Context } from "../../http/context.ts";
import { type LastBackup, lastBackup } from "../../workspaces/installation.ts";

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
      ["Service", RELEASE.version],
      ["Build", RELEASE.build ?? "not compiled"],
      ["Node", `v${RELEASE.node}`],
      ["SQLite", control.reader.value<string>("SELECT sqlite_version()")!],
      ["Schema of the control store", String(RELEASE.schema.control)],
      ["Schema of workspaces", String(RELEASE.schema.workspace)],
      ...(redis === undefined ? [] : ([["Redis", redis]] as [string, string][])),
    ],
    workers: context.countWorkers(),
    unfinishedJobs: unfinished.reduce((sum, { count }) => sum + count, 0),
    oldestJobAt: Number.isFinite(oldest) ? oldest : null,
  };
}
