// The links with which people come for the first time, or choose another password.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { newUser } from "../../access/users.ts";
import { pendEvent } from "../../events/outbox.ts";
import { findSignInLink, insertConsoleUser, type SignInLink } from "../../workspaces/console-users.ts";
import { TOO_OFTEN } from "../shell/attempts.ts";
import { type OpenRequest, Refusal } from "../shell/request.ts";

/** The link of the path. @throws Refusal when it does not work; Problem 429 after many */
export async function linkOf({ attempts, context, ctx, params }: OpenRequest): Promise<SignInLink> {
  const link = findSignInLink(context.control.reader, params.secret!, Date.now());
  if (link) return link;
  await attempts.addresses.count(ctx.ip, TOO_OFTEN);
  throw gone();
}

export function gone(): Refusal {
  return new Refusal(
    404,
    "This link does not work",
    "A link works once, for 15 minutes, or for three days if it was mailed. If you have chosen a password already, sign in with it. If not, ask the people who run the service for a new link.",
  );
}

/** Makes the account of the workspace's owner. */
export function makeOwner(
  db: Writer,
  { workspace_id: workspaceId, workspace_uid: workspaceUid }: SignInLink,
  { name, email }: { name: string; email: string },
  requestId: string,
): { id: number; uid: string } {
  const role = "admin";
  const made = insertConsoleUser(db, { workspaceId, name, email, role, now: Date.now() });
  const actor = { type: "TenantUserActor", uid: made.uid, name } as const;
  pendEvent(db, workspaceUid, { actor, requestId, jobUid: null, note: null }, newUser(made.uid, { name, role }));
  return made;
}
