// Suspends a workspace for a command that must be alone with its store: no request and no job comes in between.

import type { Control } from "../../db/control.ts";
import { Presence } from "../../db/sqlite/lock.ts";
import { immediate, pauseThread } from "../../db/sqlite/write.ts";
import { newId } from "../base/ids.ts";
import { suspendWorkspace } from "../workspaces/lives.ts";

/** How long a running job may take to end. */
const JOB_WAIT_MS = 60_000;

/**
 * Suspends a workspace, and waits for the job that runs, unless its process is dead. Blocks.
 * @param outcome what the message says of the workspace: most callers let it in again @param at from when on,
 * so that `endSuspension` ends this one alone. A workspace that is suspended already stays as it is @throws Error when the job does not end
 */
export function suspendAndWait(
  dataDir: string,
  { reader, writer }: Control,
  id: number,
  outcome = "",
  at = Date.now(),
): void {
  immediate(writer, () => suspendWorkspace(writer, id, at));
  const presence = new Presence(dataDir, newId());
  try {
    for (const deadline = performance.now() + JOB_WAIT_MS; ; ) {
      const runners = reader.values<string | null>(
        "SELECT runner FROM job INDEXED BY job_open WHERE workspace_id = ? AND finished_at IS NULL AND status = 'RUNNING'",
        id,
      );
      if (!runners.some((runner) => runner !== null && presence.isAlive(runner))) return;
      if (performance.now() >= deadline)
        throw new Error(`A job of the workspace is running. ${outcome}Try again when the job has ended.`);
      pauseThread(200);
    }
  } finally {
    presence.close();
  }
}
