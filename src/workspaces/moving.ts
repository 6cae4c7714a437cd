// What the rest of the service sees of a workspace that goes to another cell (src/cells), or has gone there.

import type { Reader } from "../../db/connection.ts";
import { Problem } from "../problems.ts";
import type { Moving } from "./queries.ts";
import { hashOf } from "./secrets.ts";

/** Another cell serves the workspace. Requests for it are passed on. */
export class MovedAway extends Error {
  /** Where that cell is: the beginning of its URLs. */
  readonly url: string;

  constructor(url: string) {
    super(`Another cell serves the workspace: ${url}`);
    this.name = "MovedAway";
    this.url = url;
  }
}

/** @throws Problem 503 when the workspace goes to another cell at this moment */
export function requireStill({ moving }: { moving: Moving | null }): void {
  if (moving === "STOPPED" || moving === "MOVED") throw movingAway();
}

/**
 * Call it in a transaction that changes what the control store has of a workspace: it may have moved since the request came.
 * @throws Problem 503
 */
export function requireHere(db: Reader, { workspaceUid }: { workspaceUid: string }): void {
  const row = db.get<{ moving: Moving | null }>("SELECT moving FROM workspace WHERE uid = ?", workspaceUid);
  if (!row) throw movingAway();
  requireStill(row);
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

/** Where a workspace has gone to; undefined when it is here, or nobody knows it. */
export function findMoved(db: Reader, workspaceUid: string): string | undefined {
  return db.value("SELECT url FROM moved_workspace WHERE workspace_uid = lower(?)", workspaceUid);
}

/** Where the workspace of a key or a token has gone to. Whether they are valid is for that cell to say. */
export function findMovedBy(db: Reader, ...credentials: (string | undefined)[]): string | undefined {
  for (const credential of credentials) {
    if (!credential) continue;
    const url = db.value<string>(
      "SELECT m.url FROM moved_credential AS c JOIN moved_workspace AS m ON m.workspace_uid = c.workspace_uid WHERE c.hash = ?",
      hashOf(credential),
    );
    if (url !== undefined) return url;
  }
  return undefined;
}
