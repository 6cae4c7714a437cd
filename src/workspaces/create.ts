// Creates a workspace with its first key.

import type { Control } from "../../db/control.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { immediate } from "../../db/write.ts";
import { newId } from "../ids.ts";
import { issueKey } from "./credentials.ts";
import { insertWorkspace } from "./queries.ts";

export interface NewWorkspace {
  workspace: { id: string; name: string };
  apiKey: string;
  apiSecret: string;
}

/** Creates a workspace and a key for it. The store is created before the row, so that every workspace in the list has one. */
export function createWorkspace(control: Control, workspaces: Workspaces, name: string): NewWorkspace {
  const uid = newId();
  workspaces.create(uid);
  return immediate(control.writer, () => {
    const workspaceId = insertWorkspace(control.writer, { uid, name, now: Date.now() });
    const { apiKey, apiSecret } = issueKey(control.writer, workspaceId, { name: `${name} API key`, expiresAt: null });
    return { workspace: { id: uid, name }, apiKey, apiSecret };
  });
}
