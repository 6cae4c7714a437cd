// Accounts: who signs in, with one password, to one or more workspaces. An account is the users that have its id; each of these rows has
// the account's password and its tie to single sign-on. Those who have neither were invited, and have not come yet.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { storedEmail } from "./console-users.ts";

export interface Account {
  /** The oldest of its users. */
  id: number;
  uid: string;
  account_uid: string;
  name: string;
  email: string;
  password: string | null;
  /** The account at the OpenID provider that it is tied to; null: none. */
  oidc_subject: string | null;
  /** Of the codes that its sign-in asks for besides the password; null: it asks for none. */
  totp_secret: string | null;
}

/** What each user of an account has of it. */
const SHARED = ["password", "oidc_issuer", "oidc_subject", "totp_secret", "totp_step", "recovery_codes"];

const ACCOUNT_UID = "coalesce(u.account_uid, u.uid)";
const ACCOUNT = `SELECT u.id, u.uid, ${ACCOUNT_UID} AS account_uid, u.name, u.email, u.password, u.oidc_subject, u.totp_secret
  FROM workspace_user AS u JOIN workspace AS w ON w.id = u.workspace_id`;
const IS_HERE = "u.role IS NOT NULL AND w.moving IS NOT 'MOVED'";
const IS_INVITED = "(u.password IS NULL AND u.oidc_subject IS NULL AND u.account_uid IS NULL)";

/** The users of the account of a user. `?`: the user's rowid. */
const OF_ACCOUNT =
  "coalesce(account_uid, uid) = (SELECT coalesce(o.account_uid, o.uid) FROM workspace_user AS o WHERE o.id = ?)";

/** The account with an email: where several came from other cells, the oldest. Without one, somebody who was invited with that email. */
export function findAccount(db: Reader, email: string): Account | undefined {
  return db.get(
    `${ACCOUNT} WHERE u.email = ? AND ${IS_HERE} ORDER BY ${IS_INVITED}, iif(${IS_INVITED}, u.disabled_at IS NOT NULL, 0), u.id LIMIT 1`,
    storedEmail(email),
  );
}

/** The account of a user who may sign in. */
export function findAccountOf(db: Reader, userId: number): Account | undefined {
  return db.get(`${ACCOUNT} WHERE u.id = ? AND u.email IS NOT NULL`, userId);
}

/** The account that somebody has who is invited as this user, and comes with what it has; undefined: none. */
export function findAccountToJoin(db: Reader, email: string, userId: number | null): Account | undefined {
  const found = db.get<Account>(
    `${ACCOUNT} WHERE u.email = ? AND ${IS_HERE} AND NOT ${IS_INVITED} ORDER BY u.id LIMIT 1`,
    storedEmail(email),
  );
  const own = userId === null ? undefined : findAccountOf(db, userId);
  return found && found.account_uid !== own?.account_uid ? found : undefined;
}

/** A workspace that somebody works in, as that user. */
export interface Membership {
  user_id: number;
  user_uid: string;
  user_name: string;
  role: string;
  workspace_uid: string;
  workspace_name: string;
  suspended_at: number | null;
}

/** The workspaces that an account may enter, the one that it was in last first. */
export function listMemberships(db: Reader, accountUid: string): Membership[] {
  return db.all(
    `SELECT u.id AS user_id, u.uid AS user_uid, u.name AS user_name, u.role, w.uid AS workspace_uid, w.name AS workspace_name, w.suspended_at
     FROM workspace_user AS u JOIN workspace AS w ON w.id = u.workspace_id
     WHERE ${ACCOUNT_UID} = ? AND ${IS_HERE} AND u.disabled_at IS NULL
     ORDER BY w.suspended_at IS NOT NULL, u.entered_at DESC NULLS LAST, u.id`,
    accountUid,
  );
}

/** How many workspaces the account of a user is in, also those where the user is disabled. */
export function countWorkspaces(db: Reader, userId: number): number {
  const sql = `SELECT count(*) FROM workspace_user AS u JOIN workspace AS w ON w.id = u.workspace_id WHERE ${OF_ACCOUNT.replaceAll("coalesce(account_uid, uid)", ACCOUNT_UID)} AND ${IS_HERE}`;
  return db.value<number>(sql, userId)!;
}

/** Those who were invited with the email, and have not come yet. */
export function listInvited(db: Reader, email: string): { id: number; uid: string; workspace_uid: string }[] {
  return db.all(
    `SELECT u.id, u.uid, w.uid AS workspace_uid FROM workspace_user AS u JOIN workspace AS w ON w.id = u.workspace_id
     WHERE u.email = ? AND ${IS_HERE} AND ${IS_INVITED} AND u.disabled_at IS NULL AND w.moving IS NULL ORDER BY u.id`,
    email,
  );
}

/** Makes a user who was invited one of an account. Links of both work no more: nobody who made one before gets into more by it. */
export function joinAccount(db: Writer, userId: number, account: Pick<Account, "id" | "account_uid">): void {
  forgetLinks(db, userId);
  forgetLinks(db, account.id);
  db.run(
    `UPDATE workspace_user SET account_uid = ?, (${SHARED}) =
       (SELECT ${SHARED.map((column) => `o.${column}`)} FROM workspace_user AS o WHERE o.id = ?) WHERE id = ?`,
    account.account_uid,
    account.id,
    userId,
  );
}

/** Links with which the account could choose another password work no more. @param hash of passwords.ts; null: it has no password */
export function setPassword(db: Writer, userId: number, hash: string | null): void {
  db.run(`UPDATE workspace_user SET password = ? WHERE ${OF_ACCOUNT}`, hash, userId);
  forgetLinks(db, userId);
}

/** What the account of a user asks for besides the password; undefined: nothing. */
export function findSecondFactor(db: Reader, userId: number): { secret: string; step: number | null } | undefined {
  const sql =
    "SELECT totp_secret AS secret, totp_step AS step FROM workspace_user WHERE id = ? AND totp_secret IS NOT NULL";
  return db.get(sql, userId);
}

/** @param factor its secret, the number of the code that has shown that the app has it, and the hashes of the recovery codes; null: none */
export function setSecondFactor(
  db: Writer,
  userId: number,
  factor: { secret: string; step: number; hashes: string[] } | null,
): void {
  db.run(
    `UPDATE workspace_user SET totp_secret = ?, totp_step = ?, recovery_codes = ? WHERE ${OF_ACCOUNT}`,
    factor?.secret ?? null,
    factor?.step ?? null,
    factor ? JSON.stringify(factor.hashes) : null,
    userId,
  );
}

/** Codes up to this number work no more. */
export function useStep(db: Writer, userId: number, step: number): void {
  db.run(`UPDATE workspace_user SET totp_step = ? WHERE ${OF_ACCOUNT}`, step, userId);
}

/** Takes a recovery code away. @returns whether it was there */
export function useRecoveryCode(db: Writer, userId: number, hash: string): boolean {
  const left = `(SELECT json_group_array(value) FROM json_each(recovery_codes) WHERE value <> ?)`;
  const isThere = "EXISTS (SELECT 1 FROM json_each(recovery_codes) WHERE value = ?)";
  const sql = `UPDATE workspace_user SET recovery_codes = ${left} WHERE ${OF_ACCOUNT} AND ${isThere}`;
  return db.run(sql, hash, userId, hash).changes > 0;
}

/** How many recovery codes are left. */
export function countRecoveryCodes(db: Reader, userId: number): number {
  return db.value<number>(
    "SELECT json_array_length(coalesce(recovery_codes, '[]')) FROM workspace_user WHERE id = ?",
    userId,
  )!;
}

/** Whether a workspace of the account of a user requires two-factor sign-in. */
export function isTwoFactorRequired(db: Reader, userId: number): boolean {
  const users = `SELECT workspace_id FROM workspace_user WHERE ${OF_ACCOUNT}`;
  return db.value(`SELECT 1 FROM workspace WHERE id IN (${users}) AND requires_two_factor = 1 LIMIT 1`, userId) === 1;
}

export function requireTwoFactor(db: Writer, workspaceId: number, isRequired: boolean): void {
  db.run("UPDATE workspace SET requires_two_factor = ? WHERE id = ?", Number(isRequired), workspaceId);
}

export function requiresTwoFactor(db: Reader, workspaceId: number): boolean {
  return db.value("SELECT requires_two_factor FROM workspace WHERE id = ?", workspaceId) === 1;
}

function forgetLinks(db: Writer, userId: number): void {
  db.run(
    `DELETE FROM sign_in_link WHERE workspace_user_id IN (SELECT id FROM workspace_user WHERE ${OF_ACCOUNT})`,
    userId,
  );
}

/** An account at an OpenID provider. */
export interface Identity {
  issuer: string;
  /** Its id there. */
  subject: string;
}

/** The account that is tied to one at an OpenID provider, also if it may enter nothing. */
export function findTied(db: Reader, { issuer, subject }: Identity): Account | undefined {
  return db.get(
    `${ACCOUNT} WHERE u.oidc_issuer = ? AND u.oidc_subject = ? AND w.moving IS NOT 'MOVED' ORDER BY u.id LIMIT 1`,
    issuer,
    subject,
  );
}

/** Ties the account of a user to one at an OpenID provider. null: to none. */
export function setTie(db: Writer, userId: number, tie: Identity | null): void {
  db.run(
    `UPDATE workspace_user SET oidc_issuer = ?, oidc_subject = ? WHERE ${OF_ACCOUNT}`,
    tie?.issuer ?? null,
    tie?.subject ?? null,
    userId,
  );
}

/**
 * After users have come from another cell: those of an account that was here already have what it has here. Their password there may be an
 * older one.
 */
export function alignArrived(db: Writer, workspaceUid: string): void {
  const of = "workspace_id = (SELECT id FROM workspace WHERE uid = ?)";
  const before = `FROM workspace_user AS o WHERE coalesce(o.account_uid, o.uid) = coalesce(workspace_user.account_uid, workspace_user.uid)
    AND o.id < workspace_user.id ORDER BY o.id LIMIT 1`;
  db.run(
    `UPDATE workspace_user SET (${SHARED}) = (SELECT ${SHARED.map((column) => `o.${column}`)} ${before})
     WHERE ${of} AND EXISTS (SELECT 1 ${before})`,
    workspaceUid,
  );
}
