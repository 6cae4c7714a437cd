// The app: all endpoints, and the middleware in its order.

import Koa, { type Middleware } from "koa";
import { answersRoutes } from "../answers/routes.ts";
import { eventRoutes } from "../api/event-routes.ts";
import { eventMessages } from "../api/event-schemas.ts";
import { healthRoutes } from "../api/health.ts";
import { inboundMailRoutes } from "../api/inbound-mail.ts";
import { jobKinds, wiping } from "../api/job-kinds.ts";
import { jobRoutes } from "../api/job-routes.ts";
import { planRoutes } from "../api/plan-routes.ts";
import { retryRoutes } from "../api/retry-routes.ts";
import { systemRoutes } from "../api/system/routes.ts";
import { undoRoutes } from "../api/undo-routes.ts";
import { userRoutes } from "../api/user-routes.ts";
import { imageRoutes } from "../appearance/image-routes.ts";
import { appearanceRoutes } from "../appearance/routes.ts";
import { attributeTypeRoutes } from "../attribute-types/routes.ts";
import { Problem } from "../base/problems.ts";
import { nearest } from "../base/schemas.ts";
import { arrivalRoutes } from "../cells/arrival-routes.ts";
import { forwarded, forwarder } from "../cells/forward.ts";
import { admitCells } from "../cells/listener.ts";
import { consoleRoutes } from "../console/routes.ts";
import { documentationRoutes } from "../documentation/routes.ts";
import { exportRoutes } from "../exports/routes.ts";
import { feasibilityRoutes } from "../feasibility/routes.ts";
import { forecastRoutes } from "../forecast/routes.ts";
import { direct, directEndpoints } from "../http/direct.ts";
import type { AnyEndpoint } from "../http/endpoint.ts";
import { Routes } from "../http/routes.ts";
import { serve } from "../http/serve.ts";
import { compression } from "../http/wire/codings.ts";
import { errors, sendProblem } from "../http/wire/errors.ts";
import { identify, wellFormed } from "../http/wire/exchange.ts";
import { OpenStreams } from "../http/wire/open-streams.ts";
import { importRoutes } from "../imports/routes.ts";
import { mailRoutes } from "../mail/routes.ts";
import { mailingActionRoutes } from "../mailings/action-routes.ts";
import { mailingPreviewRoutes } from "../mailings/preview-routes.ts";
import { mailingRoutes } from "../mailings/routes.ts";
import { contentRoutes } from "../nouns/content/routes.ts";
import { linkRoutes } from "../nouns/links/routes.ts";
import { mailSuppressionRoutes } from "../nouns/mail-suppressions/routes.ts";
import { participantNoteRoutes } from "../nouns/participant-notes/routes.ts";
import { participantRequestRoutes } from "../nouns/participant-requests/routes.ts";
import { participantRoutes } from "../nouns/participants/routes.ts";
import { publicationRoutes } from "../nouns/publications/routes.ts";
import { quotaRoutes } from "../nouns/quotas/routes.ts";
import { responseRoutes } from "../nouns/responses/routes.ts";
import { assignmentRoutes } from "../nouns/screener-participants/routes.ts";
import { screenerRoutes } from "../nouns/screeners/routes.ts";
import { sessionRoutes } from "../nouns/sessions/routes.ts";
import { signingKeyRoutes } from "../nouns/signing-keys/routes.ts";
import { translationRoutes } from "../nouns/translations/routes.ts";
import { pageWordsRoutes } from "../page-words/routes.ts";
import { participantPageRoutes } from "../participant-page/routes.ts";
import { quotaJobRoutes } from "../quota-jobs/routes.ts";
import { removalRoutes } from "../removal-jobs/routes.ts";
import { resultsRoutes } from "../results/routes.ts";
import { reviewJobRoutes } from "../review-jobs/routes.ts";
import { reviewRoutes } from "../reviews/routes.ts";
import { sandboxRoutes } from "../sandbox/routes.ts";
import { armRoutes } from "../screening/arm-routes.ts";
import { personActions } from "../screening/person-routes.ts";
import { sessionActions } from "../screening/session-routes.ts";
import { testSessionActions } from "../screening/test-session-routes.ts";
import { moveRoutes } from "../session-moves/routes.ts";
import { webhookDeliveryRoutes } from "../webhooks/delivery-routes.ts";
import { webhookEndpointRoutes } from "../webhooks/routes.ts";
import { webhookSecretRoutes } from "../webhooks/secret-routes.ts";
import type { Process } from "./context.ts";

export const endpoints: AnyEndpoint[] = [
  ...screenerRoutes,
  ...contentRoutes,
  ...translationRoutes,
  ...publicationRoutes,
  ...quotaRoutes,
  ...linkRoutes,
  ...signingKeyRoutes,
  ...armRoutes,
  ...forecastRoutes,
  ...feasibilityRoutes,
  ...participantRoutes,
  ...personActions,
  ...participantRequestRoutes,
  ...participantNoteRoutes,
  ...mailSuppressionRoutes,
  ...assignmentRoutes,
  ...importRoutes,
  ...removalRoutes,
  ...sandboxRoutes,
  ...sessionRoutes,
  ...sessionActions,
  ...testSessionActions,
  ...reviewRoutes,
  ...moveRoutes,
  ...quotaJobRoutes,
  ...reviewJobRoutes,
  ...responseRoutes,
  ...exportRoutes,
  ...answersRoutes,
  ...resultsRoutes,
  ...jobRoutes(jobKinds),
  ...planRoutes(jobKinds),
  ...undoRoutes,
  ...retryRoutes(jobKinds, wiping),
  ...eventRoutes,
  ...appearanceRoutes,
  ...imageRoutes,
  ...attributeTypeRoutes,
  ...pageWordsRoutes,
  ...mailRoutes,
  ...mailingRoutes,
  ...mailingPreviewRoutes,
  ...mailingActionRoutes,
  ...webhookEndpointRoutes,
  ...webhookSecretRoutes,
  ...webhookDeliveryRoutes,
  ...userRoutes,
  ...systemRoutes,
  ...healthRoutes,
];

export interface App {
  koa: Koa;
  /** What other cells are served, on the listener of their own. */
  cells: Koa;
  routes: Routes;
}

export function createApp(context: Process): App {
  // Only the last address in X-Forwarded-For can be trusted: the proxy wrote it. The caller may have sent the others.
  const koa = new Koa({ proxy: context.config.trustProxy, maxIpsCount: 1 });
  const routes = new Routes();
  const streams = new OpenStreams();
  for (const endpoint of endpoints) {
    routes.at(endpoint.path)[endpoint.method](endpoint.path, serve(context, endpoint, streams));
  }
  documentationRoutes(routes, endpoints, eventMessages, context.config.publicUrl);
  inboundMailRoutes(routes, context);
  consoleRoutes(routes, context, endpoints, streams);
  const links = participantPageRoutes(routes.at("/w"), context);

  const { log, directory } = context;
  const watch = { log, metrics: context.metrics?.requests, failedLogins: context.failedLogins };
  const forward = forwarder(directory, log);
  const first = [
    direct(watch, [directEndpoints(context, endpoints, streams), links], forward),
    identify(watch),
    compression,
    errors(log),
    forwarded(forward),
    wellFormed,
  ];
  const last = [routes.dispatch, unrouted(routes)];
  const cells = new Koa();
  for (const middleware of [...first, ...last]) koa.use(middleware);
  for (const middleware of [admitCells(context), ...first, arrivalRoutes(context), ...last]) cells.use(middleware);
  // Koa reports broken response streams here. The client sees a truncated body.
  for (const app of [koa, cells])
    app.on("error", (error, ctx) => log.warn({ err: error, requestId: ctx?.state?.requestId }, "response failed"));
  return { koa, cells, routes };
}

/** 404, which says what path was probably meant. */
function notFound(routes: Routes, path: string): Problem {
  const [, prefix = "", rest = ""] = /^((?:\/api)?(?:\/v\d[\d.]{0,8})?)(\/[^/]+.*)$/is.exec(path) ?? [];
  const near = rest.replace(/^\/[^/]+/, (word) => `/${nearest(word.slice(1), routes.words) ?? "-"}`);
  const isKnown = near !== path && near.length <= MAX_SHOWN && routes.stack.some((layer) => layer.match(near));
  if (!isKnown) return new Problem("route_not_found");
  const why = prefix ? `Paths do not begin with ${prefix}` : "There is nothing at this path";
  return new Problem("route_not_found", { detail: `${why}: did you mean ${near}?` });
}

const MAX_SHOWN = 200;

/** Answers requests that no route has served: OPTIONS, 405 for another method, 404 for an unknown path. */
function unrouted(routes: Routes): Middleware {
  return (ctx) => {
    if (ctx.state.route !== undefined) return;
    const layers = routes.stack.filter((layer) => layer.match(ctx.path));
    const methods = [...new Set(layers.flatMap((layer) => layer.methods))];
    if (!methods.length) throw notFound(routes, ctx.path);
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
