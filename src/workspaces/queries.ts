// Statements on workspaces and their keys, in the control store.

import { hash } from "node:crypto";
import type { Reader, Writer } from "../../db/sqlite/connection.ts";

/** What is stored of a secret. A fast hash is enough, because a secret has 256 random bits and can't be guessed. */
export function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** PAUSED: its jobs wait. STOPPED: nothing of it is served. MOVED: another cell serves it. */
export type Moving = "PAUSED" | "STOPPED" | "MOVED";

export interface WorkspaceRow {
  id: number;
  uid: string;
  name: string;
  created_at: number;
  /** How many of a screener's assignments an import may remove, as JSON: a number, or a percentage as text. */
  max_removals: string | null;
  /** Set: its credentials and links do not work, and its jobs wait. */
  suspended_at: number | null;
  /** Whether it is on its way to another cell (src/cells). */
  moving: Moving | null;
  /** For how long what is kept (src/retention). null: for ever. */
  answers_months: number | null;
  unassigned_days: number | null;
  /** 1: for trying things out. It sends no mail, and can be emptied. */
  is_sandbox: 0 | 1;
}

export interface ApiKeyRow {
  id: number;
  uid: string;
  workspace_id: number;
  workspace_uid: string;
  api_key: string;
  name: string;
  /** With commas between them; null: all. */
  scopes: string | null;
  created_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
  /** The workspace's. */
  suspended_at: number | null;
  moving: Moving | null;
}

export function insertWorkspace(
  db: Writer,
  workspace: { uid: string; name: string; isSandbox: boolean; now: number },
): number {
  const { lastInsertRowid } = db.run(
    "INSERT INTO workspace (uid, name, created_at, is_sandbox, is_overwritten) VALUES (?, ?, ?, ?, 1)",
    workspace.uid,
    workspace.name,
    workspace.now,
    workspace.isSandbox ? 1 : 0,
  );
  return Number(lastInsertRowid);
}

const WORKSPACE = `SELECT id, uid, name, created_at, max_removals, suspended_at, moving, answers_months, unassigned_days,
    is_sandbox FROM workspace`;

/** Without those that another cell serves. */
export function listWorkspaces(db: Reader): WorkspaceRow[] {
  return db.all(`${WORKSPACE} WHERE moving IS NOT 'MOVED' ORDER BY id`);
}

export function findWorkspace(db: Reader, uid: string): WorkspaceRow | undefined {
  return db.get(`${WORKSPACE} WHERE uid = lower(?)`, uid);
}

/** @param json a MaxRemovals as JSON; `null` takes the limit away */
export function setMaxRemovals(db: Writer, id: number, json: string): void {
  db.run("UPDATE workspace SET max_removals = nullif(?, 'null') WHERE id = ?", json, id);
}

const API_KEY = `SELECT k.id, k.uid, k.workspace_id, w.uid AS workspace_uid, k.api_key, k.name, k.scopes, k.created_at, k.revoked_at,
    k.last_used_at, w.suspended_at, w.moving
  FROM api_key AS k JOIN workspace AS w ON w.id = k.workspace_id`;

export function insertApiKey(
  db: Writer,
  key: { uid: string; workspaceId: number; apiKey: string; name: string; scopes: string | null; now: number },
): number {
  const { lastInsertRowid } = db.run(
    "INSERT INTO api_key (uid, workspace_id, api_key, name, scopes, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    key.uid,
    key.workspaceId,
    key.apiKey,
    key.name,
    key.scopes,
    key.now,
  );
  return Number(lastInsertRowid);
}

export function findApiKey(db: Reader, apiKey: string): ApiKeyRow | undefined {
  return db.get(`${API_KEY} WHERE k.api_key = ?`, apiKey);
}

export function findApiKeyByUid(db: Reader, workspaceId: number, uid: string): ApiKeyRow | undefined {
  return db.get(`${API_KEY} WHERE k.workspace_id = ? AND k.uid = lower(?)`, workspaceId, uid);
}

export function listApiKeys(db: Reader, workspaceId: number): ApiKeyRow[] {
  return db.all(`${API_KEY} WHERE k.workspace_id = ? ORDER BY k.id`, workspaceId);
}

export function revokeApiKey(db: Writer, id: number, now: number): void {
  db.run("UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", now, id);
}

export function insertSecret(
  db: Writer,
  secret: { apiKeyId: number; hash: Uint8Array; now: number; expiresAt: number | null },
): void {
  db.run(
    "INSERT INTO api_key_secret (api_key_id, secret_hash, created_at, expires_at) VALUES (?, ?, ?, ?)",
    secret.apiKeyId,
    secret.hash,
    secret.now,
    secret.expiresAt,
  );
}

export interface SecretRow {
  secret_hash: Uint8Array;
  created_at: number;
  expires_at: number | null;
}

/** The oldest first. */
export function listSecrets(db: Reader, apiKeyId: number): SecretRow[] {
  return db.all(
    "SELECT secret_hash, created_at, expires_at FROM api_key_secret WHERE api_key_id = ? ORDER BY id",
    apiKeyId,
  );
}

/** The lifetime of a key's newest secret, in ms. null: it does not expire. */
export function findLifetime(db: Reader, apiKeyId: number): number | null {
  const sql = "SELECT expires_at - created_at FROM api_key_secret WHERE api_key_id = ? ORDER BY id DESC LIMIT 1";
  return db.value<number | null>(sql, apiKeyId) ?? null;
}

/** Lets the newest secret expire at `expiresAt` at the latest, and removes the older ones. */
export function retireSecrets(db: Writer, apiKeyId: number, expiresAt: number): void {
  db.run(
    "DELETE FROM api_key_secret WHERE api_key_id = ? AND id < (SELECT max(id) FROM api_key_secret WHERE api_key_id = ?)",
    apiKeyId,
    apiKeyId,
  );
  db.run(
    "UPDATE api_key_secret SET expires_at = min(coalesce(expires_at, ?), ?) WHERE api_key_id = ?",
    expiresAt,
    expiresAt,
    apiKeyId,
  );
}

export function touchKey(db: Writer, id: number, now: number): void {
  db.run("UPDATE api_key SET last_used_at = ? WHERE id = ?", now, id);
}
