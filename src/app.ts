// The app: all endpoints, and the middleware in its order.

import type { Socket } from "node:net";
import Koa, { type Middleware, type ParameterizedContext } from "koa";
import type { Context } from "./context.ts";
import { eventRoutes } from "./events/routes.ts";
import { CURRENT_VERSION } from "./http/api-version.ts";
import { compression } from "./http/codings.ts";
import { docsRoutes } from "./http/docs.ts";
import { type AnyEndpoint, serve } from "./http/endpoint.ts";
import { errors, sendProblem } from "./http/errors.ts";
import { healthRoutes } from "./http/health.ts";
import { OpenStreams } from "./http/open-streams.ts";
import { requestIdOf } from "./http/request-id.ts";
import { Routes } from "./http/routes.ts";
import { planRoutes } from "./jobs/plan-routes.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { participantPageRoutes } from "./participant-page/routes.ts";
import { participantRoutes } from "./participants/routes.ts";
import { invalidRequest, Problem } from "./problems.ts";
import { jobKinds } from "./registry.ts";
import { contentRoutes } from "./screener-content/routes.ts";
import { assignmentRoutes } from "./screener-participants/routes.ts";
import { publicationRoutes } from "./screener-publications/routes.ts";
import { responseRoutes } from "./screener-responses/routes.ts";
import { sessionRoutes } from "./screener-sessions/routes.ts";
import { screenerRoutes } from "./screeners/routes.ts";

export const endpoints: AnyEndpoint[] = [
  ...screenerRoutes,
  ...contentRoutes,
  ...publicationRoutes,
  ...participantRoutes,
  ...assignmentRoutes,
  ...sessionRoutes,
  ...responseRoutes,
  ...jobRoutes(jobKinds.map(({ kind }) => kind)),
  ...planRoutes(jobKinds.map(({ kind }) => kind)),
  ...eventRoutes,
  ...healthRoutes,
];

export interface App {
  koa: Koa;
  routes: Routes;
}

export function createApp(context: Context): App {
  // Only the last address in X-Forwarded-For can be trusted: the proxy wrote it. The caller may have sent the others.
  const koa = new Koa({ proxy: context.config.trustProxy, maxIpsCount: 1 });
  const routes = new Routes();
  const streams = new OpenStreams();
  for (const endpoint of endpoints) {
    routes.at(endpoint.path)[endpoint.method](endpoint.path, serve(context, endpoint, streams));
  }
  docsRoutes(routes, endpoints);
  participantPageRoutes(routes.at("/w"), context);

  koa.use(identify(context));
  koa.use(compression);
  koa.use(errors(context.log));
  koa.use(wellFormed);
  koa.use(routes.dispatch);
  koa.use(unrouted(routes));
  // Koa reports broken response streams here. The client sees a truncated body.
  koa.on("error", (error, ctx) =>
    context.log.warn({ err: error, requestId: ctx?.state?.requestId }, "response failed"),
  );
  return { koa, routes };
}

/** Sets the headers of every response, and logs one line for each request. */
function identify({ log }: Context): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    // Later the connection may be closed, and have no address any more.
    const address = ctx.ip;
    ctx.state.requestId = requestIdOf(ctx.get("X-Request-Id"));
    ctx.set({
      "X-Request-Id": ctx.state.requestId,
      "X-Service-Api-Version": CURRENT_VERSION,
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    });
    ctx.res.once("close", () => {
      log.info(
        {
          method: ctx.method,
          route: ctx.state.route ?? "-",
          status: ctx.status,
          ms: Math.round((performance.now() - started) * 10) / 10,
          requestId: ctx.state.requestId,
          workspace: ctx.state.workspace || undefined,
          ...ctx.state.credentials,
          ...(isLogged(ctx) && { address }),
          ...(!ctx.res.writableFinished && { aborted: true }),
        },
        "request",
      );
    });
    await next();
  };
}

/** Whether the log has the caller's address. Participants' addresses are personal data: only those of wrong links are logged. */
function isLogged({ state, status }: ParameterizedContext): boolean {
  return !state.route?.startsWith("/w") || status === 404 || status === 429;
}

/** Checks what HTTP requires of every request and Node does not check (RFC 9112, 3.2). */
const wellFormed: Middleware = ({ req }, next) => {
  const { headers, httpVersionMinor, rawHeaders, socket, url = "" } = req;
  if (headers.host === undefined && httpVersionMinor > 0) {
    throw invalidRequest([{ pointer: "Host", message: "is required" }]);
  }
  if (isRepeated(rawHeaders, "host")) throw ambiguous(socket, "Host", "is given twice");
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") {
    throw ambiguous(socket, "Transfer-Encoding", "must be chunked, and nothing else");
  }
  if (distrusted.has(socket)) throw ambiguous(socket, "", "comes after a request that was refused");
  if (!url.startsWith("/") && url !== "*" && !URL.canParse(url)) {
    throw new Problem("invalid_request", { detail: "The request target is not a path or a URL.", errors: [] });
  }
  return next();
};

/** Connections on which a proxy may have seen other requests than we do. Node has perhaps parsed more of them already. */
const distrusted = new WeakSet<Socket>();

/** The refusal of a request that a proxy may have understood otherwise. Nothing more is done for its connection. */
function ambiguous(socket: Socket, pointer: string, message: string): Problem {
  distrusted.add(socket);
  return invalidRequest([{ pointer, message }]).withHeaders({ Connection: "close" });
}

/** Whether a header comes more than once. @param raw names and values, in turn */
function isRepeated(raw: readonly string[], name: string): boolean {
  let count = 0;
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]!.length === name.length && raw[at]!.toLowerCase() === name) count++;
  return count > 1;
}

/** Answers requests that no route has served: OPTIONS, 405 for another method, 404 for an unknown path. */
function unrouted(routes: Routes): Middleware {
  return (ctx) => {
    if (ctx.state.route !== undefined) return;
    const layers = routes.stack.filter((layer) => layer.match(ctx.path));
    const methods = [...new Set(layers.flatMap((layer) => layer.methods))];
    if (!methods.length) throw new Problem("route_not_found");
    ctx.state.route = layers[0]!.path;
    const allow = [...methods, "OPTIONS"].join(", ");
    if (ctx.method === "OPTIONS") {
      ctx.status = 204;
      ctx.set("Allow", allow);
    } else {
      sendProblem(
        ctx,
        new Problem("method_not_allowed", { detail: `This path supports ${allow}.`, headers: { Allow: allow } }),
      );
    }
  };
}
