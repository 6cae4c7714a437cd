// Removes a workspace with all that there is of it. It is suspended first, so that nothing more comes in.

import type { Control } from "../../db/control.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { removeStore } from "../../db/store.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { removeChosenFiles } from "../engine/files/chosen-files.ts";
import { removeFilesOf } from "../engine/files/files-of-jobs.ts";
import { wipeControl } from "../engine/files/wipe.ts";
import { deleteWorkspace } from "../workspaces/lives.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { removeReplaced } from "./former-stores.ts";
import { suspendAndWait } from "./suspend.ts";

interface Stores {
  dataDir: string;
  control: Control;
  workspaces: Workspaces;
}

/** Blocks. May be interrupted and repeated: the row goes last. @throws Error when a job of the workspace does not end */
export function removeWorkspace({ dataDir, control, workspaces }: Stores, { id, uid }: WorkspaceRow): void {
  const { writer } = control;
  suspendAndWait(dataDir, control, id, "The workspace is suspended from now on. ");
  const jobs = new Set(control.reader.values<string>("SELECT uid FROM job WHERE workspace_id = ?", id));
  removeFilesOf(dataDir, jobs);
  removeChosenFiles(dataDir, uid);
  removeReplaced(dataDir, uid);
  removeStore(workspaces.path(uid), workspaces.doubt(uid));
  immediate(writer, () => deleteWorkspace(writer, id));
  wipeControl(control, id);
}
