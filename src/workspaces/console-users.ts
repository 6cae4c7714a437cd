// Users of the console: their accounts, and the links with which they choose a password.

import { randomBytes } from "node:crypto";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import { hashOf } from "./queries.ts";
import type { Role } from "./rights.ts";

const MINUTE_MS = 60_000;

export const LINK_MS = 15 * MINUTE_MS;
export const MAILED_LINK_MS = 3 * 24 * 60 * MINUTE_MS;

/** An email as it is stored and looked up. */
export function storedEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

/** What is wrong with an email; undefined: nothing. */
export function faultOfEmail(email: string): string | undefined {
  return email.length <= 320 && /^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(email) ? undefined : "is not an email address";
}

/** Whether a user of the workspace has the email. */
export function isEmailTaken(db: Reader, workspaceId: number, email: string): boolean {
  const sql = "SELECT 1 FROM workspace_user WHERE email = ? AND workspace_id = ?";
  return db.value(sql, storedEmail(email), workspaceId) === 1;
}

/** The name of a user, by the id that callers see. */
export function findUserName(db: Reader, workspaceId: number, uid: string): string | undefined {
  return db.value("SELECT name FROM workspace_user WHERE workspace_id = ? AND uid = ?", workspaceId, uid);
}

export function insertConsoleUser(
  db: Writer,
  user: { workspaceId: number; name: string; email: string; role: Role; now: number },
): { id: number; uid: string } {
  const uid = newId();
  const { lastInsertRowid } = db.run(
    "INSERT INTO workspace_user (uid, workspace_id, name, email, role, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    uid,
    user.workspaceId,
    user.name,
    storedEmail(user.email),
    user.role,
    user.now,
  );
  return { id: Number(lastInsertRowid), uid };
}

export function setRole(db: Writer, userId: number, role: Role): void {
  db.run("UPDATE workspace_user SET role = ? WHERE id = ?", role, userId);
}

/** Makes a user an operator of the installation, or takes that back. */
export function setOperator(db: Writer, userId: number, isOperator: boolean, now: number): void {
  if (isOperator)
    db.run("INSERT INTO operator (workspace_user_id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING", userId, now);
  else db.run("DELETE FROM operator WHERE workspace_user_id = ?", userId);
}

/** Makes the path of a new link. Links that the user had before work no more. @param userId null: for the owner's account */
export function issueSignInLink(
  db: Writer,
  workspaceId: number,
  userId: number | null,
  now: number,
  lifeMs = LINK_MS,
): string {
  const secret = randomBytes(32).toString("base64url");
  db.run("DELETE FROM sign_in_link WHERE workspace_id = ? AND workspace_user_id IS ?", workspaceId, userId);
  db.run(
    "INSERT INTO sign_in_link (hash, workspace_id, workspace_user_id, expires_at) VALUES (?, ?, ?, ?)",
    hashOf(secret),
    workspaceId,
    userId,
    now + lifeMs,
  );
  return `/console/sign-in/${secret}`;
}

export interface SignInLink {
  workspace_id: number;
  workspace_uid: string;
  workspace_name: string;
  /** null: the link makes the owner's account. */
  user_id: number | null;
  user_uid: string | null;
  name: string | null;
  email: string | null;
}

/** A link that works now. */
export function findSignInLink(db: Reader, secret: string, now: number): SignInLink | undefined {
  return db.get(
    `SELECT l.workspace_id, w.uid AS workspace_uid, w.name AS workspace_name, u.id AS user_id, u.uid AS user_uid, u.name, u.email
     FROM sign_in_link AS l JOIN workspace AS w ON w.id = l.workspace_id LEFT JOIN workspace_user AS u ON u.id = l.workspace_user_id
     WHERE l.hash = ? AND l.expires_at > ? AND u.disabled_at IS NULL AND w.moving IS NOT 'MOVED'`,
    hashOf(secret),
    now,
  );
}

/** Takes a link away. @returns whether it was there: of two that use it at the same time, one does */
export function takeSignInLink(db: Writer, secret: string): boolean {
  return db.run("DELETE FROM sign_in_link WHERE hash = ?", hashOf(secret)).changes > 0;
}
