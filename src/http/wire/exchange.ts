// What every exchange of a request and a response has: an id, headers that every response carries, and a line in the log.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Middleware, ParameterizedContext } from "koa";
import type { FailureLimit } from "../../base/failure-limit.ts";
import { type Log, logRequest } from "../../base/log.ts";
import { invalidRequest, Problem } from "../../base/problems.ts";
import { hasBody } from "./body.ts";
import { CURRENT_VERSION, requestIdOf, traceOf } from "./request-headers.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/** Every response has these headers, and X-Request-Id. */
export const HEADERS = {
  "X-Service-Api-Version": CURRENT_VERSION,
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

/** What sees all exchanges. */
export interface Watch {
  log: Log;
  metrics: RequestMetrics | undefined;
  /** Of callers without valid credentials. */
  failedLogins: Pick<FailureLimit, "leftOf">;
}

/** Gives the request its id. At its end, writes its line in the log and counts it in the metrics. */
export function begin(ctx: ParameterizedContext, { log, metrics, failedLogins }: Watch): void {
  const { req, res, state } = ctx;
  const started = performance.now();
  // Later the connection may be closed, and have no address any more.
  const address = ctx.ip;
  const trace = traceOf(req.headers.traceparent);
  state.requestId = requestIdOf(req.headers["x-request-id"] as string | undefined, trace);
  state.traceId = trace?.traceId;
  state.failedLogins = failedLogins;
  res.once("close", () => {
    const ms = performance.now() - started;
    const isComplete = res.writableFinished;
    metrics?.ended(req.method!, state.route, isComplete ? res.statusCode : "aborted", ms);
    logRequest(log, {
      method: req.method!,
      route: state.route ?? "-",
      status: res.statusCode,
      ms: Math.round(ms * 10) / 10,
      level: state.isProbe ? "debug" : "info",
      requestId: state.requestId,
      traceId: state.traceId,
      workspace: state.workspace || undefined,
      key: state.credentials?.key,
      token: state.credentials?.token,
      address: isLogged(state, res.statusCode) ? address : undefined,
      aborted: !isComplete,
    });
  });
}

/** Whether the log has the caller's address. Participants' addresses are personal data: only those of wrong links are logged. */
function isLogged({ route }: ParameterizedContext["state"], status: number): boolean {
  return !/^\/w\b/.test(route ?? "") || status === 404 || status === 429;
}

/** Begins the exchanges of the chain. */
export function identify(watch: Watch): Middleware {
  return (ctx, next) => {
    begin(ctx, watch);
    setHeaders(ctx);
    return next().then(() => setLimits(ctx));
  };
}

/** Sets the headers of every response. */
export function setHeaders(ctx: ParameterizedContext): void {
  ctx.set(HEADERS);
  ctx.set("X-Request-Id", ctx.state.requestId);
}

/** Says what the caller has left, unless the answer to valid credentials has said what its workspace has, or any cache may keep it. */
export function setLimits(ctx: ParameterizedContext): void {
  if (!ctx.state.isPublic && !ctx.res.hasHeader("RateLimit")) ctx.set(limitsOf(ctx));
}

/** What is left to the caller, also where credentials are not looked at. */
export function limitsOf({ state, ip }: ParameterizedContext): Record<string, string> {
  return (state.failedLogins as Watch["failedLogins"]).leftOf(ip);
}

/** Lets any cache keep the answer, for whoever asks: so it says nothing about this caller. */
export function setPublic(ctx: ParameterizedContext, caching: string): void {
  ctx.set("Cache-Control", caching);
  ctx.state.isPublic = true;
}

/** Checks what HTTP requires of every request and Node does not check (RFC 9112, 3.2). */
export const wellFormed: Middleware = ({ req }, next) => {
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
  const nominated = nominatedBy(headers.connection);
  if (nominated !== undefined)
    throw ambiguous(socket, "Connection", `must be close, keep-alive or upgrade, and may not name ${nominated}`);
  if (!url.startsWith("/") && url !== "*" && !URL.canParse(url)) {
    throw new Problem("invalid_request", { detail: "The request target is not a path or a URL.", errors: [] });
  }
  return next();
};

/** Whether `wellFormed` finds nothing wrong, and the target is a path. */
export function isOrdinary({ headers, rawHeaders, socket, url = "" }: IncomingMessage): boolean {
  return (
    headers.host !== undefined &&
    headers["transfer-encoding"] === undefined &&
    url.startsWith("/") &&
    !url.includes("#") &&
    !isRepeated(rawHeaders, "host") &&
    !distrusted.has(socket) &&
    (headers.connection === undefined || nominatedBy(headers.connection) === undefined)
  );
}

/**
 * What Connection may name: its own options, and headers that end with one connection (RFC 9110, 7.6.1). Any other name would make a
 * proxy remove a header that this service reads.
 */
const OF_CONNECTION = /^(?:close|keep-alive|upgrade|te|trailer|proxy-connection|http2-settings|)$/i;

/** What Connection names and may not. */
function nominatedBy(connection: string | undefined): string | undefined {
  return connection
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => !OF_CONNECTION.test(name));
}

/**
 * Refuses a body of a request whose method has none: servers differ on where such a body ends.
 * @throws Problem 400
 */
export function refuseBody(req: IncomingMessage): void {
  if (!["GET", "HEAD", "OPTIONS", "TRACE", "CONNECT"].includes(req.method!) || !hasBody(req)) return;
  throw ambiguous(req.socket, "", `must be empty: a ${req.method} has no body`);
}

/** Connections on which a proxy may have seen other requests than we do. Node may have parsed more of them already. */
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
