// The beginning of a session.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { beginSession, endSession } from "../../workspaces/console-sessions.ts";
import type { OpenRequest } from "../shell/request.ts";
import { readCookie } from "../shell/visitors.ts";

/** Begins a session. It is always a new one, and the browser's former one ends. @returns what the cookie gets */
export function begin(
  db: Writer,
  userId: number,
  { req }: OpenRequest["ctx"],
  publicUrl: string,
  byProvider = false,
): string {
  const before = readCookie(req, "session", publicUrl);
  if (before !== undefined) endSession(db, before);
  return beginSession(db, { userId, browser: req.headers["user-agent"] ?? "", byProvider }, Date.now());
}
