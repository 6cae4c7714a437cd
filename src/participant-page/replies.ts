// What the pages' handlers reply with, and the headers of all replies.

import { Readable } from "node:stream";
import type { ParameterizedContext } from "koa";
import { type Look, lookOf } from "../appearance/look.ts";
import { getAppearance } from "../appearance/queries.ts";
import { UNSUBSCRIBE_FIELD } from "../contacts/page/subscription.tsx";
import type { Context } from "../http/context.ts";
import { pageHeaders } from "../http/wire/page-headers.ts";
import { HTML, type Reply } from "../http/wire/reply.ts";
import type { Later } from "../mail/page/my-link.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import type { Speech } from "../words/speech.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { askedIn } from "./asked.ts";
import { addressScript, frameScript, menuScript, style } from "./assets/assets.ts";
import { bytesOf, type Own } from "./assets/slots.ts";
import { renderEnding, renderOwnData, renderRequest, renderSubscription } from "./end-pages.tsx";
import type { Ending } from "./ending.ts";
import { ASK_FIELD, LANGUAGE_FIELD, WITHDRAW_FIELD } from "./input.ts";
import { renderedPage } from "./kept-pages.ts";
import type { LanguageForm } from "./language-choice.tsx";
import type { PageProps } from "./question-page.tsx";
import type { Visit } from "./visit.ts";

const statusOfEnding: Record<Ending, number> = {
  thanks: 200,
  answered: 200,
  fullNow: 200,
  noConsent: 200,
  refused: 200,
  withdraw: 200,
  withdrawn: 200,
  forged: 403,
  confirmSent: 200,
  confirm: 200,
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

/** What is shown; of a page whose participant can have the link mailed, `later`; and whether it has a field that people do not see. */
export type Shown = Visit & { later?: Later; hasTrap?: boolean };

/** A link that was opened. */
interface Opened {
  context: Context;
  /** What comes before /w in URLs: the path of PUBLIC_URL. */
  base: string;
  params: Record<string, string>;
  /** Where the form of its page is sent. Missing: the link of the session. */
  action?: string;
  querystring: string;
  ctx: ParameterizedContext;
}

/** The path of a workspace's links. */
export function folderOf({ context, base }: Pick<Opened, "context" | "base">, workspace: WorkspaceRow): string {
  return `${base}${appPath(context.cell, workspace.uid)}`;
}

/** @param isFirst whether it is the link as it was sent that was opened */
export function answer(
  request: Opened,
  workspace: WorkspaceRow,
  visit: Shown,
  isFirst = false,
): Reply | Promise<Reply> {
  const { context, base, params, action, querystring } = request;
  const folder = folderOf(request, workspace);
  const pathOf = (session: string) => action ?? `${folder}/screeners/${params.screener}/${session}`;
  const path = pathOf(params.session ?? "");
  // Until the session has a language, its pages have that of the link.
  const isJoining = visit.kind === "page" && visit.view.joining !== undefined && visit.view.languages.length > 1;
  const lang = isJoining ? visit.view.language : askedIn(request).lang;
  const addressAt = (at: string, more: Record<string, string>) => withQuery(at, { ...more, ...(lang && { lang }) });
  if (visit.kind === "redirect") return redirect(addressAt(path, visit.to === "end" ? { done: "" } : visit.to));
  const look = lookOf(context.workspaces.read(workspace.uid, getAppearance), folder);
  // Unless the browser says that it is none. Some do not say it.
  const isFramed = look.frameAncestors.length > 0 && request.ctx.get("Sec-Fetch-Dest") !== "document";
  const frameAt = (at: string) => ({
    base,
    workspaceName: workspace.name,
    look,
    images: `${folder}/image`,
    isFirst,
    isFramed,
    isTest: visit.isTest || workspace.is_sandbox === 1,
    path: addressAt(at, {}),
    ...(visit.canWithdraw && { withdrawPath: addressAt(at, { [WITHDRAW_FIELD]: "" }) }),
    ...(visit.canAsk && {
      subscriptionPath: addressAt(at, { [UNSUBSCRIBE_FIELD]: "" }),
      askPaths: {
        any: addressAt(at, { [ASK_FIELD]: "" }),
        data: addressAt(at, { [ASK_FIELD]: "data" }),
        erasure: addressAt(at, { [ASK_FIELD]: "erasure" }),
      },
    }),
  });
  if (visit.kind === "page") {
    const { view, isResumed, later, hasTrap } = visit;
    const propsAt = ({ session, shownAt }: Own): PageProps => {
      const at = pathOf(session);
      const address = isResumed ? addressAt(at, { page: view.page!.id }) : undefined;
      return { ...frameAt(at), later, hasTrap, view, address, shownAt };
    };
    const own = { session: params.session ?? "", shownAt: String(view.shownAt ?? Date.now()) };
    const isWrong = view.errors.size > 0 || view.isUnsure || later?.state === "WRONG";
    const status = view.isBusy ? 503 : isWrong ? 422 : 200;
    const replyWith = (html: Buffer | string[]) => styled(look, page(status, view.speech, html));
    const html = renderedPage(own, propsAt);
    return html instanceof Promise ? html.then(replyWith) : replyWith(html);
  }
  const frame = { ...frameAt(path), languageForm: languageFormAt(path, querystring) };
  switch (visit.kind) {
    case "ending":
      return styled(
        look,
        withHeaders(
          page(statusOfEnding[visit.ending], visit.speech, renderEnding(frame, visit)),
          leadingTo(isFramed ? null : visit.leadsTo),
        ),
      );
    case "subscription":
      return styled(look, page(200, visit.speech, renderSubscription(frame, visit)));
    case "request":
      return styled(look, page(200, visit.speech, renderRequest(frame, visit)));
    case "own-data":
      return styled(look, page(200, visit.speech, renderOwnData(frame, visit)));
  }
}

/** A page that ends shows itself in another language. A form that is sent by GET loses the query of its address, so that goes along as fields. */
function languageFormAt(path: string, querystring: string): LanguageForm {
  const query = new URLSearchParams(querystring);
  query.delete(LANGUAGE_FIELD);
  return { method: "get", path: path.replace(/\?.*/, ""), fields: [...query] };
}

/** An address with more in its query. */
function withQuery(address: string, more: Record<string, string>): string {
  const query = Object.entries(more).map(([name, value]) => (value === "" ? name : `${name}=${value}`));
  return query.length ? `${address}${address.includes("?") ? "&" : "?"}${query.join("&")}` : address;
}

/** A reply whose policy allows the look's own stylesheet, too, and the frames of other sites that it names. */
export function styled({ style: own, frameAncestors }: Pick<Look, "style" | "frameAncestors">, reply: Reply): Reply {
  if (!own && !frameAncestors.length) return reply;
  let policy = headers[POLICY]!;
  if (own) policy = policy.replace(style.source, `${style.source} ${own.source}`);
  if (!frameAncestors.length) return withHeaders(reply, { [POLICY]: policy });
  policy = policy
    .replace(addressScript.source, `${addressScript.source} ${frameScript.source}`)
    .replace("frame-ancestors 'none'", `frame-ancestors ${frameAncestors.join(" ")}`);
  // It can only say no or name the site itself.
  return { ...withHeaders(reply, { [POLICY]: policy }), without: ["X-Frame-Options"] };
}

function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

export function withCookies(reply: Reply | Promise<Reply>, cookies: string[]): Reply | Promise<Reply> {
  if (!cookies.length) return reply;
  const add = (made: Reply): Reply => ({ ...made, cookies: [...(made.cookies ?? []), ...cookies] });
  return reply instanceof Promise ? reply.then(add) : add(reply);
}

/** The page leads on by itself; in a frame, it would do so inside of that, and most sites let nobody show them there. A redirect would not do: browsers refuse those of a form to other sites, as the policy says. */
function leadingTo(address: string | null): Record<string, string> {
  return address === null ? {} : { Refresh: `0;url=${address}` };
}

/** @param html whole, or in pieces */
export function page(status: number, { language }: Speech, html: string | Buffer | string[]): Reply {
  const headers = { "Content-Language": language };
  const [beginning = "", ...rest] = Array.isArray(html) ? html : [html];
  const first = typeof beginning === "string" ? bytesOf(beginning) : beginning;
  return { status, type: HTML, headers, body: rest.length === 0 ? first : Readable.from([first, ...rest]) };
}

/** 303: the browser sends GET next, so that a reload does not send the form again. */
export function redirect(path: string): Reply {
  return { status: 303, type: HTML, body: "", headers: { Location: path } };
}
