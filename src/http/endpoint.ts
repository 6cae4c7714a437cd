// Endpoints. Each is declared once, and is served, checked and documented by that declaration. A handler takes a request
// and returns a reply; it does not touch the response.

import type { IncomingHttpHeaders } from "node:http";
import type * as v from "valibot";
import type { Reader } from "../../db/sqlite/connection.ts";
import type { Later, Together } from "../base/check-body.ts";
import { fingerprintOf, type IdempotencyClaim } from "../base/idempotency.ts";
import { Problem, type ProblemCode, type ProblemDetail } from "../base/problems.ts";
import type { FilterRules } from "../base/resource.ts";
import { idOf } from "../base/schemas.ts";
import type { Cause } from "../events/record.ts";
import type { Caller } from "../workspaces/credentials.ts";
import type { Scope } from "../workspaces/rights.ts";
import type { Context } from "./context.ts";
import type { Deprecation } from "./deprecation.ts";
import type { Example } from "./example.ts";
import type { ListQuery } from "./list-query.ts";
import type { QuerySchema } from "./query.ts";
import type { TagName } from "./tags.ts";
import type { Incoming } from "./wire/body.ts";
import { matches, tagOf } from "./wire/etag.ts";
import { type Format, LIST_FORMATS, type ReplyFormat } from "./wire/formats.ts";
import type { KeptReply, Reply } from "./wire/reply.ts";

export { KeptReply, type Reply } from "./wire/reply.ts";

/** A request, as handlers see it. */
export interface ApiRequest<Body = unknown, Parameters = unknown> {
  context: Context;
  principal: Caller;
  /** The path's parameters. */
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The format of the reply; json where the endpoint has no other. */
  format: ReplyFormat;
  /** The list's page and filters; empty where the endpoint is no list. */
  query: ListQuery;
  /** The query's parameters, checked. Undefined where the endpoint declares none, and beside JSON where they go with files. */
  parameters: Parameters | undefined;
  /** The body, checked and converted by its schema. */
  body: Body;
  /** The format of the body, where the endpoint takes several; else json. */
  bodyFormat: Format;
  /** Only of a POST. */
  idempotencyKey: string | undefined;
  /** SHA-256 of the body; undefined until an endpoint that streams its body has hashed it. */
  bodyHash: string | undefined;
  /** For handlers that stream the body. */
  incoming: Incoming;
  /** A handler that streams the body calls it at the end of the body. @throws Problem 401 when the credentials are no longer valid */
  confirm(): void;
  method: string;
  /** Whether somebody gets to see what is read: not with HEAD, nor where a page only counts. */
  isShown: boolean;
  path: string;
  querystring: string;
  /** The X-Request-Id of its reply. */
  requestId: string;
  /** The trace of its traceparent. */
  traceId: string | null;
  /** What the caller says of a write: X-Action-Note. */
  note: string | null;
}

/** A reply, as the API description shows it. */
export interface Documented {
  description: string;
  /** The schema of its JSON. Without it, the reply has no body. */
  schema?: v.GenericSchema;
  headers?: Record<string, string>;
}

interface EndpointBase<Schema extends v.GenericSchema, Query extends QuerySchema> {
  /** In the router's syntax: `/screeners/:id`. */
  path: string;
  operationId: string;
  tag: TagName;
  summary: string;
  description?: string;
  /** Only of a list: its filters. */
  filters?: FilterRules;
  /** It has filters as lists have them, and is no list. */
  hasNoPages?: true;
  /** Only of a list: the values of `sort`; the first is the default. */
  sorts?: readonly string[];
  /** The formats, if it is not JSON alone. The default of a list is all formats. */
  formats?: readonly ReplyFormat[];
  /** The parameters of the query, if it is no list. An endpoint that takes files reads them beside a file only. */
  parameters?: Query;
  body?: Schema;
  /** What only its handler would say of a body, beyond its schema: said at once with what is wrong with other members. See `Together`. */
  together?(
    request: ApiRequest,
    ...members: Parameters<Together<v.InferOutput<Schema>>>
  ): Later<readonly ProblemDetail[]>;
  /** The formats, if the body may also be a file. Its settings are `parameters`, and the handler streams it. */
  bodyFormats?: readonly Format[];
  /** A request without a body counts as one with an empty object. */
  bodyIsOptional?: true;
  /** The handler streams the body itself; `body` only describes it. */
  streamsBody?: true;
  /** Further request headers, beyond those of all endpoints: name and description. */
  headers?: Record<string, string>;
  /** Whether it heeds If-Match: its handler calls `requireMatch`. The GET of its resource has an entity tag. */
  isConditional?: true;
  /** Whether its work is a job. The caller may wait for it. */
  isJob?: true;
  /** Of a POST: its job deletes, and has no result. */
  deletes?: true;
  replies: Record<number, Documented>;
  /** By name. Every endpoint needs one: test/api/openapi-examples.test.ts. */
  examples?: Readonly<Record<string, Example>>;
  /** It is going to end. All its answers say so. */
  deprecated?: Deprecation;
  /** Further problems, beyond those of all endpoints. */
  problems: ProblemCode[];
}

/** The callers of an endpoint: everybody, or those with one of the scopes. */
type Access = { isPublic: true; scopes?: never } | { isPublic?: never; scopes: readonly [Scope, ...Scope[]] };

type Handler<Schema extends v.GenericSchema, Query extends QuerySchema, Answer> = (
  request: ApiRequest<v.InferOutput<Schema>, v.InferOutput<Query>>,
) => Answer | Promise<Answer>;

export type Endpoint<
  Schema extends v.GenericSchema = v.GenericSchema,
  Query extends QuerySchema = QuerySchema,
> = EndpointBase<Schema, Query> &
  Access &
  (
    | { method: "get" | "put" | "patch" | "delete"; readsOnly?: never; handle: Handler<Schema, Query, Reply> }
    | { method: "post"; readsOnly?: never; handle: Handler<Schema, Query, KeptReply> }
    | { method: "post"; readsOnly: true; handle: Handler<Schema, Query, Reply> }
  );

/** Any endpoint, whatever its body and its query. */
// biome-ignore lint/suspicious/noExplicitAny: replyTo() gives each handler only what its own schemas have checked
export type AnyEndpoint = Endpoint<any, any>;

export function defineEndpoint<Schema extends v.GenericSchema, Query extends QuerySchema>(
  endpoint: Endpoint<Schema, Query>,
): Endpoint<Schema, Query> {
  return endpoint;
}

/** Whether a repeated request with the same Idempotency-Key gets its first reply again. What only reads is done anew. */
export function keepsReplies({ method, readsOnly }: AnyEndpoint): boolean {
  return method === "post" && !readsOnly;
}

/** A path's parameters, with ids as they are stored. */
export function idsOf(params: Record<string, string>): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const name in params) ids[name] = idOf(params[name]!);
  return ids;
}

/** The formats of an endpoint's reply. Undefined where it is only JSON. */
export function formatsOf({ formats, filters }: AnyEndpoint): readonly ReplyFormat[] | undefined {
  return formats ?? (filters && LIST_FORMATS);
}

/** The request's Idempotency-Key, if it has one, with the request's fingerprint. */
export function claimOf(request: ApiRequest): IdempotencyClaim | undefined {
  const { idempotencyKey: key, bodyHash } = request;
  if (key === undefined) return undefined;
  if (bodyHash === undefined) throw new Error("The body must be hashed before its Idempotency-Key can be claimed.");
  const path = request.path.split("/").map(idOf).join("/");
  return { key, fingerprint: fingerprintOf({ ...request, path, bodyHash }) };
}

/** The cause of the changes of a request. */
export function causeOf({ principal, requestId, note }: ApiRequest): Cause {
  return { actor: principal.actor, requestId, jobUid: null, note };
}

/** @throws Problem 412 when If-Match does not name the resource as it is: the JSON that GET shows of it */
export function requireMatch({ headers }: Pick<ApiRequest, "headers">, json: string): void {
  const expected = headers["if-match"];
  if (expected !== undefined && !matches(expected, tagOf(json))) throw new Problem("precondition_failed");
}

/** What is wrong with a change beside what is stored, as `together` says it. Of what is not there, the handler says so. */
export function besideStored<Row, Body>(
  find: (db: Reader, uid: string) => Row | undefined,
  faultsOf: (stored: Row, ...members: Parameters<Together<Body>>) => readonly ProblemDetail[],
) {
  return ({ context, principal, params }: ApiRequest, ...members: Parameters<Together<Body>>) => {
    const stored = context.workspaces.read(principal.workspaceUid, (db) => find(db, params.id!));
    return stored ? faultsOf(stored, ...members) : [];
  };
}

/** 200 with a resource. */
export function ok(body: string): Reply<string> {
  return { status: 200, body };
}

/** 200 with a resource, and the entity tag that If-Match takes. */
export function withTag(body: string): Reply<string> {
  return { status: 200, body, headers: { ETag: tagOf(body) } };
}

/** 201 with a resource and its path. @param shown the JSON that GET shows of it, where writes take its entity tag */
export function created(body: string, location: string, shown?: string): Reply<string> {
  return { status: 201, body, headers: { Location: location, ...(shown !== undefined && { ETag: tagOf(shown) }) } };
}

/** @returns `value`. @throws Problem `code` when it is undefined */
export function found<T>(value: T | undefined, code: ProblemCode): T {
  if (value === undefined) throw new Problem(code);
  return value;
}
