// The commands of a workspace's users.

import { type Command, InvalidArgumentError } from "commander";
import { resetTwoFactor } from "../access/two-factor.ts";
import { addUser, changeRole, findUser, linkUser, makeOperator, setDisabled, untieUser } from "../access/users.ts";
import { isNowhere, UNKNOWN_PORT } from "../base/config.ts";
import { faultOfEmail, LINK_MS, storedEmail } from "../workspaces/console-users.ts";
import { listUsers, signInOf, type UserRow } from "../workspaces/lives.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { ROLES, type Role } from "../workspaces/rights.ts";
import { changeAccess } from "./running/change.ts";
import { date, type Output, ofWorkspace, requiredText, type Store } from "./running/command.ts";

export function addUsers(program: Command): void {
  const user = program.command("user").description("Users of a workspace. A token makes its user, too: token create");
  ofWorkspace(
    user,
    "create",
    "Create a user of the console. Prints a link that works once, for 15 minutes: with it the user chooses a password",
    (c) =>
      c
        .requiredOption("--email <email>", "what the user signs in with", email)
        .requiredOption("--name <name>", "name of the user", requiredText)
        .requiredOption("--role <role>", `what the user may do: ${ROLES.join(", ")}`, role)
        .option("--operator", "the user also sees the figures of all workspaces of the installation"),
    (store, row, _, options) => {
      const { email, name, role } = options as { email: string; name: string; role: Role };
      const isOperator = Boolean(options.operator);
      const made = changeAccess(store, row, options.note, (db, record) =>
        addUser(db, record, row.id, { name, email, role, isOperator }),
      );
      return withLink(store, { id: made.uid, name, email, role }, made.path);
    },
  );
  ofWorkspace(
    user,
    "link <id>",
    "Print a link with which a user of the console chooses another password. It works once, for 15 minutes",
    (c) => c,
    (store, row, [id], { note }) => {
      const { user, path } = changeAccess(store, row, note, (db, record) =>
        linkUser(db, record, row.id, id!, { by: "operator" }),
      );
      return withLink(store, { id: user.uid, name: user.name, email: user.email!, role: user.role! }, path);
    },
  );
  ofWorkspace(
    user,
    "list",
    "List users",
    (c) => c,
    ({ control }, row) => {
      const users = listUsers(control.reader, row.id, Date.now());
      return { json: users.map(userJson), lines: users.map(line) };
    },
  );
  ofWorkspace(
    user,
    "disable <id>",
    "Let no token of a user work, and no session",
    (c) => c,
    (store, row, [id], { note }) => disable(store, row, id!, true, note),
  );
  ofWorkspace(
    user,
    "enable <id>",
    "Let the tokens and sessions of a user work again",
    (c) => c,
    (store, row, [id], { note }) => disable(store, row, id!, false, note),
  );
  ofWorkspace(
    user,
    "role <id>",
    "Give a user another role. The sessions and tokens of the user follow at once. The last admin stays one",
    (c) => c.requiredOption("--role <role>", `what the user may do: ${ROLES.join(", ")}`, role),
    (store, row, [id], options) => {
      const changed = changeAccess(store, row, options.note, (db, record) =>
        changeRole(db, record, row.id, id!, { role: options.role as Role, by: "operator" }),
      );
      return { json: userJson(changed), lines: [line(changed)] };
    },
  );
  ofWorkspace(
    user,
    "reset-two-factor <id>",
    "Take two-factor sign-in away from a user who has lost the app and the recovery codes. All sessions end",
    (c) => c,
    (store, row, [id], { note }) => {
      const changed = changeAccess(store, row, note, (db, record) => {
        resetTwoFactor(db, record, row.id, id!, "operator");
        return findUser(db, row.id, id!);
      });
      return { json: userJson(changed), lines: [line(changed)] };
    },
  );
  ofWorkspace(
    user,
    "untie <id>",
    "Untie a user from the account of single sign-on, and end all sessions. The next sign-in with the user's email ties again",
    (c) => c,
    (store, row, [id], { note }) => {
      const changed = changeAccess(store, row, note, (db, record) => untieUser(db, record, row.id, id!, "operator"));
      return { json: userJson(changed), lines: [line(changed)] };
    },
  );
  ofWorkspace(
    user,
    "operator <id>",
    "Let a user of the console see the figures of all workspaces of the installation. The password, links and sessions from before end: make another link",
    (c) => c.option("--off", "instead: take that back"),
    (store, row, [id], { off, note }) => operator(store, row, id!, !off, note),
  );
}

function operator(store: Store, row: WorkspaceRow, uid: string, isOperator: boolean, note: string | undefined): Output {
  const changed = changeAccess(store, row, note, (db, record) => makeOperator(db, record, row.id, uid, isOperator));
  const next = `Passwords, links and sessions from before do not work: user link ${changed.uid} --workspace ${row.uid}`;
  return { json: userJson(changed), lines: [line(changed), ...(isOperator ? [next] : [])] };
}

function disable(store: Store, row: WorkspaceRow, uid: string, isDisabled: boolean, note: string | undefined): Output {
  const changed = changeAccess(store, row, note, (db, record) =>
    setDisabled(db, record, row.id, uid, { isDisabled, by: "operator" }),
  );
  return { json: userJson(changed), lines: [line(changed)] };
}

function withLink(
  { publicUrl }: Store,
  user: { id: string; name: string; email: string; role: Role },
  path: string,
): Output {
  const link = publicUrl + path;
  if (isNowhere(publicUrl)) process.stderr.write(`${UNKNOWN_PORT}\n`);
  return {
    json: { ...user, link, linkExpiresAt: date(Date.now() + LINK_MS) },
    lines: [
      `user  ${user.id}  ${user.name}  ${user.email}  ${user.role}`,
      `link  ${link}`,
      "The link is shown only once. It works once, for 15 minutes.",
    ],
  };
}

function email(text: string): string {
  const fault = faultOfEmail(text.trim());
  if (fault) throw new InvalidArgumentError(`It ${fault}.`);
  return storedEmail(text);
}

function role(text: string): Role {
  const known = ROLES.find((one) => one === text);
  if (!known) throw new InvalidArgumentError(`It must be one of ${ROLES.join(", ")}.`);
  return known;
}

function userJson(user: UserRow) {
  const {
    uid,
    name,
    email,
    role,
    created_at,
    disabled_at,
    is_operator,
    has_password,
    has_two_factor,
    oidc_issuer,
    tokens,
  } = user;
  return {
    id: uid,
    name,
    email,
    role,
    isOperator: is_operator === 1,
    createdAt: date(created_at),
    disabledAt: date(disabled_at),
    hasPassword: has_password === 1,
    hasTwoFactor: has_two_factor === 1,
    oidcIssuer: oidc_issuer,
    tokens,
  };
}

function line(user: UserRow): string {
  const { uid, name, email, role, disabled_at, is_operator, tokens } = user;
  const console = email === null ? "" : `${email}  ${role}  ${signInOf(user)}  ${is_operator ? "operator  " : ""}`;
  return `${uid}  ${name}  ${console}${disabled_at === null ? "enabled" : "disabled"}  ${tokens} live ${tokens === 1 ? "token" : "tokens"}`;
}
