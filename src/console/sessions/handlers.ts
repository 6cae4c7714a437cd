// The page of a user's own account: what the user is mailed about, the sessions, which it ends, and the change of the password, which ends them, too.

import { whenFree } from "../../../db/sqlite/when-free.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { findAccountOf, setPassword } from "../../workspaces/accounts.ts";
import { beginSession, endSessionsOf, listSessions } from "../../workspaces/console-sessions.ts";
import { listNotices, noticesFor, setNotices } from "../../workspaces/noticed.ts";
import { changeAccess } from "../shell/access.ts";
import { knownBrowser } from "../shell/attempts.ts";
import { faultOfPassword, hashPassword, isPassword } from "../shell/passwords.ts";
import { page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { setCookie } from "../shell/visitors.ts";
import { type PasswordFaults, renderSessions } from "./page.tsx";

/** GET of the sessions. */
export function showSessions(request: VisitorRequest): Reply {
  return sessions(request, {});
}

function sessions(request: VisitorRequest, faults: PasswordFaults): Reply {
  const { base, context, query, token, visitor } = request;
  const { reader } = context.control;
  const account = findAccountOf(reader, visitor.user_id);
  const html = renderSessions(base, signedIn(request), {
    notices: {
      email: context.mail && account?.email,
      offered: noticesFor(visitor.role),
      chosen: listNotices(reader, visitor.user_id),
      isSaved: query.has("saved"),
    },
    sessions: listSessions(reader, visitor.user_id, Date.now()),
    own: visitor.uid,
    token,
    hasPassword: typeof account?.password === "string",
    isChanged: query.has("changed"),
    faults,
  });
  return page(Object.keys(faults).length ? 422 : 200, html);
}

/** POST: what the user is mailed about, of what the role may choose. */
export async function chooseNotices(request: VisitorRequest): Promise<Reply> {
  const { base, fields, visitor } = request;
  const chosen = noticesFor(visitor.role).filter((kind) => fields(kind));
  await changeAccess(request, (db) => setNotices(db, visitor.user_id, chosen, Date.now()));
  return redirect(`${base}/console/sessions?saved`);
}

/** POST: ends one of them. One of somebody else is not found, and nothing happens. */
export async function endOne({ base, context, params, visitor }: VisitorRequest): Promise<Reply> {
  const { control, config } = context;
  await whenFree(control.writer, config.writeWaitMs, () => endSessionsOf(control.writer, visitor.user_id, params.id!));
  return redirect(`${base}/console/sessions`);
}

/** POST: changes the password, and ends all sessions. This browser gets a new one. @throws Problem 429 after too many wrong ones */
export async function changePassword(request: VisitorRequest): Promise<Reply> {
  const { attempts, base, context, ctx, fields, visitor } = request;
  const password = fields("password");
  const faults: PasswordFaults = {};
  const fault = faultOfPassword(password);
  if (fault) faults.password = fault;
  else if (password !== fields("again")) faults.again = "The two passwords differ.";
  const account = findAccountOf(context.control.reader, visitor.user_id);
  if (!account || account.password === null) faults.old = "There is none yet.";
  if (!account || Object.keys(faults).length) return sessions(request, faults);
  // With those of the sign-in in browsers that it knows: this one is in.
  const attempt = await attempts.count({ address: ctx.ip, email: account.email, isKnown: true });
  const kept = (await isPassword(fields("old"), account.password)) ? await hashPassword(password) : undefined;
  const cookie =
    kept !== undefined &&
    (await changeAccess(request, (db) => {
      // Where another one was chosen in the meantime, this session has ended, and this is not run.
      setPassword(db, account.id, kept);
      endSessionsOf(db, account.id, null);
      const session = { userId: account.id, browser: visitor.browser, byProvider: visitor.by_provider === 1 };
      return beginSession(db, session, Date.now());
    }));
  if (!cookie) return sessions(request, { old: "That is not your password." });
  await attempt.succeeded();
  const { publicUrl } = context.config;
  const known = setCookie("known", knownBrowser(account.email, kept!), publicUrl);
  return redirect(`${base}/console/sessions?changed`, setCookie("session", cookie, publicUrl), known);
}
