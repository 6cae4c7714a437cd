// Calls of the API that a page makes for its visitor: the same handlers, with the permissions of the visitor's role.

import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { PassThrough, pipeline, Readable } from "node:stream";
import type { ParameterizedContext } from "koa";
import type { Context } from "../context.ts";
import { requireScope, unauthenticated } from "../http/auth.ts";
import type { Incoming } from "../http/body.ts";
import type { AnyEndpoint } from "../http/endpoint.ts";
import type { ReplyFormat } from "../http/formats.ts";
import type { OpenStreams } from "../http/open-streams.ts";
import type { Reply } from "../http/reply.ts";
import { answer, requestOf } from "../http/serve.ts";
import { SCOPES_OF_ROLES } from "../workspaces/console-users.ts";
import type { Caller } from "../workspaces/credentials.ts";
import { type Visitor, visitorOf } from "./visitors.ts";

/** Who the visitor is for the API. */
export function callerOf({ role, ...visitor }: Visitor): Caller {
  return {
    workspaceId: visitor.workspace_id,
    workspaceUid: visitor.workspace_uid,
    actor: { type: "TenantUserActor", uid: visitor.user_uid, name: visitor.user_name },
    scopes: new Set(SCOPES_OF_ROLES[role]),
    credentials: {},
  };
}

/** What a call is made with. */
export interface CallOptions {
  /** The path's parameter. */
  id?: string;
  /** As in a URL. */
  query?: string;
  /** Further headers, in lower case: `if-match`, `idempotency-key`, `x-action-note`, … */
  headers?: Record<string, string>;
  /** A value that is sent as JSON, or a file. */
  body?: unknown;
}

/** A body that is a file, with its media type. */
export class SentFile {
  readonly type: string;
  readonly bytes: Readable;

  constructor(type: string, bytes: Readable) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** What a write has replied. */
export interface Sent<T> {
  status: number;
  headers: Record<string, string>;
  /** Undefined where the reply has no body. */
  value: T;
}

/** What is called. */
export interface Api {
  endpoints: readonly AnyEndpoint[];
  /** How many replies are streamed to each caller. */
  streams: OpenStreams;
}

/** Makes calls for a page. */
export class Calls {
  readonly #context: Context;
  readonly #api: Api;
  readonly #caller: Caller;
  readonly #ctx: ParameterizedContext;

  constructor(context: Context, api: Api, visitor: Visitor, ctx: ParameterizedContext) {
    this.#context = context;
    this.#api = api;
    this.#caller = callerOf(visitor);
    this.#ctx = ctx;
  }

  /** What GET of an operation replies with. @throws Problem, as the API does */
  async get<T>(operationId: string, options: CallOptions = {}): Promise<T> {
    const { body } = await this.reply(operationId, options);
    if (body instanceof Readable) throw new Error(`${operationId} replies with a stream.`);
    return JSON.parse(body.toString());
  }

  /** The reply to GET of an operation, to be passed on: it may be a stream. @throws Problem, as the API does */
  async reply(operationId: string, options: CallOptions = {}, format: ReplyFormat = "json"): Promise<Reply> {
    const endpoint = this.#endpoint(operationId);
    if (endpoint.method !== "get") throw new Error(`${operationId} is not a GET.`);
    return this.#answer(endpoint, options, format);
  }

  /** Makes a write, and returns what it has replied. @throws Problem, as the API does */
  async send<T>(operationId: string, options: CallOptions = {}): Promise<Sent<T>> {
    const endpoint = this.#endpoint(operationId);
    if (endpoint.method === "get") throw new Error(`${operationId} is a GET.`);
    const { status, headers = {}, body } = await this.#answer(endpoint, options, "json");
    if (body instanceof Readable) throw new Error(`${operationId} replies with a stream.`);
    return {
      status,
      headers,
      // A long reply that nobody reads is not parsed.
      get value() {
        const text = body.toString();
        return text ? JSON.parse(text) : undefined;
      },
    };
  }

  /** The curl that makes the same call. A body that is a file is named `file`. */
  curl(operationId: string, { id, query = "", headers = {}, body }: CallOptions = {}): string {
    const { method, path } = this.#endpoint(operationId);
    const url = `${this.#context.config.publicUrl}${pathOf(path, id)}${query && `?${query}`}`;
    const lines = [
      `curl -g ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${url}"`,
      `-H "X-Service-Api-Key: $KEY" -H "X-Service-Api-Secret: $SECRET"`,
      ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ];
    if (body instanceof SentFile) lines.push(`-H "Content-Type: ${body.type}" --data-binary @file`);
    else if (body !== undefined)
      lines.push(`-H "Content-Type: application/json"`, `--data ${quoted(JSON.stringify(body))}`);
    return lines.join(" \\\n  ");
  }

  #endpoint(operationId: string): AnyEndpoint {
    const endpoint = this.#api.endpoints.find((one) => one.operationId === operationId);
    if (!endpoint) throw new Error(`There is no operation ${operationId}.`);
    return endpoint;
  }

  async #answer(
    endpoint: AnyEndpoint,
    { id, query = "", headers = {}, body }: CallOptions,
    format: ReplyFormat,
  ): Promise<Reply> {
    if (endpoint.scopes) requireScope(this.#caller, endpoint.scopes);
    const { req, state } = this.#ctx;
    const file =
      body === undefined || body instanceof SentFile
        ? body
        : new SentFile("application/json", Readable.from([Buffer.from(JSON.stringify(body))]));
    const type = file && { "content-type": file.type, "transfer-encoding": "chunked" };
    const incoming = new Sending(req.socket, { ...headers, ...type }, file?.bytes);
    const request = requestOf(
      this.#context,
      endpoint,
      this.#caller,
      { params: id === undefined ? {} : { id }, path: pathOf(endpoint.path, id), querystring: query },
      {
        headers: incoming.headers,
        format,
        incoming,
        // Whoever has signed out while a file came in does nothing more.
        confirm: () => {
          if (!visitorOf(this.#context, req)) throw unauthenticated();
        },
        method: endpoint.method.toUpperCase(),
        requestId: state.requestId,
        traceId: state.traceId ?? null,
      },
    );
    const reply = await answer(endpoint, request);
    if (reply.body instanceof Readable) {
      // The user is who reads.
      const reader = { ...this.#caller, credentials: { key: this.#caller.actor.uid } };
      this.#api.streams.open(reader, reply.body, this.#ctx.res, endpoint.method === "get");
    }
    return reply;
  }
}

/** The request of a call: its body comes from us. */
class Sending extends PassThrough implements Incoming {
  readonly socket: Socket;
  readonly headers: IncomingHttpHeaders;

  constructor(socket: Socket, headers: IncomingHttpHeaders, bytes = Readable.from([])) {
    super();
    this.socket = socket;
    this.headers = headers;
    pipeline(bytes, this, () => {});
  }

  get complete(): boolean {
    return this.readableEnded;
  }

  /** Who waits for a browser counts the time. */
  setTimeout(): this {
    return this;
  }
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function pathOf(path: string, id = ""): string {
  return path.replace(":id", id);
}

/** A page of a list. */
export interface Listed<Item> {
  total: number;
  limit: number;
  offset: number;
  items: Item[];
}
