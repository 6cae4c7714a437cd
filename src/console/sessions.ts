// The page with a user's own sessions, which ends them.

import { whenFree } from "../../db/when-free.ts";
import type { Reply } from "../http/reply.ts";
import { endSessionsOf, listSessions } from "../workspaces/console-users.ts";
import { page, redirect, signedIn, type VisitorRequest } from "./request.ts";
import { renderSessions } from "./view/sessions-page.tsx";

/** GET of the sessions. */
export function showSessions(request: VisitorRequest): Reply {
  const { base, context, token, visitor } = request;
  const sessions = listSessions(context.control.reader, visitor.user_id, Date.now());
  return page(200, renderSessions(base, signedIn(request), { sessions, own: visitor.uid, token }));
}

/** POST: ends one of them. One of somebody else is not found, and nothing happens. */
export async function endOne({ base, context, params, visitor }: VisitorRequest): Promise<Reply> {
  const { control, config } = context;
  await whenFree(control.writer, config.writeWaitMs, () => endSessionsOf(control.writer, visitor.user_id, params.id!));
  return redirect(`${base}/console/sessions`);
}
