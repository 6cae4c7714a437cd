// Answers API requests without detours: one middleware does what else a chain of them does, finds the endpoint without the
// router, and writes the head of the reply at once. Of what a small read costs, the chain and the router are more than half.
// What is unusual in a request goes to the chain.

import type { IncomingMessage } from "node:http";
import type { Middleware, ParameterizedContext } from "koa";
import type { Context } from "../context.ts";
import { choiceOf, compressed, MIN_COMPRESSED_BYTES } from "./codings.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { answerError } from "./errors.ts";
import { begin, HEADERS, isOrdinary } from "./exchange.ts";
import type { OpenStreams } from "./open-streams.ts";
import { type Reply, sendReply } from "./reply.ts";
import { replyTo } from "./serve.ts";

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
      ctx.set(HEADERS);
      ctx.vary("Accept-Encoding");
      return compressed(ctx, choice, async () => sendReply(ctx, reply));
    };
    const fail = (error: unknown) => {
      ctx.set(HEADERS);
      ctx.vary("Accept-Encoding");
      answerError(ctx, context.log, error);
    };
    try {
      const reply = replyTo(context, found.endpoint, streams, ctx, found);
      return reply instanceof Promise ? reply.then(send).catch(fail) : send(reply);
    } catch (error) {
      return fail(error);
    }
  };
}

function isSmall({ body }: Reply): boolean {
  return (typeof body === "string" || Buffer.isBuffer(body)) && body.length < MIN_COMPRESSED_BYTES / 2;
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
interface Found {
  endpoint: AnyEndpoint;
  params: Record<string, string>;
  path: string;
  querystring: string;
}

/** Finds endpoints as the router does. */
class Paths {
  /** By method, number of segments, and the fixed ones: `GET /participants/:/export`. */
  readonly #endpoints = new Map<string, { endpoint: AnyEndpoint; names: readonly (string | undefined)[] }>();
  /** The paths that have no parameter, which come first: `feed` is no id. */
  readonly #fixed: ReadonlySet<string>;

  constructor(endpoints: readonly AnyEndpoint[]) {
    for (const endpoint of endpoints) {
      const segments = endpoint.path.split("/");
      const names = segments.map((segment) => (segment.startsWith(":") ? segment.slice(1) : undefined));
      const key = segments.map((segment) => (segment.startsWith(":") ? ":" : segment)).join("/");
      this.#endpoints.set(`${endpoint.method.toUpperCase()} ${key}`, { endpoint, names });
    }
    this.#fixed = new Set(endpoints.filter(({ path }) => !path.includes(":")).map(({ path }) => path));
  }

  /** Undefined for a path that no endpoint has, and for one with encoded characters. */
  find({ method, url = "" }: IncomingMessage): Found | undefined {
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    if (path.includes("%")) return undefined;
    const querystring = mark < 0 ? "" : url.slice(mark + 1);
    if (this.#fixed.has(path)) {
      const found = this.#endpoints.get(`${method} ${path}`);
      return found && { endpoint: found.endpoint, params: {}, path, querystring };
    }
    // The second segment is the only parameter that a path has.
    const [empty, first, id, ...rest] = path.split("/");
    if (empty !== "" || !id || !first) return undefined;
    const found = this.#endpoints.get(`${method} ${["", first, ":", ...rest].join("/")}`);
    return found && { endpoint: found.endpoint, params: { id }, path, querystring };
  }
}
