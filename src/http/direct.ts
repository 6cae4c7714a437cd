// Answers usual requests fast: one middleware instead of a chain finds the handler without the router, and writes the head of the
// reply at once. The chain and the router are more than half of the cost of a small read. Unusual requests go to the chain.

import type { IncomingMessage } from "node:http";
import type { Middleware, ParameterizedContext } from "koa";
import { MovedAway } from "../workspaces/moving.ts";
import type { Context } from "./context.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { replyTo } from "./serve.ts";
import { choiceOf, compressed, MIN_COMPRESSED_BYTES } from "./wire/codings.ts";
import { answerError } from "./wire/errors.ts";
import { begin, HEADERS, isOrdinary, limitsOf, setHeaders, setLimits, type Watch } from "./wire/exchange.ts";
import type { OpenStreams } from "./wire/open-streams.ts";
import { HTML, type Reply, sendReply } from "./wire/reply.ts";

/** Paths that are found without the router. */
export interface Site {
  /** Headers of all replies, besides those of every response. */
  headers: Record<string, string>;
  /** The handler of the request; undefined: the chain replies. */
  find(req: IncomingMessage): Found | undefined;
}

/** The reply to a request. @throws Problem, or rejects with it */
export type Found = (ctx: ParameterizedContext) => Reply | Promise<Reply>;

const JSON_TYPE = "application/json; charset=utf-8";

/** The middleware for the requests of these sites. The others go on to the next one. @param forward passes one on to another cell */
export function direct(
  watch: Watch,
  sites: readonly Site[],
  forward: (ctx: ParameterizedContext, moved: MovedAway) => Promise<void>,
): Middleware {
  const all = sites.map((site) => ({ ...site, plain: Object.entries({ ...HEADERS, ...site.headers }).flat() }));
  const find = (req: IncomingMessage) => {
    for (const site of all) {
      const found = site.find(req);
      if (found) return { ...site, found };
    }
    return undefined;
  };
  return (ctx, next) => {
    const { req } = ctx;
    const at = isOrdinary(req) ? find(req) : undefined;
    if (!at) return next();
    const { found, headers, plain } = at;
    const choice = choiceOf(req.headers["accept-encoding"]);
    if (choice.coding === undefined) return next();
    begin(ctx, watch);
    const detour = (reply: () => void) => {
      setHeaders(ctx);
      ctx.vary("Accept-Encoding");
      ctx.set(headers);
      return compressed(ctx, choice, async () => {
        reply();
        setLimits(ctx);
      });
    };
    const send = (reply: Reply): unknown => {
      const isPlain = choice.coding === "identity" || (choice.takesIdentity && isSmall(reply));
      if (isPlain && sendAtOnce(ctx, reply, plain)) return undefined;
      return detour(() => sendReply(ctx, reply));
    };
    const fail = (error: unknown) =>
      error instanceof MovedAway ? forward(ctx, error) : detour(() => answerError(ctx, watch.log, error));
    try {
      const reply = found(ctx);
      return reply instanceof Promise ? reply.then(send).catch(fail) : send(reply);
    } catch (error) {
      return fail(error);
    }
  };
}

/** Whether a reply is too short to be compressed. */
function isSmall({ body }: Reply): boolean {
  return (typeof body === "string" || Buffer.isBuffer(body)) && Buffer.byteLength(body) < MIN_COMPRESSED_BYTES;
}

/** Writes the whole reply, if it is a plain text. @returns false when it is not, and nothing was written */
function sendAtOnce(ctx: ParameterizedContext, reply: Reply, plain: string[]): boolean {
  const { req, res, state, response } = ctx;
  const { status, body, type = JSON_TYPE, headers, cookies = [] } = reply;
  // It replaces a header of the site.
  if (headers?.["content-security-policy"] !== undefined) return false;
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  if (!isText || (type !== JSON_TYPE && type !== HTML) || req.headers["if-none-match"] !== undefined) return false;
  const vary = response.get("Vary");
  const bytes = Buffer.byteLength(body);
  const head = [
    ...plain,
    "Content-Type",
    type,
    "X-Request-Id",
    state.requestId,
    "Vary",
    vary ? `Accept-Encoding, ${vary}` : "Accept-Encoding",
    "Content-Length",
    String(bytes),
  ];
  const always = state.always?.RateLimit === undefined ? { ...limitsOf(ctx), ...state.always } : state.always;
  for (const name in always) head.push(name, always[name]);
  for (const name in headers) head.push(name, headers[name]!);
  for (const cookie of cookies) head.push("Set-Cookie", cookie);
  // Koa has nothing left to do.
  response.ctx.respond = false;
  res.removeHeader("Vary");
  res.writeHead(status, head);
  // For ASCII, both encodings make the same bytes, and this one is faster.
  res.end(body, bytes === body.length ? "latin1" : "utf8");
  return true;
}

/** The endpoints of the API. */
export function directEndpoints(context: Context, endpoints: readonly AnyEndpoint[], streams: OpenStreams): Site {
  // By method and path, with `:id` for the first parameter of a path: its second segment. Those with another one go through the chain.
  const byPath = new Map(endpoints.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint]));
  const find = ({ method, url = "" }: IncomingMessage): Found | undefined => {
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    const querystring = mark < 0 ? "" : url.slice(mark + 1);
    // What looks like a parameter's name is none.
    if (path.includes("%") || path.includes(":")) return undefined;
    const found =
      (endpoint: AnyEndpoint, params: Record<string, string>): Found =>
      (ctx) =>
        replyTo(context, endpoint, streams, ctx, { params, path, querystring });
    // First the paths without a parameter: `feed` is no id.
    const fixed = byPath.get(`${method} ${path}`);
    if (fixed) return found(fixed, {});
    const start = path.indexOf("/", 1) + 1;
    if (!start) return undefined;
    const next = path.indexOf("/", start);
    const end = next < 0 ? path.length : next;
    const endpoint = byPath.get(`${method} ${path.slice(0, start)}:id${path.slice(end)}`);
    return endpoint && found(endpoint, { id: path.slice(start, end) });
  };
  return { headers: {}, find };
}
