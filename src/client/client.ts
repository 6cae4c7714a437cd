// The client: calls the API by method and path, and follows the pages of lists.

import { type Received, send } from "./send.ts";
import { API_VERSION, type Paths } from "./types.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have the method. */
export type PathOf<M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<M, unknown> ? P : never;
}[keyof Paths];

/** The operation at a path. */
export type OperationAt<M extends Method, P extends PathOf<M>> = Paths[P] extends Record<M, infer O> ? O : never;

/** A part of a request: left out where it may be, and absent where the operation has none. */
type Part<O, From extends string, To extends string> = From extends keyof O
  ? // biome-ignore lint/complexity/noBannedTypes: an object without required members
    {} extends (From extends "body" ? Pick<O, From> : O[From])
    ? { [K in To]?: O[From] }
    : { [K in To]: O[From] }
  : unknown;

export type CallOptions<M extends Method, P extends PathOf<M>> = Part<OperationAt<M, P>, "path", "path"> &
  Part<OperationAt<M, P>, "query", "query"> &
  Part<OperationAt<M, P>, "header", "headers"> &
  Part<OperationAt<M, P>, "body", "body"> &
  Ending;

/** What ends a request. */
export interface Ending {
  signal?: AbortSignal | undefined;
  /** How long a try may take, until its answer is there as a whole. Default: that of the client. */
  timeoutMs?: number | undefined;
}

// biome-ignore lint/complexity/noBannedTypes: options that may all be left out
type Arguments<Options> = {} extends Options ? [options?: Options] : [options: Options];

type AnswersAt<M extends Method, P extends PathOf<M>> = OperationAt<M, P> extends { answers: infer A } ? A : never;

/** The answers that are no errors, each with its status. */
export type AnswerOf<M extends Method, P extends PathOf<M>> = {
  [S in keyof AnswersAt<M, P> & (200 | 201 | 202 | 304)]: { status: S; headers: Headers; body: AnswersAt<M, P>[S] };
}[keyof AnswersAt<M, P> & (200 | 201 | 202 | 304)];

/** The bodies of these answers. A 304 has none, and comes to those alone who send an If-None-Match. */
export type BodyOf<M extends Method, P extends PathOf<M>> = Exclude<AnswerOf<M, P>, { status: 304 }>["body"];

type Page<Item> = { total: number; items: Item[] };

/** The paths of lists. */
export type ListPath = {
  [P in PathOf<"get">]: BodyOf<"get", P> extends Page<unknown> ? P : never;
}[PathOf<"get">];

export type ItemOf<P extends ListPath> = BodyOf<"get", P> extends Page<infer Item> ? Item : never;

export type Credentials =
  | { apiKey: string; apiSecret: string; accessToken?: string | undefined }
  | { accessToken: string; apiKey?: undefined; apiSecret?: undefined };

export type ClientOptions = Credentials & {
  /** Where the API is: `https://screening.example.org`. */
  url: string;
  /** How long a request that is safe to repeat is tried again. Default: 60,000. */
  retryForMs?: number | undefined;
  /** How long each try of a request may take, until its answer is there as a whole. Default: 120,000; of an import's rows: 900,000. */
  timeoutMs?: number | undefined;
};

/** What a request has beside its method and path. */
interface AnyOptions extends Ending {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

const RETRY_FOR_MS = 60_000;

/** Longer than anything waits for a job. */
const TIMEOUT_MS = 120_000;

/** As many items as a page can have. */
const PAGE = 500;

export class Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #retryForMs: number;
  /** What was asked for. */
  readonly timeoutMs: number | undefined;

  constructor({ url, apiKey, apiSecret, accessToken, retryForMs = RETRY_FOR_MS, timeoutMs }: ClientOptions) {
    // A wrong address would look like a network that does not answer.
    this.#url = new URL(url).href.replace(/\/$/, "");
    if (!accessToken && !(apiKey && apiSecret))
      throw new TypeError("A client needs apiKey and apiSecret, or an accessToken.");
    this.#headers = {
      "X-Service-Api-Version": API_VERSION,
      ...(apiKey && apiSecret && { "X-Service-Api-Key": apiKey, "X-Service-Api-Secret": apiSecret }),
      ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
    };
    this.#retryForMs = retryForMs;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Calls an operation. A GET, and a POST through its Idempotency-Key, is sent again when nothing answers, or 429, 502, 503 or 504 does.
   * @returns the answer's status, headers and body
   * @throws ApiError when the answer is an error; what `fetch` throws, or a `TimeoutError`, when there is none; the reason of `signal` when it is aborted
   */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[options]: Arguments<CallOptions<M, P>>
  ): Promise<AnswerOf<M, P>> {
    const { body, ...rest } = (options ?? {}) as AnyOptions;
    const sent = body === undefined ? undefined : { type: "application/json", body: JSON.stringify(body) };
    return (await this.send(method, path, rest, sent)) as AnswerOf<M, P>;
  }

  /** As `call`. @returns the body alone */
  async get<P extends PathOf<"get">>(path: P, ...options: Arguments<CallOptions<"get", P>>): Promise<BodyOf<"get", P>> {
    return (await this.call("get", path, ...options)).body as BodyOf<"get", P>;
  }

  /** As `call`. @returns the body alone. Where the work is a job that has not ended in time, the body is the Job */
  async post<P extends PathOf<"post">>(
    path: P,
    ...options: Arguments<CallOptions<"post", P>>
  ): Promise<BodyOf<"post", P>> {
    return (await this.call("post", path, ...options)).body as BodyOf<"post", P>;
  }

  /** As `call`. @returns the body alone */
  async put<P extends PathOf<"put">>(path: P, ...options: Arguments<CallOptions<"put", P>>): Promise<BodyOf<"put", P>> {
    return (await this.call("put", path, ...options)).body as BodyOf<"put", P>;
  }

  /** As `call`. @returns the body alone */
  async patch<P extends PathOf<"patch">>(
    path: P,
    ...options: Arguments<CallOptions<"patch", P>>
  ): Promise<BodyOf<"patch", P>> {
    return (await this.call("patch", path, ...options)).body as BodyOf<"patch", P>;
  }

  /** As `call`. @returns the body alone */
  async delete<P extends PathOf<"delete">>(
    path: P,
    ...options: Arguments<CallOptions<"delete", P>>
  ): Promise<BodyOf<"delete", P>> {
    return (await this.call("delete", path, ...options)).body as BodyOf<"delete", P>;
  }

  /** Every item of a list, from `pagination[offset]` on, page by page. */
  async *list<P extends ListPath>(path: P, ...[options]: Arguments<CallOptions<"get", P>>): AsyncGenerator<ItemOf<P>> {
    const { query = {}, ...rest } = (options ?? {}) as AnyOptions;
    let offset = Number(query["pagination[offset]"] ?? 0);
    for (;;) {
      const pages = { "pagination[limit]": PAGE, ...query, "pagination[offset]": offset };
      const { body } = await this.send("get", path, { ...rest, query: pages });
      const { items, total } = body as Page<ItemOf<P>>;
      yield* items;
      offset += items.length;
      if (offset >= total || !items.length) return;
    }
  }

  /** Calls with a body of any media type, without types. As `call` does. */
  send(
    method: Method,
    path: string,
    { path: ids = {}, query = {}, headers = {}, signal, timeoutMs = this.timeoutMs ?? TIMEOUT_MS }: AnyOptions,
    sent?: { type: string; coding?: string; body: string | Blob },
  ): Promise<Received> {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const isNamed = given.some(([name]) => name.toLowerCase() === "idempotency-key");
    return send({
      method: method.toUpperCase(),
      url: this.#url + filled(path, ids) + queryOf(query),
      headers: {
        ...(method === "post" && !isNamed && { "Idempotency-Key": crypto.randomUUID() }),
        ...Object.fromEntries(given),
        ...this.#headers,
        ...(sent && { "Content-Type": sent.type }),
        ...(sent?.coding && { "Content-Encoding": sent.coding }),
      },
      ...(sent && { body: sent.body }),
      isRepeatable: method === "get" || method === "post",
      retryForMs: this.#retryForMs,
      timeoutMs,
      signal,
    });
  }
}

/** @throws TypeError when the URL is none, or credentials are missing */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

/** A path with its ids filled in. */
function filled(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (!id) throw new TypeError(`The path ${path} needs ${name}.`);
    return encodeURIComponent(id);
  });
}

/** A query: an array is a parameter several times, an object one for each of its members. */
function queryOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    // Without a value, the filter matches nothing. Left out, it would let everything through.
    if (Array.isArray(value)) return value.length ? value.map((one) => [name, one]) : [[name, ""]];
    if (typeof value === "object") return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, one]);
    return [[name, value]];
  });
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
