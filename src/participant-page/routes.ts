// /w: the pages of participants' links, in HTML, without scripts.
//
// The link is the only credential. There are no cookies and no passwords, so forms need no token against cross-site
// requests: an attacker can't forge a request without the link, and with the link needs no other person's browser. What
// we must protect is the link itself. Its ids are random (122 and 128 bits). Wrong links are counted by address. Pages
// load nothing from other sites and send no Referer header (Referrer-Policy). Caches don't keep them. Log lines have
// the route's template, never the path.

import { Readable } from "node:stream";
import type { Router, RouterContext } from "@koa/router";
import helmet from "koa-helmet";
import type { Context } from "../context.ts";
import { recordEvent } from "../events/record.ts";
import { FailureLimit } from "../failure-limit.ts";
import { requireCoding } from "../http/codings.ts";
import { idsOf } from "../http/endpoint.ts";
import { asProblem } from "../http/errors.ts";
import { Problem } from "../problems.ts";
import { idOf } from "../schemas.ts";
import { appPath } from "../screener-sessions/resource.ts";
import { findWorkspace, type WorkspaceRow } from "../workspaces/queries.ts";
import { findAsset } from "./assets.ts";
import { type Form, readForm } from "./input.ts";
import { findLinkedSession, findShortLink } from "./queries.ts";
import { renderEnding, renderProblem } from "./view/end-pages.tsx";
import { renderQuestionPage } from "./view/question-page.tsx";
import { type Ending, showLink, showUnsaved, takeForm, type Visit } from "./visit.ts";

/** How many wrong links an address may open in a minute before it has to wait. */
export const MAX_MISSES = 100;

const statusOfEnding: Record<Ending, number> = {
  thanks: 200,
  answered: 200,
  archived: 410,
  removed: 410,
  closed: 409,
  paused: 409,
  notYetOpen: 409,
  full: 409,
};

/** What all handlers use. */
interface Shared {
  context: Context;
  /** What comes before /w in URLs: the path of PUBLIC_URL. */
  base: string;
  /** Counts wrong links, by address. */
  misses: FailureLimit;
}

/** Adds the participants' routes. */
export function participantPageRoutes(router: Router, context: Context): void {
  const base = new URL(context.config.publicUrl).pathname.replace(/\/+$/, "");
  const shared: Shared = { context, base, misses: new FailureLimit("broken-links", MAX_MISSES) };
  const serve = (method: "get" | "post", path: string, handle: (ctx: RouterContext, shared: Shared) => unknown) =>
    router[method](path, guard, async (ctx) => {
      ctx.state.route = path;
      ctx.params = idsOf(ctx.params);
      ctx.state.showProblem = ({ status, code }: Problem) => send(ctx, status, renderProblem(base, code));
      ctx.set("X-Robots-Tag", "noindex, nofollow");
      requireCoding(ctx);
      await handle(ctx, shared);
    });
  serve("get", "/w/assets/:file", sendAsset);
  serve("get", "/w/:workspace/screeners/:screener/:session", openLink);
  serve("post", "/w/:workspace/screeners/:screener/:session", sendAnswers);
  serve("get", "/w/:workspace/s/:slug", followShortLink);
  // All other paths: a link that is incomplete, or is not a link of ours.
  serve("get", "/w{/*rest}", miss);
  serve("post", "/w{/*rest}", miss);
}

const guard = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: "no-referrer" },
  xFrameOptions: { action: "deny" },
  // As in the API's reference: whether to require HTTPS is up to the proxy that terminates TLS.
  strictTransportSecurity: false,
});

/** The same answer for every wrong link: unknown, malformed, or another screener's. @throws Problem 404; 429 after many */
async function miss(ctx: RouterContext, { misses }: Shared): Promise<never> {
  await misses.count(ctx.ip);
  throw new Problem("screener_session_not_found");
}

/** GET of a link: redirects to a page, shows it (`?page=`), or shows how the session ended (`?done`: just now). */
async function openLink(ctx: RouterContext, shared: Shared): Promise<void> {
  const { workspaces, published } = shared.context;
  const workspace = workspaceOf(ctx, shared);
  const query = new URLSearchParams(ctx.querystring);
  const visit =
    workspace &&
    workspaces.read(workspace.uid, (db) =>
      db.snapshot(() => {
        const session = findLinkedSession(db, ctx.params.screener!, ctx.params.session!);
        return session && showLink(db, published, session, idOf(query.get("page") ?? ""), query.has("done"));
      }),
    );
  if (!visit) return miss(ctx, shared);
  await answer(ctx, shared, workspace, visit);
}

/** POST of a link: the answers of a page. */
async function sendAnswers(ctx: RouterContext, shared: Shared): Promise<void> {
  const { workspaces, published, config } = shared.context;
  const { screener = "", session: uid = "" } = ctx.params;
  const workspace = workspaceOf(ctx, shared);
  // Checked before we read the form, and before we ask for a lock.
  if (!workspace || !workspaces.read(workspace.uid, (db) => findLinkedSession(db, screener, uid)))
    return miss(ctx, shared);
  const form = await readForm(ctx.req);
  try {
    const cause = { actor: "participant", requestId: ctx.state.requestId, jobUid: null, note: null } as const;
    const visit = await workspaces.writeWhenFree(workspace.uid, config.writeWaitMs, (db) =>
      takeForm(db, published, findLinkedSession(db, screener, uid)!, form, (event) => recordEvent(db, cause, event)),
    );
    await answer(ctx, shared, workspace, visit);
  } catch (error) {
    await sendBack(ctx, shared, workspace, form, error);
  }
}

/** Shows the page again, with everything that was typed, because the store was busy. @throws every other error */
async function sendBack(ctx: RouterContext, shared: Shared, workspace: WorkspaceRow, form: Form, error: unknown) {
  const { status, code, headers } = asProblem(error);
  if (status !== 503) throw error;
  shared.context.log.warn({ requestId: ctx.state.requestId, err: error }, code);
  const { workspaces, published } = shared.context;
  const visit = workspaces.read(workspace.uid, (db) =>
    db.snapshot(() =>
      showUnsaved(db, published, findLinkedSession(db, ctx.params.screener!, ctx.params.session!)!, form),
    ),
  );
  ctx.set(headers);
  await answer(ctx, shared, workspace, visit);
}

async function followShortLink(ctx: RouterContext, shared: Shared): Promise<void> {
  const workspace = workspaceOf(ctx, shared);
  const link = workspace && shared.context.workspaces.read(workspace.uid, (db) => findShortLink(db, ctx.params.slug!));
  if (!link) return miss(ctx, shared);
  redirect(ctx, `${shared.base}${appPath(workspace.uid)}/screeners/${link.screener_uid}/${link.session_uid}`);
}

/**
 * The link's workspace. We look it up first, so that text from a URL never becomes a file's name.
 * @throws Problem 403 when it is suspended
 */
function workspaceOf(ctx: RouterContext, { context }: Shared): WorkspaceRow | undefined {
  const workspace = findWorkspace(context.control.reader, ctx.params.workspace!);
  if (workspace) {
    ctx.state.workspace = workspace.uid;
    context.turns.note(workspace.uid);
  }
  if (workspace?.suspended_at) throw new Problem("workspace_suspended");
  return workspace;
}

async function answer(ctx: RouterContext, { base }: Shared, workspace: WorkspaceRow, visit: Visit): Promise<void> {
  const frame = { base, workspaceName: workspace.name };
  const { screener, session } = ctx.params;
  const path = `${base}${appPath(workspace.uid)}/screeners/${screener}/${session}`;
  switch (visit.kind) {
    case "redirect":
      redirect(ctx, `${path}?${visit.to === "end" ? "done" : `page=${visit.to.page}`}`);
      break;
    case "ending":
      send(ctx, statusOfEnding[visit.ending], renderEnding(frame, visit));
      break;
    case "page": {
      const { errors, isBusy } = visit.view;
      const status = isBusy ? 503 : errors.size ? 422 : 200;
      send(ctx, status, ...(await renderQuestionPage({ ...frame, view: visit.view, path })));
    }
  }
}

function send(ctx: RouterContext, status: number, ...html: string[]): void {
  ctx.status = status;
  ctx.type = "html";
  ctx.body = html.length === 1 ? html[0] : Readable.from(html);
}

/** 303: the browser sends GET next, so that a reload does not send the form again. */
function redirect(ctx: RouterContext, path: string): void {
  ctx.status = 303;
  ctx.set("Location", path);
  ctx.body = "";
}

function sendAsset(ctx: RouterContext, shared: Shared): unknown {
  const found = findAsset(ctx.params.file!);
  if (!found) return miss(ctx, shared);
  const { type, bytes } = found.asset;
  ctx.type = type;
  ctx.set("Cache-Control", found.isCurrent ? "public, max-age=31536000, immutable" : "no-cache");
  ctx.body = bytes;
  return undefined;
}
