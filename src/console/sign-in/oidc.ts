// Signing in at an OpenID provider: the way there and back, and which users may enter.
//
// A user gets in whom an admin, or the command line, has made. The first time, the email that the provider has verified says who it
// is; from then on the account there. Somebody else whose account has that email later does not get in.

import type { Writer } from "../../../db/sqlite/connection.ts";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { joinUser, tied } from "../../access/users.ts";
import { Problem } from "../../base/problems.ts";
import { pendEvent } from "../../events/outbox.ts";
import type { Cause } from "../../events/record.ts";
import type { Reply } from "../../http/wire/reply.ts";
import {
  type Account,
  findAccount,
  findTied,
  listInvited,
  listMemberships,
  setTie,
} from "../../workspaces/accounts.ts";
import { requireHere } from "../../workspaces/moving.ts";
import { TOO_OFTEN } from "../shell/attempts.ts";
import { nextPath } from "../shell/forms.ts";
import type { Known, Provider } from "../shell/provider.ts";
import { ofRefusal } from "../shell/refusals.ts";
import { type OpenRequest, Refusal, redirect } from "../shell/request.ts";
import { newCookie, readCookie, setCookie } from "../shell/visitors.ts";
import { begin } from "./begin.ts";

/** Browsers drop cookies that are too long. */
const MAX_NEXT_CHARACTERS = 1000;

/** GET: leads to the provider. @throws Problem 404 where there is none; Refusal 503 when it does not answer */
export async function goToProvider(request: OpenRequest): Promise<Reply> {
  const { context, query } = request;
  const provider = providerOf(request);
  const secret = newCookie();
  const url = await provider.begin(secret).catch((error) => {
    throw failed(request, provider, error);
  });
  return redirect(url, setCookie("oidc", withNext(secret, query.get("next") ?? ""), context.config.publicUrl));
}

/** GET: comes back from the provider. Whatever becomes of it, the browser can't come back with it once more. */
export async function comeBack(request: OpenRequest): Promise<Reply> {
  const { attempts, base, context, ctx, query } = request;
  const provider = providerOf(request);
  const { publicUrl } = context.config;
  const over = setCookie("oidc", undefined, publicUrl);
  await attempts.addresses.count(ctx.ip, TOO_OFTEN);
  try {
    const [secret, next = ""] = readCookie(ctx.req, "oidc", publicUrl)?.split(".") ?? [];
    if (!secret || !provider.hasBegun(query.get("state") ?? "", secret)) throw ended();
    if (query.get("error") === "access_denied") throw declined(provider);
    const known = await provider.finish(query, secret).catch((error) => {
      throw failed(request, provider, error);
    });
    const session = await enter(request, provider, known);
    await attempts.addresses.forgive(ctx.ip);
    return redirect(
      base + nextPath(Buffer.from(next, "base64url").toString()),
      setCookie("session", session, publicUrl),
      over,
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...ofRefusal(request, request.ctx, error), cookies: [over] };
  }
}

/** What the cookie gets: the path that follows is in it, too. The provider need not know: it may have an email. */
function withNext(secret: string, asked: string): string {
  const next = asked.length > MAX_NEXT_CHARACTERS ? "" : asked;
  return `${secret}.${Buffer.from(nextPath(next)).toString("base64url")}`;
}

function providerOf({ provider }: OpenRequest): Provider {
  if (!provider) throw new Problem("route_not_found");
  return provider;
}

/** Begins a session of the user. @returns what the cookie gets. @throws Refusal when nobody here is meant; Problem 503 */
function enter({ context, ctx }: OpenRequest, provider: Provider, known: Known): Promise<string> {
  const { control, config } = context;
  return whenFree(control.writer, config.writeWaitMs, () => {
    const account = accountOf(control.writer, provider, known, ctx.state.requestId);
    const [last] = listMemberships(control.writer, account.account_uid);
    // A disabled user does not get in as another user who has the email now.
    if (!last) throw nobody(provider.name);
    return begin(control.writer, last.user_id, ctx, config.publicUrl, true);
  });
}

function accountOf(db: Writer, { name }: Provider, known: Known, requestId: string): Account {
  const account = findTied(db, known) ?? tie(db, name, known, requestId);
  if (known.email !== null && isEmailKept(account, known.email)) acceptInvitations(db, account, requestId);
  return account;
}

/** Ties the account that has the verified email. @throws Refusal */
function tie(db: Writer, name: string, known: Known, requestId: string): Account {
  if (known.email === null)
    throw noEntry(`${name} does not say that your email is verified. Verify it there, or sign in with your password.`);
  const account = findAccount(db, known.email);
  if (!account || !isEmailKept(account, known.email)) throw nobody(name);
  if (account.oidc_subject !== null)
    throw noEntry(
      `The user with your email is tied to another account at ${name}. If that was yours, ask an admin of the workspace to untie it.`,
    );
  const users = listMemberships(db, account.account_uid);
  if (!users.length) throw nobody(name);
  setTie(db, account.id, known);
  for (const { user_uid: uid, user_name, workspace_uid } of users) {
    requireHere(db, { workspaceUid: workspace_uid });
    pendEvent(db, workspace_uid, causedBy({ uid, name: user_name }, requestId), tied(uid, known));
  }
  return account;
}

/** Some signs become plain letters when they are made small (U+212A, the Kelvin sign, becomes k): that is another mailbox. */
function isEmailKept({ email }: Account, known: string): boolean {
  return email === known.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Who has shown that the mailbox is theirs has accepted what was sent to it. Not where the account has a password: who has chosen that need
 * not have the mailbox, and joins by the link, with the password.
 */
function acceptInvitations(db: Writer, account: Account, requestId: string): void {
  if (account.password !== null) return;
  for (const { id, uid, workspace_uid } of listInvited(db, account.email)) {
    const cause = causedBy({ uid, name: account.name }, requestId);
    joinUser(db, (event) => pendEvent(db, workspace_uid, cause, event), { id, uid }, account);
  }
}

function causedBy({ uid, name }: { uid: string; name: string }, requestId: string): Cause {
  return { actor: { type: "TenantUserActor", uid, name }, requestId, jobUid: null, note: null };
}

function nobody(name: string): Refusal {
  return noEntry(
    `You have signed in at ${name}, but no user here may sign in with that account. Ask an admin of the workspace, or the people who run the service, to add you with its email. If you have another account there, sign out of this one first.`,
  );
}

function noEntry(text: string): Refusal {
  return new Refusal(403, "You have no access yet", text);
}

function ended(): Refusal {
  return new Refusal(
    400,
    "This sign-in has ended",
    "It began in another browser, or more than 10 minutes ago, or you have begun a newer one. Go to the console, and sign in once more.",
  );
}

function declined({ name }: Provider): Refusal {
  return new Refusal(403, "You are not signed in", `${name} says that you have not agreed, or may not sign in here.`);
}

/** The log has what the library says, without what the provider has sent: that may be about a person. */
function failed({ context, ctx }: OpenRequest, { name }: Provider, error: unknown): Refusal {
  const { message, code, cause, error: said } = error as Error & { code?: string; error?: string };
  const coded = { code: code ?? (cause as { code?: string } | undefined)?.code, said };
  context.log.warn({ reason: message, ...coded, requestId: ctx.state.requestId }, "single sign-on failed");
  return new Refusal(
    503,
    "Single sign-on does not work now",
    `${name} does not answer, or not as it should. Try once more in a moment, or sign in with your password.`,
  );
}
