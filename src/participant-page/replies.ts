// What the pages' handlers reply with, and the headers of all replies.

import { Readable } from "node:stream";
import { getAppearance } from "../appearance/queries.ts";
import type { Context } from "../http/context.ts";
import { pageHeaders } from "../http/wire/page-headers.ts";
import { HTML, type Reply } from "../http/wire/reply.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { addressScript, menuScript, style } from "./assets.ts";
import { renderEnding } from "./end-pages.tsx";
import type { Ending } from "./ending.ts";
import { type Look, lookOf } from "./look.ts";
import { renderQuestionPage } from "./question-page.tsx";
import type { Visit } from "./visit.ts";

const statusOfEnding: Record<Ending, number> = {
  thanks: 200,
  answered: 200,
  fullNow: 200,
  archived: 410,
  removed: 410,
  closed: 409,
  expired: 409,
  paused: 409,
  notYetOpen: 409,
  full: 409,
};

/** As Node names it. */
const POLICY = "content-security-policy";

export const headers: Record<string, string> = {
  ...pageHeaders(
    {
      styleSrc: [style.source, "'self'"],
      scriptSrc: [addressScript.source, menuScript.source],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
    },
    { referrerPolicy: { policy: "no-referrer" }, xFrameOptions: { action: "deny" } },
  ),
  "X-Robots-Tag": "noindex, nofollow",
};

/** A link that was opened. */
interface Opened {
  context: Context;
  /** What comes before /w in URLs: the path of PUBLIC_URL. */
  base: string;
  params: Record<string, string>;
  /** Where the form of its page is sent. Missing: the link of the session. */
  action?: string;
}

/** The path of a workspace's links. */
export function folderOf({ context, base }: Pick<Opened, "context" | "base">, workspace: WorkspaceRow): string {
  return `${base}${appPath(context.cell, workspace.uid)}`;
}

/** @param isFirst whether it is the link as it was sent that was opened */
export function answer(
  { context, base, params, action }: Opened,
  workspace: WorkspaceRow,
  visit: Visit,
  isFirst = false,
): Reply | Promise<Reply> {
  const folder = folderOf({ context, base }, workspace);
  const path = action ?? `${folder}/screeners/${params.screener}/${params.session}`;
  if (visit.kind === "redirect") return redirect(`${path}?${visit.to === "end" ? "done" : `page=${visit.to.page}`}`);
  const look = lookOf(context.workspaces.read(workspace.uid, getAppearance), folder);
  const frame = { base, workspaceName: workspace.name, look, isFirst, isTest: visit.isTest ?? false };
  switch (visit.kind) {
    case "ending":
      return styled(look, {
        ...page(statusOfEnding[visit.ending], renderEnding(frame, visit)),
        ...leadingTo(visit.leadsTo),
      });
    case "page": {
      const { errors, isBusy, isUnsure, page: shown } = visit.view;
      const address = visit.isResumed ? `${path}?page=${shown!.id}` : undefined;
      const status = isBusy ? 503 : errors.size || isUnsure ? 422 : 200;
      return renderQuestionPage({ ...frame, view: visit.view, path, address }).then((html) =>
        styled(look, page(status, ...html)),
      );
    }
  }
}

/** A reply whose policy allows the look's own stylesheet, too. */
function styled({ style: own }: Look, reply: Reply): Reply {
  if (!own) return reply;
  const policy = headers[POLICY]!.replace(style.source, `${style.source} ${own.source}`);
  return { ...reply, headers: { ...reply.headers, [POLICY]: policy } };
}

/** The page leads on by itself. A redirect would not do: browsers refuse those of a form to other sites, as the policy says. */
function leadingTo(address: string | null): Pick<Reply, "headers"> {
  return address === null ? {} : { headers: { Refresh: `0;url=${address}` } };
}

export function page(status: number, ...html: string[]): Reply {
  return { status, type: HTML, body: html.length === 1 ? html[0]! : Readable.from(html) };
}

/** 303: the browser sends GET next, so that a reload does not send the form again. */
export function redirect(path: string): Reply {
  return { ...page(303, ""), headers: { Location: path } };
}
