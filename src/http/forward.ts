// Passes a request on to the cell that serves its workspace now: for those whose proxy has not heard of the move yet, and for
// credentials that do not name a cell.

import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline } from "node:stream";
import type { Middleware, ParameterizedContext } from "koa";
import type { Log } from "../log.ts";
import { Problem } from "../problems.ts";
import { MovedAway, movingAway } from "../workspaces/moving.ts";
import { answerError } from "./errors.ts";

/** Headers of one connection, which say nothing of the next one (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** How often a request was passed on. Two cells that each take the other for the right one must not do it for ever. */
const HOPS = "x-screening-hops";
const MAX_HOPS = 8;

/** An answer may take as long as a job that is waited for. */
const MAX_SILENCE_MS = 330_000;

/** Passes the request on, and its answer back. Nothing of its body may have been read. Resolves when the answer has ended. */
export function forward(ctx: ParameterizedContext, log: Log, url: string): Promise<void> {
  const { req, res } = ctx;
  ctx.state.route = "(moved)";
  const given = req.headers[HOPS] ?? "0";
  const hops = typeof given === "string" && /^\d$/.test(given) ? Number(given) : MAX_HOPS;
  return new Promise((resolve) => {
    const fail = (error: unknown) => {
      log.warn({ requestId: ctx.state.requestId, err: error }, "request could not be passed on");
      if (res.headersSent) res.destroy();
      else answerError(ctx, log, isUnsent(error) ? movingAway() : inDoubt());
      resolve();
    };
    if (hops >= MAX_HOPS) return fail(new TooManyHops("The request was passed on too often."));
    const target = new URL(url);
    const path = target.pathname.replace(/\/+$/, "") + req.url;
    const send = target.protocol === "https:" ? httpsRequest : httpRequest;
    // Node wants no brackets around an IPv6 address.
    const hostname = target.hostname.replace(/^\[|\]$/g, "");
    const { port, protocol } = target;
    const out = send({ protocol, hostname, port, method: req.method!, path, headers: headersFor(ctx, hops + 1) });
    out.once("error", fail);
    out.once("response", (answer: IncomingMessage) => {
      ctx.respond = false;
      res.writeHead(answer.statusCode!, answer.statusMessage, withoutConnection(answer.rawHeaders));
      pipeline(answer, res, () => resolve());
    });
    out.setTimeout(MAX_SILENCE_MS, () => out.destroy(new Error("The other cell does not answer.")));
    res.once("close", () => out.destroy());
    pipeline(req, out, () => {});
  });
}

/** Whether the other cell cannot have seen the request. */
function isUnsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return error instanceof TooManyHops || /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/.test(code);
}

class TooManyHops extends Error {}

/** 503: it was done or not. A retry with its Idempotency-Key tells. */
function inDoubt(): Problem {
  return new Problem("store_unavailable", { headers: { "Retry-After": "1" } });
}

/** The request's headers, with the address of its caller as this process sees it. */
function headersFor({ req, ip, protocol, state }: ParameterizedContext, hops: number): string[] {
  const named = (req.headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const own = new Set([...named, "x-forwarded-for", "x-forwarded-proto", "x-request-id", HOPS]);
  const kept = withoutConnection(req.rawHeaders, own);
  return [
    ...kept,
    ...["X-Forwarded-For", ip, "X-Forwarded-Proto", protocol, "X-Request-Id", state.requestId, HOPS, String(hops)],
    ...(req.headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"]),
  ];
}

function withoutConnection(raw: readonly string[], besides: ReadonlySet<string> = new Set()): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    if (!OF_CONNECTION.has(name) && !besides.has(name)) kept.push(raw[at]!, raw[at + 1]!);
  }
  return kept;
}

/** The middleware that passes requests on, for the chain. */
export function forwarded(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof MovedAway)) throw error;
      await forward(ctx, log, error.url);
    }
  };
}
