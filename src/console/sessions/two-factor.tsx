// The page with a user's two-factor sign-in: sets it up, with a code that an app scans, and takes it away.

import { renderSVG } from "uqr";
import type { Writer } from "../../../db/sqlite/connection.ts";
import { appLink, isSecret, newSecret, setUp, takeCode, twoFactorEvent } from "../../access/two-factor.ts";
import { pendEvent } from "../../events/outbox.ts";
import type { Reply } from "../../http/wire/reply.ts";
import {
  type Account,
  countRecoveryCodes,
  findAccountOf,
  isTwoFactorRequired,
  listMemberships,
  setSecondFactor,
} from "../../workspaces/accounts.ts";
import { beginSession } from "../../workspaces/console-sessions.ts";
import { changeAccess } from "../shell/access.ts";
import { TOO_OFTEN } from "../shell/attempts.ts";
import { isPassword } from "../shell/passwords.ts";
import { page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { setCookie } from "../shell/visitors.ts";
import { renderCodes, renderTwoFactor } from "./two-factor-page.tsx";

/** GET of the page. */
export function showTwoFactor(request: VisitorRequest): Reply {
  return twoFactor(request, newSecret(), {});
}

type Faults = { password?: string; code?: string };

function twoFactor(request: VisitorRequest, secret: string, faults: Faults): Reply {
  const { base, context, token, visitor } = request;
  const { reader } = context.control;
  const account = accountOf(request);
  const html = renderTwoFactor(base, signedIn(request), {
    ...{ token, secret, faults },
    picture: `data:image/svg+xml,${encodeURIComponent(renderSVG(appLink(secret, account.email), { border: 4, ecc: "M" }))}`,
    isOn: account.totp_secret !== null,
    isRequired: isTwoFactorRequired(reader, visitor.user_id),
    recoveryCodes: countRecoveryCodes(reader, visitor.user_id),
    hasPassword: account.password !== null,
  });
  return page(Object.keys(faults).length ? 422 : 200, html);
}

function accountOf({ context, visitor }: VisitorRequest): Account {
  return findAccountOf(context.control.reader, visitor.user_id)!;
}

/** POST: sets it up, with the password, so that nobody who finds a browser open does. Shows the recovery codes, once. */
export async function setTwoFactorUp(request: VisitorRequest): Promise<Reply> {
  const { attempts, base, context, ctx, fields, visitor } = request;
  const account = accountOf(request);
  const secret = isSecret(fields("secret")) ? fields("secret") : newSecret();
  const attempt = await attempts.count({ address: ctx.ip, email: account.email, isKnown: true });
  if (account.password === null || !(await isPassword(fields("password"), account.password)))
    return twoFactor(request, secret, { password: "That is not your password." });
  await attempt.succeeded();
  const done = await changeAccess(request, (db) => {
    const codes = setUp(db, account, secret, fields("code"));
    if (!codes) return undefined;
    recordEverywhere(db, request, account, true);
    const { browser, by_provider, user_id: userId } = visitor;
    return { codes, cookie: beginSession(db, { userId, browser, byProvider: by_provider === 1 }, Date.now()) };
  });
  if (!done) return twoFactor(request, secret, { code: "That is not what the app shows for this picture now." });
  const reply = page(200, renderCodes(base, signedIn(request), done.codes));
  return { ...reply, cookies: [setCookie("session", done.cookie, context.config.publicUrl)] };
}

/** POST: takes it away, with a code. Not where a workspace of the account requires it. */
export async function removeTwoFactor(request: VisitorRequest): Promise<Reply> {
  const { attempts, base, fields, visitor } = request;
  const account = accountOf(request);
  await attempts.codes.count(account.account_uid, TOO_OFTEN);
  const isDone = await changeAccess(request, (db) => {
    if (isTwoFactorRequired(db, visitor.user_id) || !takeCode(db, account, fields("code"))) return false;
    setSecondFactor(db, account.id, null);
    recordEverywhere(db, request, account, false);
    return true;
  });
  if (!isDone) return twoFactor(request, newSecret(), { code: "The code is not right, or was used before." });
  await attempts.codes.forget(account.account_uid);
  return redirect(`${base}/console/two-factor`);
}

/** In each workspace of the account: all of them are opened by the same sign-in. */
function recordEverywhere(db: Writer, { ctx }: VisitorRequest, { account_uid }: Account, isOn: boolean): void {
  for (const { user_uid: uid, user_name: name, workspace_uid } of listMemberships(db, account_uid)) {
    const actor = { type: "TenantUserActor", uid, name } as const;
    const cause = { actor, requestId: ctx.state.requestId, jobUid: null, note: null };
    pendEvent(db, workspace_uid, cause, twoFactorEvent(uid, isOn));
  }
}
