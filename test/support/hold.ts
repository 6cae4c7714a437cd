// Holds the lock of a workspace, so that no other process or connection can write to it.

import { openWriter } from "../../db/sqlite/open.ts";
import { Workspaces } from "../../db/workspaces.ts";

/** Takes the workspace's lock as soon as it is free. @returns a function that releases it */
export function hold(dataDir: string, workspaceId: string): () => void {
  const options = { busyTimeoutMs: 5000, checkpoints: false };
  const path = new Workspaces(dataDir, { ...options, onStale: "migrate" }).path(workspaceId);
  const writer = openWriter(path, options);
  writer.run("BEGIN IMMEDIATE");
  return () => {
    writer.run("ROLLBACK");
    writer.close();
  };
}
