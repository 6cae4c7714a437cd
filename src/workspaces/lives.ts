// Statements on what becomes of workspaces and their users: renamed, suspended, disabled, deleted.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Role } from "./rights.ts";

export function renameWorkspace(db: Writer, id: number, name: string): void {
  db.run("UPDATE workspace SET name = ? WHERE id = ?", name, id);
}

/** Suspends a workspace from `now` on; null: resumes it. */
export function suspendWorkspace(db: Writer, id: number, now: number | null): void {
  db.run(
    "UPDATE workspace SET suspended_at = iif(? IS NULL, NULL, coalesce(suspended_at, ?)) WHERE id = ?",
    now,
    now,
    id,
  );
}

/** Ends the suspension that began at this time. Another one stays: somebody else has suspended the workspace. */
export function endSuspension(db: Writer, id: number, begunAt: number): void {
  db.run("UPDATE workspace SET suspended_at = NULL WHERE id = ? AND suspended_at = ?", id, begunAt);
}

/** @param kept undefined: as before; null: for ever */
export function setRetention(
  db: Writer,
  id: number,
  {
    answersMonths,
    unassignedDays,
  }: { answersMonths: number | null | undefined; unassignedDays: number | null | undefined },
): void {
  if (answersMonths !== undefined) db.run("UPDATE workspace SET answers_months = ? WHERE id = ?", answersMonths, id);
  if (unassignedDays !== undefined) db.run("UPDATE workspace SET unassigned_days = ? WHERE id = ?", unassignedDays, id);
}

/** Removes all that the control store has of a workspace. Its files must be gone. */
export function deleteWorkspace(db: Writer, id: number): void {
  const keys = "SELECT id FROM api_key WHERE workspace_id = ?";
  const users = "SELECT id FROM workspace_user WHERE workspace_id = ?";
  const uid = "SELECT uid FROM workspace WHERE id = ?";
  for (const rows of [
    `api_key_secret WHERE api_key_id IN (${keys})`,
    "api_key WHERE workspace_id = ?",
    `access_token WHERE workspace_user_id IN (${users})`,
    `console_session WHERE workspace_user_id IN (${users})`,
    `operator WHERE workspace_user_id IN (${users})`,
    "sign_in_link WHERE workspace_id = ?",
    "workspace_user WHERE workspace_id = ?",
    "job WHERE workspace_id = ?",
    "workspace_results WHERE workspace_id = ?",
    `pending_event WHERE workspace_uid = (${uid})`,
    "webhook_workspace WHERE workspace_id = ?",
    "mail_workspace WHERE workspace_id = ?",
    `screener_key WHERE workspace_uid = (${uid})`,
    `store_finding WHERE workspace_uid = (${uid})`,
    `store_migration WHERE workspace_uid = (${uid})`,
    `store_check WHERE workspace_uid = (${uid})`,
    "workspace WHERE id = ?",
  ])
    db.run(`DELETE FROM ${rows}`, id);
}

export interface UserRow {
  id: number;
  uid: string;
  name: string;
  /** Of those who may sign in to the console. */
  email: string | null;
  role: Role | null;
  created_at: number;
  disabled_at: number | null;
  /** 1: the user has chosen a password. */
  has_password: 0 | 1;
  /** 1: the sign-in asks for a code, too. */
  has_two_factor: 0 | 1;
  /** Of the account at an OpenID provider that the user is tied to. */
  oidc_issuer: string | null;
  /** 1: may see the figures of all workspaces. */
  is_operator: number;
  /** Tokens that were neither revoked nor have expired. */
  tokens: number;
}

/** The users of a workspace, the oldest first. */
export function listUsers(db: Reader, workspaceId: number, now: number): UserRow[] {
  return db.all(
    `SELECT u.id, u.uid, u.name, u.email, u.role, u.created_at, u.disabled_at,
       u.password IS NOT NULL AS has_password, u.totp_secret IS NOT NULL AS has_two_factor, u.oidc_issuer,
       EXISTS (SELECT 1 FROM operator AS o WHERE o.workspace_user_id = u.id) AS is_operator,
       (SELECT count(*) FROM access_token AS t WHERE t.workspace_user_id = u.id AND t.revoked_at IS NULL
          AND (t.expires_at IS NULL OR t.expires_at > ?)) AS tokens
     FROM workspace_user AS u WHERE u.workspace_id = ? ORDER BY u.id`,
    now,
    workspaceId,
  );
}

/** How a user signs in to the console, in words. */
export function signInOf({ has_password, oidc_issuer }: Pick<UserRow, "has_password" | "oidc_issuer">): string {
  const ways = [has_password && "password", oidc_issuer !== null && `single sign-on at ${oidc_issuer}`].filter(Boolean);
  return ways.length ? ways.join(", ") : "has not signed in yet";
}

/** Disables a user from `now` on: no token of the user works, and no session. null: enables the user again. */
export function disableUser(db: Writer, id: number, now: number | null): void {
  db.run(
    "UPDATE workspace_user SET disabled_at = iif(? IS NULL, NULL, coalesce(disabled_at, ?)) WHERE id = ?",
    now,
    now,
    id,
  );
}
