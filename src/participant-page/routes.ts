// /w: what participants' links open. Pages for people, in HTML, without scripts.
//
// The link is the only credential. There are no cookies and no passwords, so a browser brings nothing along that a
// foreign page could borrow: to forge a request one must know the link, and who knows it needs nobody's browser. That
// is why forms carry no token against cross-site requests. What has to be guarded is the link itself: its ids are
// random (122 and 128 bits), wrong ones are counted by address, no page loads anything from elsewhere or tells others
// where it was (Referrer-Policy), no cache keeps it, and logs have the route's template, never the path.

import { Readable } from "node:stream";
import type { Router, RouterContext } from "@koa/router";
import helmet from "koa-helmet";
import type { Context } from "../context.ts";
import { FailureLimit } from "../failure-limit.ts";
import { asProblem } from "../http/errors.ts";
import { Problem } from "../problems.ts";
import { appPath } from "../screener-sessions/resource.ts";
import { findWorkspace, type WorkspaceRow } from "../workspaces/queries.ts";
import { findAsset } from "./assets.ts";
import { type Form, readForm } from "./input.ts";
import { findLinkedSession, findShortLink } from "./queries.ts";
import { renderEnding, renderProblem } from "./view/end-pages.tsx";
import { renderQuestionPage } from "./view/question-page.tsx";
import { type Ending, look, lookAgain, take, type Visit } from "./visit.ts";

/** How many links that lead nowhere an address opens in a minute before it is told to wait. */
export const MAX_MISSES = 100;

const statusOfEnding: Record<Ending, number> = { thanks: 200, answered: 200, closed: 410, removed: 410, full: 409 };

/** What the handlers stand on. */
interface Ground {
  context: Context;
  /** What comes before /w in addresses: the path of PUBLIC_URL. */
  base: string;
  /** Links that lead nowhere. */
  misses: FailureLimit;
}

/** Adds the participants' routes. */
export function participantPageRoutes(router: Router, context: Context): void {
  const base = new URL(context.config.publicUrl).pathname.replace(/\/+$/, "");
  const ground: Ground = { context, base, misses: new FailureLimit("broken-links", MAX_MISSES) };
  const serve = (method: "get" | "post", path: string, handle: (ctx: RouterContext, ground: Ground) => unknown) =>
    router[method](path, guard, async (ctx) => {
      ctx.state.route = path;
      ctx.state.showProblem = ({ status, code }: Problem) => send(ctx, status, renderProblem(base, code));
      ctx.set("X-Robots-Tag", "noindex, nofollow");
      await handle(ctx, ground);
    });
  serve("get", "/w/assets/:file", sendAsset);
  serve("get", "/w/:workspace/screeners/:screener/:session", openLink);
  serve("post", "/w/:workspace/screeners/:screener/:session", sendAnswers);
  serve("get", "/w/:workspace/s/:slug", followShortLink);
  // Everything else there: a link that was cut off, or that never was one.
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
  // As for the API's reference: whether to insist on HTTPS is for whoever terminates TLS to say.
  strictTransportSecurity: false,
});

/** One answer for links that are unknown, malformed or belong elsewhere. @throws Problem 404, or 429 after too many */
async function miss(ctx: RouterContext, { misses }: Ground): Promise<never> {
  await misses.count(ctx.ip);
  throw new Problem("screener_session_not_found");
}

/** GET of a link: leads to a page (`?page=`), shows it, or tells how it has ended (`?done` right after the last one). */
async function openLink(ctx: RouterContext, ground: Ground): Promise<void> {
  const { workspaces } = ground.context;
  const workspace = workspaceOf(ctx, ground);
  const query = new URLSearchParams(ctx.querystring);
  const visit =
    workspace &&
    workspaces.read(workspace.uid, (db) =>
      db.snapshot(() => {
        const session = findLinkedSession(db, ctx.params.screener!, ctx.params.session!);
        return (
          session && look(db, ground.context.published, session, query.get("page") ?? undefined, query.has("done"))
        );
      }),
    );
  if (!visit) return miss(ctx, ground);
  await answer(ctx, ground, workspace, visit);
}

/** POST of a link: the answers of a page. */
async function sendAnswers(ctx: RouterContext, ground: Ground): Promise<void> {
  const { workspaces, published, config } = ground.context;
  const { screener = "", session: uid = "" } = ctx.params;
  const workspace = workspaceOf(ctx, ground);
  // Before anything of the form is read, and before a lock is asked for.
  if (!workspace || !workspaces.read(workspace.uid, (db) => findLinkedSession(db, screener, uid)))
    return miss(ctx, ground);
  const form = await readForm(ctx.req);
  try {
    const visit = await workspaces.writeWhenFree(workspace.uid, config.writeWaitMs, (db) =>
      take(db, published, findLinkedSession(db, screener, uid)!, form),
    );
    await answer(ctx, ground, workspace, visit);
  } catch (error) {
    await sendBack(ctx, ground, workspace, form, error);
  }
}

/** The store could not take it: the page is shown again, with everything that was typed. @throws what is not that */
async function sendBack(ctx: RouterContext, ground: Ground, workspace: WorkspaceRow, form: Form, error: unknown) {
  const { status, code, headers } = asProblem(error);
  if (status !== 503) throw error;
  ground.context.log.warn({ requestId: ctx.state.requestId, err: error }, code);
  const { workspaces, published } = ground.context;
  const visit = workspaces.read(workspace.uid, (db) =>
    db.snapshot(() =>
      lookAgain(db, published, findLinkedSession(db, ctx.params.screener!, ctx.params.session!)!, form),
    ),
  );
  ctx.set(headers);
  await answer(ctx, ground, workspace, visit);
}

async function followShortLink(ctx: RouterContext, ground: Ground): Promise<void> {
  const workspace = workspaceOf(ctx, ground);
  const link = workspace && ground.context.workspaces.read(workspace.uid, (db) => findShortLink(db, ctx.params.slug!));
  if (!link) return miss(ctx, ground);
  redirect(ctx, `${ground.base}${appPath(workspace.uid)}/screeners/${link.screener_uid}/${link.session_uid}`);
}

/** The link's workspace. Only what the control store knows becomes a file's name. */
function workspaceOf(ctx: RouterContext, { context }: Ground): WorkspaceRow | undefined {
  const workspace = findWorkspace(context.control.reader, ctx.params.workspace!);
  if (workspace) ctx.state.workspace = workspace.uid;
  return workspace;
}

async function answer(ctx: RouterContext, { base }: Ground, workspace: WorkspaceRow, visit: Visit): Promise<void> {
  const frame = { base, workspaceName: workspace.name };
  const { screener, session } = ctx.params;
  const path = `${base}${appPath(workspace.uid)}/screeners/${screener}/${session}`;
  switch (visit.kind) {
    case "go":
      redirect(ctx, `${path}?${visit.to === "end" ? "done" : `page=${visit.to.page}`}`);
      break;
    case "ending":
      send(ctx, statusOfEnding[visit.ending], renderEnding(frame, visit.ending, visit.thankYou));
      break;
    case "page": {
      const { errors, isBusy } = visit.place;
      const status = isBusy ? 503 : errors.size ? 422 : 200;
      send(ctx, status, ...(await renderQuestionPage({ ...frame, place: visit.place, path })));
    }
  }
}

function send(ctx: RouterContext, status: number, ...html: string[]): void {
  ctx.status = status;
  ctx.type = "html";
  ctx.body = html.length === 1 ? html[0] : Readable.from(html);
}

/** 303: whatever was asked, GET comes next, so that reloading sends nothing again. */
function redirect(ctx: RouterContext, path: string): void {
  ctx.status = 303;
  ctx.set("Location", path);
  ctx.body = "";
}

function sendAsset(ctx: RouterContext, ground: Ground): unknown {
  const found = findAsset(ctx.params.file!);
  if (!found) return miss(ctx, ground);
  const { type, bytes } = found.asset;
  ctx.type = type;
  ctx.set("Cache-Control", found.isCurrent ? "public, max-age=31536000, immutable" : "no-cache");
  ctx.body = bytes;
  return undefined;
}
