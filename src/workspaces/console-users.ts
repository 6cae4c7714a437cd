// Users of the console: their accounts, and the links with which they choose a password.

import { randomBytes } from "node:crypto";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import type { Scope } from "./credentials.ts";
import { hashOf } from "./queries.ts";

/** From the least to the most. */
export const ROLES = ["viewer", "researcher", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The scopes that a role has for the API's calls. */
export const SCOPES_OF_ROLES: Record<Role, readonly Scope[]> = {
  viewer: ["read-without-links"],
  researcher: ["read", "import", "respond", "author", "review"],
  admin: ["read", "import", "respond", "author", "review", "admin"],
};

/** Whether a role includes another one. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

const MINUTE_MS = 60_000;

export const LINK_MS = 15 * MINUTE_MS;

/** An email as it is stored and looked up. */
export function storedEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

/** What is wrong with an email; undefined: nothing. */
export function faultOfEmail(email: string): string | undefined {
  return email.length <= 320 && /^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(email) ? undefined : "is not an email address";
}

export interface Account {
  id: number;
  uid: string;
  name: string;
  email: string;
  password: string | null;
  workspace_uid: string;
  /** The account at the OpenID provider that the user is tied to; null: none. */
  oidc_subject: string | null;
}

/** The user who may sign in with this email. */
export function findAccount(db: Reader, email: string): Account | undefined {
  return db.get(
    `SELECT u.id, u.uid, u.name, u.email, u.password, w.uid AS workspace_uid, u.oidc_subject FROM workspace_user AS u JOIN workspace AS w ON w.id = u.workspace_id
     WHERE u.email = ? AND u.role IS NOT NULL AND u.disabled_at IS NULL AND w.moving IS NOT 'MOVED' ORDER BY u.id LIMIT 1`,
    storedEmail(email),
  );
}

/** The account of a user. */
export function findAccountOf(db: Reader, userId: number): Pick<Account, "id" | "email" | "password"> | undefined {
  return db.get("SELECT id, email, password FROM workspace_user WHERE id = ? AND email IS NOT NULL", userId);
}

/** An account at an OpenID provider. */
export interface Identity {
  issuer: string;
  /** Its id there. */
  subject: string;
}

/** The user who is tied to an account at an OpenID provider, also if that user may not sign in. */
export function findTied(
  db: Reader,
  { issuer, subject }: Identity,
): { id: number; disabled_at: number | null } | undefined {
  return db.get(
    `SELECT u.id, u.disabled_at FROM workspace_user AS u JOIN workspace AS w ON w.id = u.workspace_id
     WHERE u.oidc_issuer = ? AND u.oidc_subject = ? AND w.moving IS NOT 'MOVED' ORDER BY u.id LIMIT 1`,
    issuer,
    subject,
  );
}

/** Ties a user to an account at an OpenID provider. null: to none. */
export function setTie(db: Writer, userId: number, tie: Identity | null): void {
  db.run(
    "UPDATE workspace_user SET oidc_issuer = ?, oidc_subject = ? WHERE id = ?",
    tie?.issuer ?? null,
    tie?.subject ?? null,
    userId,
  );
}

/** Whether any user of this installation has the email: the sign-in names no workspace. */
export function isEmailTaken(db: Reader, email: string): boolean {
  return db.value("SELECT 1 FROM workspace_user WHERE email = ? LIMIT 1", storedEmail(email)) === 1;
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

/** Links with which the user could choose another one work no more. @param hash of passwords.ts; null: the user has no password */
export function setPassword(db: Writer, userId: number, hash: string | null): void {
  db.run("UPDATE workspace_user SET password = ? WHERE id = ?", hash, userId);
  db.run("DELETE FROM sign_in_link WHERE workspace_user_id = ?", userId);
}

/** Makes the path of a new link. Links that the user had before work no more. @param userId null: for the owner's account */
export function issueSignInLink(db: Writer, workspaceId: number, userId: number | null, now: number): string {
  const secret = randomBytes(32).toString("base64url");
  db.run("DELETE FROM sign_in_link WHERE workspace_id = ? AND workspace_user_id IS ?", workspaceId, userId);
  db.run(
    "INSERT INTO sign_in_link (hash, workspace_id, workspace_user_id, expires_at) VALUES (?, ?, ?, ?)",
    hashOf(secret),
    workspaceId,
    userId,
    now + LINK_MS,
  );
  return `/console/sign-in/${secret}`;
}

export interface SignInLink {
  workspace_id: number;
  workspace_uid: string;
  workspace_name: string;
  /** null: the link makes the owner's account. */
  user_id: number | null;
  name: string | null;
  email: string | null;
}

/** A link that works now. */
export function findSignInLink(db: Reader, secret: string, now: number): SignInLink | undefined {
  return db.get(
    `SELECT l.workspace_id, w.uid AS workspace_uid, w.name AS workspace_name, u.id AS user_id, u.name, u.email
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
