// Replies: what handlers return, and how it is sent.

import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { ParameterizedContext } from "koa";
import { findNamed } from "./etag.ts";
import { setPublic } from "./exchange.ts";

export const HTML = "text/html; charset=utf-8";

/**
 * What a handler returns. `body` is a text, as a string, in UTF-8 or as a stream. It is JSON, unless `type` is another media
 * type.
 */
export interface Reply<Body extends string | Buffer | Readable = string | Buffer | Readable> {
  status: number;
  body: Body;
  headers?: Record<string, string>;
  /** Headers of the site that this reply lacks. It has a policy of its own beside. */
  without?: readonly string[];
  /** Each is a Set-Cookie header. */
  cookies?: string[];
  type?: string;
  /** The file name to save it under. */
  attachment?: string;
}

/**
 * The reply to a write: a repeated request with the same Idempotency-Key gets it again. Every POST that changes something needs one.
 * Only src/writes makes them, because it keeps replies.
 */
export class KeptReply implements Reply {
  readonly status: number;
  readonly body: Reply["body"];
  readonly headers: Record<string, string>;
  /** The brand: without it, any Reply would have this type. */
  readonly isKept = true;

  constructor({ status, body, headers = {} }: Reply) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Sends a reply, or 304 if the caller has the reply of a read already. */
export function sendReply(ctx: ParameterizedContext, reply: Reply): void {
  setAlways(ctx);
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  const unchanged = isRead && unchangedTag(ctx.headers, reply);
  if (unchanged) {
    ctx.status = 304;
    ctx.set("ETag", unchanged);
    return;
  }
  ctx.status = reply.status;
  ctx.type = reply.type ?? "application/json";
  if (reply.attachment) {
    // Clients that can't read the encoded name take the one in ASCII (RFC 6266, 4.3).
    ctx.attachment(reply.attachment, { fallback: reply.attachment.replace(/[^ -~]/g, "_") });
  }
  if (reply.headers) ctx.set(reply.headers);
  const caching = reply.headers?.["Cache-Control"];
  if (caching?.startsWith("public")) setPublic(ctx, caching);
  for (const name of reply.without ?? []) ctx.remove(name);
  if (reply.cookies?.length) ctx.set("Set-Cookie", reply.cookies);
  if (reply.body instanceof Readable) {
    // When the stream breaks, close the connection. If it is compressed, Koa would neither close it nor report the error,
    // and the client would wait for more.
    reply.body.once("error", (error) => {
      if (ctx.body !== reply.body) ctx.app.emit("error", error, ctx);
      ctx.res.destroy();
    });
  }
  ctx.body = reply.body;
}

/** Sets the headers that any reply to this request has, also a problem. */
export function setAlways(ctx: ParameterizedContext): void {
  if (ctx.state.always) ctx.set(ctx.state.always);
}

/** The entity tag of a reply that the caller has already. */
function unchangedTag({ "if-none-match": named }: IncomingHttpHeaders, { headers }: Reply): string | undefined {
  return named !== undefined && headers?.ETag ? findNamed(named, headers.ETag) : undefined;
}
