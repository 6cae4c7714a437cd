// The second step of a sign-in: the code of an app, or a recovery code, after the password.
//
// Nothing is kept of who is between the two steps: the cookie says who has given the password and until when that counts, signed with the
// hash of that password and the secret of the codes. Another password, and another secret, end it.

import { createHmac, timingSafeEqual } from "node:crypto";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { takeCode } from "../../access/two-factor.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type Account, findAccountOf, listMemberships } from "../../workspaces/accounts.ts";
import { isKnownBrowser, knownBrowser, TOO_OFTEN } from "../shell/attempts.ts";
import { nextPath } from "../shell/forms.ts";
import { renderPage, Token } from "../shell/layout.tsx";
import { type OpenRequest, page, redirect } from "../shell/request.ts";
import { readCookie, setCookie } from "../shell/visitors.ts";
import { begin } from "./begin.ts";
import { Field } from "./pages.tsx";

const STEP_MS = 10 * 60_000;

const WRONG_CODE = "The code is not right, or was used before. Wait for the next one.";

/** Leads somebody who has given the password to the second step. */
export function toSecondStep({ base, context }: OpenRequest, account: Account, next: string): Reply {
  const until = Date.now() + STEP_MS;
  const cookie = `${account.id}.${until}.${signature(account, until)}`;
  const path = `${base}/console/sign-in/code?next=${encodeURIComponent(next)}`;
  return redirect(path, setCookie("second", cookie, context.config.publicUrl));
}

function signature({ id, password, totp_secret }: Account, until: number): string {
  return createHmac("sha256", `${password} ${totp_secret}`)
    .update(`password given: ${id} ${until}`)
    .digest("base64url");
}

/** The account whose password the browser has given; undefined: none, or too long ago. */
function accountOf({ context, ctx }: OpenRequest): Account | undefined {
  const [id, until, given = ""] = readCookie(ctx.req, "second", context.config.publicUrl)?.split(".") ?? [];
  const account = findAccountOf(context.control.reader, Number(id));
  if (!account?.password || !account.totp_secret || Number(until) < Date.now()) return undefined;
  const [sent, own] = [Buffer.from(given), Buffer.from(signature(account, Number(until)))];
  return sent.length === own.length && timingSafeEqual(sent, own) ? account : undefined;
}

/** GET of the form. */
export function showSecondStep(request: OpenRequest): Reply {
  const { base, query } = request;
  if (!accountOf(request)) return redirect(`${base}/console/sign-in`);
  return secondStep(request, nextPath(query.get("next") ?? ""), undefined);
}

function secondStep({ base, token }: OpenRequest, next: string, fault: string | undefined): Reply {
  const html = renderPage(
    { base, title: fault === undefined ? "Enter a code" : "Error – Enter a code" },
    <>
      <h1>Enter a code</h1>
      <form method="post" action={`${base}/console/sign-in/code`} novalidate>
        <Token value={token} />
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label="Code"
          type="text"
          autocomplete="one-time-code"
          hint="The six digits that your authenticator app shows now, or one of your recovery codes."
          fault={fault}
        />
        <button class="button" type="submit">
          Sign in
        </button>
      </form>
      <p class="note">
        Have you lost the app and the recovery codes? An admin of your workspace, or the people who run the service, can
        reset it.
      </p>
    </>,
  );
  return page(fault === undefined ? 200 : 422, html);
}

/** POST of the form. */
export async function signInWithCode(request: OpenRequest): Promise<Reply> {
  const { base, context, ctx, fields } = request;
  const { control, config } = context;
  const next = nextPath(fields("next"));
  const account = accountOf(request);
  if (!account) return redirect(`${base}/console/sign-in`);
  const isRight = await tryCode(request, account);
  if (!isRight) return secondStep(request, next, WRONG_CODE);
  const cookie = await whenFree(control.writer, config.writeWaitMs, () => {
    // Another password may have been chosen, or the user have been disabled, in the meantime.
    const still = findAccountOf(control.writer, account.id);
    const [last] = listMemberships(control.writer, account.account_uid);
    if (still?.password !== account.password || !last) return undefined;
    return begin(control.writer, last.user_id, ctx, config.publicUrl);
  });
  if (cookie === undefined) return redirect(`${base}/console/sign-in`);
  return redirect(
    base + next,
    setCookie("session", cookie, config.publicUrl),
    setCookie("known", knownBrowser(account.email, account.password!), config.publicUrl),
    setCookie("second", undefined, config.publicUrl),
  );
}

/** Whether the code of a form is one of the account, which it is once. It is counted before it is looked at. @throws Problem 429 */
export async function tryCode(request: OpenRequest, account: Account): Promise<boolean> {
  const { attempts, context, ctx, fields } = request;
  const { control, config } = context;
  const known = readCookie(ctx.req, "known", config.publicUrl);
  const name = `${account.account_uid} ${isKnownBrowser(known, account.email, account.password) ? "known" : "any"}`;
  await attempts.codes.count(name, TOO_OFTEN);
  const isRight = await whenFree(control.writer, config.writeWaitMs, () =>
    takeCode(control.writer, account, fields("code")),
  );
  if (isRight) await attempts.codes.forget(name);
  return isRight;
}
