// Signing in and out: the sign-in, and the links with which people choose a password.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { newUser } from "../../access/users.ts";
import { isCleanText } from "../../base/clean-text.ts";
import { pendEvent } from "../../events/outbox.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { beginSession, endSession, endSessionsOf } from "../../workspaces/console-sessions.ts";
import {
  faultOfEmail,
  findAccount,
  findSignInLink,
  insertConsoleUser,
  isEmailTaken,
  type SignInLink,
  setPassword,
  storedEmail,
  takeSignInLink,
} from "../../workspaces/console-users.ts";
import { requireHere } from "../../workspaces/moving.ts";
import { isKnownBrowser, knownBrowser, TOO_OFTEN } from "../shell/attempts.ts";
import { nextPath } from "../shell/forms.ts";
import { faultOfPassword, hashPassword, isPassword } from "../shell/passwords.ts";
import { type OpenRequest, page, Refusal, redirect, type VisitorRequest } from "../shell/request.ts";
import { readCookie, setCookie } from "../shell/visitors.ts";
import { type Faults, renderChoice, renderSignIn } from "./pages.tsx";

const MAX_NAME_CHARACTERS = 200;

/** The same for an unknown email, a wrong password and a disabled user. */
const WRONG = "The email or the password is not right.";

/** GET of the sign-in. */
export function showSignIn({ base, provider, token, query }: OpenRequest): Reply {
  const next = nextPath(query.get("next") ?? "");
  return page(200, renderSignIn({ base, token, next, email: "", fault: undefined, provider: provider?.name }));
}

/** POST of the sign-in. */
export async function signIn({ attempts, base, context, ctx, fields, provider, token }: OpenRequest): Promise<Reply> {
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
  const signedIn =
    isRight &&
    found &&
    (await whenFree(control.writer, config.writeWaitMs, () => {
      // The user may have been disabled, or have chosen another password, in the meantime.
      if (findAccount(control.writer, email)?.password !== found.password) return undefined;
      return begin(control.writer, found.id, ctx, config.publicUrl);
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

/** Begins a session. It is always a new one, and the browser's former one ends. @returns what the cookie gets */
export function begin(db: Writer, userId: number, { req }: OpenRequest["ctx"], publicUrl: string): string {
  const before = readCookie(req, "session", publicUrl);
  if (before !== undefined) endSession(db, before);
  return beginSession(db, userId, req.headers["user-agent"] ?? "", Date.now());
}

/** GET of a link. It uses nothing up: scanners of mails open links, too. */
export async function showChoice(request: OpenRequest): Promise<Reply> {
  const link = await linkOf(request);
  return choice(request, link, { name: "", email: "" }, {}, 200);
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
    if (link.user_id === null && isEmailTaken(writer, typed.email)) return undefined;
    // Of two that use the link at the same time, the second one finds it gone.
    if (!findSignInLink(writer, params.secret!, Date.now()) || !takeSignInLink(writer, params.secret!)) throw gone();
    const userId = link.user_id ?? makeOwner(writer, link, typed, ctx.state.requestId);
    setPassword(writer, userId, kept);
    endSessionsOf(writer, userId, null);
    return begin(writer, userId, ctx, config.publicUrl);
  });
  if (cookie === undefined) {
    return choice(request, link, typed, { email: "Somebody else has this email here. Enter another one." }, 422);
  }
  const known = knownBrowser(storedEmail(link.email ?? typed.email), kept);
  return redirect(
    `${base}/console/studies`,
    setCookie("session", cookie, config.publicUrl),
    setCookie("known", known, config.publicUrl),
  );
}

/** Makes the account of the workspace's owner. @returns its rowid */
function makeOwner(
  db: Writer,
  { workspace_id: workspaceId, workspace_uid: workspaceUid }: SignInLink,
  { name, email }: { name: string; email: string },
  requestId: string,
): number {
  const role = "admin";
  const { id, uid } = insertConsoleUser(db, { workspaceId, name, email, role, now: Date.now() });
  const actor = { type: "TenantUserActor", uid, name } as const;
  pendEvent(db, workspaceUid, { actor, requestId, jobUid: null, note: null }, newUser(uid, { name, role }));
  return id;
}

/** The link of the path. @throws Refusal when it does not work; Problem 429 after many */
async function linkOf({ attempts, context, ctx, params }: OpenRequest): Promise<SignInLink> {
  const link = findSignInLink(context.control.reader, params.secret!, Date.now());
  if (link) return link;
  await attempts.addresses.count(ctx.ip, TOO_OFTEN);
  throw gone();
}

function gone(): Refusal {
  return new Refusal(
    404,
    "This link does not work",
    "A link works once, for 15 minutes. If you have chosen a password already, sign in with it. If not, ask the people who run the service for a new link.",
  );
}

/** POST: ends the session of this browser. */
export async function signOut({ base, context, visitor }: VisitorRequest): Promise<Reply> {
  const { control, config } = context;
  await whenFree(control.writer, config.writeWaitMs, () => endSession(control.writer, visitor.cookie));
  return redirect(`${base}/console/sign-in`, setCookie("session", undefined, config.publicUrl));
}
