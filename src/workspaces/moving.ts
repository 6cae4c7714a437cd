// What the rest of the service sees of a workspace that goes to another cell (src/cells), or has gone there.

import type { Reader } from "../../db/sqlite/connection.ts";
import { Problem } from "../base/problems.ts";
import { hashOf, type Moving } from "./queries.ts";

/** Another cell serves the workspace. Requests for it are passed on. */
export class MovedAway extends Error {
  /** Its name. */
  readonly cell: string;

  /** The request's body, where it had to be read to know that. */
  readonly body: Buffer | undefined;

  constructor(cell: string, body?: Buffer) {
    super(`Another cell serves the workspace: ${cell}`);
    this.name = "MovedAway";
    this.cell = cell;
    this.body = body;
  }
}

/** @throws Problem 503 when the workspace goes to another cell at this moment, or has gone to one that does not answer */
export function requireStill(db: Reader, workspaceUid: string, moving: Moving | null): void {
  if (moving !== "STOPPED" && moving !== "MOVED") return;
  const sql = "SELECT is_away FROM workspace_move WHERE workspace_uid = ? AND finished_at IS NULL";
  throw db.value<number>(sql, workspaceUid) ? cellAway() : movingAway();
}

/**
 * Call it in a transaction that changes what the control store has of a workspace: it may have moved since the request came.
 * @throws Problem 503
 */
export function requireHere(db: Reader, { workspaceUid }: { workspaceUid: string }): void {
  const row = db.get<{ moving: Moving | null }>("SELECT moving FROM workspace WHERE uid = ?", workspaceUid);
  if (!row) throw movingAway();
  requireStill(db, workspaceUid, row.moving);
}

/** As above, for commands, which print the error. @throws Error */
export function assertHere(db: Reader, workspaceUid: string): void {
  const moving = db.value<Moving | null>("SELECT moving FROM workspace WHERE uid = ?", workspaceUid);
  if (moving === "STOPPED" || moving === "MOVED")
    throw new Error("The workspace goes to another cell at this moment, or has gone there: try it there.");
}

/** 503 for a moment. */
export function movingAway(): Problem {
  return new Problem("workspace_moving", { headers: { "Retry-After": "1" } });
}

/** 503 until the cell that has the workspace is back. */
export function cellAway(): Problem {
  return new Problem("cell_away", { headers: { "Retry-After": "5" } });
}

/** The cell that a workspace has gone to; undefined when it is here, or nobody knows it. */
export function findMoved(db: Reader, workspaceUid: string): string | undefined {
  return db.value("SELECT cell FROM moved_workspace WHERE workspace_uid = lower(?)", workspaceUid);
}

/** The cell that the workspace of a key or a token has gone to. Whether they are valid is for that cell to say. */
export function findMovedBy(db: Reader, ...credentials: (string | undefined)[]): string | undefined {
  for (const credential of credentials) {
    if (!credential) continue;
    const cell = db.value<string>(
      "SELECT m.cell FROM moved_credential AS c JOIN moved_workspace AS m ON m.workspace_uid = c.workspace_uid WHERE c.hash = ?",
      hashOf(credential),
    );
    if (cell !== undefined) return cell;
  }
  return undefined;
}
