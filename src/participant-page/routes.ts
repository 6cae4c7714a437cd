// /w: the pages of participants' links, in HTML. They work without scripts, and have one, of one line.
//
// The link is the only credential. There are no cookies and no passwords, so forms need no token against cross-site
// requests: an attacker can't forge a request without the link, and with the link needs no other person's browser. What
// we must protect is the link itself. Its ids are random (122 and 128 bits). Wrong links are counted by address. Pages
// load nothing from other sites and send no Referer header (Referrer-Policy). Caches don't keep them. Log lines have
// the route's template, never the path.

import type { IncomingMessage } from "node:http";
import type { Router } from "@koa/router";
import type { ParameterizedContext } from "koa";
import type { Reader } from "../../db/sqlite/connection.ts";
import { findLogo, getAppearance } from "../appearance/queries.ts";
import type { Problem } from "../base/problems.ts";
import { idOf } from "../base/schemas.ts";
import { UNSUBSCRIBE_FIELD } from "../contacts/page/subscription.tsx";
import { type RecordEvent, recordEvent } from "../events/record.ts";
import type { Context } from "../http/context.ts";
import type { Found, Site } from "../http/direct.ts";
import { idsOf } from "../http/endpoint.ts";
import { requireCoding } from "../http/wire/codings.ts";
import { asProblem } from "../http/wire/errors.ts";
import { replyWithAsset } from "../http/wire/page-assets.ts";
import { type Reply, sendReply } from "../http/wire/reply.ts";
import { findImageBytes } from "../images/queries.ts";
import { noteMail } from "../mail/notes.ts";
import { type Later, mailMyLink } from "../mail/page/my-link.ts";
import { signalsOf } from "../signals/settings.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { askedIn, speechAsked } from "./asked.ts";
import { icon, styleFile } from "./assets/assets.ts";
import { renderProblem } from "./end-pages.tsx";
import { canWithdraw } from "./ending.ts";
import { ASK_FIELD, type Form, offerOf, readForm, WITHDRAW_FIELD } from "./input.ts";
import { joinByLink, OPEN_LINK, openOpenLink } from "./open-links.ts";
import { canAsk } from "./own-data.tsx";
import { findLinkedSession, findShortLink, hasLinkedSession, type LinkedSession } from "./queries.ts";
import { answer, headers, page, type Shown, styled, withCookies } from "./replies.ts";
import {
  cookiesFor,
  findKey,
  miss,
  newShared,
  type PageRequest,
  patiently,
  visitorAt,
  workspaceOf,
} from "./requests.ts";
import { showLink, showUnsaved, takeForm, type Visit } from "./visit.ts";

type Asked = Pick<PageRequest, "params" | "querystring">;

type Handler = (request: PageRequest) => Reply | Promise<Reply>;

const LINK = "/w/:workspace/screeners/:screener/:session";
const handlers = { GET: openLink, POST: sendAnswers };
const joining = { GET: openOpenLink, POST: joinByLink };

/** Adds the participants' routes. @returns those of links, which need no router */
export function participantPageRoutes(router: Router, context: Context): Site {
  const base = new URL(context.config.publicUrl).pathname.replace(/\/+$/, "");
  const shared = newShared(context, base);
  const reply = (ctx: ParameterizedContext, path: string, handle: Handler, { params, querystring }: Asked) => {
    ctx.state.route = path;
    ctx.state.showProblem = ({ status, code }: Problem) => {
      const speech = speechAsked(askedIn({ ctx, querystring }));
      const reply = page(status, speech, renderProblem(base, code, speech));
      sendReply(ctx, styled({ style: undefined, frameAncestors: framesOf(context, ctx, code) }, reply));
    };
    requireCoding(ctx);
    return patiently(() => handle({ ...shared, params: idsOf(params), querystring, ctx }));
  };
  const serve = (method: "get" | "post", path: string, handle: Handler) =>
    router[method](path, async (ctx) => {
      ctx.set(headers);
      sendReply(ctx, await reply(ctx, path, handle, ctx));
    });
  serve("get", "/w/assets/:file", sendAsset);
  serve("get", LINK, handlers.GET);
  serve("post", LINK, handlers.POST);
  serve("get", "/w/:workspace/s/:slug", followShortLink);
  serve("get", OPEN_LINK, joining.GET);
  serve("post", OPEN_LINK, joining.POST);
  serve("get", "/w/:workspace/logo/:file", sendLogo);
  serve("get", "/w/:workspace/image/:file", sendImage);
  // All other paths: a link that is incomplete, or is not a link of ours.
  serve("get", "/w{/*rest}", miss);
  serve("post", "/w{/*rest}", miss);
  return {
    headers,
    find: ({ method, url = "" }: IncomingMessage): Found | undefined => {
      if (method !== "GET" && method !== "POST") return undefined;
      const open = /^\/w\/([^/%?]+)\/o\/([^/%?]+)(?:\?(.*))?$/.exec(url);
      if (open) {
        const [, workspace = "", token = "", querystring = ""] = open;
        return (ctx) => reply(ctx, OPEN_LINK, joining[method], { params: { workspace, token }, querystring });
      }
      const link = /^\/w\/([^/%?]+)\/screeners\/([^/%?]+)\/([^/%?]+)(?:\?(.*))?$/.exec(url);
      if (!link) return undefined;
      const [, workspace = "", screener = "", session = "", querystring = ""] = link;
      const params = { workspace, screener, session };
      return (ctx) => reply(ctx, LINK, handlers[method], { params, querystring });
    },
  };
}

/** The sites that may show a page of this problem in a frame. A link that leads nowhere does not say whether there is a workspace. */
function framesOf({ workspaces }: Context, { state }: ParameterizedContext, code: Problem["code"]): readonly string[] {
  if (code === "screener_session_not_found" || state.workspace === undefined) return [];
  try {
    return JSON.parse(workspaces.read(state.workspace, getAppearance).frame_ancestors);
  } catch {
    // The store can't be read: that is the problem.
    return [];
  }
}

/** GET of a link: shows the page to answer, or another one (`?page=`), or how the session ended (`?done`: just now). */
function openLink(request: PageRequest): Reply | Promise<Reply> {
  const { workspaces, published } = request.context;
  const { screener = "", session: uid = "" } = request.params;
  const workspace = workspaceOf(request);
  const query = new URLSearchParams(request.querystring);
  const asked = askedIn(request);
  const isFirst = !["page", "done", WITHDRAW_FIELD, ASK_FIELD, UNSUBSCRIBE_FIELD].some((name) => query.has(name));
  let cookies: string[] = [];
  const visit =
    workspace &&
    workspaces.read(workspace.uid, (db) =>
      db.snapshot(() => {
        const session = findLinkedSession(db, screener, uid);
        const pageId = query.get("page");
        if (!session) return undefined;
        const opened = {
          pageId: pageId === null ? null : idOf(pageId),
          isDone: query.has("done"),
          asked,
          withdraws: query.has(WITHDRAW_FIELD),
          asks: offerOf(query.get(ASK_FIELD)),
          unsubscribes: query.has(UNSUBSCRIBE_FIELD),
        };
        cookies = workspace ? cookiesFor(request, workspace, { screener, signals: session.signals }) : [];
        return marked(db, request, session, showLink(db, published, session, opened));
      }),
    );
  return visit ? withCookies(answer(request, workspace, visit, isFirst), cookies) : miss(request);
}

/** POST of a link: the answers of a page. */
async function sendAnswers(request: PageRequest): Promise<Reply> {
  const { workspaces, published, config } = request.context;
  const { screener = "", session: uid = "" } = request.params;
  const { req, state } = request.ctx;
  const workspace = workspaceOf(request);
  // Checked before we read the form, and before we ask for a lock.
  const isLinked = (db: Reader) => hasLinkedSession(db, screener, uid);
  if (!workspace || !workspaces.read(workspace.uid, isLinked, true)) return miss(request);
  const key = findKey(request, workspace, screener);
  const form = await readForm(req);
  const asked = askedIn(request);
  const visitor = visitorAt(request, screener, form, () => key);
  try {
    const cause = { actor: "participant", requestId: state.requestId, jobUid: null, note: null } as const;
    const mailTo = request.context.mail && form.mailTo;
    if (mailTo !== undefined) await noteMail(request.context.control, workspace.uid, config.writeWaitMs);
    const visit = await workspaces.writeWhenFree(workspace.uid, config.writeWaitMs, (db) => {
      const session = findLinkedSession(db, screener, uid)!;
      const record: RecordEvent = (event) => recordEvent(db, cause, event);
      const taken = marked(db, request, session, takeForm(db, published, session, { form, asked, visitor }, record));
      if (mailTo === undefined || taken.kind !== "page") return taken;
      return { ...taken, later: mailMyLink(db, session, mailTo, taken.view.language) };
    });
    if (mailTo !== undefined) request.context.mail?.mailer.kick(workspace.uid);
    return await answer(request, workspace, visit);
  } catch (error) {
    return sendBack(request, workspace, form, error);
  }
}

/** Shows the page again, with everything that was typed, because the store was busy. @throws every other error */
async function sendBack(request: PageRequest, workspace: WorkspaceRow, form: Form, error: unknown): Promise<Reply> {
  const { status, code, headers } = asProblem(error);
  // A form that has no answers is sent again from its link.
  if (status !== 503 || form.isWithdrawal || form.asks || form.unsubscribes || form.subscribes) throw error;
  const { log, workspaces, published } = request.context;
  const { screener = "", session = "" } = request.params;
  log.warn({ requestId: request.ctx.state.requestId, err: error }, code);
  const visit = workspaces.read(workspace.uid, (db) =>
    db.snapshot(() => {
      const found = findLinkedSession(db, screener, session)!;
      return marked(db, request, found, showUnsaved(db, published, found, { form, asked: askedIn(request) }));
    }),
  );
  const reply = await answer(request, workspace, visit);
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function marked(db: Reader, { context }: PageRequest, session: LinkedSession, visit: Visit): Shown {
  if (visit.kind === "redirect") return visit;
  return {
    ...visit,
    ...(context.mail && visit.kind === "page" && { later: NOT_ASKED }),
    ...(session.is_test && { isTest: true }),
    ...(canWithdraw(db, session) && { canWithdraw: true }),
    ...(canAsk(session) && { canAsk: true }),
    ...(signalsOf(session.signals)?.hiddenField && { hasTrap: true }),
  };
}

const NOT_ASKED: Later = { typed: "" };

function followShortLink(request: PageRequest): Reply | Promise<Reply> {
  const { context, params } = request;
  const workspace = workspaceOf(request);
  const link = workspace && context.workspaces.read(workspace.uid, (db) => findShortLink(db, params.slug!));
  if (!link) return miss(request);
  return openLink({
    ...request,
    params: { ...params, screener: link.screener_uid, session: link.session_uid },
  });
}

/** GET of a workspace's logo. Its name has a hash of its bytes, so browsers keep it. It is no secret. */
function sendLogo(request: PageRequest): Reply | Promise<Reply> {
  const workspace = workspaceOf(request);
  const [, hash] = /^([0-9a-f]{32})\.webp$/.exec(request.params.file!) ?? [];
  const bytes = workspace && hash && request.context.workspaces.read(workspace.uid, (db) => findLogo(db, hash));
  return bytes ? unchanging(bytes) : miss(request);
}

/** GET of an image of a statement. It never changes, and needs no link: what a publication shows is no secret. */
function sendImage(request: PageRequest): Reply | Promise<Reply> {
  const workspace = workspaceOf(request);
  const [, id] = /^([0-9a-f-]{36})\.webp$/.exec(request.params.file!) ?? [];
  const bytes = workspace && id && request.context.workspaces.read(workspace.uid, (db) => findImageBytes(db, id));
  return bytes ? unchanging(bytes) : miss(request);
}

function unchanging(bytes: Buffer): Reply {
  const caching = { "Cache-Control": "public, max-age=31536000, immutable" };
  return { status: 200, type: "image/webp", body: bytes, headers: caching };
}

async function sendAsset(request: PageRequest): Promise<Reply> {
  const accepted = request.ctx.headers["accept-encoding"];
  return (await replyWithAsset([styleFile, icon], request.params.file!, accepted)) ?? miss(request);
}
