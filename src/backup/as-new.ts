// Restores a workspace of a backup, or imports an exported one, as a new workspace beside the others. It has an id of its own, so links
// and keys of the former one do not lead to it.

import { readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Control } from "../../db/control.ts";
import { recountRows } from "../../db/list/counts.ts";
import type { Writer } from "../../db/sqlite/connection.ts";
import { Doubt } from "../../db/sqlite/doubt.ts";
import { makeFolder, syncFile, syncFolder } from "../../db/sqlite/folders.ts";
import { Presence } from "../../db/sqlite/lock.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { removeStore, storePath } from "../../db/store.ts";
import { newId } from "../base/ids.ts";
import { pendEvent } from "../events/outbox.ts";
import { countedDeliveries, countedEndpoints } from "../webhooks/resource.ts";
import type { NewWorkspace } from "../workspaces/create.ts";
import { issueKey } from "../workspaces/issue.ts";
import { noteWorkspace } from "../workspaces/noted.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { insertWithSettings } from "../workspaces/settings.ts";
import type { BackedUp } from "./one-workspace.ts";
import { changeStore, copyBack, eraseFromCopy, type Return, takeLists } from "./returning.ts";

/** How long a command waits for the control store's lock. */
const WAIT_MS = 10_000;

/** What the folders of such copies in DATA_DIR/tmp begin with. */
export const RESTORING = "restore-";

export interface RestoredAsNew extends NewWorkspace {
  isListThere: boolean;
  /** The people who were erased since, and are erased again. */
  erased: number;
  /** The webhook endpoints that were enabled, and are not any more. */
  webhooks: number;
}

/** May be interrupted: until the last transaction there is no workspace. @param name undefined: the former one */
export async function restoreAsNew(
  control: Control,
  source: BackedUp,
  way: Return,
  name: string | undefined,
): Promise<RestoredAsNew> {
  const uid = newId();
  const folder = join(way.dataDir, "tmp", RESTORING + uid);
  const presence = new Presence(way.dataDir, RESTORING + uid);
  try {
    removeLeft(control, way.dataDir, (name) => !presence.isAlive(name));
    // Apart from those of this installation: whoever made the export may have written any list, and any log.
    const lists = join(folder, "lists");
    const isListThere = takeLists(source, way, lists);
    const store = await copyBack(source, join(folder, "copy"));
    const erased = eraseFromCopy(source, join(folder, "copy"), { ...way, erasedDir: lists });
    const webhooks = changeStore(store, (db) => becomeAnother(db, uid));
    syncFile(store);
    const settings = { ...source.workspace, name: name ?? source.workspace.name };
    const made = immediate(
      control.writer,
      () => {
        const to = storePath(way.dataDir, uid);
        makeFolder(dirname(to));
        renameSync(store, to);
        syncFolder(dirname(to));
        return register(control.writer, source, { ...settings, uid }, way);
      },
      WAIT_MS,
    );
    return { ...made, isListThere, erased, webhooks };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    presence.close();
  }
}

/** Removes what runs have left that were interrupted: a store that became nobody's, and the folder last. @param isOver of the name of the folder */
export function removeLeft(
  { reader }: Pick<Control, "reader">,
  dataDir: string,
  isOver: (name: string) => boolean,
): void {
  for (const name of readdirSync(join(dataDir, "tmp"))) {
    const uid = name.slice(RESTORING.length);
    if (!name.startsWith(RESTORING) || !isOver(name)) continue;
    if (!findWorkspace(reader, uid)) removeStore(storePath(dataDir, uid), new Doubt(dataDir, uid));
    rmSync(join(dataDir, "tmp", name), { recursive: true, force: true });
  }
}

/**
 * Makes a store that of another workspace. What goes on elsewhere goes on there alone: no webhook is sent, jobs of the former one belong to
 * nobody here, and its answers to repeated requests have its links. @returns how many endpoints were enabled
 */
function becomeAnother(db: Writer, uid: string): number {
  db.run("UPDATE store SET workspace_uid = ?", uid);
  db.run("DELETE FROM job_outcome");
  db.run("DELETE FROM idempotent_reply");
  db.run("DELETE FROM notice");
  db.run("DELETE FROM webhook_replay");
  settle(db, countedDeliveries, "PENDING", "FAILED");
  db.run("UPDATE webhook_delivery SET next_attempt_at = NULL, claim = NULL WHERE next_attempt_at IS NOT NULL");
  return settle(db, countedEndpoints, "ENABLED", "DISABLED");
}

/** Gives all rows of a listed table that have one status another one. @returns how many */
function settle(
  db: Writer,
  counted: typeof countedDeliveries | typeof countedEndpoints,
  from: string,
  to: string,
): number {
  const sql = `SELECT id, ${counted.facets.join(", ")} FROM ${counted.table} WHERE status = ?`;
  recountRows<string>(db, counted, "main", { sql, values: [from] }, { status: to });
  return db.run(`UPDATE ${counted.table} SET status = ? WHERE status = ?`, to, from).changes;
}

/** Inside a transaction on the control store. */
function register(
  db: Writer,
  { mark, workspace: former }: BackedUp,
  workspace: BackedUp["workspace"],
  { cause }: Return,
): NewWorkspace {
  const { uid, name } = workspace;
  const id = insertWithSettings(db, uid, workspace, Date.now());
  noteWorkspace(db, "mail_workspace", uid);
  const key = issueKey(db, id, { name: `${name} API key`, expiresAt: null });
  const summary = { backupOf: mark, formerId: former.uid };
  pendEvent(db, uid, cause, { type: "workspace.restored", resource: { type: "Workspace", uid }, summary });
  pendEvent(db, uid, cause, {
    type: "api-key.created",
    resource: { type: "ApiKey", uid: key.id },
    changes: [{ field: "name", from: null, to: `${name} API key` }],
  });
  return { workspace: { id: uid, name }, apiKey: key.apiKey, apiSecret: key.apiSecret };
}
