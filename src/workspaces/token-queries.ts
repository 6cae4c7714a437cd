// Statements on users with tokens, and on their tokens, in the control store.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Moving } from "./queries.ts";
import type { Role } from "./rights.ts";

export interface AccessTokenRow {
  id: number;
  uid: string;
  workspace_id: number;
  workspace_uid: string;
  user_uid: string;
  user_name: string;
  /** With commas between them; null: all. */
  scopes: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** The workspace's. */
  suspended_at: number | null;
  moving: Moving | null;
  /** The user's. A user with tokens alone has no role. */
  disabled_at: number | null;
  role: Role | null;
}

export function insertUser(db: Writer, user: { uid: string; workspaceId: number; name: string; now: number }): number {
  const { lastInsertRowid } = db.run(
    "INSERT INTO workspace_user (uid, workspace_id, name, created_at) VALUES (?, ?, ?, ?)",
    user.uid,
    user.workspaceId,
    user.name,
    user.now,
  );
  return Number(lastInsertRowid);
}

export function findUserByName(
  db: Reader,
  workspaceId: number,
  name: string,
): { id: number; uid: string; name: string; disabled_at: number | null } | undefined {
  const sql =
    "SELECT id, uid, name, disabled_at FROM workspace_user WHERE workspace_id = ? AND name = ? ORDER BY id LIMIT 1";
  return db.get(sql, workspaceId, name);
}

export function insertToken(
  db: Writer,
  token: {
    uid: string;
    userId: number;
    hash: Uint8Array;
    scopes: string | null;
    now: number;
    expiresAt: number | null;
  },
): void {
  db.run(
    "INSERT INTO access_token (uid, workspace_user_id, token_hash, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
    token.uid,
    token.userId,
    token.hash,
    token.scopes,
    token.now,
    token.expiresAt,
  );
}

const ACCESS_TOKEN = `SELECT t.id, t.uid, w.id AS workspace_id, w.uid AS workspace_uid, u.uid AS user_uid, u.name AS user_name,
    t.scopes, t.created_at, t.expires_at, t.revoked_at, t.last_used_at, w.suspended_at, w.moving, u.disabled_at, u.role
  FROM access_token AS t JOIN workspace_user AS u ON u.id = t.workspace_user_id JOIN workspace AS w ON w.id = u.workspace_id`;

export function findToken(db: Reader, hash: Uint8Array): AccessTokenRow | undefined {
  return db.get(`${ACCESS_TOKEN} WHERE t.token_hash = ?`, hash);
}

export function findTokenByUid(db: Reader, workspaceId: number, uid: string): AccessTokenRow | undefined {
  return db.get(`${ACCESS_TOKEN} WHERE w.id = ? AND t.uid = lower(?)`, workspaceId, uid);
}

export function listTokens(db: Reader, workspaceId: number): AccessTokenRow[] {
  return db.all(`${ACCESS_TOKEN} WHERE w.id = ? ORDER BY t.id`, workspaceId);
}

export function revokeToken(db: Writer, id: number, now: number): void {
  db.run("UPDATE access_token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", now, id);
}

export function touchToken(db: Writer, id: number, now: number): void {
  db.run("UPDATE access_token SET last_used_at = ? WHERE id = ?", now, id);
}
