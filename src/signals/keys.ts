// The secret of a screener by which browsers and blocks of addresses are compared. It is in the control store, apart from the hashes, and
// is destroyed when the screener closes: then nobody can tell any more whose they are.

import { randomBytes } from "node:crypto";
import { type Control, controlPath } from "../../db/control.ts";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { whenFree } from "../../db/sqlite/when-free.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { overwriteUnused, wipe } from "../../db/wipe.ts";
import type { Workspaces } from "../../db/workspaces.ts";
import { signalsOf } from "./settings.ts";

const KEY_BYTES = 32;

/** SQL condition on a row of screener_key: its key was destroyed, and what files may still have of it is not overwritten yet. */
const IS_DESTROYED = "key = x''";

export function findScreenerKey(control: Reader, workspaceUid: string, screenerUid: string): Buffer | undefined {
  return control.value(
    `SELECT key FROM screener_key WHERE workspace_uid = ? AND screener_uid = ? AND NOT (${IS_DESTROYED})`,
    workspaceUid,
    screenerUid,
  );
}

/** The ids of the screeners that need a key: they compare browsers or addresses, and are not closed. */
function listNeeding(db: Reader, now: string, uid: string | null): string[] {
  return db
    .all<{ uid: string; signals: string }>(
      `SELECT uid, signals FROM screener WHERE signals IS NOT NULL AND acceptance <> 'CLOSED'
         AND (closes_at IS NULL OR closes_at > ?) AND uid = coalesce(?, uid)`,
      now,
      uid,
    )
    .filter(({ signals }) => {
      const { sameBrowser, sameAddress } = signalsOf(signals)!;
      return sameBrowser !== null || sameAddress !== null;
    })
    .map((screener) => screener.uid);
}

/** Makes the keys that are needed, and destroys all others. A new key never equals a former one: nothing from before is found again. */
function align(control: Writer, workspaceUid: string, needing: readonly string[], known: readonly string[]): void {
  for (const uid of known)
    if (!needing.includes(uid))
      control.run("UPDATE screener_key SET key = x'' WHERE workspace_uid = ? AND screener_uid = ?", workspaceUid, uid);
  for (const uid of needing)
    control.run(
      `INSERT INTO screener_key (workspace_uid, screener_uid, key) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET key = excluded.key WHERE ${IS_DESTROYED}`,
      workspaceUid,
      uid,
      randomBytes(KEY_BYTES),
    );
}

interface Stores {
  control: Control;
  workspaces: Workspaces;
}

/** Of all screeners of a workspace: times have passed, and screeners were deleted. Not on an event loop. */
export function alignKeys({ control, workspaces }: Stores, workspaceUid: string, now: number): void {
  const needing = workspaces.read(workspaceUid, (db) => listNeeding(db, new Date(now).toISOString(), null));
  const known = control.reader.values<string>(
    `SELECT screener_uid FROM screener_key WHERE workspace_uid = ? AND NOT (${IS_DESTROYED})`,
    workspaceUid,
  );
  if (isAligned(needing, known)) return;
  immediate(control.writer, () => align(control.writer, workspaceUid, needing, known));
}

/** Of one screener, which was changed just now. @throws StoreBusyError */
export async function alignKey(
  { control, workspaces, config }: Stores & { config: { writeWaitMs: number } },
  workspaceUid: string,
  screenerUid: string,
): Promise<void> {
  const needing = workspaces.read(workspaceUid, (db) => listNeeding(db, new Date().toISOString(), screenerUid));
  const known = findScreenerKey(control.reader, workspaceUid, screenerUid) ? [screenerUid] : [];
  if (isAligned(needing, known)) return;
  await whenFree(control.writer, config.writeWaitMs, () => align(control.writer, workspaceUid, needing, known));
}

function isAligned(needing: readonly string[], known: readonly string[]): boolean {
  return needing.length === known.length && needing.every((uid) => known.includes(uid));
}

/**
 * Overwrites what the control store's file and its log still have of the keys that were destroyed. Blocks.
 * @throws StoreBusyError: the next call does it
 */
export function overwriteKeys({ reader, writer }: Control, dataDir: string): void {
  const destroyed = reader.all<{ workspace: string; screener: string }>(
    `SELECT workspace_uid AS workspace, screener_uid AS screener FROM screener_key WHERE ${IS_DESTROYED}`,
  );
  if (!destroyed.length) return;
  wipe(writer, false);
  overwriteUnused([controlPath(dataDir)]);
  // At the end, so that a run which is interrupted does it again.
  immediate(writer, () => {
    for (const { workspace, screener } of destroyed)
      writer.run(
        `DELETE FROM screener_key WHERE workspace_uid = ? AND screener_uid = ? AND ${IS_DESTROYED}`,
        workspace,
        screener,
      );
  });
}
