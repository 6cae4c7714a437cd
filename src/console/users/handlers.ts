// The page with the users of a workspace, where an admin adds users, gives them links, and disables them.

import { NotThere, Refused } from "../../access/faults.ts";
import { resetTwoFactor } from "../../access/two-factor.ts";
import { addUser, changeRole, linkUser, setDisabled, untieUser } from "../../access/users.ts";
import { isCleanText } from "../../base/clean-text.ts";
import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { requiresTwoFactor, requireTwoFactor } from "../../workspaces/accounts.ts";
import { faultOfEmail, storedEmail } from "../../workspaces/console-users.ts";
import { listUsers } from "../../workspaces/lives.ts";
import { ROLES, type Role } from "../../workspaces/rights.ts";
import { changeAccess } from "../shell/access.ts";
import type { Faults } from "../shell/faults.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { sendInvitation } from "./invitation.ts";
import { type Made, renderUsers, type TypedUser } from "./page.tsx";

const MAX_NAME_CHARACTERS = 200;

const NOTHING: TypedUser = { name: "", email: "", role: "researcher" };

export const userPages: readonly ConsoleRoute[] = [
  { method: "get", path: "/console/users", role: "admin", handle: (request) => users(request, {}) },
  { method: "post", path: "/console/users", role: "admin", handle: createUser },
  { method: "post", path: "/console/users/:id/link", role: "admin", handle: makeLink },
  { method: "post", path: "/console/users/:id/disable", role: "admin", handle: (request) => disable(request, true) },
  { method: "post", path: "/console/users/:id/enable", role: "admin", handle: (request) => disable(request, false) },
  { method: "post", path: "/console/users/:id/role", role: "admin", handle: giveRole },
  { method: "post", path: "/console/users/:id/two-factor", role: "admin", handle: resetSecondFactor },
  { method: "post", path: "/console/users/two-factor", role: "admin", handle: setRequirement },
  { method: "post", path: "/console/users/:id/untie", role: "admin", handle: untie },
];

function users(
  request: VisitorRequest,
  { typed = NOTHING, faults = {}, made }: { typed?: TypedUser; faults?: Faults; made?: Made },
): Reply {
  const { base, context, visitor } = request;
  const all = listUsers(context.control.reader, visitor.workspace_id, Date.now());
  const status = Object.keys(faults).length ? 422 : 200;
  return page(
    status,
    renderUsers(base, signedIn(request), {
      ...{ users: all, own: visitor.user_uid, typed, faults, made },
      hasMail: context.mail !== undefined,
      requiresTwoFactor: visitor.requires_two_factor === 1,
    }),
  );
}

/** POST: adds a user. The page shows the link: it is nowhere else. */
async function createUser(request: VisitorRequest): Promise<Reply> {
  const { fields } = request;
  const typed = { name: fields("name").trim(), email: fields("email").trim(), role: fields("role") };
  const faults: Faults = {};
  if (!typed.name || typed.name.length > MAX_NAME_CHARACTERS || !isCleanText(typed.name))
    faults.name = `must have 1 to ${MAX_NAME_CHARACTERS} characters`;
  const fault = faultOfEmail(typed.email);
  if (fault) faults.email = fault;
  if (!isRole(typed.role)) faults.role = "must be chosen";
  if (Object.keys(faults).length || !isRole(typed.role)) return users(request, { typed, faults });
  const user = { name: typed.name, email: storedEmail(typed.email), role: typed.role };
  try {
    const isMailed = request.context.mail !== undefined;
    const { path } = await changeAccess(request, (db, record, workspaceId) =>
      addUser(db, record, workspaceId, { ...user, isMailed }),
    );
    return users(request, { made: await sendInvitation(request, { ...user, path }) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return users(request, { typed, faults: { email: "is the email of another user of the workspace" } });
  }
}

/** POST: gives a user another link. */
async function makeLink(request: VisitorRequest): Promise<Reply> {
  try {
    const { user, path } = await changeAccess(request, (db, record, workspaceId, by) =>
      linkUser(db, record, workspaceId, request.params.id!, { by, isMailed: request.context.mail !== undefined }),
    );
    return users(request, { made: await sendInvitation(request, { name: user.name, email: user.email!, path }) });
  } catch (error) {
    return refusal(request, error);
  }
}

async function disable(request: VisitorRequest, isDisabled: boolean): Promise<Reply> {
  const { base, params, visitor } = request;
  // Who locks out the last admin needs the command line.
  if (params.id === visitor.user_uid) return users(request, { faults: { "": "You can’t disable yourself." } });
  try {
    await changeAccess(request, (db, record, workspaceId, by) =>
      setDisabled(db, record, workspaceId, params.id!, { isDisabled, by, keepsAdmin: true }),
    );
  } catch (error) {
    return refusal(request, error);
  }
  return redirect(`${base}/console/users`);
}

/** POST: gives a user another role. */
async function giveRole(request: VisitorRequest): Promise<Reply> {
  const { base, fields, params, visitor } = request;
  const role = fields("role");
  if (params.id === visitor.user_uid) return users(request, { faults: { "": "You can’t change your own role." } });
  if (!isRole(role)) return users(request, { faults: { "": "Choose a role." } });
  try {
    await changeAccess(request, (db, record, workspaceId, by) =>
      changeRole(db, record, workspaceId, params.id!, { role, by }),
    );
  } catch (error) {
    return refusal(request, error);
  }
  return redirect(`${base}/console/users`);
}

/** POST: takes two-factor sign-in away from somebody who has lost the app and the codes. */
async function resetSecondFactor(request: VisitorRequest): Promise<Reply> {
  try {
    await changeAccess(request, (db, record, workspaceId, by) =>
      resetTwoFactor(db, record, workspaceId, request.params.id!, by),
    );
  } catch (error) {
    return refusal(request, error);
  }
  return redirect(`${request.base}/console/users`);
}

/** POST: requires two-factor sign-in of all users, or does not any more. */
async function setRequirement(request: VisitorRequest): Promise<Reply> {
  const { base, fields, visitor } = request;
  const to = fields("required") === "yes";
  await changeAccess(request, (db, record, workspaceId) => {
    const from = requiresTwoFactor(db, workspaceId);
    if (from === to) return;
    requireTwoFactor(db, workspaceId, to);
    const resource = { type: "Workspace", uid: visitor.workspace_uid };
    record({ type: "workspace.updated", resource, changes: [{ field: "requiresTwoFactor", from, to }] });
  });
  return redirect(`${base}/console/users`);
}

/** POST: unties a user from the account of single sign-on. */
async function untie(request: VisitorRequest): Promise<Reply> {
  try {
    await changeAccess(request, (db, record, workspaceId, by) =>
      untieUser(db, record, workspaceId, request.params.id!, by),
    );
  } catch (error) {
    return refusal(request, error);
  }
  return redirect(`${request.base}/console/users`);
}

/** The page that says why a user was not changed. @throws Problem, or an error that is not about the user */
function refusal(request: VisitorRequest, error: unknown): Reply {
  if (error instanceof NotThere) throw new Problem("route_not_found");
  if (!(error instanceof Refused)) throw error;
  return users(request, { faults: { "": error.message } });
}

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
