// Keeps everyone else from writing to a workspace, in whatever process they are.

import { openWriter } from "../../db/open.ts";
import { Workspaces } from "../../db/workspaces.ts";

/** Takes the workspace's lock as soon as it is free. @returns how to let go of it */
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
