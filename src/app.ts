// The app: all endpoints, and the middleware in its order.

import Koa, { type Middleware } from "koa";
import { appearanceRoutes } from "./appearance/routes.ts";
import { arrivalRoutes } from "./cells/arrival-routes.ts";
import { consoleRoutes } from "./console/routes.ts";
import type { Context } from "./context.ts";
import { eventRoutes } from "./events/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import { compression } from "./http/codings.ts";
import { direct, directEndpoints } from "./http/direct.ts";
import { docsRoutes } from "./http/docs.ts";
import type { AnyEndpoint } from "./http/endpoint.ts";
import { errors, sendProblem } from "./http/errors.ts";
import { identify, wellFormed } from "./http/exchange.ts";
import { forwarded } from "./http/forward.ts";
import { healthRoutes } from "./http/health.ts";
import { OpenStreams } from "./http/open-streams.ts";
import { Routes } from "./http/routes.ts";
import { serve } from "./http/serve.ts";
import { planRoutes } from "./jobs/plan-routes.ts";
import { retryRoutes } from "./jobs/retry-routes.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { participantPageRoutes } from "./participant-page/routes.ts";
import { participantRoutes } from "./participants/routes.ts";
import { Problem } from "./problems.ts";
import { jobKinds, wiping } from "./registry.ts";
import { resultsRoutes } from "./results/routes.ts";
import { contentRoutes } from "./screener-content/routes.ts";
import { assignmentRoutes } from "./screener-participants/routes.ts";
import { publicationRoutes } from "./screener-publications/routes.ts";
import { responseRoutes } from "./screener-responses/routes.ts";
import { sessionRoutes } from "./screener-sessions/routes.ts";
import { screenerRoutes } from "./screeners/routes.ts";
import { systemRoutes } from "./system/routes.ts";
import { webhookDeliveryRoutes } from "./webhooks/delivery-routes.ts";
import { eventMessage } from "./webhooks/message.ts";
import { webhookEndpointRoutes } from "./webhooks/routes.ts";

const kinds = jobKinds.map(({ kind }) => kind);

export const endpoints: AnyEndpoint[] = [
  ...screenerRoutes,
  ...contentRoutes,
  ...publicationRoutes,
  ...participantRoutes,
  ...assignmentRoutes,
  ...sessionRoutes,
  ...responseRoutes,
  ...exportRoutes,
  ...resultsRoutes,
  ...jobRoutes(kinds),
  ...planRoutes(kinds),
  ...retryRoutes(kinds, wiping),
  ...eventRoutes,
  ...appearanceRoutes,
  ...webhookEndpointRoutes,
  ...webhookDeliveryRoutes,
  ...systemRoutes,
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
  docsRoutes(routes, endpoints, [eventMessage]);
  consoleRoutes(routes, context, endpoints, streams);
  const links = participantPageRoutes(routes.at("/w"), context);

  const requests = context.metrics?.requests;
  koa.use(direct(context.log, requests, [directEndpoints(context, endpoints, streams), links]));
  koa.use(identify(context.log, requests));
  koa.use(compression);
  koa.use(errors(context.log));
  koa.use(forwarded(context.log));
  koa.use(wellFormed);
  koa.use(arrivalRoutes(context));
  koa.use(routes.dispatch);
  koa.use(unrouted(routes));
  // Koa reports broken response streams here. The client sees a truncated body.
  koa.on("error", (error, ctx) =>
    context.log.warn({ err: error, requestId: ctx?.state?.requestId }, "response failed"),
  );
  return { koa, routes };
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
