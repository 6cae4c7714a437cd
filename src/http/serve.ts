// Serves endpoints: checks what all of them have in common, and asks the handler for the reply.

import { hash } from "node:crypto";
import { Readable } from "node:stream";
import type { Middleware, ParameterizedContext } from "koa";
import { checkBody } from "../check-body.ts";
import type { Context } from "../context.ts";
import type { Caller } from "../workspaces/credentials.ts";
import { checkVersion } from "./api-version.ts";
import { refuse, requireScope, unauthenticated, verify } from "./auth.ts";
import { bodyFormatOf, hasBody, readJson } from "./body.ts";
import { requireCoding } from "./codings.ts";
import { type AnyEndpoint, type ApiRequest, formatsOf, idsOf } from "./endpoint.ts";
import { negotiate } from "./formats.ts";
import { type ListQuery, readListQuery } from "./list-query.ts";
import type { OpenStreams } from "./open-streams.ts";
import { readIdempotencyKey, readNote } from "./preferences.ts";
import { parametersOf } from "./query.ts";
import { type Reply, sendReply } from "./reply.ts";

const EMPTY_HASH = hash("sha256", "");

const NO_QUERY: ListQuery = { page: { offset: 0, limit: 0 }, filters: [] };

/** Who sends requests to public endpoints. */
const NOBODY: Caller = {
  workspaceId: 0,
  workspaceUid: "",
  actor: { type: "ApplicationActor", uid: "", name: "" },
  scopes: new Set(),
  credentials: {},
};

/** Where a request goes. */
export interface Target {
  params: Record<string, string>;
  path: string;
  querystring: string;
}

/** The middleware that serves an endpoint. */
export function serve(context: Context, endpoint: AnyEndpoint, streams: OpenStreams): Middleware {
  return async (ctx) => {
    const { params, path, querystring } = ctx;
    sendReply(ctx, await replyTo(context, endpoint, streams, ctx, { params, path, querystring }));
  };
}

/** The reply to a request, which may come at once. @throws Problem, or rejects with it */
export function replyTo(
  context: Context,
  endpoint: AnyEndpoint,
  streams: OpenStreams,
  ctx: ParameterizedContext,
  { params, path, querystring }: Target,
): Reply | Promise<Reply> {
  const { req, state } = ctx;
  const { headers } = req;
  state.route = endpoint.path;
  const principal = endpoint.isPublic ? NOBODY : verify(context, headers);
  if (!principal) return refuse(context, ctx.ip);
  state.workspace = principal.workspaceUid;
  state.credentials = principal.credentials;
  if (endpoint.scopes) {
    context.turns.note(principal.workspaceUid);
    requireScope(principal, endpoint.scopes);
  }
  checkVersion(headers["x-service-api-version"] as string | undefined);
  requireCoding(ctx);
  const formats = formatsOf(endpoint);
  const format = formats ? negotiate(ctx, formats) : "json";
  const bodyFormat = endpoint.bodyFormats ? bodyFormatOf(req, endpoint.bodyFormats) : "json";
  const request: ApiRequest = {
    context,
    principal,
    params: idsOf(params),
    headers,
    format,
    query: endpoint.filters ? readListQuery(querystring, endpoint.filters, format, endpoint.sorts) : NO_QUERY,
    parameters: endpoint.filters ? undefined : parametersOf(endpoint, bodyFormat, querystring),
    body: undefined,
    bodyFormat,
    idempotencyKey: endpoint.method === "post" ? readIdempotencyKey(headers) : undefined,
    bodyHash: endpoint.body ? undefined : EMPTY_HASH,
    incoming: req,
    confirm: () => {
      if (!endpoint.isPublic && !verify(context, headers)) throw unauthenticated();
    },
    method: req.method!,
    path,
    querystring,
    requestId: state.requestId,
    note: endpoint.method === "get" ? null : readNote(headers),
  };
  if (endpoint.method === "get" && !endpoint.isPublic) {
    return counted(
      context.turns.read(principal.workspaceUid, () => endpoint.handle(request)),
      (reply) => {
        if (reply.body instanceof Readable) streams.open(principal, reply.body, ctx.res, true);
      },
    );
  }
  const handled = endpoint.body && !endpoint.streamsBody ? handleBody(endpoint, request) : endpoint.handle(request);
  // The work is done: its reply is not refused.
  return counted(handled, (reply) => {
    if (reply.body instanceof Readable) streams.open(principal, reply.body, ctx.res, false);
  });
}

/** Reads and checks the body before the handler gets it. */
async function handleBody(endpoint: AnyEndpoint, request: ApiRequest): Promise<Reply> {
  const { value, bytes } =
    endpoint.bodyIsOptional && !hasBody(request.incoming)
      ? { value: {}, bytes: Buffer.alloc(0) }
      : await readJson(request.incoming, request.context.config.bodyMaxBytes, request.confirm);
  request.body = checkBody(endpoint.body, value);
  if (request.idempotencyKey !== undefined) request.bodyHash = hash("sha256", bytes);
  return endpoint.handle(request);
}

/** Calls `count` with a reply that comes now, or later. */
function counted(reply: Reply | Promise<Reply>, count: (reply: Reply) => void): Reply | Promise<Reply> {
  if (reply instanceof Promise) {
    return reply.then((one) => {
      count(one);
      return one;
    });
  }
  count(reply);
  return reply;
}
