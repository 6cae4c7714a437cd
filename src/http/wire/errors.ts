// Makes responses of errors. Nothing else does.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Middleware, ParameterizedContext } from "koa";
import { SchemaError } from "../../../db/migrate.ts";
import { StoreRefusedError } from "../../../db/sqlite/refused.ts";
import { isBusy, isFull, isTransient, StoreBusyError } from "../../../db/sqlite/write.ts";
import { StoreStaleError } from "../../../db/store.ts";
import type { Log } from "../../base/log.ts";
import { Problem, type ProblemCode } from "../../base/problems.ts";
import { RequestAborted } from "./body.ts";
import { setAlways } from "./reply.ts";
import { CURRENT_VERSION, newRequestId } from "./request-headers.ts";

// After an early response, read and drop the rest of the body for this long. A client that is still sending would otherwise
// see a broken connection, and not the response.
const LINGER_MS = 5000;

/** Answers with a problem when a handler throws. Pages for people set `showProblem` to show it as a page. */
export function errors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      answerError(ctx, log, error);
    }
  };
}

/** Answers with the problem that an error stands for. */
export function answerError(ctx: ParameterizedContext, log: Log, error: unknown): void {
  if (error instanceof RequestAborted) {
    ctx.status = 499;
    ctx.req.destroy();
    return;
  }
  const problem = asProblem(error);
  if (problem.status >= 500) {
    const level = problem.code === "internal_error" ? "error" : "warn";
    log[level]({ requestId: ctx.state.requestId, err: error }, problem.code);
  }
  sendProblem(ctx, problem);
  ctx.state.showProblem?.(problem);
  if (!ctx.req.complete) drain(ctx.req);
}

/** Answers with a problem. */
export function sendProblem(ctx: ParameterizedContext, problem: Problem): void {
  ctx.status = problem.status;
  setAlways(ctx);
  ctx.set(problem.headers);
  ctx.type = "application/problem+json";
  ctx.body = JSON.stringify({ ...problem.document, requestId: ctx.state.requestId });
}

/** The problem that stands for `error` in a response. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const retry = { headers: { "Retry-After": "1" }, cause: error };
  if (error instanceof StoreBusyError || isBusy(error)) return new Problem("store_busy", retry);
  if (error instanceof StoreRefusedError)
    return new Problem("store_refused", { headers: { "Retry-After": "30" }, cause: error });
  if (isFull(error)) return new Problem("store_full", { headers: { "Retry-After": "30" }, cause: error });
  if (error instanceof StoreStaleError)
    return new Problem("store_migrating", { headers: { "Retry-After": "5" }, cause: error });
  // Usually the store is newer than this process: a new release already runs, and will replace this process.
  if (error instanceof SchemaError || isTransient(error)) return new Problem("store_unavailable", retry);
  return new Problem("internal_error", { cause: error });
}

/**
 * Answers what Node rejects before the app sees it: headers that are too large or too slow, or invalid HTTP.
 * @returns the status; undefined when the connection is closed
 */
export function onClientError(error: Error & { code?: string }, socket: Socket): number | undefined {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const code: ProblemCode =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "headers_too_large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request_timeout"
        : "invalid_request";
  const problem = new Problem(
    code,
    code === "invalid_request" ? { detail: "This is not valid HTTP.", errors: [] } : {},
  );
  const requestId = newRequestId();
  const body = JSON.stringify({ ...problem.document, requestId });
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.document.title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestId}\r\nX-Service-Api-Version: ${CURRENT_VERSION}\r\nConnection: close\r\n\r\n${body}`,
  );
  return problem.status;
}

/** Reads and drops the rest of a body, after an early response. */
export function drain(req: IncomingMessage): void {
  // A reader that gave up is unpiped later, and that would pause the request again.
  req.unpipe();
  req.resume();
  const timer = setTimeout(() => req.destroy(), LINGER_MS);
  timer.unref();
  req.once("close", () => clearTimeout(timer));
}
