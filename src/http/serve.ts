// Serves endpoints: makes the checks that all share, and calls the handler.

import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Middleware, ParameterizedContext } from "koa";
import { checkBodyLater } from "../base/check-body.ts";
import { invalidRequest, Problem, type ProblemDetail } from "../base/problems.ts";
import type { Caller } from "../workspaces/credentials.ts";
import { MovedAway, movingAway } from "../workspaces/moving.ts";
import { movedTo, refuse, requireScope, unauthenticated, verify } from "./auth.ts";
import type { Context } from "./context.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { type AnyEndpoint, type ApiRequest, formatsOf, idsOf } from "./endpoint.ts";
import { readQueryOf } from "./query.ts";
import { errorsOf, unknownMembers, warningOf } from "./unknown-members.ts";
import { bodyFormatOf, hasBody, readJson } from "./wire/body.ts";
import { requireCoding } from "./wire/codings.ts";
import { negotiate } from "./wire/formats.ts";
import type { OpenStreams } from "./wire/open-streams.ts";
import { type Reply, sendReply } from "./wire/reply.ts";
import { checkVersion, readIdempotencyKey, readNote, wantsStrict } from "./wire/request-headers.ts";
import { withIds, withoutLinks } from "./without-links.ts";

const EMPTY_HASH = hash("sha256", "");

/** The caller of public endpoints. */
const NOBODY: Caller = {
  workspaceId: 0,
  workspaceUid: "",
  actor: { type: "ApplicationActor", uid: "", name: "" },
  scopes: new Set(),
  hidesLinks: false,
  credentials: {},
};

/** Where a request goes. */
interface Target {
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
  target: Target,
): Reply | Promise<Reply> {
  const { req, state } = ctx;
  const { headers } = req;
  state.route = endpoint.path;
  state.isProbe = endpoint.tag === "Health";
  if (endpoint.deprecated) state.always = deprecationHeaders(endpoint.deprecated);
  const principal = endpoint.isPublic ? NOBODY : verify(context, headers);
  if (!principal) {
    const cell = movedTo(context, headers);
    if (cell !== undefined) throw new MovedAway(cell);
    return refuse(context, ctx.ip);
  }
  state.workspace = principal.workspaceUid;
  state.credentials = principal.credentials;
  if (endpoint.scopes) {
    context.turns.note(principal.workspaceUid);
    state.always = { ...state.always, ...context.turns.limitsOf(principal.workspaceUid) };
    requireScope(principal, endpoint.scopes);
  }
  checkVersion(headers["x-service-api-version"] as string | undefined);
  requireCoding(ctx);
  const formats = formatsOf(endpoint);
  const request = requestOf(context, endpoint, principal, target, {
    headers,
    format: formats ? negotiate(ctx, formats) : "json",
    incoming: req,
    confirm: () => {
      if (endpoint.isPublic || verify(context, headers)) return;
      // Its body has come already, so it can't be passed on.
      throw movedTo(context, headers) === undefined ? unauthenticated() : movingAway();
    },
    method: req.method!,
    isShown: req.method !== "HEAD",
    requestId: state.requestId,
    traceId: state.traceId ?? null,
  });
  const isRead = endpoint.method === "get" && !endpoint.isPublic;
  // A write has done its work, so its reply is not refused.
  return counted(answer(endpoint, request), (reply) => {
    if (reply.body instanceof Readable) streams.open(principal, reply.body, ctx.res, isRead);
  });
}

/** A request of a caller who may make it. @throws Problem 400 or 415 for its query, headers and type */
export function requestOf(
  context: Context,
  endpoint: AnyEndpoint,
  principal: Caller,
  { params, path, querystring }: Target,
  sent: Pick<
    ApiRequest,
    "headers" | "format" | "incoming" | "confirm" | "method" | "isShown" | "requestId" | "traceId"
  >,
): ApiRequest {
  const { headers, format, incoming } = sent;
  if (endpoint.method !== "get") requireHeeded(endpoint, headers);
  const bodyFormat = endpoint.bodyFormats ? bodyFormatOf(incoming, endpoint.bodyFormats) : "json";
  return {
    ...sent,
    context,
    principal,
    params: idsOf(params),
    ...readQueryOf(endpoint, { format, bodyFormat, querystring }),
    body: undefined,
    bodyFormat,
    idempotencyKey: endpoint.method === "post" ? readIdempotencyKey(headers) : undefined,
    bodyHash: endpoint.body ? undefined : EMPTY_HASH,
    path,
    querystring,
    note: endpoint.method === "get" ? null : readNote(headers),
  };
}

/** What the endpoint replies, without links for callers who get none. @throws Problem, or rejects with it */
export function answer(endpoint: AnyEndpoint, request: ApiRequest): Reply | Promise<Reply> {
  return request.principal.hidesLinks ? answerWithoutLinks(endpoint, request) : answerOf(endpoint, request);
}

async function answerWithoutLinks(endpoint: AnyEndpoint, request: ApiRequest): Promise<Reply> {
  return withoutLinks(request, await answerOf(endpoint, withIds(request)));
}

/** What the endpoint replies: reads in their workspace's turn, writes after their body. */
function answerOf(endpoint: AnyEndpoint, request: ApiRequest): Reply | Promise<Reply> {
  if (endpoint.method === "get" && !endpoint.isPublic)
    return request.context.turns.read(request.principal.workspaceUid, () => endpoint.handle(request));
  return endpoint.body && !endpoint.streamsBody ? handleBody(endpoint, request) : endpoint.handle(request);
}

/** Reads and checks the body before the handler gets it. */
async function handleBody(endpoint: AnyEndpoint, request: ApiRequest): Promise<Reply> {
  const { value, bytes } =
    endpoint.bodyIsOptional && !hasBody(request.incoming)
      ? { value: {}, bytes: Buffer.alloc(0) }
      : await readJson(request.incoming, request.context.config.bodyMaxBytes, request.confirm);
  if (request.idempotencyKey !== undefined) request.bodyHash = hash("sha256", bytes);
  const unknown = unknownMembers(endpoint, value);
  const isStrict = wantsStrict(request.headers);
  const checked = (errors: readonly ProblemDetail[]) =>
    checkBodyLater(
      endpoint.body!,
      value,
      errors,
      (right, wrong, lists) => endpoint.together?.(request, right as object, wrong, lists as object) ?? [],
    );
  if (!unknown.length && !isStrict) {
    request.body = await checked([]);
    return endpoint.handle(request);
  }
  const more = (headers: Record<string, string> = {}) =>
    isStrict
      ? { "Preference-Applied": [headers["Preference-Applied"], "handling=strict"].filter((one) => one).join(", ") }
      : { "Warning-Members": warningOf(unknown) };
  try {
    request.body = await checked(isStrict ? errorsOf(unknown) : []);
    const reply = await endpoint.handle(request);
    return { ...reply, headers: { ...reply.headers, ...more(reply.headers) } };
  } catch (error) {
    throw error instanceof Problem ? error.withHeaders(more(error.headers)) : error;
  }
}

/** Refuses conditions that a write ignores: its caller would believe that they were met. @throws Problem 400 */
function requireHeeded({ headers: own = {}, isConditional }: AnyEndpoint, headers: IncomingHttpHeaders): void {
  const errors = CONDITIONS.filter(
    (name) => headers[name.toLowerCase()] !== undefined && !(name in own) && !(name === "If-Match" && isConditional),
  ).map((name) => ({ pointer: name, message: "is not heeded here, so nothing was done; leave it out" }));
  if (errors.length) throw invalidRequest(errors);
}

const CONDITIONS = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"];

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
