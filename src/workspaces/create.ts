// Creates workspaces, each with its first key.

import type { Control } from "../../db/control.ts";
import { immediate } from "../../db/sqlite/write.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { newId } from "../base/ids.ts";
import { type Cause, recordEvent } from "../events/record.ts";
import { issueKey } from "./issue.ts";
import { insertWorkspace, listWorkspaces } from "./queries.ts";

/** How long a command waits for the control store's lock. */
const WAIT_MS = 10_000;

export interface NewWorkspace {
  workspace: { id: string; name: string };
  apiKey: string;
  apiSecret: string;
}

/**
 * Creates a workspace and a key for it. The store with its first events is written before the row is there, so that every
 * workspace in the list has one. Waits for the lock: not for an event loop.
 */
export function createWorkspace(
  control: Control,
  workspaces: Workspaces,
  name: string,
  cause: Cause,
  isSandbox = false,
): NewWorkspace {
  return immediate(control.writer, () => make(control, workspaces, { name, isSandbox }, cause), WAIT_MS);
}

/**
 * Creates the first workspace, unless there is one. Of several processes that start together, one creates it and the others
 * wait. `keep` puts the credentials where they can be found: if it throws, there is no workspace.
 */
export function createFirstWorkspace(
  control: Control,
  workspaces: Workspaces,
  name: string,
  cause: Cause,
  keep: (made: NewWorkspace) => void,
): NewWorkspace | undefined {
  return immediate(control.writer, () => {
    if (listWorkspaces(control.writer).length) return undefined;
    const made = make(control, workspaces, { name, isSandbox: false }, cause);
    keep(made);
    return made;
  });
}

/** Inside a transaction on the control store. */
function make(
  { writer }: Control,
  workspaces: Workspaces,
  { name, isSandbox }: { name: string; isSandbox: boolean },
  cause: Cause,
): NewWorkspace {
  const uid = newId();
  workspaces.create(uid);
  const workspaceId = insertWorkspace(writer, { uid, name, isSandbox, now: Date.now() });
  const key = { name: `${name} API key`, expiresAt: null };
  const { id, apiKey, apiSecret } = issueKey(writer, workspaceId, key);
  workspaces.write(uid, (db) => {
    const named = (name: string) => [{ field: "name", from: null, to: name }];
    recordEvent(db, cause, {
      type: "workspace.created",
      resource: { type: "Workspace", uid },
      changes: [...named(name), ...(isSandbox ? [{ field: "isSandbox", from: null, to: true }] : [])],
    });
    recordEvent(db, cause, {
      type: "api-key.created",
      resource: { type: "ApiKey", uid: id },
      changes: named(key.name),
    });
  });
  return { workspace: { id: uid, name }, apiKey, apiSecret };
}
