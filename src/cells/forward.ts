// Passes a request on to the cell that serves its workspace now: for those whose proxy has not heard of the move yet, and for
// credentials that do not name a cell.

import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Middleware, ParameterizedContext } from "koa";
import type { Dispatcher } from "undici";
import type { Log } from "../base/log.ts";
import { Problem } from "../base/problems.ts";
import { hasBody } from "../http/wire/body.ts";
import { answerError, drain } from "../http/wire/errors.ts";
import { refuseBody } from "../http/wire/exchange.ts";
import { cellAway, MovedAway, movingAway } from "../workspaces/moving.ts";
import type { Directory } from "./directory.ts";
import { askCell, CellAway } from "./line.ts";
import { OF_CELLS } from "./pass.ts";

/** Headers of one connection, which say nothing of the next one (RFC 9110, 7.6.1), and of who sends to whom on it. */
const OF_CONNECTION = new Set([
  "connection",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Those of a request that are said anew: how long its body is, and who has sent it. */
const SAID_ANEW = new Set(["content-length", "x-request-id", "forwarded", "x-real-ip"]);

/** Two cells that each take the other for the right one must not pass a request on for ever. */
const MAX_HOPS = 8;

/** An answer may take as long as a job that is waited for. */
const MAX_SILENCE_MS = 330_000;

/** The other cell does not take this one for a cell. */
export const NOT_OURS = 421;

/** Passes requests on. Nothing of the body may have been read, or all of it. Resolves when the answer has ended. */
type Forward = (ctx: ParameterizedContext, moved: MovedAway) => Promise<void>;

export function forwarder(directory: Directory | undefined, log: Log): Forward {
  return async (ctx, { cell, body }) => {
    const { req, res, state } = ctx;
    state.route = "(moved)";
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    try {
      refuseBody(req);
      const hops: number = (state.hops ?? 0) + 1;
      if (hops > MAX_HOPS) throw movingAway();
      if (!directory) throw new CellAway("Without CELL and REDIS_URL no cell is found.");
      const answer = await askCell(directory, cell, {
        ...requestOf(ctx, body),
        ...{ address: ctx.ip, hops, silenceMs: MAX_SILENCE_MS, signal: gone.signal },
      });
      if (answer.statusCode === NOT_OURS) {
        answer.body.on("error", () => {}).destroy();
        throw new CellAway(`The cell ${cell} does not take this one for a cell: do their clocks differ?`);
      }
      await sendBack(ctx, answer);
    } catch (error) {
      if (gone.signal.aborted) return;
      if (!(error instanceof Problem))
        log.warn({ requestId: state.requestId, to: cell, err: error }, "request could not be passed on");
      if (res.headersSent) res.destroy();
      else answerError(ctx, log, problemOf(error));
    }
  };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof CellAway) return cellAway();
  // It was done or not. A retry with its Idempotency-Key gives the answer.
  return new Problem("store_unavailable", { headers: { "Retry-After": "1" } });
}

/** What the other cell is sent. */
function requestOf({ req, state }: ParameterizedContext, body: Buffer | undefined) {
  const { headers, method = "GET", rawHeaders, url = "/" } = req;
  const kept = keepHeaders(
    rawHeaders,
    (name) => !SAID_ANEW.has(name) && !name.startsWith("x-forwarded-") && !name.startsWith(OF_CELLS),
  );
  const length = headers["content-length"];
  return {
    method,
    path: url.startsWith("/") ? url : pathOf(url),
    headers: [...kept, "x-request-id", state.requestId as string],
    body: body ?? (hasBody(req) ? bodyOf(req) : null),
    ...(length !== undefined && Number(length) > 0 && { length: Number(length) }),
  };
}

/** Of a whole URL, as it is sent to a proxy. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The request's body, as a stream that may be destroyed without the request's connection. */
function bodyOf(req: IncomingMessage): Readable {
  const body = new PassThrough();
  body.on("error", () => {});
  req.once("close", () => {
    if (!req.complete) body.destroy(new Error("The request was broken off."));
  });
  return req.pipe(body);
}

/** Answers with what the other cell has answered. */
async function sendBack(
  ctx: ParameterizedContext,
  { statusCode, headers, body }: Dispatcher.ResponseData,
): Promise<void> {
  const { req, res } = ctx;
  ctx.respond = false;
  // Those of this cell are about answers of its own. What the other cell leaves out, a cache may keep without.
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  res.writeHead(
    statusCode,
    keepHeaders(headers as unknown as string[], () => true),
  );
  await pipeline(body, res);
  if (!req.complete) drain(req);
}

/** Headers without those of the connection. @param raw names and values, in turn */
function keepHeaders(raw: readonly string[], isKept: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    if (!OF_CONNECTION.has(name) && isKept(name)) kept.push(raw[at]!, raw[at + 1]!);
  }
  return kept;
}

/** The middleware that passes requests on, for the chain. */
export function forwarded(forward: Forward): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof MovedAway)) throw error;
      await forward(ctx, error);
    }
  };
}
