// Changes of the users of a workspace, each with its event. Call them in a transaction on the control store.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { RecordEvent } from "../events/record.ts";
import {
  type Account,
  countWorkspaces,
  type Identity,
  joinAccount,
  setPassword,
  setSecondFactor,
  setTie,
} from "../workspaces/accounts.ts";
import { endSessionsOf } from "../workspaces/console-sessions.ts";
import {
  insertConsoleUser,
  isEmailTaken,
  issueSignInLink,
  LINK_MS,
  MAILED_LINK_MS,
  setOperator,
  setRole,
} from "../workspaces/console-users.ts";
import { disableUser, listUsers, type UserRow } from "../workspaces/lives.ts";
import type { Role } from "../workspaces/rights.ts";
import { NotThere, Refused } from "./faults.ts";

/** The event of a new user. The log of events has no emails. */
export function newUser(uid: string, user: { name: string; role: string }) {
  const changes = (["name", "role"] as const).map((field) => ({ field, from: null, to: user[field] }));
  return { type: "user.created", resource: { type: "User", uid }, changes } as const;
}

/** Makes a user of the console. @returns the path of the link for the password. @throws Refused if the email is taken */
export function addUser(
  db: Writer,
  record: RecordEvent,
  workspaceId: number,
  {
    name,
    email,
    role,
    isOperator,
    isMailed,
  }: { name: string; email: string; role: Role; isOperator?: boolean; isMailed?: boolean },
): { uid: string; path: string } {
  if (isEmailTaken(db, workspaceId, email))
    throw new Refused(`There is a user with the email ${email} in the workspace already.`);
  const { id, uid } = insertConsoleUser(db, { workspaceId, name, email, role, now: Date.now() });
  record(newUser(uid, { name, role }));
  if (isOperator) {
    setOperator(db, id, true, Date.now());
    record(operatorEvent(uid, true));
  }
  return { uid, path: issueSignInLink(db, workspaceId, id, Date.now(), lifeOf(isMailed)) };
}

/** How long a link works. Mail may be read days later. */
function lifeOf(isMailed = false): number {
  return isMailed ? MAILED_LINK_MS : LINK_MS;
}

/** The actor who changes users: an operator of the installation, who also has its command line; or an admin of the workspace. */
export type Power = "operator" | "admin";

/** Makes a link with which a user chooses another password. @returns its path. @throws NotThere, Refused */
export function linkUser(
  db: Writer,
  record: RecordEvent,
  workspaceId: number,
  uid: string,
  { by, isMailed }: { by: Power; isMailed?: boolean },
): { user: UserRow; path: string } {
  const user = findUserFor(by, db, workspaceId, uid);
  if (user.email === null) throw new Refused(`The user ${user.name} has tokens alone, and no email.`);
  if (user.disabled_at !== null) throw new Refused(`The user ${user.name} is disabled, and has to be enabled first.`);
  requireAlone(db, user, by);
  const now = Date.now();
  const summary = { expiresAt: new Date(now + lifeOf(isMailed)).toISOString() };
  record({ type: "user.link-issued", resource: { type: "User", uid: user.uid }, summary });
  return { user, path: issueSignInLink(db, workspaceId, user.id, now, lifeOf(isMailed)) };
}

/**
 * Lets no token and no session of a user work; or lets them work again. `keepsAdmin`: not if nobody would be left who can sign in
 * as an admin. @throws NotThere, Refused
 */
export function setDisabled(
  db: Writer,
  record: RecordEvent,
  workspaceId: number,
  uid: string,
  { isDisabled, by, keepsAdmin = false }: { isDisabled: boolean; by: Power; keepsAdmin?: boolean },
): UserRow {
  const before = findUserFor(by, db, workspaceId, uid);
  if (isDisabled && keepsAdmin) requireOtherAdmin(db, workspaceId, before);
  disableUser(db, before.id, isDisabled ? Date.now() : null);
  const after = findUser(db, workspaceId, uid);
  const [from, to] = [before, after].map(({ disabled_at: at }) => (at === null ? null : new Date(at).toISOString()));
  const type = isDisabled ? "user.disabled" : "user.enabled";
  if (from !== to)
    record({ type, resource: { type: "User", uid: after.uid }, changes: [{ field: "disabledAt", from, to }] });
  return after;
}

/** Gives a user another role. What the user may do follows with the next request. @throws NotThere, Refused */
export function changeRole(
  db: Writer,
  record: RecordEvent,
  workspaceId: number,
  uid: string,
  { role, by }: { role: Role; by: Power },
): UserRow {
  const before = findUserFor(by, db, workspaceId, uid);
  if (before.role === null)
    throw new Refused(`The user ${before.name} has tokens alone, and no role.`, "user_without_account");
  if (before.role === role) return before;
  requireOtherAdmin(db, workspaceId, before);
  setRole(db, before.id, role);
  const changes = [{ field: "role", from: before.role, to: role }];
  record({ type: "user.role-changed", resource: { type: "User", uid: before.uid }, changes });
  return findUser(db, workspaceId, uid);
}

/** The event of a user who is tied to an account at an OpenID provider (`setTie`): from now on who signs in there is this user. */
export function tied(uid: string, { issuer }: Identity) {
  return { type: "user.tied", resource: { type: "User", uid }, changes: tieChange(null, issuer) } as const;
}

/** Makes a user who was invited one of an account that was there already. */
export function joinUser(
  db: Writer,
  record: RecordEvent,
  user: { id: number; uid: string },
  account: Pick<Account, "id" | "account_uid">,
): void {
  joinAccount(db, user.id, account);
  record({ type: "user.joined", resource: { type: "User", uid: user.uid } });
}

/** Takes the tie back, and ends all sessions of the user. The next sign-in at the provider finds the user by email. @throws NotThere, Refused */
export function untieUser(db: Writer, record: RecordEvent, workspaceId: number, uid: string, by: Power): UserRow {
  const before = findUserFor(by, db, workspaceId, uid);
  if (before.oidc_issuer === null) return before;
  requireAlone(db, before, by);
  setTie(db, before.id, null);
  endSessionsOf(db, before.id, null);
  const changes = tieChange(before.oidc_issuer, null);
  record({ type: "user.untied", resource: { type: "User", uid: before.uid }, changes });
  return findUser(db, workspaceId, uid);
}

/**
 * What belongs to the account, and so to all its workspaces, the admin of one of them does not change: else that admin would get into the
 * others. @throws Refused
 */
export function requireAlone(db: Reader, user: UserRow, by: Power): void {
  if (by === "operator" || countWorkspaces(db, user.id) < 2) return;
  throw new Refused(
    `${user.name} works in other workspaces, too, with the same account. Only the people who run the service change how somebody signs in to several workspaces.`,
  );
}

function tieChange(from: string | null, to: string | null) {
  return [{ field: "oidcIssuer", from, to }];
}

/** @throws Refused when nobody else could sign in as an admin */
function requireOtherAdmin(db: Writer, workspaceId: number, user: UserRow): void {
  const isAdmin = ({ role, disabled_at }: UserRow) => role === "admin" && disabled_at === null;
  if (!isAdmin(user) || listUsers(db, workspaceId, Date.now()).some((one) => one.uid !== user.uid && isAdmin(one)))
    return;
  throw new Refused(`${user.name} is the last admin: nobody would be left who can manage users.`, "last_admin");
}

/**
 * Lets a user of the console see the figures of all workspaces, or takes that back. An admin may have made a link for the user before,
 * and know the password: who becomes an operator has neither any more, and no session. @throws NotThere, Refused
 */
export function makeOperator(
  db: Writer,
  record: RecordEvent,
  workspaceId: number,
  uid: string,
  isOperator: boolean,
): UserRow {
  const before = findUser(db, workspaceId, uid);
  if (before.email === null) throw new Refused(`The user ${before.name} has tokens alone, and can't use the console.`);
  if ((before.is_operator === 1) === isOperator) return before;
  setOperator(db, before.id, isOperator, Date.now());
  if (isOperator) {
    setPassword(db, before.id, null);
    setSecondFactor(db, before.id, null);
    endSessionsOf(db, before.id, null);
  }
  record(operatorEvent(before.uid, isOperator));
  return findUser(db, workspaceId, uid);
}

function operatorEvent(uid: string, isOperator: boolean) {
  const changes = [{ field: "isOperator", from: !isOperator, to: isOperator }];
  return { type: "user.updated", resource: { type: "User", uid }, changes } as const;
}

/**
 * A user whom somebody wants to change. With an operator's account one is an operator: no admin gets a way into it, or takes it
 * away. @throws NotThere, Refused
 */
export function findUserFor(by: Power, db: Writer, workspaceId: number, uid: string): UserRow {
  const user = findUser(db, workspaceId, uid);
  if (user.is_operator === 1 && by !== "operator")
    throw new Refused(
      `${user.name} is an operator of the installation: only operators change that account.`,
      "operators_only",
    );
  return user;
}

/** @throws NotThere */
export function findUser(db: Reader, workspaceId: number, uid: string): UserRow {
  const user = listUsers(db, workspaceId, Date.now()).find((one) => one.uid === uid.toLowerCase());
  if (!user) throw new NotThere(`The workspace has no user ${uid}.`);
  return user;
}
