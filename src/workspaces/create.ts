// Creates workspaces, each with its first key.

import type { Control } from "../../db/control.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { immediate } from "../../db/write.ts";
import { newId } from "../ids.ts";
import { issueKey } from "./credentials.ts";
import { insertWorkspace, listWorkspaces } from "./queries.ts";

export interface NewWorkspace {
  workspace: { id: string; name: string };
  apiKey: string;
  apiSecret: string;
}

/** Creates a workspace and a key for it. The store is created before the row, so that every workspace in the list has one. */
export function createWorkspace(control: Control, workspaces: Workspaces, name: string): NewWorkspace {
  const uid = newId();
  workspaces.create(uid);
  return immediate(control.writer, () => insert(control, uid, name));
}

/**
 * Creates the first workspace, unless there is one. Of several processes that start together, one creates it and the others
 * wait. `keep` puts the credentials where they can be found: if it throws, there is no workspace.
 */
export function createFirstWorkspace(
  control: Control,
  workspaces: Workspaces,
  name: string,
  keep: (made: NewWorkspace) => void,
): NewWorkspace | undefined {
  return immediate(control.writer, () => {
    if (listWorkspaces(control.writer).length) return undefined;
    const uid = newId();
    workspaces.create(uid);
    const made = insert(control, uid, name);
    keep(made);
    return made;
  });
}

function insert({ writer }: Control, uid: string, name: string): NewWorkspace {
  const workspaceId = insertWorkspace(writer, { uid, name, now: Date.now() });
  const { apiKey, apiSecret } = issueKey(writer, workspaceId, { name: `${name} API key`, expiresAt: null });
  return { workspace: { id: uid, name }, apiKey, apiSecret };
}
