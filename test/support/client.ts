// An API client for tests, as a user of the service would write it, whose answers show everything.

/** An id that nobody has. */
export const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
/** What ids and times look like. Sessions have ids of version 4. */
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Asks not to wait for a job. */
export const ASYNC = { Prefer: "respond-async" };

export interface Credentials {
  apiKey: string;
  apiSecret: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body
  body: any;
  text: string;
  bytes: Buffer;
}

/** A published screener, its publication, and what the import of its people answered. */
export interface PublishedScreener {
  screenerId: string;
  publication: Answer["body"];
  rows: Answer["body"];
}

export interface CallOptions {
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array;
  signal?: AbortSignal;
}

export class Client {
  readonly url: string;
  readonly workspaceId: string;
  readonly credentials: Credentials;

  constructor(url: string, workspaceId: string, credentials: Credentials) {
    this.url = url;
    this.workspaceId = workspaceId;
    this.credentials = credentials;
  }

  async call(method: string, path: string, { headers = {}, body, raw, signal }: CallOptions = {}): Promise<Answer> {
    const hasBody = body !== undefined || raw !== undefined;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        // Without a key, the caller has a token.
        ...(this.credentials.apiKey && {
          "X-Service-Api-Key": this.credentials.apiKey,
          "X-Service-Api-Secret": this.credentials.apiSecret,
        }),
        ...(hasBody && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(hasBody && { body: (raw ?? JSON.stringify(body)) as BodyInit }),
      ...(signal && { signal }),
    });
    // As it came: text() would leave a byte order mark out.
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : undefined,
      text,
      bytes,
    };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call("GET", path, { headers });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call("POST", path, { body, headers });
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.call("PATCH", path, { body });
  }

  delete(path: string): Promise<Answer> {
    return this.call("DELETE", path);
  }

  /** Makes a screener. @returns its id */
  async screener(title = "A study"): Promise<string> {
    const { status, body, text } = await this.post("/screeners", { title });
    if (status !== 201) throw new Error(text);
    return body.id;
  }

  /** Imports rows into a screener. */
  import(
    screenerId: string,
    participants: unknown[],
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.post("/screener-participants-import", { screenerId, participants, ...more }, headers);
  }

  /** Publishes a new screener, and imports `count` people into it. `more`: what else the publication has. */
  async published(count: number, more: object = {}): Promise<PublishedScreener> {
    const screenerId = await this.screener();
    const { body: publication } = await this.post("/screener-publications", { screenerId, ...more });
    const { body: rows } = await this.import(screenerId, people(count), {}, { Prefer: "wait=60" });
    return { screenerId, publication, rows };
  }

  /** Opens a session. */
  open(screenerParticipantId: string): Promise<Answer> {
    return this.post("/screener-sessions", { screenerParticipantId });
  }

  /** Every item of a list, page by page. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async all(path: string): Promise<any[]> {
    const items: unknown[] = [];
    for (;;) {
      const { body, status, text } = await this.get(
        `${path}${path.includes("?") ? "&" : "?"}pagination[limit]=500&pagination[offset]=${items.length}`,
      );
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
      items.push(...body.items);
      if (items.length >= body.total || !body.items.length) return items;
    }
  }
}

/** Rows of an import: `count` people, from number `from`. */
export function people(count: number, from = 0): { externalUid: string; email: string; name: string }[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return { externalUid: `P-${number}`, email: `person${number}@example.org`, name: `Person ${number}` };
  });
}
