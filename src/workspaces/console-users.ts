// Users of the console: their accounts, the links with which they choose a password, and their sessions.

import { randomBytes } from "node:crypto";
import type { Reader, Writer } from "../../db/connection.ts";
import { newId } from "../ids.ts";
import type { Scope } from "./credentials.ts";
import type { Moving } from "./queries.ts";
import { hashOf } from "./secrets.ts";

/** From the least to the most. */
export const ROLES = ["viewer", "researcher", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The scopes that a role has for the API's calls. */
export const SCOPES_OF_ROLES: Record<Role, readonly Scope[]> = {
  viewer: ["read"],
  researcher: ["read", "import", "respond", "author"],
  admin: ["read", "import", "respond", "author", "admin"],
};

/** Whether a role includes another one. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const LINK_MS = 15 * MINUTE_MS;
/** A session ends when it was not used for so long, and at the latest so long after the sign-in. */
export const MAX_IDLE_MS = 8 * HOUR_MS;
export const MAX_SESSION_MS = 7 * 24 * HOUR_MS;
export const MAX_BROWSER_CHARACTERS = 200;

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

/** Who may sign in with this email. */
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

/** Who is tied to an account at an OpenID provider, also if that user may not sign in. */
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

/** Whether any user of this installation has the email: who signs in names no workspace. */
export function isEmailTaken(db: Reader, email: string): boolean {
  return db.value("SELECT 1 FROM workspace_user WHERE email = ? LIMIT 1", storedEmail(email)) === 1;
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

/** Makes a user an operator of the installation, or takes that back. */
export function setOperator(db: Writer, userId: number, isOperator: boolean, now: number): void {
  if (isOperator)
    db.run("INSERT INTO operator (workspace_user_id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING", userId, now);
  else db.run("DELETE FROM operator WHERE workspace_user_id = ?", userId);
}

/** @param hash of passwords.ts */
export function setPassword(db: Writer, userId: number, hash: string): void {
  db.run("UPDATE workspace_user SET password = ? WHERE id = ?", hash, userId);
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

export interface SessionRow {
  id: number;
  uid: string;
  browser: string;
  created_at: number;
  last_used_at: number;
}

/** A session with its user and workspace. */
export interface VisitorRow extends SessionRow {
  user_id: number;
  user_uid: string;
  user_name: string;
  role: Role;
  /** 1: may see the figures of all workspaces. */
  is_operator: number;
  workspace_id: number;
  workspace_uid: string;
  workspace_name: string;
  suspended_at: number | null;
  moving: Moving | null;
}

const LIVE = "s.created_at > ? AND s.last_used_at > ?";
const liveSince = (now: number) => [now - MAX_SESSION_MS, now - MAX_IDLE_MS] as const;

/** The session of a cookie, if it is live and its user may use the console. */
export function findVisitor(db: Reader, cookie: string, now: number): VisitorRow | undefined {
  return db.get(
    `SELECT s.id, s.uid, s.browser, s.created_at, s.last_used_at, u.id AS user_id, u.uid AS user_uid, u.name AS user_name, u.role,
       EXISTS (SELECT 1 FROM operator AS o WHERE o.workspace_user_id = u.id) AS is_operator,
       w.id AS workspace_id, w.uid AS workspace_uid, w.name AS workspace_name, w.suspended_at, w.moving
     FROM console_session AS s JOIN workspace_user AS u ON u.id = s.workspace_user_id JOIN workspace AS w ON w.id = u.workspace_id
     WHERE s.hash = ? AND ${LIVE} AND u.disabled_at IS NULL AND u.role IS NOT NULL AND w.moving IS NOT 'MOVED'`,
    hashOf(cookie),
    ...liveSince(now),
  );
}

/** The live sessions of a user, the newest first. */
export function listSessions(db: Reader, userId: number, now: number): SessionRow[] {
  return db.all(
    `SELECT s.id, s.uid, s.browser, s.created_at, s.last_used_at FROM console_session AS s
     WHERE s.workspace_user_id = ? AND ${LIVE} ORDER BY s.id DESC`,
    userId,
    ...liveSince(now),
  );
}

/** Begins a session, and removes what has expired. @returns what the cookie gets */
export function beginSession(db: Writer, userId: number, browser: string, now: number): string {
  const cookie = randomBytes(32).toString("base64url");
  const [created, used] = liveSince(now);
  db.run("DELETE FROM console_session WHERE created_at <= ? OR last_used_at <= ?", created, used);
  db.run("DELETE FROM sign_in_link WHERE expires_at <= ?", now);
  db.run(
    "INSERT INTO console_session (uid, hash, workspace_user_id, browser, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)",
    newId(),
    hashOf(cookie),
    userId,
    browser.slice(0, MAX_BROWSER_CHARACTERS).toWellFormed(),
    now,
    now,
  );
  return cookie;
}

export function touchSession(db: Writer, id: number, now: number): void {
  db.run("UPDATE console_session SET last_used_at = ? WHERE id = ?", now, id);
}

/** Ends the session that the cookie is of. */
export function endSession(db: Writer, cookie: string): void {
  db.run("DELETE FROM console_session WHERE hash = ?", hashOf(cookie));
}

/** Ends a session of a user, or all of them. */
export function endSessionsOf(db: Writer, userId: number, uid: string | null): void {
  db.run("DELETE FROM console_session WHERE workspace_user_id = ? AND uid = coalesce(?, uid)", userId, uid);
}
