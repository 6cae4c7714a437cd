// Statements on moves, in the control store. What each status means is in db/control/015-cells.sql.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { deleteWorkspace } from "../workspaces/lives.ts";
import { hashOf } from "../workspaces/queries.ts";

export interface MoveRow {
  uid: string;
  workspace_uid: string;
  cell: string;
  url: string;
  token: string;
  status: "COPYING" | "HANDED_OVER" | "ARRIVED" | "MOVED" | "CANCELLED";
  mover: string;
  is_restored: number;
  /** The other cell did not answer when it was asked last. */
  is_away: number;
}

/** The move has ended, or another one is under way. */
class NotTheMove extends Error {
  constructor() {
    super("The workspace is not being moved by this process any more.");
  }
}

/** The moves that have not ended. */
export function listOpenMoves(db: Reader): MoveRow[] {
  return db.all("SELECT * FROM workspace_move WHERE finished_at IS NULL ORDER BY started_at");
}

export function findOpenMove(db: Reader, workspaceUid: string): MoveRow | undefined {
  return db.get("SELECT * FROM workspace_move WHERE workspace_uid = ? AND finished_at IS NULL", workspaceUid);
}

/** Begins a move, unless there is one. @returns false when there is */
export function insertMove(db: Writer, move: Pick<MoveRow, "uid" | "workspace_uid" | "url" | "mover">): boolean {
  if (findOpenMove(db, move.workspace_uid)) return false;
  db.run(
    "INSERT INTO workspace_move (uid, workspace_uid, cell, url, token, status, mover, started_at) VALUES (?, ?, '', ?, '', 'COPYING', ?, ?)",
    move.uid,
    move.workspace_uid,
    move.url,
    move.mover,
    Date.now(),
  );
  return true;
}

/** Notes what the other cell is called, and what it asks for. */
export function noteTarget(db: Writer, uid: string, { cell, token }: Pick<MoveRow, "cell" | "token">): void {
  must(db.run("UPDATE workspace_move SET cell = ?, token = ? WHERE uid = ? AND status = 'COPYING'", cell, token, uid));
}

function must({ changes }: { changes: number }): void {
  if (changes !== 1) throw new NotTheMove();
}

/** Whether the move has not ended. */
export function isOpen(db: Reader, uid: string): boolean {
  return db.value("SELECT 1 FROM workspace_move WHERE uid = ? AND finished_at IS NULL", uid) === 1;
}

/** Takes over a move whose process has died. @returns false when another process was first */
export function takeOver(db: Writer, { uid, mover }: MoveRow, by: string): boolean {
  const sql = "UPDATE workspace_move SET mover = ? WHERE uid = ? AND mover = ? AND finished_at IS NULL";
  return db.run(sql, by, uid, mover).changes === 1;
}

const COPYING =
  "EXISTS (SELECT 1 FROM workspace_move AS m WHERE m.uid = ? AND m.workspace_uid = workspace.uid AND m.status = 'COPYING')";

/** Lets the workspace's jobs wait. @throws NotTheMove */
export function pause(db: Writer, { uid, workspace_uid }: MoveRow): void {
  must(db.run(`UPDATE workspace SET moving = 'PAUSED' WHERE uid = ? AND ${COPYING}`, workspace_uid, uid));
}

/** From now on nothing of the workspace is served here. @throws NotTheMove */
export function stop(db: Writer, { uid, workspace_uid }: MoveRow): void {
  must(db.run(`UPDATE workspace SET moving = 'STOPPED' WHERE uid = ? AND ${COPYING}`, workspace_uid, uid));
}

/** From now on the workspace is there, unless that cell knows nothing of it. @throws NotTheMove */
export function handOver(db: Writer, { uid, workspace_uid }: MoveRow): void {
  must(
    db.run(
      `UPDATE workspace_move SET status = 'HANDED_OVER' WHERE uid = ? AND status = 'COPYING'
         AND EXISTS (SELECT 1 FROM workspace AS w WHERE w.uid = ? AND w.moving = 'STOPPED')`,
      uid,
      workspace_uid,
    ),
  );
}

/** Notes whether the other cell answers. */
export function noteAway(db: Writer, { uid }: MoveRow, isAway: boolean): void {
  db.run("UPDATE workspace_move SET is_away = ? WHERE uid = ?", Number(isAway), uid);
}

/** The workspace stays here. */
export function cancel(db: Writer, { uid, workspace_uid }: MoveRow): void {
  db.run("UPDATE workspace SET moving = NULL WHERE uid = ?", workspace_uid);
  end(db, uid, "CANCELLED");
}

/** That cell serves the workspace. From now on requests are passed on to it. */
export function noteArrival(db: Writer, { uid, workspace_uid, cell, url }: MoveRow): void {
  db.run("UPDATE workspace_move SET status = 'ARRIVED' WHERE uid = ?", uid);
  db.run("UPDATE workspace SET moving = 'MOVED' WHERE uid = ?", workspace_uid);
  db.run(
    "INSERT OR REPLACE INTO moved_workspace (workspace_uid, cell, url, moved_at) VALUES (?, ?, ?, ?)",
    workspace_uid,
    cell,
    url,
    Date.now(),
  );
  const keys = db.values<string>(
    "SELECT k.api_key FROM api_key AS k JOIN workspace AS w ON w.id = k.workspace_id WHERE w.uid = ?",
    workspace_uid,
  );
  const tokens = db.values<Uint8Array>(
    `SELECT t.token_hash FROM access_token AS t JOIN workspace_user AS u ON u.id = t.workspace_user_id
     JOIN workspace AS w ON w.id = u.workspace_id WHERE w.uid = ?`,
    workspace_uid,
  );
  for (const hash of [...keys.map(hashOf), ...tokens])
    db.run("INSERT OR REPLACE INTO moved_credential (hash, workspace_uid) VALUES (?, ?)", hash, workspace_uid);
}

/** Removes the workspace's rows here. Its files must be gone. */
export function forget(db: Writer, { uid, workspace_uid }: MoveRow): void {
  const id = db.value<number>("SELECT id FROM workspace WHERE uid = ?", workspace_uid);
  if (id !== undefined) deleteWorkspace(db, id);
  end(db, uid, "MOVED");
}

/** The workspace is here again: what is known of its former moves is wrong. */
export function forgetMoved(db: Writer, workspaceUid: string): void {
  db.run("DELETE FROM moved_credential WHERE workspace_uid = ?", workspaceUid);
  db.run("DELETE FROM moved_workspace WHERE workspace_uid = ?", workspaceUid);
}

function end(db: Writer, uid: string, status: MoveRow["status"]): void {
  db.run("UPDATE workspace_move SET status = ?, token = '', finished_at = ? WHERE uid = ?", status, Date.now(), uid);
}

interface ArrivalRow {
  workspace_uid: string;
  token: Uint8Array;
}

/** A move from another cell that was completed here. */
export function findArrival(db: Reader, moveUid: string): ArrivalRow | undefined {
  return db.get("SELECT workspace_uid, token FROM arrival WHERE move_uid = ?", moveUid);
}

/** When the workspace has arrived at the other cell, in ms since 1970. */
export function movedAt(db: Reader, workspaceUid: string): number | undefined {
  return db.value("SELECT moved_at FROM moved_workspace WHERE workspace_uid = ?", workspaceUid);
}

/** The workspaces that are here, also those that are just being moved, and the cells that they were in before. */
export function listCellWorkspaces(db: Reader): { uid: string; name: string; former_cells: string | null }[] {
  return db.all("SELECT uid, name, former_cells FROM workspace WHERE moving IS NOT 'MOVED' ORDER BY id");
}
