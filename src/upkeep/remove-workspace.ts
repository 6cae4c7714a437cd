// Removes a workspace with all that there is of it. It is suspended first, so that nothing more comes in.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Control } from "../../db/control.ts";
import { Presence } from "../../db/sqlite/lock.ts";
import { immediate, pauseThread } from "../../db/sqlite/write.ts";
import { removeStore } from "../../db/store.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../base/ids.ts";
import { removeChosenFiles } from "../engine/files/chosen-files.ts";
import { spoolPath } from "../engine/files/spool.ts";
import { wipeControl } from "../engine/files/wipe.ts";
import { deleteWorkspace, suspendWorkspace } from "../workspaces/lives.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";

/** How long a running job may take to end. */
const JOB_WAIT_MS = 60_000;

interface Stores {
  dataDir: string;
  control: Control;
  workspaces: Workspaces;
}

/** Blocks. May be interrupted and repeated: the row goes last. @throws Error when a job of the workspace does not end */
export function removeWorkspace({ dataDir, control, workspaces }: Stores, { id, uid }: WorkspaceRow): void {
  const { writer } = control;
  immediate(writer, () => suspendWorkspace(writer, id, Date.now()));
  waitForJob(dataDir, control, id);
  const jobs = new Set(control.reader.values<string>("SELECT uid FROM job WHERE workspace_id = ?", id));
  for (const job of jobs) rmSync(spoolPath(dataDir, job), { force: true });
  const results = join(dataDir, "results");
  for (const name of existsSync(results) ? readdirSync(results) : [])
    if (jobs.has(name.slice(0, 36))) rmSync(join(results, name), { force: true });
  removeChosenFiles(dataDir, uid);
  removeStore(workspaces.path(uid), workspaces.doubt(uid));
  immediate(writer, () => deleteWorkspace(writer, id));
  wipeControl(control, id);
}

/** Waits for the job that runs, unless its process is dead. */
function waitForJob(dataDir: string, { reader }: Control, id: number): void {
  const presence = new Presence(dataDir, newId());
  try {
    for (const deadline = performance.now() + JOB_WAIT_MS; ; ) {
      const runners = reader.values<string | null>(
        "SELECT runner FROM job INDEXED BY job_open WHERE workspace_id = ? AND finished_at IS NULL AND status = 'RUNNING'",
        id,
      );
      if (!runners.some((runner) => runner !== null && presence.isAlive(runner))) return;
      if (performance.now() >= deadline)
        throw new Error(
          "A job of the workspace is running. The workspace is suspended: try again when the job has ended.",
        );
      pauseThread(200);
    }
  } finally {
    presence.close();
  }
}
