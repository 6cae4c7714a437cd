// Calls of the API that a page makes for its visitor: the same handlers, with the permissions of the visitor's role.

import { Readable } from "node:stream";
import type { ParameterizedContext } from "koa";
import { idOfReference } from "../../base/references.ts";
import type { OperationIds, Operations } from "../../client/types.ts";
import { requireScope, unauthenticated } from "../../http/auth.ts";
import type { Context } from "../../http/context.ts";
import type { AnyEndpoint } from "../../http/endpoint.ts";
import { answer, requestOf } from "../../http/serve.ts";
import type { ReplyFormat } from "../../http/wire/formats.ts";
import type { OpenStreams } from "../../http/wire/open-streams.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { Sending } from "../../http/wire/sending.ts";
import { allowedBy, type Caller } from "../../workspaces/credentials.ts";
import { SCOPES_OF_ROLES } from "../../workspaces/rights.ts";
import { type Visitor, visitorOf } from "./visitors.ts";

/** Who the visitor is for the API. */
export function callerOf({ role, ...visitor }: Visitor): Caller {
  return {
    workspaceId: visitor.workspace_id,
    workspaceUid: visitor.workspace_uid,
    actor: { type: "TenantUserActor", uid: visitor.user_uid, name: visitor.user_name },
    ...allowedBy(new Set(SCOPES_OF_ROLES[role])),
    credentials: {},
  };
}

/** The operations that are a GET. */
type Reads = {
  [P in keyof OperationIds]: OperationIds[P] extends { get: infer Id } ? Id : never;
}[keyof OperationIds];

type Writes = Exclude<keyof Operations, Reads>;

/** What a call of an operation is made with. */
type CallOptions<Id extends keyof Operations> = { [One in Id]: OptionsOf<Operations[One]> }[Id];

/** Of the path, the parameter: a session may be named by its reference. Headers have their names in lower case. */
type OptionsOf<Operation> = {
  /** As in a URL. */
  query?: string;
} & (Operation extends { path: { id: string } } ? { id: string } : unknown) &
  (Operation extends { path: { language: string } } ? { language: string } : unknown) &
  (Operation extends { header: infer Headers } ? { headers?: LowerCase<Headers> } : unknown) &
  OrFile<Pick<Operation, keyof Operation & "body">>;

type LowerCase<Headers> = { [Name in keyof Headers as Lowercase<Name & string>]: Headers[Name] };

/** A value that is sent as JSON, or a file. */
type OrFile<Body> = { [Member in keyof Body]: Body[Member] | SentFile };

// biome-ignore lint/complexity/noBannedTypes: options that may all be left out
type Arguments<Options> = {} extends Options ? [options?: Options] : [options: Options];

/** Any call. */
interface AnyOptions {
  id?: string;
  language?: string;
  query?: string;
  headers?: Record<string, string>;
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

/** The statuses of an operation that does not refuse. */
type Successes<Id extends keyof Operations> = keyof Operations[Id]["answers"] & (200 | 201 | 202);

/** What an operation replies with, unless it refuses. */
type AnswerTo<Id extends keyof Operations> = {
  [One in Id]: Operations[One]["answers"][Successes<One>];
}[Id];

/** What a write has replied: by its status. */
type Sent<Id extends keyof Operations> = {
  [One in Id]: {
    [Status in Successes<One>]: {
      status: Status;
      headers: Record<string, string>;
      value: Operations[One]["answers"][Status];
    };
  }[Successes<One>];
}[Id];

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
  async get<Id extends Reads>(operationId: Id, ...[options]: Arguments<CallOptions<Id>>): Promise<AnswerTo<Id>> {
    const { body } = await this.#read(operationId, options, "json");
    if (body instanceof Readable) throw new Error(`${operationId} replies with a stream.`);
    return JSON.parse(body.toString());
  }

  /** How many items the list of an operation has. Nobody is shown any. */
  async total<Id extends Reads>(operationId: Id, options: CallOptions<Id>): Promise<number> {
    const { query } = options as AnyOptions;
    const counted = { ...options, query: `pagination[limit]=1${query ? `&${query}` : ""}` };
    const { body } = await this.#read(operationId, counted, "json", false);
    return JSON.parse(body.toString()).total;
  }

  /** The reply to GET of an operation, to be passed on: it may be a stream. @throws Problem, as the API does */
  reply<Id extends Reads>(operationId: Id, options: CallOptions<Id>, format: ReplyFormat = "json"): Promise<Reply> {
    return this.#read(operationId, options, format);
  }

  #read(operationId: string, options: AnyOptions | undefined, format: ReplyFormat, isShown?: boolean): Promise<Reply> {
    const endpoint = this.#endpoint(operationId);
    if (endpoint.method !== "get") throw new Error(`${operationId} is not a GET.`);
    return this.#answer(endpoint, options, format, isShown);
  }

  /** Makes a write, and returns what it has replied. @throws Problem, as the API does */
  async send<Id extends Writes>(operationId: Id, ...[options]: Arguments<CallOptions<Id>>): Promise<Sent<Id>> {
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
    } as Sent<Id>;
  }

  /** The curl that makes the same call. A body that is a file is named `file`. */
  curl<Id extends keyof Operations>(operationId: Id, ...[options]: Arguments<CallOptions<Id>>): string {
    const { id, language, query = "", headers = {}, body }: AnyOptions = options ?? {};
    const { method, path } = this.#endpoint(operationId);
    const url = `${this.#context.config.publicUrl}${pathOf(path, id, language)}${query && `?${query}`}`;
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
    { id, language, query = "", headers = {}, body }: AnyOptions = {},
    format: ReplyFormat,
    isShown = this.#ctx.method !== "HEAD",
  ): Promise<Reply> {
    if (endpoint.scopes) requireScope(this.#caller, endpoint.scopes);
    const { req, state } = this.#ctx;
    const file =
      body === undefined || body instanceof SentFile
        ? body
        : new SentFile("application/json", Readable.from([Buffer.from(JSON.stringify(body))]));
    const type = file && { "content-type": file.type, "transfer-encoding": "chunked" };
    const incoming = new Sending(req.socket, { ...headers, ...type }, file?.bytes);
    const params: Record<string, string> = language === undefined ? {} : { language };
    if (id !== undefined)
      params.id = this.#context.workspaces.read(this.#caller.workspaceUid, (db) => idOfReference(db, id));
    const request = requestOf(
      this.#context,
      endpoint,
      this.#caller,
      { params, path: pathOf(endpoint.path, id, language), querystring: query },
      {
        headers: incoming.headers,
        format,
        incoming,
        // A user who has signed out while a file came in does nothing more.
        confirm: () => {
          if (!visitorOf(this.#context, req)) throw unauthenticated();
        },
        method: endpoint.method.toUpperCase(),
        isShown,
        requestId: state.requestId,
        traceId: state.traceId ?? null,
      },
    );
    const reply = await answer(endpoint, request);
    if (reply.body instanceof Readable) {
      // The user is the reader.
      const reader = { ...this.#caller, credentials: { key: this.#caller.actor.uid } };
      this.#api.streams.open(reader, reply.body, this.#ctx.res, endpoint.method === "get");
    }
    return reply;
  }
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function pathOf(path: string, id = "", language = ""): string {
  return path.replace(":id", id).replace(":language", language);
}
