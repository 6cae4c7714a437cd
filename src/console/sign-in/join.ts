// An invitation for somebody who has an account here already: with its password the invited user becomes one of that account. Who only has
// the link does not get into the account, and who invites learns nothing more of it than that it is there.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { joinUser } from "../../access/users.ts";
import { pendEvent } from "../../events/outbox.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type Account, findAccount, findAccountToJoin } from "../../workspaces/accounts.ts";
import {
  findSignInLink,
  isEmailTaken,
  type SignInLink,
  storedEmail,
  takeSignInLink,
} from "../../workspaces/console-users.ts";
import { requireHere } from "../../workspaces/moving.ts";
import { isKnownBrowser, knownBrowser } from "../shell/attempts.ts";
import { isPassword } from "../shell/passwords.ts";
import { type OpenRequest, page, redirect } from "../shell/request.ts";
import { readCookie, setCookie } from "../shell/visitors.ts";
import { begin } from "./begin.ts";
import { renderJoin } from "./join-page.tsx";
import { gone, linkOf, makeOwner } from "./links.ts";
import { tryCode } from "./second-step.tsx";

const WRONG = "The email or the password is not right.";

/** GET of the form for an owner's link; of others the link itself shows it. */
export async function showJoin(request: OpenRequest): Promise<Reply> {
  return join(request, await linkOf(request));
}

/** The page of a link whose user has an account here. */
export function join(request: OpenRequest, link: SignInLink, typed = "", fault?: string): Reply {
  const { base, context, params, provider, token } = request;
  const { email, workspace_name: workspaceName } = link;
  const account = email === null ? undefined : findAccountToJoin(context.control.reader, email, link.user_id);
  const html = renderJoin({
    ...{ base, token, secret: params.secret!, workspaceName, email, typed, fault },
    provider: account && account.password === null ? (provider?.name ?? "another way") : undefined,
  });
  return page(fault === undefined ? 200 : 422, html);
}

/** POST: joins with the account's password, and signs in. */
export async function joinWithAccount(request: OpenRequest): Promise<Reply> {
  const { attempts, base, context, ctx, fields, params } = request;
  const { control, config } = context;
  const link = await linkOf(request);
  const typed = fields("email").trim();
  const email = storedEmail(link.email ?? typed);
  const account = findAccountToJoin(control.reader, email, link.user_id);
  const isKnown = isKnownBrowser(readCookie(ctx.req, "known", config.publicUrl), email, account?.password);
  const attempt = await attempts.count({ address: ctx.ip, email, isKnown });
  const isRight = await isPassword(fields("password"), account?.password ?? null).catch(async (error) => {
    await attempt.takeBack();
    throw error;
  });
  if (!isRight || !account) return join(request, link, typed, WRONG);
  if (account.totp_secret !== null && !(await tryCode(request, account)))
    return join(request, link, typed, "The code is missing, not right, or was used before.");
  const cookie = await whenFree(control.writer, config.writeWaitMs, () => {
    const { writer } = control;
    requireHere(writer, { workspaceUid: link.workspace_uid });
    if (!findSignInLink(writer, params.secret!, Date.now()) || !takeSignInLink(writer, params.secret!)) throw gone();
    // Another password may have been chosen in the meantime.
    if (findAccount(writer, email)?.password !== account.password) throw gone();
    const userId = enter(writer, link, account, ctx.state.requestId);
    return begin(writer, userId, ctx, config.publicUrl);
  });
  await attempt.succeeded();
  return redirect(
    `${base}/console/studies`,
    setCookie("session", cookie, config.publicUrl),
    setCookie("known", knownBrowser(email, account.password!), config.publicUrl),
  );
}

/** Makes the user of a link one of the account. @returns its rowid. @throws Refusal */
function enter(db: Writer, link: SignInLink, account: Account, requestId: string): number {
  const { user_id, user_uid, workspace_uid: workspaceUid } = link;
  if (user_id === null && isEmailTaken(db, link.workspace_id, account.email)) throw gone();
  const user = user_id === null ? makeOwner(db, link, account, requestId) : { id: user_id, uid: user_uid! };
  const actor = { type: "TenantUserActor", uid: user.uid, name: link.name ?? account.name } as const;
  const cause = { actor, requestId, jobUid: null, note: null };
  joinUser(db, (event) => pendEvent(db, workspaceUid, cause, event), user, account);
  return user.id;
}
