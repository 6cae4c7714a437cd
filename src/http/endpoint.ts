// An endpoint: one operation of the API, described in one place, from which it is served, checked and documented.
// Handlers take a request and return a reply; nothing but `serve` touches the response.

import { hash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Middleware } from "koa";
import type * as v from "valibot";
import { checkBody } from "../check-body.ts";
import type { Context } from "../context.ts";
import type { IdempotencyClaim } from "../idempotency.ts";
import { Problem, type ProblemCode } from "../problems.ts";
import type { FilterRules } from "../resource.ts";
import type { Principal } from "../workspaces/credentials.ts";
import { checkVersion } from "./api-version.ts";
import { refuse, verify } from "./auth.ts";
import { readJson } from "./body.ts";
import { type Format, LIST_FORMATS, negotiate } from "./formats.ts";
import { type ListQuery, readListQuery, readNoQuery } from "./list-query.ts";
import { readIdempotencyKey } from "./preferences.ts";

/** What a handler sees of a request. */
export interface ApiRequest<Body = unknown> {
  context: Context;
  principal: Principal;
  /** The path's parameters. */
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** What the answer comes as; json on endpoints that know nothing else. */
  format: Format;
  /** The list's page and filters; on other endpoints the default page. */
  query: ListQuery;
  /** The body, as its schema reads it. */
  body: Body;
  /** The Idempotency-Key of a POST. */
  idempotencyKey: string | undefined;
  /** SHA-256 of the body; undefined until an endpoint that streams its body has hashed it. */
  bodyHash: string | undefined;
  /** For endpoints that stream their body. */
  incoming: IncomingMessage;
  method: string;
  path: string;
}

/**
 * What a handler answers. `body` is text, whole (as text or in UTF-8) or as a stream: JSON, unless `type` says something
 * else.
 */
export interface Reply<Body extends string | Buffer | Readable = string | Buffer | Readable> {
  status: number;
  body: Body;
  headers?: Record<string, string>;
  type?: string;
  /** What it is saved as. */
  attachment?: string;
}

/**
 * The reply to a write: the same request with the same Idempotency-Key gets it again. Only what keeps that promise makes
 * one (src/writes), and nothing else answers a POST.
 */
export class KeptReply implements Reply {
  readonly status: number;
  readonly body: Reply["body"];
  readonly headers: Record<string, string>;
  /** Makes the type one of its own. */
  readonly isKept = true;

  constructor({ status, body, headers = {} }: Reply) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An answer, as the API's description tells it. */
export interface Documented {
  description: string;
  /** Of its JSON. */
  schema: v.GenericSchema;
  headers?: Record<string, string>;
}

interface Operation<Schema extends v.GenericSchema = v.GenericSchema> {
  /** With parameters as the router wants them: `/screeners/:id`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Served without credentials. */
  open?: true;
  /** It is a list, with these filters. */
  filters?: FilterRules;
  /** What it comes as, when that is not JSON alone. Lists come as all. */
  formats?: readonly Format[];
  /** What the body must be. */
  body?: Schema;
  /** The handler streams the body itself; `body` only describes it. */
  streamsBody?: true;
  /** Request headers that it takes beyond those that all take, with what they mean. */
  headers?: Record<string, string>;
  /** It is answered by a job, which the caller may wait for or not. */
  isJob?: true;
  replies: Record<number, Documented>;
  /** What can go wrong beyond what can go wrong everywhere. */
  problems: ProblemCode[];
}

type Handler<Schema extends v.GenericSchema, Answer> = (
  request: ApiRequest<v.InferOutput<Schema>>,
) => Answer | Promise<Answer>;

export type Endpoint<Schema extends v.GenericSchema = v.GenericSchema> = Operation<Schema> &
  (
    | { method: "get" | "put" | "patch" | "delete"; handle: Handler<Schema, Reply> }
    | { method: "post"; handle: Handler<Schema, KeptReply> }
  );

/** Any endpoint, whatever its body. */
// biome-ignore lint/suspicious/noExplicitAny: a handler takes only what its own schema gives, and serve() sees to that
export type AnyEndpoint = Endpoint<any>;

export function defineEndpoint<Schema extends v.GenericSchema>(endpoint: Endpoint<Schema>): Endpoint<Schema> {
  return endpoint;
}

const EMPTY_HASH = hash("sha256", "");

const NO_QUERY: ListQuery = { page: { offset: 0, limit: 0 }, filters: [] };

/** The middleware that serves an endpoint. */
export function serve(context: Context, endpoint: AnyEndpoint): Middleware {
  return async (ctx) => {
    ctx.state.route = endpoint.path;
    const principal = endpoint.open ? OPEN : (verify(context, ctx) ?? (await refuse(context, ctx.ip)));
    ctx.state.workspace = principal.workspaceUid;
    checkVersion(ctx.get("X-Service-Api-Version") || undefined);
    const formats = formatsOf(endpoint);
    const format = formats ? negotiate(ctx, formats) : "json";
    const query = endpoint.filters ? readListQuery(ctx.querystring, endpoint.filters, format) : NO_QUERY;
    if (!endpoint.filters) readNoQuery(ctx.querystring);
    const idempotencyKey = endpoint.method === "post" ? readIdempotencyKey(ctx.headers) : undefined;
    const request: ApiRequest = {
      context,
      principal,
      params: ctx.params,
      headers: ctx.headers,
      format,
      query,
      body: undefined,
      idempotencyKey,
      bodyHash: endpoint.body ? undefined : EMPTY_HASH,
      incoming: ctx.req,
      method: ctx.method,
      path: ctx.path,
    };
    if (endpoint.body && !endpoint.streamsBody) {
      const { value, bytes } = await readJson(ctx.req, context.config.bodyMaxBytes);
      request.body = checkBody(endpoint.body, value);
      if (idempotencyKey !== undefined) request.bodyHash = hash("sha256", bytes);
    }
    const reply: Reply = await endpoint.handle(request);
    ctx.status = reply.status;
    ctx.type = reply.type ?? "application/json";
    if (reply.attachment) {
      // Beside the name itself one in ASCII, for those who read it as they like (RFC 6266, 4.3).
      ctx.attachment(reply.attachment, { fallback: reply.attachment.replace(/[^ -~]/g, "_") });
    }
    if (reply.headers) ctx.set(reply.headers);
    if (reply.body instanceof Readable) {
      // A stream that breaks must not look like one that goes on: compressed, Koa would neither end it nor tell.
      reply.body.once("error", (error) => {
        if (ctx.body !== reply.body) ctx.app.emit("error", error, ctx);
        ctx.res.destroy();
      });
    }
    ctx.body = reply.body;
  };
}

/** What an endpoint comes as, when there is a choice. */
export function formatsOf({ formats, filters }: AnyEndpoint): readonly Format[] | undefined {
  return formats ?? (filters && LIST_FORMATS);
}

/** What the request's Idempotency-Key, if there is one, stands for: the operation and its body. */
export function claimOf({ idempotencyKey, bodyHash, method, path }: ApiRequest): IdempotencyClaim | undefined {
  if (idempotencyKey === undefined) return undefined;
  if (bodyHash === undefined) throw new Error("The body must be hashed before its Idempotency-Key can be claimed.");
  return { key: idempotencyKey, fingerprint: hash("sha256", `${method} ${path}\n${bodyHash}`) };
}

/** 200 with a resource. */
export function ok(body: string): Reply<string> {
  return { status: 200, body };
}

/** 201 with a resource and where it is. */
export function created(body: string, location: string): Reply<string> {
  return { status: 201, body, headers: { Location: location } };
}

/** The resource, or its problem when it was not found. */
export function found<T>(value: T | undefined, code: ProblemCode): T {
  if (value === undefined) throw new Problem(code);
  return value;
}

const OPEN: Principal = {
  workspaceId: 0,
  workspaceUid: "",
  actor: { type: "ApplicationActor", uid: "", name: "" },
};
