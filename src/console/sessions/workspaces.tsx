// The page with the workspaces of an account, which enters another one of them.

import type { VNode } from "preact";
import { whenFree } from "../../../db/sqlite/when-free.ts";
import { clean } from "../../base/clean-text.ts";
import { Problem } from "../../base/problems.ts";
import { unauthenticated } from "../../http/auth.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { listMemberships, type Membership } from "../../workspaces/accounts.ts";
import { beginSession, endSession } from "../../workspaces/console-sessions.ts";
import { renderPage, Token } from "../shell/layout.tsx";
import { page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { setCookie, visitorOf } from "../shell/visitors.ts";

/** GET of the workspaces. */
export function showWorkspaces(request: VisitorRequest): Reply {
  const { base, context, token, visitor } = request;
  const all = listMemberships(context.control.reader, visitor.account_uid).toSorted((a, b) =>
    a.workspace_name.localeCompare(b.workspace_name),
  );
  const html = renderPage(
    { base, title: "Your workspaces", signedIn: signedIn(request), at: "/console/workspaces" },
    <>
      <h1>Your workspaces</h1>
      <p class="note">One account, with the same email and the same way to sign in. Nothing is shared between them.</p>
      <ul class="cards">
        {all.map((one) => (
          <Card key={one.workspace_uid} {...{ base, token, one, isHere: one.user_id === visitor.user_id }} />
        ))}
      </ul>
    </>,
  );
  return page(200, html);
}

function Card(props: { base: string; token: string; one: Membership; isHere: boolean }): VNode {
  const { base, token, isHere } = props;
  const { workspace_name: name, workspace_uid: uid, role, suspended_at } = props.one;
  return (
    <li class="card">
      <h2>
        <bdi>{clean(name)}</bdi>
      </h2>
      <p class="states">
        <span class="state">{role}</span>
        {suspended_at !== null && <span class="state state-failed">suspended</span>}
      </p>
      {isHere && <p class="note">You are here.</p>}
      {!isHere && suspended_at === null && (
        <form method="post" action={`${base}/console/workspaces/${uid}`}>
          <Token value={token} />
          <button class="button button-quiet" type="submit">
            Switch
            <span class="unseen"> to {clean(name)}</span>
          </button>
        </form>
      )}
    </li>
  );
}

/**
 * POST: goes on in another workspace of the account. The session is another one, with another cookie: pages that are still open in the former
 * one can send nothing. It ends when the former one would have. @throws Problem 404 where the account may enter no such workspace
 */
export async function enterWorkspace({ base, context, ctx, params }: VisitorRequest): Promise<Reply> {
  const { control, config } = context;
  const cookie = await whenFree(control.writer, config.writeWaitMs, () => {
    const still = visitorOf(context, ctx.req, control.writer);
    if (!still) throw unauthenticated();
    const found = listMemberships(control.writer, still.account_uid).find((one) => one.workspace_uid === params.id);
    if (!found) throw new Problem("route_not_found");
    endSession(control.writer, still.cookie);
    const { browser, by_provider, created_at: since } = still;
    const session = { userId: found.user_id, browser, byProvider: by_provider === 1, since };
    return beginSession(control.writer, session, Date.now());
  });
  return redirect(`${base}/console/studies`, setCookie("session", cookie, config.publicUrl));
}
