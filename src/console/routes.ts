// /console: pages for researchers and operators, in HTML. Only the builder needs a script. And /, which leads there.
//
// Every route says which role it needs, here and nowhere else. What a page shows it gets by calls of the API, with the scopes of
// its visitor's role. Log lines have the route's template, never the path: it may have the secret of a link.

import type { ParameterizedContext } from "koa";
import type { Config } from "../base/config.ts";
import { Problem } from "../base/problems.ts";
import type { Context } from "../http/context.ts";
import { type AnyEndpoint, idsOf } from "../http/endpoint.ts";
import type { Routes } from "../http/routes.ts";
import { bodyFormatOf } from "../http/wire/body.ts";
import { requireCoding } from "../http/wire/codings.ts";
import type { OpenStreams } from "../http/wire/open-streams.ts";
import { replyWithAsset } from "../http/wire/page-assets.ts";
import { pageHeaders } from "../http/wire/page-headers.ts";
import { type Reply, sendReply } from "../http/wire/reply.ts";
import { style as participantStyle } from "../participant-page/assets/assets.ts";
import { includesRole } from "../workspaces/rights.ts";

import { showActivity } from "./activity/handlers.ts";
import { appearancePages } from "./appearance/handlers.ts";
import { attributePages } from "./attributes/handlers.ts";
import { importPages } from "./imports/pages.ts";
import { showJobs } from "./jobs/handlers.ts";
import { keyPages } from "./keys/handlers.ts";
import { mailPages } from "./mail/handlers.ts";
import { showAllMessages } from "./messages/all-page.tsx";
import { peoplePages } from "./people/handlers.ts";
import { requestPages } from "./requests/handlers.ts";
import { accountPages, isBeforeSetUp, TWO_FACTOR } from "./sessions/pages.ts";
import { copyScript, shortcutScript, style, timeScript } from "./shell/assets.ts";
import { Attempts } from "./shell/attempts.ts";
import { type Api, Calls } from "./shell/calls.ts";
import { isOurs, NO_FIELDS, readFields, TOKEN_FIELD, TOKEN_HEADER, tokenOf } from "./shell/forms.ts";
import { allIslands } from "./shell/islands.ts";
import { readMultipart } from "./shell/multipart.ts";
import { CALLBACK_PATH, Provider } from "./shell/provider.ts";
import { forbidden, ofProblem, ofRefusal } from "./shell/refusals.ts";
import {
  type ConsoleRoute,
  type OpenRequest,
  Refusal,
  redirect,
  type Shared,
  signedIn,
  type VisitorRequest,
} from "./shell/request.ts";
import { newCookie, readCookie, setCookie, visitorOf } from "./shell/visitors.ts";
import { choosePassword, showChoice, showSignIn, signIn, signOut } from "./sign-in/handlers.ts";
import { joinWithAccount, showJoin } from "./sign-in/join.ts";
import { comeBack, goToProvider } from "./sign-in/oidc.ts";
import { showSecondStep, signInWithCode } from "./sign-in/second-step.tsx";
import { showStudies } from "./studies/handlers.ts";
import { createStudy, showNewStudy } from "./study/handlers.ts";
import { studyPages } from "./study-pages.ts";
import { systemPages } from "./system/handlers.ts";
import { userPages } from "./users/handlers.ts";
import { webhookPages } from "./webhooks/handlers.ts";
import { wordPages } from "./words/handlers.ts";

export const consolePages: readonly ConsoleRoute[] = [
  { method: "get", path: "/console", role: null, handle: ({ base }) => redirect(`${base}/console/studies`) },
  { method: "get", path: "/console/assets/:file", role: null, handle: sendAsset },
  { method: "get", path: "/console/sign-in", role: null, handle: showSignIn },
  { method: "post", path: "/console/sign-in", role: null, handle: signIn },
  { method: "get", path: "/console/sign-in/oidc", role: null, handle: goToProvider },
  { method: "get", path: CALLBACK_PATH, role: null, handle: comeBack },
  { method: "get", path: "/console/sign-in/code", role: null, handle: showSecondStep },
  { method: "post", path: "/console/sign-in/code", role: null, handle: signInWithCode },
  { method: "get", path: "/console/sign-in/:secret", role: null, handle: showChoice },
  { method: "post", path: "/console/sign-in/:secret", role: null, handle: choosePassword },
  { method: "get", path: "/console/sign-in/:secret/join", role: null, handle: showJoin },
  { method: "post", path: "/console/sign-in/:secret/join", role: null, handle: joinWithAccount },
  { method: "post", path: "/console/sign-out", role: "viewer", handle: signOut },
  { method: "get", path: "/console/studies", role: "viewer", handle: showStudies },
  { method: "post", path: "/console/studies", role: "researcher", handle: createStudy },
  { method: "get", path: "/console/studies/new", role: "researcher", handle: showNewStudy },
  ...studyPages,
  ...importPages,
  { method: "get", path: "/console/jobs", role: "viewer", handle: showJobs },
  ...peoplePages,
  { method: "get", path: "/console/messages", role: "researcher", handle: showAllMessages },
  ...requestPages,
  { method: "get", path: "/console/activity", role: "viewer", handle: showActivity },
  ...userPages,
  ...keyPages,
  ...webhookPages,
  ...appearancePages,
  ...wordPages,
  ...mailPages,
  ...attributePages,
  ...systemPages,
  ...accountPages,
  // All other paths.
  { method: "get", path: "/console{/*rest}", role: null, handle: miss },
];

const headersOf = (more: Parameters<typeof pageHeaders>[0]) => ({
  // Not no-referrer: with it a browser does not say of a form where it comes from.
  ...pageHeaders(
    // Some pages show those of participants in a frame.
    { styleSrc: ["'self'", participantStyle.source], imgSrc: ["'self'", "data:"], formAction: ["'self'"], ...more },
    { referrerPolicy: { policy: "same-origin" }, xFrameOptions: { action: "deny" } },
  ),
  "X-Robots-Tag": "noindex, nofollow",
});

const headers = {
  /** For everybody: no script runs. */
  open: headersOf({}),
  /** For signed-in users: the script that copies. */
  signedIn: headersOf({ scriptSrc: ["'self'"] }),
  builder: headersOf({ scriptSrc: ["'self'"], connectSrc: ["'self'"] }),
};

/** Adds the routes of the console, which calls `endpoints`; and GET of /. */
export function consoleRoutes(
  routes: Routes,
  context: Context,
  endpoints: readonly AnyEndpoint[],
  streams: OpenStreams,
): void {
  const base = new URL(context.config.publicUrl).pathname.replace(/\/+$/, "");
  const shared: Shared = {
    context,
    base,
    attempts: new Attempts(),
    provider: context.config.oidc && new Provider(context.config.oidc, context.config.publicUrl),
  };
  for (const route of consolePages) {
    routes.at("/console")[route.method](route.path, async (ctx) => {
      ctx.set(route.hasScript ? headers.builder : route.role === null ? headers.open : headers.signedIn);
      ctx.state.route = route.path;
      if (!route.isJson) ctx.state.showProblem = (problem: Problem) => sendReply(ctx, ofProblem(shared, ctx, problem));
      requireCoding(ctx);
      sendReply(ctx, await reply(shared, { endpoints, streams }, route, ctx, ctx.params));
    });
  }
  routes.at("/").get("/", (ctx) => {
    ctx.state.route = "/";
    requireCoding(ctx);
    ctx.vary("Accept");
    if (ctx.accepts("json", "html") === "html") ctx.redirect(`${base}/console`);
    else ctx.body = { docs: `${base}/docs`, console: `${base}/console` };
  });
}

async function reply(
  shared: Shared,
  api: Api,
  route: ConsoleRoute,
  ctx: ParameterizedContext,
  params: Record<string, string>,
): Promise<Reply> {
  const { base, context } = shared;
  const { publicUrl } = context.config;
  const common = { ...shared, ctx, params, query: new URLSearchParams(ctx.querystring), fields: NO_FIELDS };
  try {
    if (route.role === null) {
      const known = readCookie(ctx.req, "form", publicUrl);
      const secret = known ?? newCookie();
      const request: OpenRequest = { ...common, token: tokenOf(secret) };
      if (route.method === "post") Object.assign(request, await readOurs(ctx, route, known, context.config));
      const answer = await route.handle(request);
      // So that the form that the page has can come back.
      const needsCookie = known === undefined && route.path.startsWith("/console/sign-in");
      const cookies = needsCookie ? [setCookie("form", secret, publicUrl)] : [];
      return { ...answer, cookies: [...cookies, ...(answer.cookies ?? [])] };
    }
    const visitor = visitorOf(context, ctx.req);
    if (!visitor) return toSignIn(base, route, ctx);
    ctx.state.workspace = visitor.workspace_uid;
    context.turns.note(visitor.workspace_uid);
    const token = tokenOf(visitor.cookie);
    ctx.state.signedIn = signedIn({ context, visitor, token });
    const isSetUp = visitor.has_two_factor || visitor.by_provider || !visitor.requires_two_factor;
    if (!isSetUp && !isBeforeSetUp(route)) return redirect(base + TWO_FACTOR);
    if (!includesRole(visitor.role, route.role)) return forbidden(shared, ctx, visitor, route.role);
    if (route.isForOperators && !visitor.is_operator) miss();
    const calls = new Calls(context, api, visitor, ctx);
    const request: VisitorRequest = { ...common, token, visitor, calls };
    if (route.method === "post") {
      Object.assign(request, await readOurs(ctx, route, visitor.cookie, context.config));
      // A user who was signed out or disabled while the form came in does nothing more.
      if (!visitorOf(context, ctx.req)) return toSignIn(base, route, ctx);
    }
    // Ids go into redirects, and are compared.
    request.params = idsOf(params);
    const { language: _, ...ids } = request.params;
    if (!Object.values(ids).every((id) => /^[0-9a-f-]{36}$/.test(id))) miss();
    return await route.handle(request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return ofRefusal(shared, ctx, error);
  }
}

/** What is around the file of a form. */
const MAX_AROUND_FILE_BYTES = 16 * 1024;

/** The fields of a form that comes from a page of ours, and its file. @throws Refusal */
async function readOurs(
  { req }: ParameterizedContext,
  { maxFormBytes, takesFile, isJson }: ConsoleRoute,
  secret: string | undefined,
  { importMaxBytes, publicUrl }: Config,
): Promise<Pick<OpenRequest, "fields" | "file">> {
  const sent: Pick<OpenRequest, "fields" | "file"> = takesFile
    ? await readMultipart(req, importMaxBytes + MAX_AROUND_FILE_BYTES)
    : { fields: isJson ? NO_FIELDS : await readFields(req, maxFormBytes) };
  const token = isJson ? String(req.headers[TOKEN_HEADER] ?? "") : sent.fields(TOKEN_FIELD);
  if (isJson) bodyFormatOf(req, ["json"]);
  if (isOurs(req, token, secret, publicUrl)) return sent;
  // The browser reads our page when it has sent all.
  sent.file?.bytes.resume();
  throw new Refusal(
    403,
    "That did not come from our page",
    "Nothing was done. The page may be too old, or your browser keeps no cookies for us: open the page again, and try once more.",
  );
}

/** Sends a visitor who has not signed in to the sign-in. The content of a form is lost, because another user may sign in. */
function toSignIn(base: string, { method }: ConsoleRoute, { url }: ParameterizedContext): Reply {
  return redirect(`${base}/console/sign-in${method === "get" ? `?next=${encodeURIComponent(url)}` : ""}`);
}

async function sendAsset({ params, ctx }: OpenRequest): Promise<Reply> {
  const file = params.file!;
  const assets = [style, copyScript, timeScript, shortcutScript, ...(file.endsWith(".js") ? allIslands() : [])];
  return (await replyWithAsset(assets, file, ctx.headers["accept-encoding"])) ?? miss();
}

function miss(): never {
  throw new Problem("route_not_found");
}
