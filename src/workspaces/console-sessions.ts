// Sessions of users of the console.

import { randomBytes } from "node:crypto";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { newId } from "../base/ids.ts";
import { trustedTime } from "./clock.ts";
import { hashOf, type Moving } from "./queries.ts";
import type { Role } from "./rights.ts";

const HOUR_MS = 60 * 60_000;

/** A session ends after this time without use, and at the latest after this time since the sign-in. */
export const MAX_IDLE_MS = 8 * HOUR_MS;
export const MAX_SESSION_MS = 7 * 24 * HOUR_MS;
const MAX_BROWSER_CHARACTERS = 200;

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
  /** The account of the user, and how many workspaces it may enter. */
  account_uid: string;
  workspaces: number;
  /** 1: the session was begun by single sign-on. */
  by_provider: 0 | 1;
  /** 1: the account has two-factor sign-in, or the workspace requires it. */
  has_two_factor: 0 | 1;
  requires_two_factor: 0 | 1;
  workspace_id: number;
  workspace_uid: string;
  workspace_name: string;
  is_sandbox: 0 | 1;
  suspended_at: number | null;
  moving: Moving | null;
}

const LIVE = "s.created_at > ? AND s.last_used_at > ?";
const liveSince = (now: number) => [now - MAX_SESSION_MS, now - MAX_IDLE_MS] as const;

/** The session of a cookie, if it is live and its user may use the console. */
export function findVisitor(db: Reader, cookie: string, now: number): VisitorRow | undefined {
  return db.get(
    `SELECT s.id, s.uid, s.browser, s.created_at, s.last_used_at, s.by_provider, u.totp_secret IS NOT NULL AS has_two_factor,
       w.requires_two_factor, u.id AS user_id, u.uid AS user_uid, u.name AS user_name, u.role,
       coalesce(u.account_uid, u.uid) AS account_uid,
       (SELECT count(*) FROM workspace_user AS a JOIN workspace AS v ON v.id = a.workspace_id WHERE coalesce(a.account_uid, a.uid) =
          coalesce(u.account_uid, u.uid) AND a.disabled_at IS NULL AND a.role IS NOT NULL AND v.moving IS NOT 'MOVED') AS workspaces,
       EXISTS (SELECT 1 FROM operator AS o WHERE o.workspace_user_id = u.id) AS is_operator,
       w.id AS workspace_id, w.uid AS workspace_uid, w.name AS workspace_name, w.is_sandbox, w.suspended_at, w.moving
     FROM console_session AS s JOIN workspace_user AS u ON u.id = s.workspace_user_id JOIN workspace AS w ON w.id = u.workspace_id
     WHERE s.hash = ? AND ${LIVE} AND u.disabled_at IS NULL AND u.role IS NOT NULL AND w.moving IS NOT 'MOVED'`,
    hashOf(cookie),
    ...liveSince(now),
  );
}

/** The users of the account of a user. */
const USERS_OF_ACCOUNT = `(SELECT a.id FROM workspace_user AS a WHERE coalesce(a.account_uid, a.uid) =
  (SELECT coalesce(o.account_uid, o.uid) FROM workspace_user AS o WHERE o.id = ?))`;

/** The live sessions of the account of a user, in all workspaces, the newest first. */
export function listSessions(db: Reader, userId: number, now: number): SessionRow[] {
  return db.all(
    `SELECT s.id, s.uid, s.browser, s.created_at, s.last_used_at FROM console_session AS s
     WHERE s.workspace_user_id IN ${USERS_OF_ACCOUNT} AND ${LIVE} ORDER BY s.id DESC`,
    userId,
    ...liveSince(now),
  );
}

/** How a session begins. */
interface Beginning {
  userId: number;
  browser: string;
  /** Whether somebody has signed in at the OpenID provider. */
  byProvider: boolean;
  /** When somebody signed in, where the session goes on from another one. */
  since?: number;
}

/** Begins a session, and removes what has expired. @returns what the cookie gets */
export function beginSession(db: Writer, { userId, browser, byProvider, since }: Beginning, now: number): string {
  const cookie = randomBytes(32).toString("base64url");
  const trusted = trustedTime(db, now);
  const [created, used] = liveSince(trusted);
  db.run("DELETE FROM console_session WHERE created_at <= ? OR last_used_at <= ?", created, used);
  db.run("DELETE FROM sign_in_link WHERE expires_at <= ?", trusted);
  db.run(
    "INSERT INTO console_session (uid, hash, workspace_user_id, browser, by_provider, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    newId(),
    hashOf(cookie),
    userId,
    browser.slice(0, MAX_BROWSER_CHARACTERS).toWellFormed(),
    Number(byProvider),
    since ?? now,
    now,
  );
  db.run("UPDATE workspace_user SET entered_at = ? WHERE id = ?", now, userId);
  return cookie;
}

export function touchSession(db: Writer, id: number, now: number): void {
  db.run("UPDATE console_session SET last_used_at = ? WHERE id = ?", now, id);
}

/** Ends the session that the cookie is of. */
export function endSession(db: Writer, cookie: string): void {
  db.run("DELETE FROM console_session WHERE hash = ?", hashOf(cookie));
}

/** Ends a session of the account of a user, or all of them, in all workspaces. */
export function endSessionsOf(db: Writer, userId: number, uid: string | null): void {
  const sql = `DELETE FROM console_session WHERE workspace_user_id IN ${USERS_OF_ACCOUNT} AND uid = coalesce(?, uid)`;
  db.run(sql, userId, uid);
}
