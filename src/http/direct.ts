// Answers API requests without detours: one middleware does what else a chain of them does, finds the endpoint without the
// router, and writes the head of the reply at once. Of what a small read costs, the chain and the router are more than half.
// What is unusual in a request goes to the chain.

import type { IncomingMessage } from "node:http";
import type { Middleware, ParameterizedContext } from "koa";
import type { Context } from "../context.ts";
import { choiceOf, compressed, MIN_COMPRESSED_BYTES } from "./codings.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { answerError } from "./errors.ts";
import { begin, HEADERS, isOrdinary, setHeaders } from "./exchange.ts";
import type { OpenStreams } from "./open-streams.ts";
import { type Reply, sendReply } from "./reply.ts";
import { replyTo, type Target } from "./serve.ts";

/** The methods of endpoints. HEAD and OPTIONS go to the chain. */
const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

const JSON_TYPE = "application/json; charset=utf-8";

/** The middleware. Requests for other paths go on to the next one. */
export function direct(context: Context, endpoints: readonly AnyEndpoint[], streams: OpenStreams): Middleware {
  const paths = new Paths(endpoints);
  return (ctx, next) => {
    const { req } = ctx;
    const found = METHODS.has(req.method!) && isOrdinary(req) ? paths.find(req) : undefined;
    if (!found) return next();
    const choice = choiceOf(req.headers["accept-encoding"]);
    if (choice.coding === undefined) return next();
    begin(ctx, context.log);
    const send = (reply: Reply): unknown => {
      const isPlain = choice.coding === "identity" || (choice.takesIdentity && isSmall(reply));
      if (isPlain && sendAtOnce(ctx, reply)) return undefined;
      setHeaders(ctx);
      ctx.vary("Accept-Encoding");
      return compressed(ctx, choice, async () => sendReply(ctx, reply));
    };
    const fail = (error: unknown) => {
      setHeaders(ctx);
      ctx.vary("Accept-Encoding");
      return compressed(ctx, choice, async () => answerError(ctx, context.log, error));
    };
    try {
      const reply = replyTo(context, found.endpoint, streams, ctx, found);
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

/** Writes the whole reply, if it is plain JSON. @returns false when it is not, and nothing was written */
function sendAtOnce({ req, res, state, response }: ParameterizedContext, reply: Reply): boolean {
  const { status, body, type, headers } = reply;
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  if (!isText || type !== undefined || req.headers["if-none-match"] !== undefined) return false;
  const vary = response.get("Vary");
  const head = [
    ...PLAIN,
    "X-Request-Id",
    state.requestId,
    "Vary",
    vary ? `Accept-Encoding, ${vary}` : "Accept-Encoding",
    "Content-Length",
    String(typeof body === "string" ? Buffer.byteLength(body) : body.length),
  ];
  for (const name in headers) head.push(name, headers[name]!);
  // Koa has nothing left to do.
  response.ctx.respond = false;
  res.removeHeader("Vary");
  res.writeHead(status, head);
  res.end(body);
  return true;
}

const PLAIN = [...Object.entries(HEADERS).flat(), "Content-Type", JSON_TYPE];

/** An endpoint, and where the request goes. */
interface Found extends Target {
  endpoint: AnyEndpoint;
}

/** Finds endpoints as the router does. */
class Paths {
  /** By method and path, with `:id` for the only parameter that a path has: its second segment. */
  readonly #endpoints: ReadonlyMap<string, AnyEndpoint>;

  constructor(endpoints: readonly AnyEndpoint[]) {
    this.#endpoints = new Map(
      endpoints.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint]),
    );
  }

  /** Undefined for a path that no endpoint has, and for one with encoded characters. */
  find({ method, url = "" }: IncomingMessage): Found | undefined {
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    const querystring = mark < 0 ? "" : url.slice(mark + 1);
    if (path.includes("%")) return undefined;
    // First the paths without a parameter: `feed` is no id.
    const fixed = this.#endpoints.get(`${method} ${path}`);
    if (fixed) return { endpoint: fixed, params: {}, path, querystring };
    const start = path.indexOf("/", 1) + 1;
    if (!start) return undefined;
    const next = path.indexOf("/", start);
    const end = next < 0 ? path.length : next;
    const endpoint = this.#endpoints.get(`${method} ${path.slice(0, start)}:id${path.slice(end)}`);
    return endpoint && { endpoint, params: { id: path.slice(start, end) }, path, querystring };
  }
}
