// Signing in and out: the sign-in, and the links with which people choose a password.

import { whenFree } from "../../../db/sqlite/when-free.ts";
import { isCleanText } from "../../base/clean-text.ts";
import type { Reply } from "../../http/wire/reply.ts";
import {
  findAccount,
  findAccountOf,
  findAccountToJoin,
  listMemberships,
  setPassword,
} from "../../workspaces/accounts.ts";
import { endSession, endSessionsOf } from "../../workspaces/console-sessions.ts";
import {
  faultOfEmail,
  findSignInLink,
  isEmailTaken,
  type SignInLink,
  storedEmail,
  takeSignInLink,
} from "../../workspaces/console-users.ts";
import { requireHere } from "../../workspaces/moving.ts";
import { isKnownBrowser, knownBrowser } from "../shell/attempts.ts";
import { nextPath } from "../shell/forms.ts";
import { faultOfPassword, hashPassword, isPassword } from "../shell/passwords.ts";
import { type OpenRequest, page, redirect, type VisitorRequest } from "../shell/request.ts";
import { readCookie, setCookie } from "../shell/visitors.ts";
import { begin } from "./begin.ts";
import { join } from "./join.ts";
import { gone, linkOf, makeOwner } from "./links.ts";
import { type Faults, renderChoice, renderSignIn } from "./pages.tsx";
import { toSecondStep } from "./second-step.tsx";

const MAX_NAME_CHARACTERS = 200;

/** The same for an unknown email, a wrong password and a disabled user. */
const WRONG = "The email or the password is not right.";

/** GET of the sign-in. */
export function showSignIn({ base, provider, token, query }: OpenRequest): Reply {
  const next = nextPath(query.get("next") ?? "");
  return page(200, renderSignIn({ base, token, next, email: "", fault: undefined, provider: provider?.name }));
}

/** POST of the sign-in. */
export async function signIn(request: OpenRequest): Promise<Reply> {
  const { attempts, base, context, ctx, fields, provider, token } = request;
  const { control, config } = context;
  const next = nextPath(fields("next"));
  const email = storedEmail(fields("email"));
  const found = findAccount(control.reader, email);
  const isKnown = isKnownBrowser(readCookie(ctx.req, "known", config.publicUrl), email, found?.password);
  const attempt = await attempts.count({ address: ctx.ip, email, isKnown });
  const isRight = await isPassword(fields("password"), found?.password ?? null).catch(async (error) => {
    await attempt.takeBack();
    throw error;
  });
  if (isRight && found?.totp_secret) {
    await attempt.succeeded();
    return toSecondStep(request, found, next);
  }
  const signedIn =
    isRight &&
    found &&
    (await whenFree(control.writer, config.writeWaitMs, () => {
      // Another password may have been chosen, or the user have been disabled, in the meantime.
      if (findAccount(control.writer, email)?.password !== found.password) return undefined;
      const [last] = listMemberships(control.writer, found.account_uid);
      return last && begin(control.writer, last.user_id, ctx, config.publicUrl);
    }));
  if (!signedIn) {
    const shown = { base, token, next, email: fields("email"), fault: WRONG, provider: provider?.name };
    return page(422, renderSignIn(shown));
  }
  await attempt.succeeded();
  const known = knownBrowser(email, found.password!);
  return redirect(
    base + next,
    setCookie("session", signedIn, config.publicUrl),
    setCookie("known", known, config.publicUrl),
  );
}

/** GET of a link. It uses nothing up: scanners of mails open links, too. */
export async function showChoice(request: OpenRequest): Promise<Reply> {
  const link = await linkOf(request);
  if (hasAccount(request, link)) return join(request, link);
  return choice(request, link, { name: "", email: "" }, {}, 200);
}

/** Whether the user of a link has an account here, which nobody gets into with the link alone. */
function hasAccount({ context }: OpenRequest, { email, user_id }: SignInLink): boolean {
  return email !== null && findAccountToJoin(context.control.reader, email, user_id) !== undefined;
}

function choice(
  { base, params, token }: OpenRequest,
  link: SignInLink,
  typed: { name: string; email: string },
  faults: Faults,
  status: number,
): Reply {
  const { workspace_name: workspaceName, email } = link;
  return page(status, renderChoice({ base, token, secret: params.secret!, workspaceName, email, typed, faults }));
}

/** POST of a link: sets the password, and signs in. */
export async function choosePassword(request: OpenRequest): Promise<Reply> {
  const { base, context, ctx, fields, params } = request;
  const { control, config } = context;
  const link = await linkOf(request);
  if (hasAccount(request, link)) return join(request, link);
  const typed = { name: fields("name").trim(), email: fields("email").trim() };
  const faults: Faults = {};
  const password = fields("password");
  const fault = faultOfPassword(password);
  if (fault) faults.password = fault;
  else if (password !== fields("again")) faults.again = "The two passwords differ.";
  if (link.user_id === null) {
    if (!typed.name || typed.name.length > MAX_NAME_CHARACTERS || !isCleanText(typed.name))
      faults.name = `Enter your name, of at most ${MAX_NAME_CHARACTERS} characters.`;
    if (faultOfEmail(typed.email)) faults.email = "Enter an email address, such as name@example.org.";
  }
  if (Object.keys(faults).length) return choice(request, link, typed, faults, 422);
  const kept = await hashPassword(password);
  const cookie = await whenFree(control.writer, config.writeWaitMs, () => {
    const { writer } = control;
    requireHere(writer, { workspaceUid: link.workspace_uid });
    if (findAccountToJoin(writer, link.email ?? typed.email, link.user_id)) return undefined;
    if (link.user_id === null && isEmailTaken(writer, link.workspace_id, typed.email)) return undefined;
    // Of two that use the link at the same time, the second one finds it gone.
    if (!findSignInLink(writer, params.secret!, Date.now()) || !takeSignInLink(writer, params.secret!)) throw gone();
    const userId = link.user_id ?? makeOwner(writer, link, typed, ctx.state.requestId).id;
    setPassword(writer, userId, kept);
    endSessionsOf(writer, userId, null);
    const account = findAccountOf(writer, userId)!;
    // The link replaces the password, and not the code.
    if (account.totp_secret !== null) return { account };
    return begin(writer, userId, ctx, config.publicUrl);
  });
  if (cookie === undefined) {
    return choice(
      request,
      link,
      typed,
      { email: "There is an account with this email here. Join with it, or enter another email." },
      422,
    );
  }
  if (typeof cookie === "object") return toSecondStep(request, cookie.account, "/console/studies");
  const known = knownBrowser(storedEmail(link.email ?? typed.email), kept);
  return redirect(
    `${base}/console/studies`,
    setCookie("session", cookie, config.publicUrl),
    setCookie("known", known, config.publicUrl),
  );
}

/** POST: ends the session of this browser. */
export async function signOut({ base, context, visitor }: VisitorRequest): Promise<Reply> {
  const { control, config } = context;
  await whenFree(control.writer, config.writeWaitMs, () => endSession(control.writer, visitor.cookie));
  return redirect(`${base}/console/sign-in`, setCookie("session", undefined, config.publicUrl));
}
